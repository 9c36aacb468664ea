// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/shipped_key.h"

namespace fusebench::cuda {

/// Code of many kernels for one target in one file: a line that identifies it, a table sorted by
/// key, and blocks of adjacent kernels that were compressed together, since kernels of one op are
/// similar. Points into the bytes it was opened on.
class KernelArchive {
 public:
  KernelArchive() = default;  ///< nothing in it
  /// From bytes that packKernels() wrote; a damaged archive contains nothing.
  explicit KernelArchive(std::string_view bytes);

  std::size_t size() const { return count_; }
  std::string_view target() const { return target_; }  ///< "sm_90", "compute_75"
  std::string_view nvrtc() const { return nvrtc_; }  ///< version of the NVRTC that made it: "13.0"
  bool holds(const ShippedKey& key) const { return find(key).has_value(); }
  /// The code of the kernel with this key: machine code or PTX; nothing if there is none.
  std::optional<std::string> code(const ShippedKey& key) const;
  std::vector<ShippedKey> keys() const;

 private:
  struct Row {
    ShippedKey key;
    std::uint32_t block = 0;          ///< where it begins, counted from the first block
    std::uint32_t packed = 0;         ///< its bytes
    std::uint32_t whole = 0;          ///< and those when unpacked
    std::uint32_t at = 0, bytes = 0;  ///< of the code in it
    static constexpr std::size_t kBytes = 36;
  };
  Row row(std::size_t number) const;
  std::optional<Row> find(const ShippedKey& key) const;
  friend std::string packKernels(std::string_view target, std::string_view nvrtc,
                                 const std::vector<std::pair<ShippedKey, std::string>>& kernels);

  std::string_view target_, nvrtc_, rows_, blocks_;
  std::size_t count_ = 0;
};

/// The file of these kernels; adjacent ones should be similar. Keys must be unique. Throws
/// std::runtime_error.
std::string packKernels(std::string_view target, std::string_view nvrtc,
                        const std::vector<std::pair<ShippedKey, std::string>>& kernels);

}  // namespace fusebench::cuda
