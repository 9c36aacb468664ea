// SPDX-License-Identifier: GPL-3.0-or-later
// Types other than float32 and truth values. Integers wrap around as unsigned arithmetic does,
// because signed overflow is undefined in C++; 16-bit floats are computed in float32.
#include "engine/cuda/codegen/typed_text.h"

#include <array>
#include <cctype>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/cuda/codegen/device_functions.h"
#include "engine/cuda/codegen/source_text.h"
#include "engine/cuda/codegen/vector_text.h"

namespace fusebench::cuda {
namespace {

constexpr std::string_view kHalves =
    R"(// IEEE 754 binary16, rounded to the nearest, of two to the even one: an instruction of the
// device; in integers where there is none.
static __device__ __forceinline__ float fromHalf(const unsigned short bits) {
#ifdef __CUDA_ARCH__
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
#else
  const unsigned sign = (unsigned)(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
  if (magnitude >= 0x7c00)
    return __int_as_float((int)(sign | 0x7f800000u | (magnitude & 0x3ff) << 13));
  if (magnitude < 0x400)
    return __int_as_float((int)(sign | (unsigned)__float_as_int((float)magnitude * 5.9604645e-8f)));
  return __int_as_float((int)(sign | ((magnitude << 13) + 0x38000000u)));
#endif
}
static __device__ __forceinline__ unsigned short toHalf(const float value) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  const unsigned bits = (unsigned)__float_as_int(value);
  const unsigned sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return (unsigned short)(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    const float rounded = __int_as_float((int)magnitude) + 0.5f;
    return (unsigned short)(sign | ((unsigned)__float_as_int(rounded) - 0x3f000000u));
  }
  return (unsigned short)(sign | (magnitude + 0xfffu + (magnitude >> 13 & 1u) - 0x38000000u) >> 13);
#endif
}
)";

constexpr std::string_view kBfloats =
    R"(// bfloat16: the upper half of a float, rounded to the nearest, of two to the even one: from
// compute capability 8.0 on an instruction.
static __device__ __forceinline__ float fromBfloat(const unsigned short bits) {
  return __int_as_float((int)((unsigned)bits << 16));
}
static __device__ __forceinline__ unsigned short toBfloat(const float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  const unsigned bits = (unsigned)__float_as_int(value);
  if (value != value) return 0x7fc0;
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
#endif
}
)";

constexpr std::string_view kWideChoices = R"(// NaN if either is.
static __device__ __forceinline__ double leastWide(const double a, const double b) {
  return a < b || a != a ? a : b;
}
static __device__ __forceinline__ double greatestWide(const double a, const double b) {
  return a > b || a != a ? a : b;
}
)";

constexpr std::string_view kIntegers = R"(// Integers, modulo the width of their type.
template <class T>
static __device__ __forceinline__ T sumOf(const T a, const T b) {
  return (T)((unsigned long long)a + (unsigned long long)b);
}
template <class T>
static __device__ __forceinline__ T differenceOf(const T a, const T b) {
  return (T)((unsigned long long)a - (unsigned long long)b);
}
template <class T>
static __device__ __forceinline__ T productOf(const T a, const T b) {
  return (T)((unsigned long long)a * (unsigned long long)b);
}
// Towards zero; 0 of a division by 0.
template <class T>
static __device__ __forceinline__ T quotientOf(const T a, const T b) {
  if (b == 0) return 0;
  return b == (T)-1 && (T)-1 < 0 ? differenceOf<T>(0, a) : (T)(a / b);
}
template <class T>
static __device__ __forceinline__ T restOf(const T a, const T b) {
  return differenceOf<T>(a, productOf<T>(quotientOf<T>(a, b), b));
}
template <class T>
static __device__ __forceinline__ T magnitudeOf(const T a) {
  return a < 0 ? differenceOf<T>(0, a) : a;
}
template <class T>
static __device__ __forceinline__ T lesserOf(const T a, const T b) {
  return a < b ? a : b;
}
template <class T>
static __device__ __forceinline__ T greaterOf(const T a, const T b) {
  return a > b ? a : b;
}
template <class T>
static __device__ __forceinline__ T shiftedLeft(const T a, const T b) {
  return b >= 0 && b < (T)(8 * sizeof(T)) ? (T)((unsigned long long)a << b) : (T)0;
}
template <class T>
static __device__ __forceinline__ T shiftedRight(const T a, const T b) {
  const int bits = 8 * (int)sizeof(T);
  if (b >= 0 && b < (T)bits) return (T)(a >> b);
  return a < 0 ? (T)-1 : (T)0;
}
template <class T>
static __device__ __forceinline__ T powerOf(const T base, const T exponent) {
  if (exponent < 0)
    return base == 1 ? (T)1 : base == (T)-1 ? (T)(exponent % 2 == 0 ? 1 : -1) : (T)0;
  unsigned long long result = 1, square = (unsigned long long)base;
  for (T left = exponent; left > 0; left = (T)(left >> 1), square *= square)
    if (left & 1) result *= square;
  return (T)result;
}
)";

