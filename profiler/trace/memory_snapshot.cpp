// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/memory_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <new>
#include <string_view>

#include "engine/base/saying.h"
#include "profiler/files/byte_source.h"
#include "profiler/files/shell_text.h"

namespace fusebench {
namespace {

constexpr std::size_t kSnapshotBegin = 4096;

}  // namespace

Nanoseconds MemorySnapshot::length() const {
  Nanoseconds last = 0;
  for (const MemoryDevice& each : devices)
    if (!each.events.empty()) last = std::max(last, each.events.back().time);
  return last;
}

std::string MemorySnapshot::siteOf(std::uint32_t stack) const {
  const std::vector<std::uint32_t>& calls = stacks.at(stack);
  if (calls.empty()) return {};
  const auto best = std::ranges::max_element(
      calls, {}, [this](std::uint32_t frame) { return frames[frame].tells; });
  return frames[*best].text;
}

bool looksLikeMemorySnapshot(const std::string& path) {
  try {
    ByteSource source(path, static_cast<unsigned>(kSnapshotBegin));
    std::string begin(kSnapshotBegin, '\0');
    begin.resize(source.read(begin.data(), begin.size()));
    const std::size_t open = begin.find_first_not_of("\xEF\xBB\xBF \t\r\n");
    if (open == std::string::npos || begin[open] != '{') return false;
    const std::size_t key = begin.find_first_not_of(" \t\r\n", open + 1);
    return key != std::string::npos &&
           std::ranges::any_of(
               std::initializer_list<std::string_view>{"\"segments\"", "\"device_traces\"",
                                                       "\"allocator_settings\"",
                                                       "\"external_annotations\""},
               [&](std::string_view each) {
                 return std::string_view(begin).substr(key).starts_with(each);
               });
  } catch (const std::bad_alloc&) {
    throw;  // there was no memory for the file, so nothing is known
  } catch (const std::exception&) {
    return false;
  }
}

bool looksLikePickle(const std::string& path) {
  // Protocol 2 and later begin with its opcode and its number.
  constexpr int kOpcode = 0x80, kFirst = 2, kLast = 5;
  std::ifstream file(path, std::ios::binary);
  const int opcode = file.get(), protocol = file.get();
  return opcode == kOpcode && protocol >= kFirst && protocol <= kLast;
}

std::string pickleRefusal(const std::string& path) {
  const std::string made = std::filesystem::path(path).replace_extension(".json").string();
  const std::string command = fmt::format(
      "python3 -c \"import json, pickle, sys; json.dump(pickle.load(open(sys.argv[1], 'rb')), "
      "open(sys.argv[2], 'w'))\" {} {}",
      shellQuoted(path), shellQuoted(made));
  return saying(
      "{}: this is a pickle, and opening one would run code; if it is a memory snapshot from a "
      "source that you trust, write it as JSON: {}",
      path, command);
}

}  // namespace fusebench
