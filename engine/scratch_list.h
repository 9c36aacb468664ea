// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <vector>

namespace fusebench {

/// So many values for the time of a pass; up to kUsual of them take no memory but their own place.
template <class T, std::size_t kUsual>
class ScratchList {
 public:
  explicit ScratchList(std::size_t count) : values_(count, &memory_) {}
  ScratchList(const ScratchList&) = delete;
  ScratchList& operator=(const ScratchList&) = delete;

  T* data() { return values_.data(); }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }

 private:
  alignas(T) std::array<std::byte, kUsual * sizeof(T)> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<T> values_;
};

}  // namespace fusebench
