// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace fusebench {

/// Files of a worker whose driver cannot access its disk: in a private folder that is deleted with
/// the worker, and read through replies, in chunks. No other file can be read this way.
class SideFiles {
 public:
  SideFiles() = default;
  ~SideFiles();
  SideFiles(const SideFiles&) = delete;
  SideFiles& operator=(const SideFiles&) = delete;

  /// The folder, made when it is first needed. Throws std::runtime_error.
  const std::string& folder();
  /// Returns {"data": base64, "bytes": size of the whole file}, starting at `offset`. Throws
  /// std::runtime_error unless the file is in the folder.
  nlohmann::json read(const std::string& path, std::int64_t offset) const;

 private:
  std::string folder_;
};

/// Bytes that one reply carries: encoded as base64, well below the longest line.
inline constexpr std::size_t kSideFileChunk = std::size_t{384} << 10;

}  // namespace fusebench
