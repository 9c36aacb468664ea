// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/execution_trace_values.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/recorded_tensors.h"

namespace fusebench {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostValues = 1 << 16;  // for an operator; PyTorch cuts lists at 4096
constexpr std::size_t kMostTracedExtents = 64;
constexpr std::int64_t kMostElements = std::int64_t{1} << 50;
constexpr int kDeepestType = 8;
constexpr std::string_view kTensorType = "Tensor(", kListType = "GenericList[", kTuple = "Tuple[";

/// The types between the brackets of "GenericList[Int,Tensor(float)]".
std::vector<std::string_view> typesInside(std::string_view list) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(' || c == '[' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '>') --depth;
    if (c != ',' || depth != 0) continue;
    if (i > begin) pieces.push_back(list.substr(begin, i - begin));
    begin = i + 1;
  }
  return pieces;
}

class ValueReader {
 public:
  ValueReader(std::string where, std::vector<TracedTensor>& tensors)
      : where_(std::move(where)), tensors_(tensors) {}

  /// `shape` and `strides` may be null.
  TracedValue read(const Json& value, const Json* shape, std::string_view type, const Json* strides,
                   int depth) {
    if (++count_ > kMostValues)
      throw InputError(saying("{}: more than {} values; this is not a PyTorch execution trace",
                              where_, kMostValues));
    TracedValue made;
    if (type.starts_with(kTensorType)) return tensor(value, shape, type, strides);
    for (const std::string_view list : {kListType, kTuple})
      if (type.starts_with(list) && type.ends_with(']')) {
        type.remove_prefix(list.size());
        type.remove_suffix(1);
        return listed(value, shape, type, strides, depth);
      }
    if (type == "None") return made;
    if (type == "Bool" && value.is_boolean()) return number(TracedValue::Kind::flag, value);
    if (type == "Int" && value.is_number_integer())
      return number(TracedValue::Kind::integer, value);
    if (type == "Double") return real(value);
    made.kind = type == "String"   ? TracedValue::Kind::text
                : type == "Device" ? TracedValue::Kind::device
                                   : TracedValue::Kind::other;
    if (made.kind == TracedValue::Kind::other)
      made.text = shownText(std::string(type));
    else
      made.text = value.is_string() ? value.get<std::string>() : std::string();
    return made;
  }

 private:
  [[noreturn]] void fail(const std::string& cause) const {
    throw InputError(
        saying("{}: {}; record the trace again with ExecutionTraceObserver", where_, cause));
  }

