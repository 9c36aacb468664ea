// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/object_cache.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/base/sha256.h"
#include "engine/device/private_folder.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kMagic = "fusebench object 2\n";
constexpr std::size_t kDigestSize = 64;
constexpr std::size_t kLargestObject = std::size_t{256} << 20;
constexpr int kStoresBetweenPrunes = 64;

std::string digestOf(std::string_view key, std::string_view object) {
  std::string all = fmt::format("{}\n", key.size());
  all += key;
  all += object;
  return sha256(all);
}

/// A file of this folder that nobody but the user can have written; -1 if it is none.
int openOwn(int directory, const std::string& name) {
  const int file =
      ::openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status {};
  if (file < 0 ||
      (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
       (status.st_mode & 022) == 0 && status.st_size <= static_cast<off_t>(kLargestObject)))
    return file;
  ::close(file);
  errno = EPERM;
  return -1;
}

/// Up to the end, or to the first error: the digest tells.
std::string readAll(int file) {
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= kLargestObject) {
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return text;
}

bool writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

ObjectCache::ObjectCache(fs::path folder, std::uintmax_t limitBytes)
    : folder_(std::move(folder)), limit_(limitBytes) {
  if (std::string why = makePrivateFolder(folder_); !why.empty()) {
    problem_ = saying("the kernel cache is not used: {}", why);
    return;
  }
  directory_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  // It could have been exchanged since it was examined.
  struct stat status {};
  if (directory_ >= 0 && ::fstat(directory_, &status) == 0 && status.st_uid == ::geteuid() &&
      (status.st_mode & 077) == 0)
    return;
  problem_ = saying("the kernel cache is not used: {} is not private", folder_.string());
  if (directory_ >= 0) ::close(directory_);
  directory_ = -1;
}

ObjectCache::~ObjectCache() {
  if (directory_ >= 0) ::close(directory_);
}

fs::path ObjectCache::defaultFolder() {
  // Paths that are not absolute are to be ignored (XDG Base Directory Specification).
  const auto below = [](const char* root, const char* path) {
    return root && *root == '/' ? fs::path(root) / path : fs::path();
  };
  if (fs::path folder = below(std::getenv("XDG_CACHE_HOME"), "fusebench/kernels"); !folder.empty())
    return folder;
  const char* home = std::getenv("HOME");
  if (!home || !*home)
    if (const passwd* user = ::getpwuid(::geteuid())) home = user->pw_dir;
  return below(home, ".cache/fusebench/kernels");
}

std::string ObjectCache::nameOf(std::string_view key) {
  return sha256(key) + ".o";
}

void ObjectCache::refuse(const std::string& name, const char* why) {
  ::unlinkat(directory_, name.c_str(), 0);
  problem_ = saying("the cached kernel {} {}: it is removed, and compiled again",
                    (folder_ / name).string(), said(why));
}

std::optional<std::string> ObjectCache::find(std::string_view key) {
  if (directory_ < 0) return std::nullopt;
  const std::string name = nameOf(key);
  const int file = openOwn(directory_, name);
  if (file < 0) {
    if (errno != ENOENT) refuse(name, toBeSaid("could have been written by another user"));
    return std::nullopt;
  }
  const std::string text = readAll(file);
  constexpr std::size_t kHead = kMagic.size() + kDigestSize;
  std::optional<std::string> object;
  if (text.size() > kHead && text.starts_with(kMagic) &&
      digestOf(key, std::string_view(text).substr(kHead)) ==
          text.substr(kMagic.size(), kDigestSize))
    object = text.substr(kHead);
  if (object)
    ::futimens(file, nullptr);  // recently used
  else
    refuse(name, toBeSaid("is damaged, or not what was stored under its name"));
  ::close(file);
  return object;
}

void ObjectCache::store(std::string_view key, std::string_view object) {
  static std::atomic<unsigned> serial{0};
  if (directory_ < 0) return;
  const std::string name = nameOf(key);
  const std::string temporary = fmt::format(".{}-{}.tmp", ::getpid(), serial++);
  ::unlinkat(directory_, temporary.c_str(), 0);  // left by a dead process with this number
  const int file = ::openat(directory_, temporary.c_str(),
                            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return;
  std::string text(kMagic);
  text += digestOf(key, object);
  text += object;
  bool written = writeAll(file, text);
  written = ::close(file) == 0 && written;
  if (!written || ::renameat(directory_, temporary.c_str(), directory_, name.c_str()) != 0)
    ::unlinkat(directory_, temporary.c_str(), 0);
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
