// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/op_numbers.h"

#include <cmath>
#include <limits>

#include "engine/base/elements.h"
#include "engine/base/scalar.h"

namespace fusebench {
namespace {

constexpr double kGreatestFloat32 = std::numeric_limits<float>::max();

/// The parameter, or null for the numbers that follow the row's parameters.
const Parameter* parameterOf(const OpRow& row, std::size_t parameter) {
  return parameter < row.parameters.size() ? row.parameters.begin() + parameter : nullptr;
}

double greatestOf(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return 65504;
    case DType::bfloat16:
      return 0x1.fep127;
    case DType::float32:
      return kGreatestFloat32;
    default:
      return std::numeric_limits<double>::max();
  }
}

}  // namespace

double wrappedNumber(double number, DType dtype) {
  if (number != std::trunc(number) || std::abs(number) >= integerLimit(TypeClass::int64))
    return number;
  return static_cast<double>(wrapped(static_cast<std::int64_t>(number), classOf(dtype)));
}

bool isConverted(double number, DType dtype) {
  const TypeClass type = classOf(dtype);
  const double whole = std::trunc(number);
  const double positive = type == TypeClass::uint8 ? std::abs(whole) : whole;
  return static_cast<double>(saturated(positive, type)) == positive;
}

bool wrapsNumbers(const OpRow& row) {
  return row.category == Category::arithmetic || row.category == Category::comparison ||
         row.category == Category::bits;
}

bool convertsParameter(const OpRow& row, std::size_t parameter) {
  const Parameter* const given = parameterOf(row, parameter);
  if (given && given->kind != Parameter::Kind::number) return false;
  return row.takes != AcceptedTypes::counted;
}

double parameterIn(const OpRow& row, std::size_t parameter, double number, DType computed) {
  if (isInteger(classOf(computed)))
    return convertsParameter(row, parameter) && std::isfinite(number)
               ? wrappedNumber(std::trunc(number), computed)
               : number;
  if (computed == DType::boolean)
    return row.result == ResultType::number ? static_cast<double>(number != 0) : number;
  if (row.roundsNumbers && isRounded(computed)) return roundedTo(number, computed);
  const Parameter* const given = parameterOf(row, parameter);
  const bool greatest = given && std::abs(given->fallback) == kGreatestFloat32;
  return greatest && number == given->fallback ? std::copysign(greatestOf(computed), number)
                                               : number;
}

}  // namespace fusebench
