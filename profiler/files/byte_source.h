// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace fusebench {

/// Reads a file from beginning to end, decompressing it if it is compressed with gzip.
class ByteSource {
 public:
  static constexpr unsigned kPiece = 1u << 14;
  /// Throws InputError if the file cannot be opened. `piece`: the number of bytes that are
  /// decompressed at a time, which is also lost if the compressed data is damaged.
  explicit ByteSource(const std::string& path, unsigned piece = kPiece);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Up to `bytes` bytes; 0 at the end. Throws InputError where reading fails.
  std::size_t read(char* to, std::size_t bytes);
  /// The compressed data is damaged, is truncated, or expands to more than 64 MiB plus a hundred
  /// times its size; data read before is valid.
  const std::string& damage() const { return damage_; }
  std::uint64_t size() const { return size_; }  ///< bytes of the file on disk
  /// Share of the file that was read, 0 to 1.
  double share() const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  unsigned piece_;
  void* file_ = nullptr;
  std::uint64_t size_ = 0, unpacked_ = 0;
  std::string damage_;
};

}  // namespace fusebench
