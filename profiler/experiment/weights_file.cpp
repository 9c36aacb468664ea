// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/weights_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "engine/base/elements.h"
#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"

namespace fusebench {
namespace {

using nlohmann::json;

constexpr std::size_t kLargestWeights = std::size_t{1} << 34;
constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kLongestHeader = std::size_t{1} << 26;
constexpr std::string_view kWeightsExtension = ".safetensors";

constexpr std::array<std::pair<std::string_view, DType>, 9> kSafeTypes = {
    {{"F32", DType::float32},
     {"F64", DType::float64},
     {"F16", DType::float16},
     {"BF16", DType::bfloat16},
     {"I64", DType::int64},
     {"I32", DType::int32},
     {"I8", DType::int8},
     {"U8", DType::uint8},
     {"BOOL", DType::boolean}}};

/// Product of the extents; nothing: it is not a shape that fits into memory.
std::optional<std::uint64_t> safeCount(const json& shape) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  if (!shape.is_array() || shape.size() > kMaxRank) return std::nullopt;
  std::uint64_t count = 1;
  for (const json& extent : shape) {
    if (!extent.is_number_unsigned()) return std::nullopt;
    const auto size = extent.get<std::uint64_t>();
    if (size > kMost || (size > 0 && count > kMost / size)) return std::nullopt;
    count *= size;
  }
  return count;
}

bool isSpan(const json& offsets) {
  return offsets.is_array() && offsets.size() == 2 && offsets[0].is_number_unsigned() &&
         offsets[1].is_number_unsigned();
}

bool isTensorEntry(const json& entry) {
  return entry.is_object() && entry.contains("dtype") && entry["dtype"].is_string() &&
         entry.contains("shape") && entry.contains("data_offsets") && isSpan(entry["data_offsets"]);
}

}  // namespace

double WeightsFile::Tensor::at(std::int64_t index) const {
  const std::size_t offset = begin_ + static_cast<std::size_t>(index) * info(dtype_).size;
  return loadElement(text_->data() + offset, dtype_);
}

WeightsFile::WeightsFile(const std::string& path)
    : text_(readFile(path, kLargestWeights)), file_(path) {
  read();
}

WeightsFile::WeightsFile(std::string text, std::string file)
    : text_(std::move(text)), file_(std::move(file)) {
  read();
}

void WeightsFile::read() {
  const auto refuse = [&](const std::string& what) {
    throw InputError(fmt::format("{}: {}", file_, what));
  };
  std::uint64_t length = 0;
  if (text_.size() >= kLengthBytes)
    for (std::size_t i = kLengthBytes; i-- > 0;)
      length = length << 8 | static_cast<unsigned char>(text_[i]);
  if (text_.size() < kLengthBytes || length > kLongestHeader ||
      length > text_.size() - kLengthBytes)
    refuse(saying("not a safetensors file, or truncated; capture the model again"));
  const std::size_t begin = kLengthBytes + length, bytes = text_.size() - begin;
  const json header = jsonOf(std::string_view(text_).substr(kLengthBytes, length));
  if (!header.is_object()) refuse(saying("its header is not JSON; capture the model again"));
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const std::string wrong =
        saying("the tensor \"{}\" does not fit the file; capture the model again", shownName(name));
    if (!isTensorEntry(entry)) refuse(wrong);
    const auto dtype = entry["dtype"].get<std::string>();
    const auto* const known = std::find_if(kSafeTypes.begin(), kSafeTypes.end(),
                                           [&](const auto& each) { return each.first == dtype; });
    if (known == kSafeTypes.end()) continue;  // no input can have this type
    const auto from = entry["data_offsets"][0].get<std::uint64_t>();
    const auto to = entry["data_offsets"][1].get<std::uint64_t>();
    const std::optional<std::uint64_t> count = safeCount(entry["shape"]);
    if (!count || from > to || to > bytes || to - from != *count * info(known->second).size)
      refuse(wrong);
    Tensor tensor;
    tensor.dtype_ = known->second;
    for (const json& extent : entry["shape"]) tensor.shape_.push(extent.get<std::int64_t>());
    tensor.begin_ = begin + from;
    tensor.text_ = &text_;
    tensors_.emplace(name, tensor);
  }
}

const WeightsFile::Tensor& WeightsFile::tensor(const std::string& name, const Shape& shape) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end())
    throw InputError(
        saying("{}: tensor \"{}\" not found; capture the model again", file_, shownName(name)));
  if (found->second.shape_ != shape)
    throw InputError(
        saying("{}: the tensor \"{}\" has shape {} instead of {}; capture the model again", file_,
               shownName(name), toString(found->second.shape_), toString(shape)));
  return found->second;
}

bool isWeightsName(const std::string& name) {
  return name.size() > kWeightsExtension.size() && name.ends_with(kWeightsExtension) &&
         name.front() != '.' && name.find('/') == std::string::npos;
}

}  // namespace fusebench
