// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about where a tensor's elements are: x.stride(), x.is_contiguous(), x.data_ptr(). They
// are answered while the program is read, for the sizes and strides that its inputs have.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using LaidKind = PythonValue::Kind;

constexpr std::array<std::string_view, 8> kLayoutMethods = {
    "stride",       "is_contiguous", "storage_offset", "data_ptr",
    "element_size", "storage",       "typed_storage",  "untyped_storage"};

PythonValue wholeNumber(std::int64_t number, SourcePlace place) {
  return PythonValue::numberOf(static_cast<double>(number), true, place);
}

/// A question gives a number, or the memory of a tensor, or an address in it, which is
/// equal to others of the same name.
PythonValue memoryValue(const char* type, std::string name, SourcePlace place) {
  PythonValue made;
  made.kind = LaidKind::instance;
  made.place = place;
  made.object = std::make_shared<PythonObject>();
  made.object->type = std::make_shared<PythonObject>();
  made.object->type->name = type;
  made.object->type->library = true;
  made.object->type->path = std::move(name);
  return made;
}

/// The memory that a value is in, by what it was made for.
std::string memoryName(const ValueLayout& layout, const PythonValue& self) {
  if (layout.memory >= 0) return std::to_string(layout.memory);
  return "held " + std::to_string(reinterpret_cast<std::uintptr_t>(self.object.get()));
}

bool isOfChannels(const ValueLayout& layout) {
  ValueLayout last = layout;
  const auto rank = static_cast<int>(layout.view.extents.size());
  if (rank != 4 && rank != 5) return false;
  const auto move = [&](int to, int from) {
    last.view.extents[static_cast<std::size_t>(to)] =
        layout.view.extents[static_cast<std::size_t>(from)];
    last.view.strides[static_cast<std::size_t>(to)] =
        layout.view.strides[static_cast<std::size_t>(from)];
  };
  for (int d = 1; d + 1 < rank; ++d) move(d, d + 1);
  move(rank - 1, 1);
  return last.isContiguous();
}

}  // namespace

bool Evaluator::isStorage(const PythonValue& value) {
  return value.kind == LaidKind::instance && value.object->type && value.object->type->library &&
         (value.object->type->name == "UntypedStorage" ||
          value.object->type->name == "TypedStorage" || value.object->type->name == "address");
}

ValueLayout Evaluator::knownLayout(const PythonValue& self, const std::string& name,
                                   SourcePlace place) {
  if (self.kind == LaidKind::held && preparing_ > 0) {
    const InitialValues& initial = self.object->initial;
    return {{SizeList<std::int64_t>(initial.extents),
             SizeList<std::int64_t>(rowMajorStrides(initial.extents)), 0},
            -1,
            elementCount(initial.extents),
            initial.dtype};
  }
  const ValueId value = settled(self).value;
  const std::optional<ValueLayout> layout = builder_.layoutOf(value);
  if (!layout)
    failProgram(place, "." + name +
                           " depends on this tensor's layout in memory, which is not known before "
                           "the inputs' sizes are; give the inputs sizes");
  // The answer holds for these sizes alone.
  for (int d = 0; d < static_cast<int>(layout->view.extents.size()); ++d)
    builder_.decided(extentOf(value, d, place), "." + name);
  if (layout->memory != value)
    if (const std::optional<int> rank = builder_.rankOf(layout->memory))
      for (int d = 0; d < *rank; ++d)
        builder_.decided(extentOf(layout->memory, d, place), "." + name);
  return *layout;
}

bool Evaluator::layoutAttribute(const PythonValue& self, const std::string& name, SourcePlace place,
                                PythonValue& result) {
  if (name != "nbytes" && name != "itemsize") return false;
  const ValueLayout layout = knownLayout(self, name, place);
  std::int64_t bytes = static_cast<std::int64_t>(info(layout.dtype).size);
  if (name == "nbytes")
    for (const std::int64_t extent : layout.view.extents) bytes *= extent;
  result = wholeNumber(bytes, place);
  return true;
}

bool Evaluator::layoutMethod(const PythonValue& self, const std::string& name,
                             const std::vector<CallArgument>& arguments, SourcePlace place,
                             PythonValue& result) {
  if (isStorage(self)) {
    const PythonObject& storage = *self.object;
    const bool typed = storage.type->name == "TypedStorage";
    const auto number = [&](const char* of) { return storage.attributes.at(of).number; };
    if (storage.type->name == "address") return false;
    if (name == "data_ptr") {
      result = memoryValue("address", storage.type->path + " 0", place);
    } else if (name == "size" || name == "nbytes" || name == "__len__") {
      const double elements = number("_elements"), bytes = elements * number("_bytes");
      result = PythonValue::numberOf(name != "nbytes" && typed ? elements : bytes, true, place);
    } else if (name == "element_size") {
      result = PythonValue::numberOf(typed ? number("_bytes") : 1, true, place);
    } else {
      return false;
    }
    return true;
  }
  if (std::ranges::find(kLayoutMethods, name) == kLayoutMethods.end()) return false;
  const ValueLayout layout = knownLayout(self, name, place);
  const auto bytes = static_cast<std::int64_t>(info(layout.dtype).size);
  const auto rank = static_cast<std::int64_t>(layout.view.extents.size());
  if (name == "stride" && !arguments.empty()) {
    const std::int64_t dim = knownInteger(arguments.front().value, "the dimension", place);
    if (dim < -rank || dim >= rank)
      failProgram(place, "there is no dimension " + std::to_string(dim) + " in a tensor of " +
                             std::to_string(rank));
    result = wholeNumber(layout.view.strides[static_cast<std::size_t>(dim < 0 ? dim + rank : dim)],
                         place);
  } else if (name == "stride") {
    std::vector<PythonValue> items;
    for (const std::int64_t stride : layout.view.strides)
      items.push_back(wholeNumber(stride, place));
    result = PythonValue::listOf(std::move(items), true, place);
  } else if (name == "is_contiguous") {
    const std::string asked =
        arguments.empty() ? "torch.contiguous_format" : arguments.front().value.text;
    if (asked != "torch.contiguous_format" && !asked.starts_with("torch.channels_last"))
      failProgram(place,
                  "memory_format of .is_contiguous must be torch.contiguous_format, "
                  "torch.channels_last or torch.channels_last_3d");
    const bool channels = asked.starts_with("torch.channels_last") &&
                          (rank == 5) == (asked == "torch.channels_last_3d");
    result =
        PythonValue::flagOf(asked == "torch.contiguous_format" ? layout.isContiguous()
                                                               : channels && isOfChannels(layout),
                            place);
  } else if (name == "storage_offset") {
    result = wholeNumber(layout.view.offset, place);
  } else if (name == "element_size") {
    result = wholeNumber(bytes, place);
  } else if (name == "data_ptr") {
    result = memoryValue(
        "address", memoryName(layout, self) + " " + std::to_string(layout.view.offset * bytes),
        place);
  } else {
    result = memoryValue(name == "untyped_storage" ? "UntypedStorage" : "TypedStorage",
                         memoryName(layout, self), place);
    result.object->attributes["_elements"] = wholeNumber(layout.elements, place);
    result.object->attributes["_bytes"] = wholeNumber(bytes, place);
  }
  return true;
}

}  // namespace fusebench
