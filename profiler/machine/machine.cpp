// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/machine.h"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace fusebench {
namespace {

std::optional<std::uint64_t> number(const std::string& path) {
  const auto text = firstLine(path);
  if (!text) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc()) return std::nullopt;  // "max"
  return value;
}

std::uint64_t meminfo(const std::string& key) {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::uint64_t kibibytes = 0;
  std::string rest;
  while (file >> name >> kibibytes && std::getline(file, rest))
    if (name == key + ":") return kibibytes * 1024;
  return 0;
}

}  // namespace

std::optional<std::string> firstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

std::uint64_t availableMemory() {
  std::uint64_t available = meminfo("MemAvailable");
  const auto limit = number("/sys/fs/cgroup/memory.max"),
             used = number("/sys/fs/cgroup/memory.current");
  if (limit && used) available = std::min(available, *limit > *used ? *limit - *used : 0);
  return available;
}

std::uint64_t totalMemory() {
  return meminfo("MemTotal");
}

}  // namespace fusebench
