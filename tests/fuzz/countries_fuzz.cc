// A file of countries: it is read whole or refused with a reason, and then every address may be asked for.
#include "app/geo/country_database.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/temp_folder.h"

#include <fstream>

using namespace slashpost;
using namespace slashpost::fuzz;

void slashpost::fuzz::try_input(std::string_view bytes) {
    static const test::TempFolder folder;
    const auto file = folder.path() / "countries.mmdb";
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    const auto read = geo::CountryDatabase::read(file);
    if (!read) {
        must(!read.error().message.empty(), "a file that is refused is told why");
        return;
    }
    for (const auto* address : {"0.0.0.0", "192.0.2.1", "255.255.255.255", "::", "2001:db8::1", "ffff::"})
        static_cast<void>((*read)->find(redirect::Address::of(address)));
    static_cast<void>((*read)->find({}));
}
