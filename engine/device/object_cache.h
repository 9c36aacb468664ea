// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace fusebench {

/// Compiled kernels on disk, one file each, named by a hash of everything the code depends on.
/// Several processes of one user may share the folder: files appear by rename and are checked when
/// read by a digest over key and object, so a file that is half written, damaged or misnamed is a
/// miss and is removed. Cached code is executed: a folder or file that anyone else could have
/// written is not used. The size is limited; the least recently used files are removed first. Never
/// throws: a cache that does not work always misses.
class ObjectCache {
 public:
  explicit ObjectCache(std::filesystem::path folder, std::uintmax_t limitBytes = 128u << 20);

  ~ObjectCache();
  ObjectCache(const ObjectCache&) = delete;
  ObjectCache& operator=(const ObjectCache&) = delete;

  /// The folder used if none is given: $XDG_CACHE_HOME/fusebench/kernels or
  /// ~/.cache/fusebench/kernels; empty, which disables the cache, if the user has no home.
  static std::filesystem::path defaultFolder();

  std::optional<std::string> find(std::string_view key);
  void store(std::string_view key, std::string_view object);

  const std::filesystem::path& folder() const { return folder_; }
  /// Why the folder is not used, or which file was last rejected and removed: one line that names
  /// the cache; empty: no problem.
  const std::string& problem() const { return problem_; }

 private:
  static std::string nameOf(std::string_view key);
  void refuse(const std::string& name, const char* why);
  void prune();

  std::filesystem::path folder_;
  int directory_ = -1;  ///< the folder, opened when it was verified to be private
  std::string problem_;
  std::uintmax_t limit_;
  int storesUntilPrune_ = 0;  // the first store examines the files of earlier processes
};

}  // namespace fusebench
