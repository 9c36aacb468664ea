// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/vector_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "engine/cuda/codegen/typed_text.h"

namespace fusebench::cuda {
namespace {

constexpr std::string_view kVectorNames[] = {
    "aligned",      "load2",       "store2",       "load4",       "store4",       "load8",
    "store8",       "load2Half",   "store2Half",   "load4Half",   "store4Half",   "load8Half",
    "store8Half",   "load2Bfloat", "store2Bfloat", "load4Bfloat", "store4Bfloat", "load8Bfloat",
    "store8Bfloat", "four",        "four0",        "four1",       "four2",        "four3"};

/// How adjacent elements are packed in the registers that one instruction moves.
struct Packing {
  const char* type;  ///< CUDA's vector: "uint4"
  int words;         ///< its words: x, y, ...
  int perWord = 1;   ///< a word holds two 16-bit floats
  int bytes = 16;    ///< of the vector; also its alignment
};

Packing packingOf(DType dtype, int width) {
  const bool two = width == kNarrowVector;
  switch (dtype) {
    case DType::float32:
      return two ? Packing{"float2", 2, 1, 8} : Packing{"float4", 4};
    case DType::int32:
      return two ? Packing{"int2", 2, 1, 8} : Packing{"int4", 4};
    case DType::float64:
      return {"double2", 2};
    case DType::int64:
      return {"longlong2", 2};
    case DType::int8:
      return two ? Packing{"char2", 2, 1, 2} : Packing{"char4", 4, 1, 4};
    case DType::float16:
    case DType::bfloat16:
      if (two) return {"ushort2", 2, 1, 4};
      return width == kWideVector ? Packing{"uint4", 4, 2} : Packing{"uint2", 2, 2, 8};
    default:
      return two ? Packing{"uchar2", 2, 1, 2} : Packing{"uchar4", 4, 1, 4};
  }
}

/// Both 16-bit floats are stored as the same type and computed with as the same one.
std::string function(const char* what, DType dtype, int width) {
  return fmt::format("{}{}{}", what, width,
                     dtype == DType::float16    ? "Half"
                     : dtype == DType::bfloat16 ? "Bfloat"
                                                : "");
}

/// The statements of one function. Its vectors are "four", or "four0", "four1", ...
class Moves {
 public:
  Moves(DType dtype, int width)
      : dtype_(dtype),
        packing_(packingOf(dtype, width)),
        each_(packing_.words * packing_.perWord),
        vectors_(width / each_) {}

  std::string load() const {
    std::string text;
    for (int v = 0; v < vectors_; ++v)
      text +=
          fmt::format("  const {} {} = {};\n", packing_.type, name(v), place("const ", "from", v));
    for (int v = 0; v < vectors_; ++v) {
      std::string all;
      for (int k = v * each_; k < (v + 1) * each_; ++k) {
        const std::string lies = word(k);
        const std::string element = packing_.perWord == 1 ? lies
                                    : k % 2 == 0          ? fmt::format("(unsigned short){}", lies)
                                                 : fmt::format("(unsigned short)({} >> 16)", lies);
        all += fmt::format("{}to[{}] = {}", all.empty() ? "" : between(), k,
                           loadedText(dtype_, element));
      }
      text += fmt::format("  {};\n", all);
    }
    return text;
  }

  std::string store() const {
    std::string text;
    for (int v = 0; v < vectors_; ++v) {
      text += fmt::format("  {} {};\n", packing_.type, name(v));
      std::string all;
      for (int k = v * each_; k < (v + 1) * each_; k += packing_.perWord)
        all += fmt::format("{}{} = {}", all.empty() ? "" : between(), word(k),
                           packing_.perWord == 1 ? stored(k)
                                                 : fmt::format("(unsigned){} | (unsigned){} << 16",
                                                               stored(k), stored(k + 1)));
      text += fmt::format("  {};\n  {} = {};\n", all, place("", "to", v), name(v));
    }
    return text;
  }

 private:
  const char* between() const { return packing_.perWord == 1 ? ", " : ";\n  "; }
  std::string name(int v) const { return vectors_ == 1 ? "four" : fmt::format("four{}", v); }
  std::string place(const char* constness, const char* pointer, int v) const {
    const std::string cast =
        fmt::format("reinterpret_cast<{}{}*>({})", constness, packing_.type, pointer);
    return vectors_ == 1 ? "*" + cast : fmt::format("{}[{}]", cast, v);
  }
  std::string word(int k) const {
    return fmt::format("{}.{}", name(k / each_), "xyzw"[k % each_ / packing_.perWord]);
  }
  std::string stored(int k) const { return storableText(dtype_, fmt::format("from[{}]", k)); }

  DType dtype_;
  Packing packing_;
  int each_, vectors_;
};

std::string moveFunctions(DType dtype, int width) {
  const Moves moves(dtype, width);
  const char* const computed = classText(classOf(dtype));
  const char* const lies = storageText(dtype);
  return fmt::format(
      "static __device__ __forceinline__ void {}({} (&to)[{}], const {}* from) {{\n{}}}\n"
      "static __device__ __forceinline__ void {}({}* to, const {} (&from)[{}]) {{\n{}}}\n",
      function("load", dtype, width), computed, width, lies, moves.load(),
      function("store", dtype, width), lies, computed, width, moves.store());
}

}  // namespace

std::string loadVectorText(DType dtype, int width, const std::string& to,
                           const std::string& pointer) {
  return fmt::format("{}({}, {});", function("load", dtype, width), to, pointer);
}

std::string storeVectorText(DType dtype, int width, const std::string& pointer,
                            const std::string& from) {
  return fmt::format("{}({}, {});", function("store", dtype, width), pointer, from);
}

std::string vectorHelpers(std::span<const DType> dtypes, int width) {
  std::string text;
  std::vector<std::string> pointers;  // bool is stored as uint8 is, and halves as halves
  for (std::size_t d = kDTypes; d-- > 0;) {
    const auto dtype = static_cast<DType>(d);
    if (std::ranges::find(dtypes, dtype) == dtypes.end()) continue;
    const std::string pointer = storageText(dtype);
    if (std::ranges::find(pointers, pointer) == pointers.end()) {
      pointers.push_back(pointer);
      text += fmt::format(
          "static __device__ __forceinline__ bool aligned(const {}* pointer) {{\n"
          "  return (reinterpret_cast<unsigned long long>(pointer) & {}) == 0;\n"
          "}}\n",
          pointer, packingOf(dtype, width).bytes - 1);
    }
    text += moveFunctions(dtype, width) + '\n';
  }
  return text;
}

std::span<const std::string_view> vectorNames() {
  return kVectorNames;
}

}  // namespace fusebench::cuda
