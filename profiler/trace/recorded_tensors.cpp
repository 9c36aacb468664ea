// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/recorded_tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "profiler/files/json_text.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostTensors = 256;  // for an operator; foreach operators have very many
constexpr std::size_t kMostExtents = 64;   // PyTorch's own limit

struct DtypeName {
  std::string_view recorded, dtype;
  std::int64_t bytes;
};
/// The names of C++ types that Kineto writes of operators, and those of collectives.
constexpr DtypeName kDtypeNames[] = {
    {"float", "float32", 4},
    {"Float", "float32", 4},
    {"double", "float64", 8},
    {"Double", "float64", 8},
    {"c10::Half", "float16", 2},
    {"Half", "float16", 2},
    {"c10::BFloat16", "bfloat16", 2},
    {"BFloat16", "bfloat16", 2},
    {"long", "int64", 8},
    {"long int", "int64", 8},
    {"long long", "int64", 8},
    {"Long", "int64", 8},
    {"int", "int32", 4},
    {"Int", "int32", 4},
    {"short", "int16", 2},
    {"short int", "int16", 2},
    {"Short", "int16", 2},
    {"signed char", "int8", 1},
    {"Char", "int8", 1},
    {"unsigned char", "uint8", 1},
    {"Byte", "uint8", 1},
    {"bool", "bool", 1},
    {"Bool", "bool", 1},
    {"c10::Float8_e4m3fn", "float8_e4m3fn", 1},
    {"Float8_e4m3fn", "float8_e4m3fn", 1},
    {"c10::Float8_e5m2", "float8_e5m2", 1},
    {"Float8_e5m2", "float8_e5m2", 1},
    {"c10::Float8_e4m3fnuz", "float8_e4m3fnuz", 1},
    {"c10::Float8_e5m2fnuz", "float8_e5m2fnuz", 1},
    {"c10::complex<float>", "complex64", 8},
    {"c10::complex<double>", "complex128", 16},
};

/// Nothing if it is not a list of extents.
std::optional<std::vector<std::int64_t>> extentsIn(const nlohmann::json& list) {
  if (!list.is_array() || list.size() > kMostExtents) return std::nullopt;
  std::vector<std::int64_t> extents;
  for (const nlohmann::json& extent : list) {
    if (!extent.is_number_integer()) return std::nullopt;
    const auto value = extent.get<std::int64_t>();
    if (value < 0) return std::nullopt;
    extents.push_back(value);
  }
  return extents;
}

}  // namespace

std::string_view dtypeRecordedAs(std::string_view name) {
  const auto found = std::ranges::find(kDtypeNames, name, &DtypeName::recorded);
  return found == std::end(kDtypeNames) ? std::string_view() : found->dtype;
}

std::int64_t bytesPerElement(std::string_view dtype) {
  const auto found = std::ranges::find(kDtypeNames, dtype, &DtypeName::dtype);
  return found == std::end(kDtypeNames) ? 0 : found->bytes;
}

std::int64_t elementsOf(const RecordedTensor& tensor) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  std::int64_t count = 1;
  if (std::ranges::find(tensor.extents, 0) != tensor.extents.end()) return 0;
  for (const std::int64_t extent : tensor.extents) {
    if (extent > kMost / count) return -1;
    count *= extent;
  }
  return count;
}

std::vector<RecordedTensor> recordedTensors(std::string_view shapes, std::string_view types) {
  std::vector<RecordedTensor> tensors;
  const nlohmann::json dims = jsonOf(shapes), names = jsonOf(types);
  if (!dims.is_array()) return tensors;
  for (std::size_t i = 0; i < dims.size() && tensors.size() < kMostTensors; ++i) {
    std::string_view recorded;
    if (names.is_array() && i < names.size() && names[i].is_string())
      recorded = names[i].get_ref<const std::string&>();
    const std::string_view dtype = dtypeRecordedAs(recorded);
    if (auto extents = extentsIn(dims[i])) {
      // An empty list is a number, or nothing, unless its type is that of a tensor.
      if (extents->empty() && dtype.empty()) continue;
      tensors.push_back({std::move(*extents), std::string(dtype), i});
    } else if (dims[i].is_array()) {
      for (const nlohmann::json& one : dims[i])
        if (auto each = extentsIn(one); each && tensors.size() < kMostTensors)
          tensors.push_back({std::move(*each), std::string(dtype), i});
    }
  }
  return tensors;
}

std::string shapesText(const std::vector<RecordedTensor>& tensors) {
  std::string text;
  for (const RecordedTensor& tensor : tensors)
    text += fmt::format("{}({})", text.empty() ? "" : " ", fmt::join(tensor.extents, ", "));
  return text;
}

std::string dtypesText(const std::vector<RecordedTensor>& tensors) {
  std::vector<std::string> each;
  for (const RecordedTensor& tensor : tensors)
    if (!tensor.dtype.empty() && std::ranges::find(each, tensor.dtype) == each.end())
      each.push_back(tensor.dtype);
  return fmt::format("{}", fmt::join(each, " "));
}

}  // namespace fusebench
