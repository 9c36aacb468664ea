// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace fusebench {

/// One field of a Protocol Buffers message in the wire format.
struct ProtobufField {
  std::uint32_t number = 0;
  std::uint64_t value = 0;      ///< if it is a number
  std::string_view bytes = {};  ///< if it is a text or a message
  bool isBytes = false;
};

/// Iterates over the fields of a message (encoding: protobuf.dev, "Encoding"). Stops at invalid
/// data, and reports it.
class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view message) : rest_(message) {}

  std::optional<ProtobufField> next() {
    if (rest_.empty()) return std::nullopt;
    const auto tag = varint();
    if (!tag || *tag >> 3 == 0 || *tag >> 3 > kMostNumber) return stop();
    ProtobufField field{.number = static_cast<std::uint32_t>(*tag >> 3)};
    switch (*tag & 7) {
      case 0: {
        const auto value = varint();
        if (!value) return stop();
        field.value = *value;
        return field;
      }
      case 1:
        return fixed(field, 8);
      case 2: {
        const auto length = varint();
        if (!length || *length > rest_.size()) return stop();
        field.isBytes = true;
        field.bytes = rest_.substr(0, static_cast<std::size_t>(*length));
        rest_.remove_prefix(static_cast<std::size_t>(*length));
        return field;
      }
      case 5:
        return fixed(field, 4);
      default:
        return stop();
    }
  }
  bool broken() const { return broken_; }
  std::size_t left() const { return rest_.size(); }

  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < rest_.size() && i < 10; ++i) {
      const auto byte = static_cast<unsigned char>(rest_[i]);
      value |= std::uint64_t{byte & 0x7Fu} << (7 * i);
      if (byte >= 0x80) continue;
      rest_.remove_prefix(i + 1);
      return value;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t kMostNumber = (1u << 29) - 1;

  std::optional<ProtobufField> fixed(ProtobufField field, std::size_t bytes) {
    if (rest_.size() < bytes) return stop();
    std::memcpy(&field.value, rest_.data(), bytes);  // little endian, as on all supported machines
    rest_.remove_prefix(bytes);
    return field;
  }
  std::nullopt_t stop() {
    broken_ = true;
    rest_ = {};
    return std::nullopt;
  }

  std::string_view rest_;
  bool broken_ = false;
};

}  // namespace fusebench
