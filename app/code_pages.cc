#include "app/code_pages.h"

#include <algorithm>
#include <cstdint>
#include <link.h>
#include <span>
#include <sys/mman.h>
#include <unistd.h>

namespace slashpost::app {

namespace {

int release(dl_phdr_info* object, std::size_t, void*) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (const auto& part : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
        if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0)
            continue;
        const auto begin = (object->dlpi_addr + part.p_vaddr + page - 1) / page * page;
        const auto end = (object->dlpi_addr + part.p_vaddr + part.p_memsz) / page * page;
        if (begin < end)
            ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED); // NOLINT: an address
    }
    return 0;
}

} // namespace

void release_code_pages() { ::dl_iterate_phdr(release, nullptr); }

} // namespace slashpost::app
