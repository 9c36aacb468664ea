// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

namespace fusebench {

/// A list that stores up to kUsual values inline, and more on the heap: lists that usually have one
/// or two entries allocate nothing. T needs no destructor.
template <class T, std::size_t kUsual>
class ShortList {
 public:
  using value_type = T;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;

  ShortList() {}  // NOLINT(modernize-use-equals-default): would set the room
  explicit ShortList(std::size_t count) { resize(count); }
  ShortList(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  ShortList(const ShortList& other) { assign(other.begin(), other.end()); }
  ShortList(ShortList&& other) noexcept { take(other); }
  ShortList& operator=(const ShortList& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  ShortList& operator=(ShortList&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~ShortList() { release(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return values_; }
  const T* data() const { return values_; }
  T* begin() { return values_; }
  T* end() { return values_ + size_; }
  const T* begin() const { return values_; }
  const T* end() const { return values_ + size_; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  const T& front() const { return values_[0]; }
  T& back() { return values_[size_ - 1]; }

  T& emplace_back() {
    reserve(size_ + 1);
    return *std::construct_at(values_ + size_++);
  }
  void push_back(const T& value) {
    if (size_ == capacity_) return push_back(T(value), Grows());  // it may be one of these
    std::construct_at(values_ + size_++, value);
  }
  /// New ones are as T{}.
  void resize(std::size_t count) {
    reserve(count);
    for (T *value = values_ + size_, *end = values_ + count; value < end; ++value)
      std::construct_at(value);
    size_ = static_cast<std::uint32_t>(count);
  }
  /// Values of a range that is not part of the list.
  template <class Iterator>
  void assign(Iterator first, Iterator last) {
    size_ = 0;
    reserve(static_cast<std::size_t>(last - first));
    std::uninitialized_copy(first, last, values_);
    size_ = static_cast<std::uint32_t>(last - first);
  }
  void reserve(std::size_t count) {
    if (count > capacity_) grow(count);
  }

  friend bool operator==(const ShortList& a, const ShortList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static_assert(std::is_trivially_destructible_v<T>);
  static_assert(std::is_nothrow_copy_constructible_v<T>);
  struct Grows {};

  void push_back(const T& value, Grows) {
    grow(std::size_t{size_} + 1);
    std::construct_at(values_ + size_++, value);
  }
  void grow(std::size_t count) {
    const std::size_t capacity = std::max(count, std::size_t{capacity_} * 2);
    T* const values = std::allocator<T>().allocate(capacity);
    std::uninitialized_copy_n(values_, size_, values);
    release();
    values_ = values;
    capacity_ = static_cast<std::uint32_t>(capacity);
  }
  void release() noexcept {
    if (values_ == room_) return;
    std::allocator<T>().deallocate(values_, capacity_);
    values_ = room_;
    capacity_ = kUsual;
  }
  /// Moves the contents of the other list; this one must have nothing on the heap.
  void take(ShortList& other) noexcept {
    if (other.values_ == other.room_) {
      std::uninitialized_copy_n(other.values_, other.size_, values_);
    } else {
      values_ = std::exchange(other.values_, other.room_);
      capacity_ = std::exchange(other.capacity_, kUsual);
    }
    size_ = std::exchange(other.size_, 0);
  }

  T* values_ = room_;
  std::uint32_t size_ = 0, capacity_ = kUsual;
  union {
    T room_[kUsual];
  };
};

}  // namespace fusebench