constexpr std::string_view kWhole = R"(// Towards zero; the least integer of what has no place.
static __device__ __forceinline__ long long toInt64(const double x) {
  return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (long long)x
                                                                  : -9223372036854775807ll - 1;
}
static __device__ __forceinline__ int toInt32(const double x) {
  return x >= -2147483648.0 && x < 2147483648.0 ? (int)x : -2147483647 - 1;
}
)";

constexpr std::array<std::string_view, 23> kNames = {
    "fromHalf", "toHalf",       "fromBfloat",   "toBfloat",     "leastWide", "greatestWide",
    "sumOf",    "differenceOf", "productOf",    "quotientOf",   "restOf",    "magnitudeOf",
    "lesserOf", "greaterOf",    "shiftedLeft",  "shiftedRight", "powerOf",   "toInt64",
    "toInt32",  "WideSum",      "WideGreatest", "WideLeast",    "WideBest"};

std::string_view integerFunction(Primitive primitive) {
  switch (primitive) {
    case Primitive::add:
      return "sumOf";
    case Primitive::sub:
      return "differenceOf";
    case Primitive::mul:
      return "productOf";
    case Primitive::div:
      return "quotientOf";
    case Primitive::fmod:
      return "restOf";
    case Primitive::abs:
      return "magnitudeOf";
    case Primitive::min:
      return "lesserOf";
    case Primitive::max:
      return "greaterOf";
    case Primitive::pow:
      return "powerOf";
    case Primitive::shiftLeft:
      return "shiftedLeft";
    case Primitive::shiftRight:
      return "shiftedRight";
    default:
      return {};
  }
}

/// C's name of a function of doubles.
std::string_view wideFunction(Primitive primitive) {
  switch (primitive) {
    case Primitive::min:
      return "leastWide";
    case Primitive::max:
      return "greatestWide";
    case Primitive::abs:
      return "fabs";
    case Primitive::round:
      return "rint";
    default:
      return info(primitive).name;  // the same as C's
  }
}

CPiece called(std::string_view name, std::span<const CPiece> operands) {
  std::string text = fmt::format("{}(", name);
  for (std::size_t o = 0; o < operands.size(); ++o) text += (o ? ", " : "") + operands[o].text;
  return {text + ")", Binding::atom};
}

CPiece cast(TypeClass type, const CPiece& x) {
  return {fmt::format("({}){}", classText(type), within(x, Binding::unary)), Binding::unary};
}

CPiece convertedText(TypeClass from, TypeClass to, const CPiece& x) {
  if (!isFloat(from) || !isInteger(to)) return cast(to, x);
  const CPiece whole = called(to == TypeClass::int64 ? "toInt64" : "toInt32", {&x, 1});
  return to == TypeClass::int64 || to == TypeClass::int32 ? whole : cast(to, whole);
}

