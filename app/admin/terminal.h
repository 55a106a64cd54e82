#pragma once
// The admin tool's own console: results to standard output or into a file, words to standard error.
#include "app/admin/console.h"
#include "app/admin/target.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace slashpost::admin {

class Terminal final : public Console {
  public:
    // Ctrl-C ends a command in order; a second one ends the program.
    static void heed_interrupts();

    // To standard output. A quiet one says nothing of how things go, only what went wrong.
    explicit Terminal(bool quiet = false) : quiet_(quiet), shows_progress_(!quiet && is_terminal()) {}
    // Into `file`, as target.h has it.
    static Result<std::unique_ptr<Terminal>> into_file(const std::filesystem::path& file, bool quiet = false);

    ~Terminal() override;
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    Result<void> write(std::string_view bytes) override;
    void note(std::string_view line) override;
    void complain(std::string_view line) override;
    void progress(std::string_view line) override;
    bool stopped() override;
    // The result is whole: it is on the disk under its name when this succeeds.
    Result<void> finish();

  private:
    static bool is_terminal(); // standard error is one
    void say(std::string_view line);
    void clear_progress();

    bool quiet_;
    bool shows_progress_;
    std::size_t shown_ = 0; // columns of the line of progress that is there now
    std::optional<Target> target_;
    std::filesystem::path file_; // that it is; empty: standard output
};

} // namespace slashpost::admin
