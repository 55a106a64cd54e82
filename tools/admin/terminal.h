#pragma once
// The admin tool's own console: results to standard output or into a file, words to standard error.
#include "tools/admin/console.h"

#include <filesystem>
#include <memory>
#include <string>

namespace slashpost::admin {

class Terminal final : public Console {
  public:
    // Ctrl-C ends a command in order; a second one ends the program.
    static void heed_interrupts();

    // To standard output.
    Terminal() : descriptor_(1) {}
    // Into `file`, which appears only at finish(): until then the bytes are in FILE.part, and go with this
    // object when it never comes to that.
    static Result<std::unique_ptr<Terminal>> into_file(const std::filesystem::path& file);
    ~Terminal() override;
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    Result<void> write(std::string_view bytes) override;
    void note(std::string_view line) override;
    bool stopped() override;
    // The result is whole: it is on the disk under its name when this succeeds.
    Result<void> finish();

  private:
    Terminal(int descriptor, std::filesystem::path file) : descriptor_(descriptor), file_(std::move(file)) {}
    [[nodiscard]] std::filesystem::path part() const { return file_.string() + ".part"; }

    int descriptor_;
    std::filesystem::path file_; // empty: standard output
};

} // namespace slashpost::admin