  TracedValue number(TracedValue::Kind kind, const Json& value) const {
    TracedValue made;
    made.kind = kind;
    if (value.is_number_unsigned() &&
        value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
      fail(saying("{} is larger than an int64", value.dump()));
    made.integer = value.is_boolean() ? value.get<bool>() : value.get<std::int64_t>();
    return made;
  }

  /// JSON has no infinity: such a number is a text.
  TracedValue real(const Json& value) const {
    TracedValue made;
    made.kind = TracedValue::Kind::real;
    if (value.is_number()) {
      made.real = value.get<double>();
      return made;
    }
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    if (text == "inf")
      made.real = std::numeric_limits<double>::infinity();
    else if (text == "-inf")
      made.real = -std::numeric_limits<double>::infinity();
    else if (text == "nan" || text == "-nan")
      made.real = std::numeric_limits<double>::quiet_NaN();
    else
      fail(saying("a value of type Double must be a number"));
    return made;
  }

  TracedValue listed(const Json& value, const Json* shape, std::string_view types,
                     const Json* strides, int depth) {
    TracedValue made;
    const std::vector<std::string_view> each = typesInside(types);
    // PyTorch cuts long lists and replaces what is nested too deep.
    if (!value.is_array() || each.size() != value.size() || depth >= kDeepestType) {
      made.kind = TracedValue::Kind::other;
      made.text = "list";
      return made;
    }
    made.kind = TracedValue::Kind::list;
    const auto at = [](const Json* list, std::size_t i) -> const Json* {
      return list && list->is_array() && i < list->size() ? &(*list)[i] : nullptr;
    };
    for (std::size_t i = 0; i < value.size(); ++i)
      made.items.push_back(read(value[i], at(shape, i), each[i], at(strides, i), depth + 1));
    return made;
  }

  std::vector<std::int64_t> sizes(const Json& list, const std::string& what) const {
    if (!list.is_array() || list.size() > kMostTracedExtents)
      fail(saying("a tensor's {} must be a list of at most {} integers", what, kMostTracedExtents));
    std::vector<std::int64_t> made;
    for (const Json& each : list) {
      if (!each.is_number_integer()) fail(saying("a tensor's {} must be integers", what));
      const auto size = each.get<std::int64_t>();
      if (size < 0 || size > kMostElements)
        fail(saying("a tensor's {} must be from 0 to 2^50", what));
      made.push_back(size);
    }
    return made;
  }

  /// [tensor_id, storage_id, offset, numel, itemsize, device], as PyTorch writes it.
  TracedValue tensor(const Json& value, const Json* shape, std::string_view type,
                     const Json* strides) {
    TracedValue made;
    type.remove_prefix(kTensorType.size());
    if (type.ends_with(')')) type.remove_suffix(1);
    if (type.starts_with("nullptr")) return made;  // an output that nobody asked for
    constexpr std::size_t kNumbers = 5;
    bool isRight = value.is_array() && value.size() > kNumbers;
    for (std::size_t i = 0; i < kNumbers && isRight; ++i)
      isRight = value[i].is_number_integer() && value[i].get<std::int64_t>() >= 0;
    if (!isRight)
      fail(saying("a tensor must be [tensor_id, storage_id, offset, numel, itemsize, device]"));
    if (!shape) fail(saying("a tensor has no shape"));
    TracedTensor read;
    read.id = value[0].get<std::int64_t>();
    read.storage = value[1].get<std::int64_t>();
    read.offset = value[2].get<std::int64_t>();
    read.extents = sizes(*shape, saying("shape"));
    std::int64_t elements = 1;
    for (const std::int64_t extent : read.extents) {
      if (extent > 0 && elements > kMostElements / extent)
        fail(saying("a tensor has more than 2^50 elements"));
      elements *= extent;
    }
    if (elements != value[3].get<std::int64_t>())
      fail(saying("a tensor's shape has {} elements, and its numel is {}", elements,
                  value[3].get<std::int64_t>()));
    if (strides) {
      read.strides = sizes(*strides, saying("strides"));
      if (read.strides.size() != read.extents.size())
        fail(saying("a tensor has {} dimensions and {} strides", read.extents.size(),
                    read.strides.size()));
      read.hasStrides = true;
    }
    read.recordedType = shownText(std::string(type));
    read.dtype = dtypeRecordedAs(type);
    if (read.dtype.starts_with("complex") || read.dtype.starts_with("float8")) read.dtype.clear();
    if (tensors_.size() >= std::numeric_limits<std::uint32_t>::max())
      fail(saying("the trace has too many tensors"));
    made.kind = TracedValue::Kind::tensor;
    made.tensor = static_cast<std::uint32_t>(tensors_.size());
    tensors_.push_back(std::move(read));
    return made;
  }

  std::string where_;
  std::vector<TracedTensor>& tensors_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<TracedValue> tracedValues(const TracedLists& lists, const std::string& where,
                                      std::vector<TracedTensor>& tensors) {
  for (const Json* list : {lists.values, lists.shapes, lists.types, lists.strides})
    if (list && !list->is_array())
      throw InputError(saying("{}: values, shapes, types and strides must be lists", where));
  if (!lists.values || !lists.shapes || !lists.types)
    throw InputError(
        saying("{}: values, shapes or types are missing; record the trace again with "
               "ExecutionTraceObserver",
               where));
  const std::size_t count = lists.values->size();
  if (lists.shapes->size() != count || lists.types->size() != count ||
      (lists.strides && lists.strides->size() != count))
    throw InputError(saying(
        "{}: there are {} values, {} shapes and {} types; there must be one of each per value",
        where, count, lists.shapes->size(), lists.types->size()));
  ValueReader reader(where, tensors);
  std::vector<TracedValue> made;
  for (std::size_t i = 0; i < count; ++i) {
    const Json& type = (*lists.types)[i];
    if (!type.is_string()) throw InputError(saying("{}: a type must be a string", where));
    made.push_back(reader.read((*lists.values)[i], &(*lists.shapes)[i],
                               type.get_ref<const std::string&>(),
                               lists.strides ? &(*lists.strides)[i] : nullptr, 0));
  }
  return made;
}

}  // namespace fusebench
