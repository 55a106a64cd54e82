#include "http/wire/value_type.h"

#include <fmt/format.h>

namespace slashpost::wire {

const Rule required{[](Rules& rules) { rules.required = true; }};
const Rule empty_clears{[](Rules& rules) { rules.empty_clears = true; }};
const Rule comma_list{[](Rules& rules) { rules.comma_list = true; }};
const Rule trimmed{[](Rules& rules) { rules.trimmed = true; }};
const Rule not_empty{[](Rules& rules) { rules.not_empty = true; }};
const Rule alternative{[](Rules& rules) { rules.alternative = true; }};

Rule length(std::size_t min, std::size_t max) {
    return {[=](Rules& rules) { rules.length_min = min, rules.length_max = max; }};
}

Rule range(std::int64_t min, std::int64_t max) {
    return {[=](Rules& rules) { rules.range_min = min, rules.range_max = max; }};
}

Rule at_least(std::int64_t min) {
    return {[=](Rules& rules) { rules.range_min = min; }};
}

Rule clamped(std::int64_t min, std::int64_t max) {
    return {[=](Rules& rules) { rules.range_min = min, rules.range_max = max, rules.clamp_above = true; }};
}

Rule items_max(std::size_t count) {
    return {[=](Rules& rules) { rules.items_max = count; }};
}

Rule one_of(std::span<const std::string_view> words) {
    return {[words](Rules& rules) { rules.one_of.assign(words.begin(), words.end()); }};
}

Rule absent_when(std::string_view word) {
    return {[word](Rules& rules) { rules.absent_word = word; }};
}

Rule note(std::string_view text) {
    return {[text](Rules& rules) { rules.note = text; }};
}

Rule example(std::string_view text) {
    return {[text](Rules& rules) { rules.example = text; }};
}

bool Reading::refuse(FieldError problem) {
    problems_.add(std::move(problem));
    return false;
}

Reading::Step::Step(Reading& reading, std::string_view name)
    : reading_(reading),
      length_before_(reading.property_.size()) {
    if (length_before_ != 0 && !name.empty())
        reading.property_ += '.';
    reading.property_ += name;
}

Reading::Step::Step(Reading& reading, std::size_t index)
    : reading_(reading),
      length_before_(reading.property_.size()) {
    reading.property_ += fmt::format("[{}]", index);
}

Fields joined(std::initializer_list<Fields> parts) {
    Fields out;
    for (const auto& fields : parts)
        out.insert(out.end(), fields.begin(), fields.end());
    return out;
}

} // namespace slashpost::wire
