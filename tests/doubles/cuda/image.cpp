// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/doubles/cuda/image.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "engine/base/sha256.h"
#include "tests/doubles/cuda/host_compiler.h"

namespace fusebench::test {
namespace {

constexpr char kCubin[] = "FBCUBIN1";
constexpr char kPtx[] = "//FBPTX ", kRealPtx[] = ".version ";
constexpr cuda::Result kInvalidPtx = 218;

/// By which PTX of a real NVRTC says what source it was made of.
constexpr char kPrebuilt[] = "\n// of source ";

struct Head {
  char mark[8];
  std::int64_t architecture;
  std::uint64_t bytes;
};

/// The double runs neither PTX nor machine code of a device. It compiles the source that a test has
/// put into a folder, under the hash that the PTX names or the hash of the machine code.
cuda::Result readPrebuilt(const std::string& name, cuda::Result without,
                          std::vector<char>& library) {
  const char* folder = std::getenv("FUSEBENCH_DOUBLE_SOURCES");
  if (!folder) return without;
  std::ifstream in(std::string(folder) + "/" + name + ".cu", std::ios::binary);
  const std::string source{std::istreambuf_iterator<char>(in), {}};
  if (source.empty()) return without;
  library = compileForHost(source).library;
  return library.empty() ? kInvalidPtx : 0;
}

/// Bytes of an ELF file whose table of sections comes last or before that of segments.
std::size_t elfBytes(const Elf64_Ehdr& head) {
  return std::max(head.e_shoff + std::size_t{head.e_shentsize} * head.e_shnum,
                  head.e_phoff + std::size_t{head.e_phentsize} * head.e_phnum);
}

}  // namespace

std::string cubinImage(int architecture, const std::vector<char>& library) {
  Head head{};
  std::memcpy(head.mark, kCubin, sizeof head.mark);
  head.architecture = architecture;
  head.bytes = library.size();
  std::string image(sizeof head, '\0');
  std::memcpy(image.data(), &head, sizeof head);
  return image.append(library.data(), library.size());
}

std::string ptxImage(int architecture, const std::string& source) {
  return kPtx + std::to_string(architecture) + "\n" + source;
}

std::size_t sharedBytesOf(const std::vector<char>& library) {
  const auto at = [&](std::size_t offset, auto& to) {
    if (offset + sizeof to > library.size()) return false;
    std::memcpy(&to, library.data() + offset, sizeof to);
    return true;
  };
  const auto entry = [](std::size_t begin, std::size_t number, std::size_t bytes) {
    return begin + number * bytes;
  };
  Elf64_Ehdr head{};
  std::size_t sum = 0;
  if (!at(0, head)) return sum;
  for (std::size_t s = 0; s < head.e_shnum; ++s) {
    Elf64_Shdr table{}, names{};
    if (!at(entry(head.e_shoff, s, sizeof table), table) || table.sh_type != SHT_SYMTAB) continue;
    if (!at(entry(head.e_shoff, table.sh_link, sizeof names), names)) continue;
    for (std::size_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
      Elf64_Sym symbol{};
      char name[4] = {};  // a variable of a function's begins so
      if (at(entry(table.sh_offset, i, sizeof symbol), symbol) &&
          ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT &&
          at(names.sh_offset + symbol.st_name, name) && std::strncmp(name, "_ZZ", 3) == 0)
        sum += symbol.st_size;
    }
  }
  return sum;
}

cuda::Result readImage(const void* image, int architecture, std::vector<char>& library) {
  const auto* text = static_cast<const char*>(image);
  if (std::strncmp(text, kCubin, 8) == 0) {
    Head head{};
    std::memcpy(&head, image, sizeof head);
    // Machine code runs on devices of its major version, from its own minor version upward.
    if (head.architecture / 10 != architecture / 10 || head.architecture > architecture)
      return cuda::kNoBinaryForGpu;
    library.assign(text + sizeof head, text + sizeof head + head.bytes);
    return 0;
  }
  if (std::memcmp(text, ELFMAG, SELFMAG) == 0) {
    Elf64_Ehdr head{};
    std::memcpy(&head, image, sizeof head);
    return readPrebuilt(sha256({text, elfBytes(head)}), cuda::kInvalidImage, library);
  }
  if (const char* mark = std::strstr(text, kPrebuilt))
    return readPrebuilt(std::string(mark + sizeof kPrebuilt - 1, 64), cuda::kUnsupportedPtxVersion,
                        library);
  if (std::strncmp(text, kRealPtx, sizeof kRealPtx - 1) == 0)
    return readPrebuilt(sha256(text), cuda::kUnsupportedPtxVersion, library);
  if (std::strncmp(text, kPtx, sizeof kPtx - 1) != 0) return cuda::kInvalidImage;
  if (std::atoi(text + sizeof kPtx - 1) > architecture) return cuda::kNoBinaryForGpu;
  library = compileForHost(std::strchr(text, '\n') + 1).library;
  return library.empty() ? kInvalidPtx : 0;
}

}  // namespace fusebench::test
