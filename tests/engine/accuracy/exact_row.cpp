// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/accuracy/exact_row.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "engine/ops/op_rows_common.h"

namespace fusebench::test {
namespace {

constexpr auto kNearest = MPFR_RNDN;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Klambauer et al. 2017, Self-Normalizing Neural Networks.
constexpr const char* kSeluAlpha = "1.6732632423543772848170429916717";
constexpr const char* kSeluScale = "1.0507009873554804934193349852946";

/// 2 sqrt(2 / pi).
void twiceRootOf2OverPi(mpfr_ptr to) {
  mpfr_const_pi(to, kNearest);
  mpfr_ui_div(to, 8, to, kNearest);
  mpfr_sqrt(to, to, kNearest);
}

/// A number that formulas have to a double's precision, and what it stands for.
struct Stated {
  double value;
  void (*exactly)(mpfr_ptr to);
};
const Stated kStated[] = {
    {rows::kPi, [](mpfr_ptr to) { mpfr_const_pi(to, kNearest); }},
    {rows::kPi / 180,
     [](mpfr_ptr to) {
       mpfr_const_pi(to, kNearest);
       mpfr_div_ui(to, to, 180, kNearest);
     }},
    {180 / rows::kPi,
     [](mpfr_ptr to) {
       mpfr_const_pi(to, kNearest);
       mpfr_ui_div(to, 180, to, kNearest);
     }},
    {4 / rows::kPi,
     [](mpfr_ptr to) {
       mpfr_const_pi(to, kNearest);
       mpfr_ui_div(to, 4, to, kNearest);
     }},
    {rows::kRoot1Of2,
     [](mpfr_ptr to) {
       mpfr_set_d(to, 0.5, kNearest);
       mpfr_sqrt(to, to, kNearest);
     }},
    {1 / rows::kLn2,
     [](mpfr_ptr to) {
       mpfr_const_log2(to, kNearest);
       mpfr_ui_div(to, 1, to, kNearest);
     }},
    {1.595769121605730711759784, twiceRootOf2OverPi},
    {1.595769121605730711759784 * 0.044715,
     [](mpfr_ptr to) {
       twiceRootOf2OverPi(to);
       mpfr_mul_ui(to, to, 44715, kNearest);
       mpfr_div_ui(to, to, 1000000, kNearest);
     }},
    {1.0507009873554804934193349852946,
     [](mpfr_ptr to) { mpfr_set_str(to, kSeluScale, 10, kNearest); }},
    {1.0507009873554804934193349852946 * 1.6732632423543772848170429916717,
     [](mpfr_ptr to) {
       ManyBits alpha(static_cast<int>(mpfr_get_prec(to)));
       mpfr_set_str(alpha, kSeluAlpha, 10, kNearest);
       mpfr_set_str(to, kSeluScale, 10, kNearest);
       mpfr_mul(to, to, alpha, kNearest);
     }},
};

/// A whole number of 20 bits, times a power of two.
bool isShort(double value) {
  int exponent = 0;
  const double scaled = std::ldexp(std::frexp(value, &exponent), 20);
  return !std::isfinite(value) || scaled == std::trunc(scaled);
}

void setConstant(mpfr_ptr to, double value) {
  if (isShort(value)) {
    mpfr_set_d(to, value, kNearest);
    return;
  }
  const double size = std::fabs(value);
  const auto* stated = std::ranges::find(kStated, size, &Stated::value);
  if (stated == std::end(kStated))
    throw std::logic_error(fmt::format(
        "{} in a formula stands for a number that exact_row.cpp does not state", value));
  stated->exactly(to);
  if (value < 0) mpfr_neg(to, to, kNearest);
}

bool holds(const ManyBits& truth) {
  return mpfr_zero_p(static_cast<mpfr_srcptr>(truth)) == 0;
}

struct Format {
  int digits, least, greatest;  ///< bits of a significand, exponents of the ends of its range
};
Format formatOf(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return {11, -14, 15};
    case DType::bfloat16:
      return {8, -126, 127};
    case DType::float32:
      return {24, -126, 127};
    case DType::float64:
      return {53, -1022, 1023};
    default:
      throw std::logic_error("no float");
  }
}

/// The exponent of a unit in the last place.
long unitExponent(const Format& format, mpfr_srcptr number) {
  const long exponent = mpfr_regular_p(number) != 0 ? mpfr_get_exp(number) - 1 : format.least;
  return std::clamp<long>(exponent, format.least, format.greatest) - format.digits + 1;
}

/// The number, but past the greatest of the format what would follow that.
void withinRange(ManyBits& to, const ManyBits& number, const Format& format) {
  mpfr_set(to, number, kNearest);
  if (mpfr_regular_p(static_cast<mpfr_srcptr>(to)) != 0 && mpfr_get_exp(to) > format.greatest + 1) {
    const int sign = mpfr_sgn(static_cast<mpfr_srcptr>(to));
    mpfr_set_si_2exp(to, sign, format.greatest + 1, kNearest);
  }
}

/// |got - exact|, both finite.
void distance(ManyBits& to, const Format& format, const ManyBits& exact, double got) {
  withinRange(to, exact, format);
  ManyBits value;
  if (std::isinf(got))
    mpfr_set_si_2exp(value, got > 0 ? 1 : -1, format.greatest + 1, kNearest);
  else
    mpfr_set_d(value, got, kNearest);
  mpfr_sub(to, value, to, kNearest);
  mpfr_abs(to, to, kNearest);
}

/// Whether there is nothing to measure between the two; then `error` is it.
bool isSpecial(const ManyBits& exact, double got, double& error) {
  const bool nan = mpfr_nan_p(static_cast<mpfr_srcptr>(exact)) != 0;
  if (!nan && !std::isnan(got) && mpfr_inf_p(static_cast<mpfr_srcptr>(exact)) == 0) return false;
  const bool same = nan ? std::isnan(got) : mpfr_get_d(exact, kNearest) == got;
  error = same ? 0 : kInfinity;
  return true;
}

/// The bound as a distance.
void allowed(ManyBits& to, const OpRow& row, DType computed, const ManyBits& exact) {
  const Format format = formatOf(computed);
  const double absolute = computed == DType::float64 ? row.bound.absolute64 : row.bound.absolute;
  mpfr_set_d(to, row.bound.ulp, kNearest);
  mpfr_mul_2si(to, to, unitExponent(format, exact), kNearest);
  if (mpfr_cmp_d(to, absolute) < 0) mpfr_set_d(to, absolute, kNearest);
}

}  // namespace

