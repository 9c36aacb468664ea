// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/build_identity.h"

#include <elf.h>
#include <link.h>

#include <cstring>

#include <fmt/format.h>

namespace fusebench::cpu {
namespace {

/// Notes are: sizes and type, then name and description, each padded to 4 bytes.
std::string findBuildId(const char* note, const char* end) {
  while (note + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) header;
    std::memcpy(&header, note, sizeof header);
    const char* name = note + sizeof header;
    const char* description = name + (header.n_namesz + 3) / 4 * 4;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 &&
        std::memcmp(name, "GNU", 4) == 0) {
      std::string id;
      for (unsigned i = 0; i < header.n_descsz; ++i)
        id += fmt::format("{:02x}", static_cast<unsigned char>(description[i]));
      return id;
    }
    note = description + (header.n_descsz + 3) / 4 * 4;
  }
  return {};
}

}  // namespace

std::string buildIdentity() {
  std::string id;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* result) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_NOTE) continue;
          const auto* begin = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
          std::string found = findBuildId(begin, begin + segment.p_memsz);
          if (!found.empty()) {
            *static_cast<std::string*>(result) = std::move(found);
            return 1;
          }
        }
        return 1;  // the first object is the program itself; others do not matter
      },
      &id);
  return id;
}

}  // namespace fusebench::cpu
