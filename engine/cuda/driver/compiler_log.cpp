// SPDX-License-Identifier: GPL-3.0-or-later
// Reading what NVRTC and its assembler say.
#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "engine/base/text_lines.h"
#include "engine/cuda/driver/nvrtc.h"

namespace fusebench::cuda {
namespace {

/// The number before `unit` in a line like "Used 16 registers, 400 bytes cmem[0]"; 0 without one.
int numberBefore(std::string_view line, std::string_view unit) {
  const std::size_t at = line.find(unit);
  if (at == std::string_view::npos) return 0;
  std::size_t begin = at;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  int number = 0;
  std::from_chars(line.data() + begin, line.data() + at, number);
  return number;
}

}  // namespace

std::vector<EntryResources> resourcesIn(std::string_view log) {
  constexpr std::string_view kEntry = "Compiling entry function '";
  std::vector<EntryResources> found;
  bool inEntry = false;  // device functions that were not inlined report, too
  forEachLine(log, [&](std::string_view line) {
    if (const std::size_t at = line.find(kEntry); at != std::string_view::npos) {
      const std::size_t begin = at + kEntry.size();
      found.push_back({});
      found.back().entry = line.substr(begin, line.find('\'', begin) - begin);
      inEntry = true;
      return;
    }
    if (found.empty()) return;
    EntryResources& entry = found.back();
    if (const std::size_t at = line.find("Function properties for "); at != std::string_view::npos)
      inEntry = line.find(entry.entry, at) != std::string_view::npos;
    if (!inEntry) return;
    if (line.find("bytes stack frame") != std::string_view::npos) {
      entry.stackBytes = numberBefore(line, " bytes stack frame");
      entry.spillStores = numberBefore(line, " bytes spill stores");
      entry.spillLoads = numberBefore(line, " bytes spill loads");
    }
    if (line.find("Used ") != std::string_view::npos) {
      entry.registers = numberBefore(line, " registers");
      entry.sharedBytes = numberBefore(line, " bytes smem");
    }
  });
  return found;
}

std::string firstError(std::string_view log) {
  std::string first, error;
  forEachLine(log, [&](std::string_view line) {
    if (first.empty()) first = line;
    if (error.empty() && line.find("error") != std::string_view::npos) error = line;
  });
  return error.empty() ? first : error;
}

}  // namespace fusebench::cuda
