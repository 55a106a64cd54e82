#include "core/base/commit.h"

namespace slashpost {

std::string_view commit_mark() { return SLASHPOST_COMMIT_MARK; }

} // namespace slashpost