ExactRow::ExactRow(const OpRow& row, std::span<const double> parameters, int bits)
    : parameters_(parameters) {
  std::vector<Expr> operands, given;
  for (int i = 0; i < row.arity; ++i)
    operands.push_back(
        {&graph_,
         graph_.input(i, (row.truthOperands >> i) & 1u ? TypeClass::truth : TypeClass::float64)});
  for (std::size_t i = 0; i < parameters.size(); ++i)
    given.push_back({&graph_, graph_.scalar(static_cast<int>(i), TypeClass::float64)});
  result_ = row.meaning(Args(operands, given)).id;
  for (const ExprNode& node : graph_.nodes()) {
    values_.emplace_back(bits);
    if (node.primitive == Primitive::constant) setConstant(values_.back(), node.value);
  }
}

const ManyBits& ExactRow::operator()(std::span<const double> operands) {
  for (std::size_t i = 0; i < graph_.size(); ++i) evaluate(graph_.nodes()[i], values_[i], operands);
  return values_[static_cast<std::size_t>(result_)];
}

void ExactRow::evaluate(const ExprNode& node, ManyBits& to, std::span<const double> operands) {
  static const ManyBits none;
  const auto operand = [&](int k) -> const ManyBits& {
    const ExprId id = node.operands[k];
    return id < 0 ? none : values_[static_cast<std::size_t>(id)];
  };
  const ManyBits &a = operand(0), &b = operand(1), &c = operand(2);
  const auto set = [&](bool truth) { mpfr_set_si(to, truth ? 1 : 0, kNearest); };
  const auto choose = [&](const ManyBits& of) { mpfr_set(to, of, kNearest); };
  const auto nan = [](const ManyBits& of) { return mpfr_nan_p(static_cast<mpfr_srcptr>(of)) != 0; };
  using enum Primitive;
  switch (node.primitive) {
    case input:
      mpfr_set_d(to, operands[static_cast<std::size_t>(node.index)], kNearest);
      return;
    case scalar:
      mpfr_set_d(to, parameters_[static_cast<std::size_t>(node.index)], kNearest);
      return;
    case constant:
      return;
    case add:
      mpfr_add(to, a, b, kNearest);
      return;
    case sub:
      mpfr_sub(to, a, b, kNearest);
      return;
    case mul:
      mpfr_mul(to, a, b, kNearest);
      return;
    case div:
      mpfr_div(to, a, b, kNearest);
      return;
    case fma:
      mpfr_fma(to, a, b, c, kNearest);
      return;
    case neg:
      mpfr_neg(to, a, kNearest);
      return;
    case abs:
      mpfr_abs(to, a, kNearest);
      return;
    case sqrt:
      mpfr_sqrt(to, a, kNearest);
      return;
    case fmod:
      mpfr_fmod(to, a, b, kNearest);
      return;
    case exp:
      mpfr_exp(to, a, kNearest);
      return;
    case exp2:
      mpfr_exp2(to, a, kNearest);
      return;
    case expm1:
      mpfr_expm1(to, a, kNearest);
      return;
    case log:
      mpfr_log(to, a, kNearest);
      return;
    case log2:
      mpfr_log2(to, a, kNearest);
      return;
    case log10:
      mpfr_log10(to, a, kNearest);
      return;
    case log1p:
      mpfr_log1p(to, a, kNearest);
      return;
    case pow:
      mpfr_pow(to, a, b, kNearest);
      return;
    case sin:
      mpfr_sin(to, a, kNearest);
      return;
    case cos:
      mpfr_cos(to, a, kNearest);
      return;
    case tan:
      mpfr_tan(to, a, kNearest);
      return;
    case asin:
      mpfr_asin(to, a, kNearest);
      return;
    case acos:
      mpfr_acos(to, a, kNearest);
      return;
    case atan:
      mpfr_atan(to, a, kNearest);
      return;
    case atan2:
      mpfr_atan2(to, a, b, kNearest);
      return;
    case sinh:
      mpfr_sinh(to, a, kNearest);
      return;
    case cosh:
      mpfr_cosh(to, a, kNearest);
      return;
    case tanh:
      mpfr_tanh(to, a, kNearest);
      return;
    case asinh:
      mpfr_asinh(to, a, kNearest);
      return;
    case acosh:
      mpfr_acosh(to, a, kNearest);
      return;
    case atanh:
      mpfr_atanh(to, a, kNearest);
      return;
    case erf:
      mpfr_erf(to, a, kNearest);
      return;
    case erfc:
      mpfr_erfc(to, a, kNearest);
      return;
    case floor:
      mpfr_rint_floor(to, a, kNearest);
      return;
    case ceil:
      mpfr_rint_ceil(to, a, kNearest);
      return;
    case trunc:
      mpfr_rint_trunc(to, a, kNearest);
      return;
    case round:
      mpfr_rint_roundeven(to, a, kNearest);
      return;
    case min:
    case max:
      if (nan(a) || nan(b))
        mpfr_set_nan(to);
      else if (node.primitive == min)
        mpfr_min(to, a, b, kNearest);
      else
        mpfr_max(to, a, b, kNearest);
      return;
    case copysign:
      mpfr_copysign(to, a, b, kNearest);
      return;
    case lt:
      set(mpfr_less_p(a, b) != 0);
      return;
    case le:
      set(mpfr_lessequal_p(a, b) != 0);
      return;
    case gt:
      set(mpfr_greater_p(a, b) != 0);
      return;
    case ge:
      set(mpfr_greaterequal_p(a, b) != 0);
      return;
    case eq:
      set(mpfr_equal_p(a, b) != 0);
      return;
    case ne:
      set(mpfr_equal_p(a, b) == 0);
      return;
    case logicalAnd:
      set(holds(a) && holds(b));
      return;
    case logicalOr:
      set(holds(a) || holds(b));
      return;
    case logicalNot:
      set(!holds(a));
      return;
    case select:
      choose(holds(a) ? b : c);
      return;
    case toTruth:
      set(holds(a));
      return;
    case toNumber:
    case convert:
      choose(a);
      return;
    default:
      throw std::logic_error(
          fmt::format("{} is no function of numbers", info(node.primitive).name));
  }
}

