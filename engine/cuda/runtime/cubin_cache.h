// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/cuda/driver/nvrtc.h"
#include "engine/device/object_cache.h"

namespace fusebench::cuda {

/// Compiled CUDA kernels on disk, found by source, options, target and NVRTC's version. Throws only
/// for lack of memory; several threads and processes may share it.
class CubinCache {
 public:
  explicit CubinCache(std::filesystem::path folder) : objects_(std::move(folder)) {}

  /// The key that find() and store() take.
  static std::string key(const std::string& source, const std::vector<std::string>& options,
                         const CodeTarget& target, const std::string& nvrtcVersion);

  std::optional<CompiledCode> find(const std::string& key);
  void store(const std::string& key, const CompiledCode& code);

 private:
  std::mutex mutex_;
  ObjectCache objects_;
};

}  // namespace fusebench::cuda
