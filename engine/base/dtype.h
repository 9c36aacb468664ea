// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fusebench {

/// The element type of a tensor. Data, not a template parameter, so that more can follow.
enum class DType : std::uint8_t { boolean, int64, float32 };

struct DTypeInfo {
  std::string_view name;  ///< as in PyTorch, without the "torch." prefix
  std::size_t size;       ///< bytes of one element
  bool computable;        ///< whether kernels can read it as an operand
};

/// Facts about one dtype; every DType has an entry.
constexpr DTypeInfo info(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return {"bool", 1, true};
    case DType::int64:
      return {"int64", 8, false};
    case DType::float32:
      return {"float32", 4, true};
  }
  return {"?", 0, false};
}

}  // namespace fusebench
