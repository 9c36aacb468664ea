// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer's entry: the reader that FUSEBENCH_FUZZ_READER names is searched by coverage. Its
// corpus is written into FUSEBENCH_FUZZ_CORPUS. It works in the current folder.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "profiler/files/files.h"
#include "tests/fuzz/readers.h"

namespace {

fusebench::fuzz::Tried& tried() {
  static fusebench::fuzz::Tried made = [] {
    const char* name = std::getenv("FUSEBENCH_FUZZ_READER");
    const auto readers = fusebench::fuzz::allReaders();
    const auto found = readers.find(name ? name : "");
    if (found == readers.end()) {
      std::fprintf(stderr, "FUSEBENCH_FUZZ_READER names no reader; they are:");
      for (const auto& [known, ignored] : readers) std::fprintf(stderr, " %s", known.c_str());
      std::fprintf(stderr, "\n");
      std::exit(2);
    }
    return found->second();
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* folder = std::getenv("FUSEBENCH_FUZZ_CORPUS");
  if (!folder) return 0;
  int number = 0;
  for (const std::string& text : tried().corpus)
    fusebench::writeFile(std::string(folder) + "/right-" + std::to_string(number++), text);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)readOrRefuse(tried(), std::string(reinterpret_cast<const char*>(data), size));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "not refused as documented: %s\n", error.what());
    std::abort();
  }
  return 0;
}
