// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>
#include <span>

#include "engine/base/elements.h"
#include "engine/base/saying.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/experiment_parameters.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/statistics/random.h"

namespace fusebench {
namespace {

/// The block's shape and the view of it that makes a layout.
struct InputLayout {
  Shape storage;
  Strides strides;
};

/// Strides of a tensor without gaps whose dimensions are in this order in memory, the slowest
/// first.
Strides denseStridesOf(const Shape& shape, const std::vector<int>& order) {
  Strides strides = Strides::filled(shape.rank(), 1);
  std::int64_t step = 1;
  for (std::size_t place = order.size(); place-- > 0;) {
    strides[order[place]] = step;
    step *= shape[order[place]];
  }
  return strides;
}

InputLayout layoutOf(const InputSpec& spec, const Shape& shape) {
  InputLayout layout{shape, contiguousStrides(shape)};
  const int last = shape.rank() - 1;
  if (spec.layout == "transposed") {
    std::swap(layout.storage[last], layout.storage[last - 1]);
    layout.strides = contiguousStrides(layout.storage);
    std::swap(layout.strides[last], layout.strides[last - 1]);
  } else if (spec.layout == "channels_last") {
    layout.strides = denseStridesOf(shape, {0, 2, 3, 1});
  } else if (spec.layout == "column_major") {
    std::vector<int> order;
    for (int d = shape.rank(); d-- > 0;) order.push_back(d);
    layout.strides = denseStridesOf(shape, order);
  } else if (const auto order =
                 orderOfDimensions(spec.layout, static_cast<std::size_t>(shape.rank()))) {
    layout.strides = denseStridesOf(shape, *order);
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

std::vector<Shape> shapesOf(const Experiment& experiment, const InputSet& set,
                            std::span<const std::size_t> inputs, const CellKey& cell,
                            std::int64_t entry) {
  const auto bindings = bindingsFor(experiment, cell.at, entry);
  const Variant& variant = experiment.variants[static_cast<std::size_t>(cell.variant)];
  const int ranks = ranksOf(experiment, cell);
  std::vector<Shape> shapes;
  for (const std::size_t input : inputs)
    shapes.push_back(
        shareOf(set.inputs[input], shapeOf(set.inputs[input], bindings), variant, ranks));
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

std::optional<std::vector<int>> orderOfDimensions(const std::string& layout, std::size_t rank) {
  if (!layout.starts_with(kOrderLayout)) return std::nullopt;
  std::vector<int> order;
  std::vector<bool> named(rank, false);
  const char* at = layout.data() + kOrderLayout.size();
  const char* const end = layout.data() + layout.size();
  while (true) {
    std::size_t dim = rank;
    const auto [stop, error] = std::from_chars(at, end, dim);
    if (error != std::errc() || dim >= rank || named[dim]) return std::nullopt;
    named[dim] = true;
    order.push_back(static_cast<int>(dim));
    if (stop == end) break;
    if (*stop != ',') return std::nullopt;
    at = stop + 1;
  }
  return order.size() == rank ? std::optional(order) : std::nullopt;
}

DType dtypeOf(const InputSpec& spec) {
  const DType* const found = findDType(spec.dtype);
  return found ? *found : DType::float32;
}

InputSet inputsOf(const Experiment& experiment, const Variant& variant) {
  InputSet set = experiment.inputSet(variant.inputs);
  for (InputSpec& spec : set.inputs)
    if (!variant.dtype.empty() && isFloat(dtypeOf(spec))) spec.dtype = variant.dtype;
  return set;
}

void setHeld(const Experiment& experiment, const Variant& variant,
             const std::vector<std::int64_t>& at, InputSet& set) {
  const std::vector<std::string> parameters = numberParameters(experiment.programTextOf(variant));
  const bool sweeps = std::ranges::any_of(experiment.axes, [&](const Axis& axis) {
    return std::ranges::find(parameters, axis.name) != parameters.end();
  });
  if (!sweeps || experiment.programOf(variant).held.empty()) return;
  const Program program = forwardAt(experiment, variant, at);
  for (const HeldInput& held : program.held) {
    const InputSpec made = heldSpec(program, held);
    for (InputSpec& spec : set.inputs) {
      if (spec.name != made.name || !spec.initial) continue;
      spec.extents = made.extents;
      spec.initial = made.initial;
    }
  }
}

double roundingUnit(const Experiment& experiment, const Variant& variant) {
  const bool found = std::any_of(experiment.inputSets.begin(), experiment.inputSets.end(),
                                 [&](const InputSet& set) { return set.name == variant.inputs; });
  if (!found) return 0x1p-24;  // a run whose file has no more data
  // Quantized layers are coarser than any of the inputs' types.
  if (variant.quantize == "float16") return 0x1p-11;
  if (variant.quantize == "bfloat16") return 0x1p-9;
  if (!variant.quantize.empty()) return 0x1p-7;
  double unit = 0x1p-53;
  if (!variant.autocast.empty()) unit = variant.autocast.ends_with("bfloat16") ? 0x1p-9 : 0x1p-11;
  for (const InputSpec& spec : inputsOf(experiment, variant).inputs) switch (dtypeOf(spec)) {
      case DType::float16:
        unit = std::max(unit, 0x1p-11);
        break;
      case DType::bfloat16:
        unit = std::max(unit, 0x1p-9);
        break;
      case DType::float64:
        break;
      default:
        unit = std::max(unit, 0x1p-24);
    }
  return unit;
}

std::optional<Strides> inputStrides(const InputSpec& spec, const Shape& shape) {
  const bool fits =
      spec.layout == "transposed"      ? shape.rank() >= 2
      : spec.layout == "channels_last" ? shape.rank() == 4
      : spec.layout == "strided"       ? shape.rank() >= 1
      : spec.layout.starts_with(kOrderLayout)
          ? orderOfDimensions(spec.layout, static_cast<std::size_t>(shape.rank())).has_value()
          : true;
  return fits ? std::optional(layoutOf(spec, shape).strides) : std::nullopt;
}

std::size_t storageBytes(const InputSpec& spec, const Shape& shape) {
  __extension__ using Wide = __int128;
  Wide bytes = static_cast<Wide>(info(dtypeOf(spec)).size);
  for (const std::int64_t extent : layoutOf(spec, shape).storage) {
    bytes *= extent;
    if (bytes > (Wide{1} << 60))
      throw InputError(saying("a tensor of shape {} is too large", toString(shape)));
  }
  return static_cast<std::size_t>(bytes);
}

namespace {

/// elementOf() of many elements of one tensor.
class Elements {
 public:
  Elements(const InputSpec& spec, std::uint64_t seed, std::int64_t entry, std::size_t input,
           const WeightsFile::Tensor* given = nullptr)
      : spec_(spec),
        given_(given),
        seed_(seed),
        input_(input),
        stream_(streamOf(entry, input)),
        dtype_(dtypeOf(spec)),
        normal_(spec.fill == "normal"),
        uniform_(spec.fill == "uniform"),
        otherwise_(spec.fill == "ones" ? 1 : 0) {}

  /// Takes the elements from the input's code, for a tensor of `shape`. Both outlive this.
  void setComputed(const ComputedFill& computed, const Shape& shape) {
    computed_ = &computed;
    shape_ = &shape;
  }

  double at(std::int64_t index) const {
    const auto counter = static_cast<std::uint64_t>(index);
    if (spec_.initial) return initialAt(*spec_.initial, index, counter);
    if (given_) return given_->at(index);
    if (computed_) return computed_->at(*shape_, index);
    if (!spec_.data.empty()) return spec_.data[static_cast<std::size_t>(index) % spec_.data.size()];
    if (spec_.range && !isFloat(dtype_)) return wholeAt(counter);
    if (!normal_ && !uniform_) return otherwise_;
    // A float32 first, whatever it becomes: variants of all dtypes compute on the same values.
    double value = static_cast<float>(normal_ ? normalAt(seed_, stream_, counter)
                                              : uniformAt(seed_, stream_, counter));
    if (normal_ && (spec_.mean != 0 || spec_.deviation != 1))
      value = static_cast<float>(spec_.mean + spec_.deviation * value);
    if (spec_.range) value = std::clamp(value, (*spec_.range)[0], (*spec_.range)[1]);
    if (isFloat(dtype_)) return value;
    if (dtype_ == DType::boolean) return value > (uniform_ ? 0.5 : 0) ? 1 : 0;
    constexpr double kScale = 16;
    return std::trunc(kScale * (dtype_ == DType::uint8 ? std::abs(value) : value));
  }

 private:
  /// Each entry and input has a stream. The first 64 inputs keep those that they had when there
  /// could be no more.
  static std::uint64_t streamOf(std::int64_t entry, std::size_t input) {
    const auto list = static_cast<std::uint64_t>(entry);
    constexpr std::uint64_t kFew = 64, kMany = 1 << 16, kBeyond = std::uint64_t{1} << 48;
    return input < kFew ? list * kFew + input : kBeyond + list * kMany + input;
  }

  /// From low to high, both included.
  double wholeAt(std::uint64_t counter) const {
    const double low = std::ceil((*spec_.range)[0]);
    const double high = std::max(low, std::floor((*spec_.range)[1]));
    const double drawn = low + std::floor(uniformAt(seed_, stream_, counter) * (high - low + 1));
    return std::min(drawn, high);
  }

  double initialAt(const InitialValues& initial, std::int64_t index, std::uint64_t counter) const {
    if (initial.zeroRow >= 0 &&
        index / (elementCount(initial.extents) / initial.extents[0]) == initial.zeroRow)
      return 0;
    // Held: the same in every entry.
    if (initial.kind == InitialValues::Kind::uniform)
      return static_cast<float>(initial.low +
                                (initial.high - initial.low) * uniformAt(seed_, input_, counter));
    if (initial.kind == InitialValues::Kind::normal)
      return static_cast<float>(initial.low + initial.high * normalAt(seed_, input_, counter));
    const std::vector<double>& numbers = initial.numbers;
    const double number = numbers[numbers.size() == 1 ? 0 : static_cast<std::size_t>(index)];
    return isFloat(initial.dtype) ? roundedTo(number, initial.dtype) : number;
  }

  const InputSpec& spec_;
  const WeightsFile::Tensor* given_;
  const ComputedFill* computed_ = nullptr;
  const Shape* shape_ = nullptr;
  std::uint64_t seed_, input_, stream_;
  DType dtype_;
  bool normal_, uniform_;
  double otherwise_;
};

}  // namespace

double elementOf(const InputSpec& spec, std::uint64_t seed, std::int64_t entry, std::size_t input,
                 std::int64_t index) {
  return Elements(spec, seed, entry, input).at(index);
}

InputStore::InputStore(Backend& backend, const Experiment& experiment, std::uint64_t available,
                       int rank, Values values)
    : backend_(backend),
      experiment_(experiment),
      available_(available),
      rank_(rank),
      values_(values) {
  std::set<std::string> lists;
  for (const CellKey& cell : cells(experiment)) lists.insert(keyOf(cell));
  share_ = available / 4 / std::max<std::size_t>(lists.size(), 1);
}

InputStore::Taken InputStore::takenBy(const CellKey& cell) const {
  const Variant& variant = experiment_.variants[static_cast<std::size_t>(cell.variant)];
  Taken taken{inputsOf(experiment_, variant), {}};
  setHeld(experiment_, variant, cell.at, taken.set);
  const std::vector<InputSpec>& specs = taken.set.inputs;
  for (const std::string& name : experiment_.programOf(variant).inputs)
    for (std::size_t i = 0; i < specs.size(); ++i)
      if (specs[i].name == name) taken.inputs.push_back(i);
  return taken;
}

std::string InputStore::keyOf(const CellKey& cell) const {
  const auto [set, inputs] = takenBy(cell);
  std::string key = set.name;
  for (const InputSpec& spec : set.inputs) {
    key += "\n" + spec.dtype;
    for (const std::string& extent : spec.extents)
      if (spec.initial) key += " " + extent;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)  // a program may take others, or in another order
    if (inputs[i] != i || inputs.size() < set.inputs.size()) key += fmt::format("\n{}", inputs[i]);
  for (std::size_t a = 0; a < experiment_.axes.size(); ++a)
    if (names(set, experiment_.axes[a].name)) key += fmt::format("\n{}={}", a, cell.at[a]);
  if (const int ranks = ranksOf(experiment_, cell); ranks > 1)
    key += fmt::format(
        "\n{} {}", ranks,
        experiment_.variants[static_cast<std::size_t>(cell.variant)].weak ? "each" : "together");
  return key;
}

InputStore::Plan InputStore::plan(const CellKey& cell) const {
  const auto [set, inputs] = takenBy(cell);
  Plan plan;
  std::size_t most = 0;
  for (int entry = 0; entry < set.count; ++entry) {
    const auto shapes = shapesOf(experiment_, set, inputs, cell, entry);
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i)
      bytes += storageBytes(set.inputs[inputs[i]], shapes[i]);
    if (entry > 0 && plan.totalBytes + bytes > share_) break;
    plan.totalBytes += bytes;
    ++plan.entries;
    if (entry == 0 || bytes > most) {
      most = bytes;
      plan.largest.clear();
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        const InputSpec& spec = set.inputs[inputs[i]];
        plan.largest.push_back(contiguousForm(dtypeOf(spec), shapes[i]));
        plan.largest.back().memory = memoryOf(spec);
      }
    }
  }
  return plan;
}

Memory InputStore::memoryOf(const InputSpec& spec) const {
  if (!spec.onHost || !backend_.traits().hasOwnMemory) return Memory::device;
  return spec.pinned ? Memory::pinned : Memory::host;
}

const ComputedFill& InputStore::computed(const InputSpec& spec) {
  const auto found = computed_.find(spec.code);
  if (found != computed_.end()) return found->second;
  return computed_.emplace(spec.code, ComputedFill(spec.code)).first->second;
}

/// Inputs that are not held are divided in order over the ranks' memory, whatever their number:
/// together the ranks have the elements that one rank has alone, or more of them.
Tensor InputStore::make(const InputSpec& spec, const Shape& shape, std::int64_t entry,
                        std::size_t input, int rank) {
  const std::int64_t first = isHeld(spec) ? 0 : rank * elementCount(shape);
  const InputLayout layout = layoutOf(spec, shape);
  const DType dtype = dtypeOf(spec);
  const std::size_t size = info(dtype).size;
  std::vector<std::byte> values;
  if (values_ == Values::made) {
    values.resize(static_cast<std::size_t>(elementCount(layout.storage)) * size);
    const WeightsFile::Tensor* const given =
        weights_ && !spec.values.empty() ? &weights_->tensor(spec.values, shape) : nullptr;
    Elements elements(spec, experiment_.measure.seed, entry, input, given);
    if (!spec.code.empty() && !spec.initial) elements.setComputed(computed(spec), shape);
    forEachElement(shape, layout.strides, [&](std::int64_t index, std::int64_t offset) {
      storeElement(&values[static_cast<std::size_t>(offset) * size], dtype,
                   elements.at(first + index));
    });
  }
  const Memory memory = memoryOf(spec);
  if (memory != Memory::device && !host_) host_ = std::make_unique<HostMemory>(backend_);
  Tensor tensor = makeTensor(memory == Memory::device ? backend_.allocator() : host_->pool(memory),
                             dtype, layout.storage);
  tensor.memory = memory;
  if (!values.empty() && memory == Memory::device)
    backend_.copyIn(tensor, values.data(), values.size());
  else if (!values.empty())
    host_->copies().onHost(tensor.data(), values.data(), values.size());
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
  const auto [set, inputs] = takenBy(cell);
  const Plan plan = this->plan(cell);
  makeRoom(plan.totalBytes);
  auto list = std::make_shared<InputList>();
  list->wanted = set.count;
  list->totalBytes = plan.totalBytes;
  std::map<std::string, std::size_t> firsts;
  for (int entry = 0; entry < plan.entries; ++entry) {
    const auto shapes = shapesOf(experiment_, set, inputs, cell, entry);
    std::vector<Tensor> tensors;
    std::string kind;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const InputSpec& spec = set.inputs[inputs[i]];
      // An input that belongs to the program is one tensor for all of its calls.
      tensors.push_back(spec.initial && entry > 0 ? list->entries[0][i]
                                                  : make(spec, shapes[i], entry, inputs[i], rank_));
      kind += toString(shapes[i]);
      bytes += storageBytes(spec, shapes[i]);
    }
    list->kinds.push_back(firsts.emplace(kind, list->entries.size()).first->second);
    list->entries.push_back(std::move(tensors));
    list->bytes.push_back(bytes);
  }
  heldBytes_ += list->totalBytes;
  held_[key] = {list, ++uses_};
  return list;
}

std::vector<Tensor> InputStore::entryOf(const CellKey& cell, std::int64_t entry, int rank) {
  const auto [set, inputs] = takenBy(cell);
  const auto shapes = shapesOf(experiment_, set, inputs, cell, entry);
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    tensors.push_back(make(set.inputs[inputs[i]], shapes[i], entry, inputs[i], rank));
  return tensors;
}

std::vector<double> valuesOf(Backend& backend, const Tensor& tensor) {
  const std::int64_t count = elementCount(tensor.shape);
  std::vector<double> values(static_cast<std::size_t>(count));
  if (count == 0) return values;
  std::int64_t extent = 1;  // elements from the first to the last one of the view
  for (int d = 0; d < tensor.shape.rank(); ++d) extent += (tensor.shape[d] - 1) * tensor.strides[d];
  const std::size_t size = info(tensor.dtype).size;
  std::vector<std::byte> raw(static_cast<std::size_t>(extent) * size);
  readTensor(backend, raw.data(), tensor, raw.size());
  forEachElement(tensor.shape, tensor.strides, [&](std::int64_t index, std::int64_t offset) {
    values[static_cast<std::size_t>(index)] =
        loadElement(raw.data() + static_cast<std::size_t>(offset) * size, tensor.dtype);
  });
  return values;
}

}  // namespace fusebench
