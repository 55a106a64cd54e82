#include "core/visitors/literals.h"

#include <cassert>
#include <limits>

namespace slashpost::redirect {

Literals::Literals(const std::vector<Literal>& literals) {
    for (const auto& literal : literals)
        for (const char c : literal.text)
            if (auto& letter = letter_of_[static_cast<unsigned char>(c)]; letter == 0)
                letter = static_cast<std::uint8_t>(letters_++);
    add_node();
    for (const auto& literal : literals) {
        std::size_t node = 0;
        for (const char c : literal.text) {
            const auto edge = node * letters_ + letter_of_[static_cast<unsigned char>(c)];
            if (next_[edge] == 0) {
                const auto added = add_node();
                next_[edge] = added;
            }
            node = next_[edge];
        }
        marks_[node] = static_cast<std::uint8_t>(marks_[node] | literal.marks);
    }
    // The shorter beginnings first: where one does not go on, the longest that it ends with does.
    std::vector<Node> shorter(marks_.size()), nodes{0};
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        const auto node = nodes[at];
        for (std::size_t letter = 0; letter < letters_; ++letter) {
            auto& next = next_[node * letters_ + letter];
            const Node otherwise = node == 0 ? Node{0} : next_[shorter[node] * letters_ + letter];
            if (next == 0) {
                next = otherwise;
                continue;
            }
            shorter[next] = otherwise;
            marks_[next] = static_cast<std::uint8_t>(marks_[next] | marks_[otherwise]);
            nodes.push_back(next);
        }
    }
}

Literals::Node Literals::add_node() {
    assert(marks_.size() <= std::numeric_limits<Node>::max());
    next_.resize(next_.size() + letters_);
    marks_.push_back(0);
    return static_cast<Node>(marks_.size() - 1);
}

} // namespace slashpost::redirect
