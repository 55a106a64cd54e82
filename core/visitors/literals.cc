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
        assert(literal.text.size() <= std::numeric_limits<std::uint8_t>::max());
        std::size_t node = 0;
        for (const char c : literal.text) {
            const auto edge = node * letters_ + letter_of_[static_cast<unsigned char>(c)];
            if (next_[edge] == 0) {
                const auto added = add_node();
                next_[edge] = added;
            }
            node = next_[edge];
        }
        ends_[node].marks = static_cast<std::uint8_t>(ends_[node].marks | literal.marks);
        ends_[node].length = static_cast<std::uint8_t>(literal.text.size());
    }
    // The shorter beginnings first: where one does not go on, the longest that it ends with does.
    std::vector<Node> shorter(ends_.size()), nodes{0};
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
            ends_[next].shorter = ends_[otherwise].marks != 0 ? otherwise : ends_[otherwise].shorter;
            nodes.push_back(next);
        }
    }
}

Literals::Node Literals::add_node() {
    assert(ends_.size() <= std::numeric_limits<Node>::max());
    next_.resize(next_.size() + letters_);
    ends_.emplace_back();
    return static_cast<Node>(ends_.size() - 1);
}

} // namespace slashpost::redirect
