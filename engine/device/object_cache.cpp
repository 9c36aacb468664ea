// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/object_cache.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "engine/base/sha256.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kMagic = "fusebench object 1\n";
constexpr int kStoresBetweenPrunes = 64;

}  // namespace

ObjectCache::ObjectCache(fs::path folder, std::uintmax_t limitBytes)
    : folder_(std::move(folder)), limit_(limitBytes) {
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
}

fs::path ObjectCache::defaultFolder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return fs::path(cache) / "fusebench" / "kernels";
  if (const char* home = std::getenv("HOME"); home && *home)
    return fs::path(home) / ".cache" / "fusebench" / "kernels";
  return fs::temp_directory_path() / fmt::format("fusebench-{}", ::getuid()) / "kernels";
}

fs::path ObjectCache::file(std::string_view key) const {
  return folder_ / (sha256(key) + ".o");
}

std::optional<std::string> ObjectCache::find(std::string_view key) {
  const fs::path path = file(key);
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream all;
  all << in.rdbuf();
  const std::string text = all.str();
  const std::size_t head = kMagic.size() + 64;
  if (text.size() > head && text.starts_with(kMagic)) {
    std::string object = text.substr(head);
    if (sha256(object) == text.substr(kMagic.size(), 64)) {
      std::error_code ignored;
      fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);  // recently used
      return object;
    }
  }
  std::error_code ignored;
  fs::remove(path, ignored);
  return std::nullopt;
}

void ObjectCache::store(std::string_view key, std::string_view object) {
  static std::atomic<unsigned> serial{0};
  const fs::path path = file(key);
  const fs::path temporary = folder_ / fmt::format(".{}-{}.tmp", ::getpid(), serial++);
  std::error_code failed;
  {
    std::ofstream out(temporary, std::ios::binary);
    out << kMagic << sha256(object) << object;
    if (!out.flush()) {
      out.close();
      fs::remove(temporary, failed);
      return;
    }
  }
  fs::rename(temporary, path, failed);
  if (failed) fs::remove(temporary, failed);
  if (--storesUntilPrune_ < 0) {
    prune();
    storesUntilPrune_ = kStoresBetweenPrunes;
  }
}

void ObjectCache::prune() {
  struct Entry {
    fs::path path;
    std::uintmax_t bytes;
    fs::file_time_type used;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code failed;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator it(folder_, failed), end; !failed && it != end;
       it.increment(failed)) {
    std::error_code gone;  // another process may remove files meanwhile
    const auto bytes = it->file_size(gone);
    const auto used = gone ? fs::file_time_type() : it->last_write_time(gone);
    if (gone) continue;
    if (it->path().extension() == ".tmp") {  // left by a process that died
      if (now - used > std::chrono::hours(1)) fs::remove(it->path(), gone);
      continue;
    }
    total += bytes;
    entries.push_back({it->path(), bytes, used});
  }
  if (total <= limit_) return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= limit_ / 4 * 3) break;
    std::error_code gone;
    fs::remove(entry.path, gone);
    total -= entry.bytes;
  }
}

}  // namespace fusebench