double ulpError(DType dtype, const ManyBits& exact, double got) {
  double error = 0;
  if (isSpecial(exact, got, error)) return error;
  const Format format = formatOf(dtype);
  ManyBits apart;
  distance(apart, format, exact, got);
  mpfr_mul_2si(apart, apart, -unitExponent(format, exact), kNearest);
  return mpfr_get_d(apart, kNearest);
}

double nearestElement(DType dtype, const ManyBits& number) {
  if (mpfr_regular_p(static_cast<mpfr_srcptr>(number)) == 0) return mpfr_get_d(number, kNearest);
  const Format format = formatOf(dtype);
  const long unit = unitExponent(format, number);
  ManyBits rounded;
  mpfr_mul_2si(rounded, number, -unit, kNearest);
  mpfr_rint_roundeven(rounded, rounded, kNearest);
  mpfr_mul_2si(rounded, rounded, unit, kNearest);
  const double value = mpfr_get_d(rounded, kNearest);
  const double end = std::ldexp(1.0, format.greatest);
  return std::fabs(value) >= 2 * end ? std::copysign(kInfinity, value) : value;
}

bool keepsBound(const OpRow& row, DType dtype, const ManyBits& exact, double got) {
  double error = 0;
  if (isSpecial(exact, got, error)) return error == 0;
  ManyBits within;
  const DType computed = storageOf(classOf(dtype));
  if (!isRounded(dtype)) {
    allowed(within, row, computed, exact);
    ManyBits apart;
    distance(apart, formatOf(computed), exact, got);
    return mpfr_lessequal_p(apart, within) != 0;
  }
  // Between what the ends of the bound are rounded to.
  allowed(within, row, computed, exact);
  ManyBits end;
  mpfr_sub(end, exact, within, kNearest);
  const double low = nearestElement(dtype, end);
  mpfr_add(end, exact, within, kNearest);
  return low <= got && got <= nearestElement(dtype, end);
}

}  // namespace fusebench::test
