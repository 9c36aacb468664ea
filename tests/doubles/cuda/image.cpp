// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/doubles/cuda/image.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tests/doubles/cuda/host_compiler.h"

namespace fusebench::test {
namespace {

constexpr char kCubin[] = "FBCUBIN1";
constexpr char kPtx[] = "//FBPTX ";
constexpr cuda::Result kInvalidImage = 200, kInvalidPtx = 218;

/// By which PTX of a real NVRTC says what source it was made of.
constexpr char kPrebuilt[] = "\n// of source ";

struct Head {
  char mark[8];
  std::int64_t architecture;
  std::uint64_t bytes;
};

/// The double runs no PTX: it compiles the source that a test has put beside, under its hash.
cuda::Result readPrebuilt(const char* text, std::vector<char>& library) {
  const char* folder = std::getenv("FUSEBENCH_DOUBLE_SOURCES");
  if (!folder) return cuda::kUnsupportedPtxVersion;
  const std::string hash(std::strstr(text, kPrebuilt) + sizeof kPrebuilt - 1, 64);
  std::ifstream in(std::string(folder) + "/" + hash + ".cu", std::ios::binary);
  const std::string source{std::istreambuf_iterator<char>(in), {}};
  if (source.empty()) return kInvalidPtx;
  library = compileForHost(source).library;
  return library.empty() ? kInvalidPtx : 0;
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

cuda::Result readImage(const void* image, int architecture, std::vector<char>& library) {
  const auto* text = static_cast<const char*>(image);
  if (std::strncmp(text, kCubin, 8) == 0) {
    Head head{};
    std::memcpy(&head, image, sizeof head);
    // Machine code serves its own major version, from its minor version on.
    if (head.architecture / 10 != architecture / 10 || head.architecture > architecture)
      return cuda::kNoBinaryForGpu;
    library.assign(text + sizeof head, text + sizeof head + head.bytes);
    return 0;
  }
  if (std::strstr(text, kPrebuilt)) return readPrebuilt(text, library);
  if (std::strncmp(text, kPtx, sizeof kPtx - 1) != 0) return kInvalidImage;
  if (std::atoi(text + sizeof kPtx - 1) > architecture) return cuda::kNoBinaryForGpu;
  library = compileForHost(std::strchr(text, '\n') + 1).library;
  return library.empty() ? kInvalidPtx : 0;
}

}  // namespace fusebench::test
