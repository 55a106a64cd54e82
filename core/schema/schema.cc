#include "core/schema/schema.h"

namespace slashpost {

const Schema& schema() {
    static const Schema instance;
    return instance;
}

} // namespace slashpost
