// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/mapped_column.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

namespace fusebench {
namespace {

constexpr std::size_t kLeast = std::size_t{1} << 16;

/// A file that vanishes with its last descriptor; -1 where the folder allows none.
int namelessFile() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) return -1;
  return open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

}  // namespace

MappedBytes::~MappedBytes() {
  if (data_) munmap(data_, capacity_);
  if (file_ >= 0) close(file_);
}

void MappedBytes::swap(MappedBytes& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  std::swap(file_, other.file_);
}

bool MappedBytes::moveToFile(std::size_t capacity) {
  const int file = namelessFile();
  if (file < 0) return false;
  // Blocks are taken now: a full disk is an error here and not a signal at the first write.
  if (posix_fallocate(file, 0, static_cast<off_t>(capacity)) != 0) {
    close(file);
    return false;
  }
  void* made = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (made == MAP_FAILED) {
    close(file);
    return false;
  }
  if (data_) {
    std::memcpy(made, data_, capacity_);
    munmap(data_, capacity_);
  }
  data_ = static_cast<std::byte*>(made);
  capacity_ = capacity;
  file_ = file;
  return true;
}

void MappedBytes::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  const std::size_t capacity =
      std::max({kLeast, bytes, capacity_ + capacity_ / 2}) / 4096 * 4096 + 4096;
  if (file_ < 0 && capacity >= kFileFrom && moveToFile(capacity)) return;
  if (file_ >= 0 && posix_fallocate(file_, 0, static_cast<off_t>(capacity)) != 0)
    throw std::bad_alloc();
  void* made =
      data_ ? mremap(data_, capacity_, capacity, MREMAP_MAYMOVE)
            : mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(made);
  capacity_ = capacity;
}

}  // namespace fusebench
