#pragma once
// The pages of the dashboard as they stand in http/dashboard/built, carried by the program.
#include "http/api/published.h"

#include <string_view>

namespace slashpost::dashboard {

struct BuiltFile {
    api::Published content;
    std::string_view media_type;
};

// By its name in that folder, "app.js"; null when there is none.
const BuiltFile* built_file(std::string_view name);

// Made by embed.cmake.
struct EmbeddedFile {
    std::string_view name;
    std::string_view bytes;
};
// The files one after the other, an empty name behind the last.
extern const EmbeddedFile embedded_files[];

} // namespace slashpost::dashboard
