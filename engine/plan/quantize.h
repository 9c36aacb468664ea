// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/language/program.h"
#include "engine/plan/byte_products.h"

namespace fusebench {

/// Number formats for the matmuls and convolutions of a program whose weight is constant.
enum class Quantizing : std::uint8_t {
  dynamicInt8,  ///< int8 weights per channel; 8-bit operands with a range measured in each call
  staticInt8,   ///< the same with ranges that were measured beforehand
  weightsInt8,  ///< weights only: each call converts them to float
  float16,
  bfloat16
};
struct QuantizingName {
  std::string_view name;  ///< name of the mode in a variant's option
  Quantizing quantizing;
};
std::span<const QuantizingName> quantizingNames();
/// Nothing: there is none of this name.
std::optional<Quantizing> quantizingNamed(std::string_view name);

/// The minimum and the maximum of a layer's inputs.
struct LayerRange {
  double low = 0, high = 0;
};

/// A layer that can be quantized: op and operands of the program.
struct QuantizableLayer {
  int op = -1;
  ValueId operand = -1;               ///< its input
  std::size_t given = 0, weight = 0;  ///< positions among the op's operands
};
/// Float32 matmuls and convolutions of a value with a weight that depends only on constant inputs
/// and has one dimension that the result keeps, its channels. `inputs`: types of the program's
/// inputs, for ranks and dtypes.
std::vector<QuantizableLayer> quantizableLayers(const Program& program,
                                                std::span<const ValueType> inputs);

/// The program with these layers in int8 or in 16-bit floats; their results are float32 as before.
/// Values computed from weights depend only on constant inputs: see prepared.h. For matmuls,
/// quantized values cover [min(low, 0), max(high, 0)] with a zero point, in the byte type that the
/// device needs. For convolutions, whose padding is 0, they are symmetric around 0 in int8, or
/// start at 0 in uint8. `ranges`: for a static one, one per layer.
Program quantized(const Program& program, std::span<const ValueType> inputs, Quantizing how,
                  std::span<const LayerRange> ranges = {}, const ByteProducts& bytes = {});

}  // namespace fusebench
