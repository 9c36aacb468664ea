// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "profiler/experiment/experiment_check.h"
#include "profiler/statistics/random.h"

namespace fusebench {
namespace {

/// The block's shape and the view of it that makes a layout.
struct InputLayout {
  Shape storage;
  Strides strides;
};

InputLayout layoutOf(const InputSpec& spec, const Shape& shape) {
  InputLayout layout{shape, contiguousStrides(shape)};
  const int last = shape.rank() - 1;
  if (spec.layout == "transposed") {
    std::swap(layout.storage[last], layout.storage[last - 1]);
    layout.strides = contiguousStrides(layout.storage);
    std::swap(layout.strides[last], layout.strides[last - 1]);
  } else if (spec.layout == "strided") {
    layout.storage[last] *= 2;
    layout.strides = contiguousStrides(layout.storage);
    layout.strides[last] = 2;
  }
  return layout;
}

/// Calls visit(row-major index, offset in elements) for each element.
template <typename Visit>
void forEachElement(const Shape& shape, const Strides& strides, Visit visit) {
  const std::int64_t count = elementCount(shape);
  Dims at = Dims::filled(shape.rank(), 0);
  std::int64_t offset = 0;
  for (std::int64_t index = 0; index < count; ++index) {
    visit(index, offset);
    for (int d = shape.rank() - 1; d >= 0; --d) {
      offset += strides[d];
      if (++at[d] < shape[d]) break;
      offset -= strides[d] * shape[d];
      at[d] = 0;
    }
  }
}

std::vector<Shape> shapesOf(const Experiment& experiment, const InputSet& set, const CellKey& cell,
                            std::int64_t entry) {
  const auto bindings = bindingsFor(experiment, cell.at, entry);
  std::vector<Shape> shapes;
  for (const InputSpec& spec : set.inputs) shapes.push_back(shapeOf(spec, bindings));
  return shapes;
}

bool names(const InputSet& set, const std::string& axis) {
  for (const InputSpec& spec : set.inputs)
    for (const std::string& extent : spec.extents)
      if (extent.find(axis) != std::string::npos) return true;
  return false;
}

}  // namespace

std::vector<std::size_t> InputList::firstOfKind() const {
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] == i) first.push_back(i);
  return first;
}

std::size_t storageBytes(const InputSpec& spec, const Shape& shape) {
  __extension__ using Wide = __int128;
  Wide bytes = 4;
  for (const std::int64_t extent : layoutOf(spec, shape).storage) {
    bytes *= extent;
    if (bytes > (Wide{1} << 60))
      throw InputError(fmt::format("a tensor of shape {} is too large", toString(shape)));
  }
  return static_cast<std::size_t>(bytes);
}

float elementOf(const InputSpec& spec, std::uint64_t seed, std::int64_t entry, std::size_t input,
                std::int64_t index) {
  const auto stream = static_cast<std::uint64_t>(entry) * 64 + input;
  const auto counter = static_cast<std::uint64_t>(index);
  if (spec.initial) {
    const InitialValues& initial = *spec.initial;
    // Held: the same in every entry.
    if (initial.kind == InitialValues::Kind::uniform)
      return static_cast<float>(initial.low +
                                (initial.high - initial.low) * uniformAt(seed, input, counter));
    if (initial.kind == InitialValues::Kind::normal)
      return static_cast<float>(initial.low + initial.high * normalAt(seed, input, counter));
    const std::vector<double>& numbers = initial.numbers;
    return static_cast<float>(numbers[numbers.size() == 1 ? 0 : static_cast<std::size_t>(index)]);
  }
  if (spec.fill == "normal") return static_cast<float>(normalAt(seed, stream, counter));
  if (spec.fill == "uniform") return static_cast<float>(uniformAt(seed, stream, counter));
  return spec.fill == "ones" ? 1.0f : 0.0f;
}

InputStore::InputStore(Backend& backend, const Experiment& experiment, std::uint64_t available)
    : backend_(backend), experiment_(experiment), available_(available) {
  std::set<std::string> lists;
  for (const CellKey& cell : cells(experiment)) lists.insert(keyOf(cell));
  share_ = available / 4 / std::max<std::size_t>(lists.size(), 1);
}

const InputSet& InputStore::setOf(const CellKey& cell) const {
  return experiment_.inputSet(experiment_.variants[static_cast<std::size_t>(cell.variant)].inputs);
}

std::string InputStore::keyOf(const CellKey& cell) const {
  const InputSet& set = setOf(cell);
  std::string key = set.name;
  for (std::size_t a = 0; a < experiment_.axes.size(); ++a)
    if (names(set, experiment_.axes[a].name)) key += fmt::format("\n{}={}", a, cell.at[a]);
  return key;
}

