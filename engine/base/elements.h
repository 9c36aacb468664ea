// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/dtype.h"

namespace fusebench {

/// The bits of the 16-bit float that is nearest to a number; ties go to the even one, NaN becomes a
/// quiet one. Values of 65520 or more become infinite in float16 (IEEE 754 binary16).
std::uint16_t halfBits(float value);
std::uint16_t bfloatBits(float value);
/// And back; exact.
float fromHalfBits(std::uint16_t bits);
float fromBfloatBits(std::uint16_t bits);

/// The element at `from` as a double; an int64 is rounded.
double loadElement(const void* from, DType dtype);
/// The same as an integer: exact for integers and bools, floats are rounded towards zero.
std::int64_t loadInteger(const void* from, DType dtype);
/// Stores a number as the element at `to`: 16-bit floats by way of float32, integers by
/// truncated().
void storeElement(void* to, DType dtype, double value);
/// The same for an integer: its lowest bits.
void storeElement(void* to, DType dtype, std::int64_t value);

/// Copies elements, each divided by a number; integers are rounded towards zero. `to` may be
/// `from`.
void divideElements(const void* from, void* to, std::int64_t count, DType dtype, int by);

/// A number rounded to an element of that dtype.
double roundedTo(double value, DType dtype);

}  // namespace fusebench
