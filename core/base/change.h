#pragma once
// What a partial update says about one field: leave it, give it a value, or take its value away.
//
// The one type for all partial updates, so that nobody reads an optional of an optional.
#include <optional>
#include <utility>

namespace slashpost {

template <class T>
class Change {
  public:
    Change() = default; // keep
    static Change keep() { return {}; }
    static Change set(T value) { return Change(Kind::set, std::move(value)); }
    // Keeps when there is nothing.
    static Change of(std::optional<T> value) { return value ? set(std::move(*value)) : keep(); }
    static Change clear() { return Change(Kind::clear, std::nullopt); }

    [[nodiscard]] bool is_keep() const { return kind_ == Kind::keep; }
    [[nodiscard]] bool is_set() const { return kind_ == Kind::set; }
    [[nodiscard]] bool is_clear() const { return kind_ == Kind::clear; }
    // The value to set; requires is_set().
    [[nodiscard]] const T& value() const { return *value_; }

    // Carries the change out; a cleared plain field gets its default value.
    void apply_to(T& target) const {
        if (is_set())
            target = *value_;
        else if (is_clear())
            target = T{};
    }
    void apply_to(std::optional<T>& target) const {
        if (is_set())
            target = value_;
        else if (is_clear())
            target.reset();
    }

    bool operator==(const Change&) const = default;

  private:
    enum class Kind { keep, set, clear };
    Change(Kind kind, std::optional<T> value) : kind_(kind), value_(std::move(value)) {}

    Kind kind_ = Kind::keep;
    std::optional<T> value_;
};

} // namespace slashpost