CPiece integerText(const ExprNode& node, TypeClass from, std::span<const CPiece> x) {
  const auto bitwise = [&](const char* symbol) {
    return cast(from, {fmt::format("{} {} {}", within(x[0], Binding::unary), symbol,
                                   within(x[1], Binding::unary)),
                       Binding::choice});
  };
  switch (node.primitive) {
    case Primitive::neg: {
      const CPiece both[] = {{"0", Binding::atom}, x[0]};
      return called(fmt::format("differenceOf<{}>", classText(from)), both);
    }
    case Primitive::bitAnd:
      return bitwise("&");
    case Primitive::bitOr:
      return bitwise("|");
    case Primitive::bitXor:
      return bitwise("^");
    case Primitive::bitNot:
      return cast(from, {"~" + within(x[0], Binding::unary), Binding::unary});
    default:
      break;
  }
  const std::string_view name = integerFunction(node.primitive);
  if (name.empty())
    throw std::logic_error("no integers for " + std::string(info(node.primitive).name));
  return called(fmt::format("{}<{}>", name, classText(from)), x);
}

}  // namespace

const char* classText(TypeClass type) {
  switch (type) {
    case TypeClass::truth:
      return "bool";
    case TypeClass::uint8:
      return "unsigned char";
    case TypeClass::int8:
      return "signed char";
    case TypeClass::int32:
      return "int";
    case TypeClass::int64:
      return "long long";
    case TypeClass::float32:
      return "float";
    case TypeClass::float64:
      return "double";
  }
  return "?";
}

const char* storageText(DType dtype) {
  if (isRounded(dtype)) return "unsigned short";
  return dtype == DType::boolean ? "unsigned char" : classText(classOf(dtype));
}

std::string loadedText(DType dtype, const std::string& element) {
  if (dtype == DType::boolean) return element + " != 0";
  if (dtype == DType::float16) return "fromHalf(" + element + ")";
  if (dtype == DType::bfloat16) return "fromBfloat(" + element + ")";
  return element;
}

std::string storableText(DType dtype, const std::string& value) {
  if (dtype == DType::float16) return "toHalf(" + value + ")";
  if (dtype == DType::bfloat16) return "toBfloat(" + value + ")";
  return value;
}

CPiece constantText(const ExprNode& node) {
  std::string text;
  if (node.type == TypeClass::float64)
    text = doubleText(node.value);
  else if (!isInteger(node.type))
    text = floatText(static_cast<float>(node.value));
  else if (node.whole == std::numeric_limits<std::int64_t>::min())
    return {"(-9223372036854775807ll - 1)", Binding::atom};
  else
    text = fmt::format("{}{}", node.whole, node.type == TypeClass::int64 ? "ll" : "");
  const Binding binding = text.front() == '-' ? Binding::unary : Binding::atom;
  return {std::move(text), binding};
}

CPiece nodeText(const ExprNode& node, TypeClass from, std::span<const CPiece> operands) {
  const auto usual = [](TypeClass type) {
    return type == TypeClass::float32 || type == TypeClass::truth;
  };
  switch (node.primitive) {
    case Primitive::narrow: {
      const auto dtype = static_cast<DType>(node.index);
      return {loadedText(dtype, storableText(dtype, operands[0].text)), Binding::atom};
    }
    case Primitive::convert:
      return convertedText(from, node.type, operands[0]);
    case Primitive::toNumber:
      if (!usual(node.type)) return cast(node.type, operands[0]);
      break;
    case Primitive::toTruth:
      if (!usual(from))
        return {within(operands[0], Binding::sum) + (isInteger(from) ? " != 0" : " != 0.0"),
                Binding::equality};
      break;
    case Primitive::select:
      return primitiveText(node.primitive, operands);
    default:
      break;
  }
  const bool compares = node.primitive >= Primitive::lt && node.primitive <= Primitive::ne;
  if ((usual(node.type) && usual(from)) || compares) return primitiveText(node.primitive, operands);
  if (isInteger(from)) return integerText(node, from, operands);
  if (node.primitive == Primitive::neg ||
      (node.primitive >= Primitive::add && node.primitive <= Primitive::div))
    return primitiveText(node.primitive, operands);
  return called(wideFunction(node.primitive), operands);
}