InputStore::Plan InputStore::plan(const CellKey& cell) const {
  const InputSet& set = setOf(cell);
  Plan plan;
  std::size_t most = 0;
  for (int entry = 0; entry < set.count; ++entry) {
    const auto shapes = shapesOf(experiment_, set, cell, entry);
    std::size_t bytes = 0;
    for (std::size_t input = 0; input < shapes.size(); ++input)
      bytes += storageBytes(set.inputs[input], shapes[input]);
    if (entry > 0 && plan.totalBytes + bytes > share_) break;
    plan.totalBytes += bytes;
    ++plan.entries;
    if (entry == 0 || bytes > most) {
      most = bytes;
      plan.largest.clear();
      for (const Shape& shape : shapes) plan.largest.push_back({shape, DType::float32});
    }
  }
  return plan;
}

Tensor InputStore::make(const InputSpec& spec, const Shape& shape, std::int64_t entry,
                        std::size_t input) {
  const InputLayout layout = layoutOf(spec, shape);
  std::vector<float> values(static_cast<std::size_t>(elementCount(layout.storage)));
  forEachElement(shape, layout.strides, [&](std::int64_t index, std::int64_t offset) {
    values[static_cast<std::size_t>(offset)] =
        elementOf(spec, experiment_.measure.seed, entry, input, index);
  });
  Tensor tensor = makeTensor(backend_.allocator(), DType::float32, layout.storage);
  if (!values.empty()) backend_.copyIn(tensor, values.data(), values.size() * sizeof(float));
  tensor.shape = shape;
  tensor.strides = layout.strides;
  tensor.contiguous = isContiguous(shape, layout.strides);
  return tensor;
}

void InputStore::makeRoom(std::size_t bytes) {
  while (heldBytes_ + bytes > available_ / 2 && !held_.empty()) {
    auto oldest = held_.begin();
    for (auto it = held_.begin(); it != held_.end(); ++it)
      if (it->second.lastUse < oldest->second.lastUse) oldest = it;
    heldBytes_ -= oldest->second.list->totalBytes;
    held_.erase(oldest);
  }
}

std::shared_ptr<const InputList> InputStore::get(const CellKey& cell) {
  const std::string key = keyOf(cell);
  if (const auto found = held_.find(key); found != held_.end()) {
    found->second.lastUse = ++uses_;
    return found->second.list;
  }
  const InputSet& set = setOf(cell);
  const Plan plan = this->plan(cell);
  makeRoom(plan.totalBytes);
  auto list = std::make_shared<InputList>();
  list->wanted = set.count;
  list->totalBytes = plan.totalBytes;
  std::map<std::string, std::size_t> firsts;
  for (int entry = 0; entry < plan.entries; ++entry) {
    const auto shapes = shapesOf(experiment_, set, cell, entry);
    std::vector<Tensor> tensors;
    std::string kind;
    std::size_t bytes = 0;
    for (std::size_t input = 0; input < shapes.size(); ++input) {
      tensors.push_back(make(set.inputs[input], shapes[input], entry, input));
      kind += toString(shapes[input]);
      bytes += storageBytes(set.inputs[input], shapes[input]);
    }
    list->kinds.push_back(firsts.emplace(kind, list->entries.size()).first->second);
    list->entries.push_back(std::move(tensors));
    list->bytes.push_back(bytes);
  }
  heldBytes_ += list->totalBytes;
  held_[key] = {list, ++uses_};
  return list;
}

std::vector<double> valuesOf(Backend& backend, const Tensor& tensor) {
  const std::int64_t count = elementCount(tensor.shape);
  std::vector<double> values(static_cast<std::size_t>(count));
  if (count == 0) return values;
  std::int64_t extent = 1;  // elements from the first to the last one of the view
  for (int d = 0; d < tensor.shape.rank(); ++d) extent += (tensor.shape[d] - 1) * tensor.strides[d];
  const std::size_t size = info(tensor.dtype).size;
  std::vector<std::byte> raw(static_cast<std::size_t>(extent) * size);
  backend.copyOut(raw.data(), tensor, raw.size());
  forEachElement(tensor.shape, tensor.strides, [&](std::int64_t index, std::int64_t offset) {
    const std::byte* at = raw.data() + static_cast<std::size_t>(offset) * size;
    double& value = values[static_cast<std::size_t>(index)];
    switch (tensor.dtype) {
      case DType::boolean:
        value = *reinterpret_cast<const std::uint8_t*>(at) ? 1 : 0;
        break;
      case DType::int64:
        value = static_cast<double>(*reinterpret_cast<const std::int64_t*>(at));
        break;
      case DType::float32:
        value = static_cast<double>(*reinterpret_cast<const float*>(at));
        break;
    }
  });
  return values;
}

}  // namespace fusebench
