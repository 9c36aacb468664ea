// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace fusebench {

/// Compiled kernels on disk, one file each, named by a hash of everything the code depends on.
/// Several processes may share the folder: files appear by rename and are checked by a digest when
/// read, so a half-written or damaged one is a miss and is removed. Bounded: the least recently
/// used go first. Never throws: a cache that does not work is a cache that misses.
class ObjectCache {
 public:
  explicit ObjectCache(std::filesystem::path folder, std::uintmax_t limitBytes = 128u << 20);

  /// The folder used when none is given: $XDG_CACHE_HOME/fusebench/kernels or
  /// ~/.cache/fusebench/kernels.
  static std::filesystem::path defaultFolder();

  std::optional<std::string> find(std::string_view key);
  void store(std::string_view key, std::string_view object);

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path file(std::string_view key) const;
  void prune();

  std::filesystem::path folder_;
  std::uintmax_t limit_;
  int storesUntilPrune_ = 0;  // the first store looks at what earlier processes left
};

}  // namespace fusebench