std::string typedHelpers(const Kernel& kernel) {
  bool halves = false, bfloats = false, wide = false, integers = false, whole = false;
  const auto note = [&](DType dtype) {
    halves |= dtype == DType::float16;
    bfloats |= dtype == DType::bfloat16;
  };
  for (const KernelTensor& input : kernel.inputs) note(input.dtype);
  for (const KernelOutput& output : kernel.outputs) note(output.tensor.dtype);
  for (const ExprNode& node : kernel.body.nodes()) {
    if (node.primitive == Primitive::narrow) note(static_cast<DType>(node.index));
    wide |= node.type == TypeClass::float64;
    integers |= isInteger(node.type);
    whole |= isInteger(node.type) && node.primitive == Primitive::convert;
  }
  std::string text;
  const auto add = [&](bool used, std::string_view definition) {
    if (used) text += (text.empty() ? "" : "\n") + std::string(definition);
  };
  add(halves, kHalves);
  add(bfloats, kBfloats);
  add(wide, kWideChoices);
  add(integers, kIntegers);
  add(whole, kWhole);
  return text;
}

std::string typedHelpers(std::span<const DType> stored) {
  std::string text;
  for (const auto& [dtype, definition] :
       {std::pair(DType::float16, kHalves), std::pair(DType::bfloat16, kBfloats)})
    if (std::ranges::find(stored, dtype) != stored.end())
      text += (text.empty() ? "" : "\n") + std::string(definition);
  return text;
}

TypedAccumulator::TypedAccumulator(Accumulate kind, TypeClass type)
    : text_(&accumulatorText(kind)), type_(type) {
  state_ = worded(text_->state);
  gathering_ = worded(text_->gathering);
  nothing_ = worded(text_->nothing);
  none_ = worded(text_->none);
  definition_ = worded(text_->definition);
}

std::vector<std::string> TypedAccumulator::adds(const std::string& gathering,
                                                const std::string& value, const std::string& place,
                                                int width) const {
  const std::string position = place.empty() ? place : ", " + place;
  if (width == 1) return {fmt::format("add({}, {}{});", gathering, value, position)};
  if (width % kVector != 0 || !addsFour())
    return {"#pragma unroll", fmt::format("for (int k = 0; k < {}; ++k) add({}, {}[k]{});", width,
                                          gathering, value, position)};
  if (width == kVector) return {fmt::format("add({}, {});", gathering, value)};
  std::vector<std::string> lines;
  for (int k = 0; k < width; k += kVector)
    lines.push_back(fmt::format("add({}, reinterpret_cast<const float (&)[{}]>({}[{}]));",
                                gathering, kVector, value, k));
  return lines;
}

/// The text with its types and names as the class wants them.
std::string TypedAccumulator::worded(std::string_view text) const {
  if (type_ == TypeClass::float32) return std::string(text);
  const bool integers = isInteger(type_);
  static constexpr std::string_view kInfinite = "__int_as_float(0x7f800000)";
  std::string made;
  for (std::size_t i = 0; i < text.size();) {
    const auto isPart = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    if (integers && text.substr(i, kInfinite.size()) == kInfinite) {
      made += "9223372036854775807ll";
      i += kInfinite.size();
      continue;
    }
    if (!isPart(text[i])) {
      made += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && isPart(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    if (word == "float" || word == "double")
      made += integers ? "long long" : "double";
    else if (integers && (word == "0.0" || word == "1.0"))
      made += word.front();
    else if (word == text_->state || word == text_->gathering)
      made += (integers ? "Whole" : "Wide") + std::string(word);
    else
      made += word;
    i = end;
  }
  return made;
}

std::span<const std::string_view> typedNames() {
  return kNames;
}

}  // namespace fusebench::cuda
