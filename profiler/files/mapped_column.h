// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace fusebench {

/// A growing array of bytes. Small ones are in memory, large ones in a mapped, unnamed file under
/// $TMPDIR, so that the system can write them out when memory is short.
class MappedBytes {
 public:
  MappedBytes() = default;
  ~MappedBytes();
  MappedBytes(MappedBytes&& other) noexcept { swap(other); }
  MappedBytes& operator=(MappedBytes&& other) noexcept {
    swap(other);
    return *this;
  }
  /// Makes room for `bytes` in all; throws std::bad_alloc.
  void reserve(std::size_t bytes);
  std::byte* data() const { return data_; }
  bool inFile() const { return file_ >= 0; }
  /// A file is used at this size or more.
  static constexpr std::size_t kFileFrom = std::size_t{64} << 20;

 private:
  void swap(MappedBytes& other) noexcept;
  bool moveToFile(std::size_t capacity);
  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
  int file_ = -1;
};

/// A vector of plain records over MappedBytes; only grows.
template <typename T>
class MappedColumn {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  MappedColumn() = default;
  MappedColumn(MappedColumn&& other) noexcept
      : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
  MappedColumn& operator=(MappedColumn&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    return *this;
  }
  std::size_t size() const { return size_; }
  bool inFile() const { return bytes_.inFile(); }
  T& operator[](std::size_t index) { return begin()[index]; }
  const T& operator[](std::size_t index) const { return begin()[index]; }
  void push_back(const T& value) {
    bytes_.reserve((size_ + 1) * sizeof(T));
    begin()[size_++] = value;
  }

 private:
  T* begin() const { return reinterpret_cast<T*>(bytes_.data()); }
  MappedBytes bytes_;
  std::size_t size_ = 0;
};

}  // namespace fusebench
