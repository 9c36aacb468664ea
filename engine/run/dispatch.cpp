// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/dispatch.h"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include "engine/base/dim_order.h"
#include "engine/ops/op_numbers.h"
#include "engine/plan/write_checks.h"
#include "engine/run/executor.h"

namespace fusebench {
namespace {

constexpr std::size_t kMasks = 8;       // three operands, number or tensor
constexpr std::size_t kDTypeMasks = 8;  // three operands, float32 or bool

/// Whether two tensors have the same extents and strides.
bool liesAs(const Tensor& a, const Tensor& b) {
  return a.shape == b.shape && a.contiguous == b.contiguous &&
         (a.contiguous || a.strides == b.strides);
}

/// As in a plan; see fusion.h.
SizeList<std::int64_t> indexedStrides(const Op& op, const Tensor* const* operands,
                                      std::size_t operand) {
  const IndexRule& rule = op.row->indexing;
  const Tensor &source = *operands[rule.source], &index = *operands[rule.index];
  const int dim = indexedDim(op, source.shape.rank());
  const bool ofSource = operand == rule.source;
  SizeList<std::int64_t> strides;
  const auto add = [&](const Tensor& of, int d, bool own) {
    const std::int64_t stride = of.contiguous ? rowMajorStrides(of.shape)[d] : of.strides[d];
    strides.push_back(own && of.shape[d] != 1 ? stride : 0);
  };
  if (!rule.replaces) {
    for (int d = 0; d < index.shape.rank(); ++d)
      if (ofSource)
        add(source, d, d != dim);
      else
        add(index, d, true);
    return strides;
  }
  for (int d = 0; d < dim; ++d) add(source, d, ofSource);
  for (int d = 0; d < index.shape.rank(); ++d) add(index, d, !ofSource);
  if (rule.flat && index.shape.rank() == 0) strides.push_back(0);
  for (int d = dim + 1; d < source.shape.rank(); ++d) add(source, d, ofSource);
  return strides;
}

void append(std::string& key, const void* data, std::size_t bytes) {
  key.append(static_cast<const char*>(data), bytes);
}

}  // namespace

CallSite::CallSite(const Op& source)
    : op(&source),
      row(fusebench::isCalled(*source.row) ? -1 : opIndex(*source.row)),
      resultDType(fusebench::resultDType(*source.row)),
      isView(source.row->kind == OpKind::view),
      isCalled(fusebench::isCalled(*source.row)),
      isCopy(source.row->kind == OpKind::copy),
      into(source.into),
      makes(source.row->kind == OpKind::make) {
  for (std::size_t i = 0; i < source.operands.size(); ++i) {
    const Operand& operand = source.operands[i];
    if (operand.isNumber()) {
      numberMask |= 1 << i;
      addNumber(operand.number);
    } else {
      if ((source.row->truthOperands >> i) & 1u) truthTensors |= std::size_t{1} << tensors;
      values[static_cast<std::size_t>(tensors++)] = operand.value;
    }
  }
  reduces = source.row->kind == OpKind::reduce;
  // Bools only: the result's dtype follows from the kind of the numbers.
  plain = !isView && !makes && source.row->kind != OpKind::scan &&
          source.row->places == IndexInputs::none &&
          (truthTensors == 0 || tensors > std::popcount(truthTensors));
  std::size_t i = 0;
  for (const Parameter& parameter : source.row->parameters) {
    const double value = source.parameters[i++];
    if (parameter.kind == Parameter::Kind::number && !reduces)
      addNumber(value);
    else if (parameter.kind != Parameter::Kind::dims && !(reduces && parameter.name == "keepdim"))
      plain = false;
  }
  for (; i < source.parameters.size(); ++i) addNumber(source.parameters[i]);
  gapless = plain && (!reduces || (!source.dims && !source.keepDims));
  usual = gapless && !isCalled && !isCopy && into < 0;
}

void CallSite::addNumber(double number) {
  numbers.push_back(number);
  scalars.push_back(Scalar::of(number, TypeClass::float32));
}

Dispatcher::Dispatcher(Backend& backend, CompileTimes& times, bool search)
    : backend_(backend),
      times_(times),
      search_(search),
      gapless_(opRows().size() * kMasks * kDTypeMasks) {}

void Dispatcher::run(const CallSite& site, std::int32_t step, const Tensor* const* operands,
                     Tensor& result) {
  if (!site.usual) return runUnusual(site, step, operands, result);
  if (!runGapless<false>(site, step, operands, result)) runAnyLayout(site, step, operands, result);
}

/// Separate from run(), so that the usual op does not have to check for these cases.
void Dispatcher::runUnusual(const CallSite& site, std::int32_t step, const Tensor* const* operands,
                            Tensor& result) {
  if (site.into >= 0) {
    checkInPlace(site, operands, result);
    if (site.isCalled) return runLibrary(site, step, operands, result);
    if (site.makes && result.contiguous && runMaking(site, step, operands, result)) return;
    if (site.gapless && runGapless<true>(site, step, operands, result)) return;
    return runAnyLayout(site, step, operands, result);
  }
  if (site.makes && runMaking(site, step, operands, result)) return;
  if (site.isCalled) return runLibrary(site, step, operands, result);
  runAnyLayout(site, step, operands, result);
}

/// What PyTorch checks before it writes in place: whether each element has its own position, and
/// whether nothing else there is read.
void Dispatcher::checkInPlace(const CallSite& site, const Tensor* const* operands,
                              const Tensor& into) {
  if (!into.contiguous) checkWritten(*site.op, into.shape, into.strides);
  if (site.makes) return;
  for (int i = 0; i < site.tensors; ++i) {
    const Tensor& operand = *operands[i];
    if (operand.block.get() != into.block.get()) continue;
    if (site.isCalled && i > 0) {
      checkApart(*site.op, {into.shape, into.strides, into.offset},
                 {operand.shape, operand.strides, operand.offset});
      continue;
    }
    if (operand.offset == into.offset && operand.shape == into.shape &&
        operand.strides == into.strides && operand.dtype == into.dtype)
      continue;
    checkOverlap(*site.op, {into.shape, into.strides, into.offset},
                 {operand.shape, operand.strides, operand.offset});
  }
}

/// A tensor created in one loop: what the call site found for such a dtype is kept.
bool Dispatcher::runMaking(const CallSite& site, std::int32_t step, const Tensor* const* operands,
                           Tensor& result) {
  const Op& op = *site.op;
  if (op.row->places == IndexInputs::rowColumn) return false;
  const bool like = !op.operands.empty(), sized = !op.sizeNumbers.empty();
  if (like && !sized && !operands[0]->contiguous) return false;
  ValueType given[1];
  if (like) given[0] = {operands[0]->shape, operands[0]->dtype};
  OpTypes made;
  const ValueType type = inferType(op, {given, op.operands.size()}, &made);
  const std::int64_t elements = elementCount(type.shape);
  if (elements < 2) return false;  // one loop or none, by the number of dimensions
  Typed& found = typed_[&op];
  if (!found.executable || found.result != type.dtype) {
    found.result = type.dtype;
    found.scalars = scalarsOf(site, made.computed);
    found.executable = compile(site, operands);
  }
  Recorder* const recorder = backend_.splitRecorder();
  if (site.into < 0) {
    mark(recorder, CallPart::allocate);
    result = makeTensor(backend_.allocator(), type.dtype, type.shape);
  }
  mark(recorder, CallPart::launch);
  void* pointers[2] = {nullptr, nullptr};
  pointers[count(op.row->places)] = result.data();
  backend_.launch(*found.executable, {pointers, &elements, found.scalars.data(), step});
  return true;
}

template <bool kInPlace>
[[gnu::always_inline]] inline void Dispatcher::launchGapless(
    const CallSite& site, std::int32_t step, std::int64_t elements, const Tensor* const* operands,
    Tensor& result, DType dtype, const Executable& executable, const Scalar* scalars) {
  Recorder* const recorder = backend_.splitRecorder();
  if constexpr (!kInPlace) {
    const Tensor& first = *operands[0];
    mark(recorder, CallPart::allocate);
    result.dtype = dtype;
    result.offset = 0;
    std::size_t bytes = info(dtype).size;
    if (site.reduces) {
      result.contiguous = true;
      result.shape = Shape();
      result.strides = Strides();
    } else {
      result.contiguous = first.contiguous;
      result.shape = first.shape;
      result.strides = first.strides;
      bytes *= static_cast<std::size_t>(elements);
    }
    result.block = BlockRef(backend_.allocator().allocate(bytes));
  }
  mark(recorder, CallPart::launch);
  void* pointers[4];
  int count = 0;
  for (int i = 0; i < site.tensors; ++i) pointers[count++] = operands[i]->data();
  pointers[count] = result.data();
  backend_.launch(executable, {pointers, &elements, scalars, step});
}

/// The common case in full: operands of the same layout, without gaps. It needs one table lookup.
template <bool kInPlace>
[[gnu::always_inline]] inline bool Dispatcher::runGapless(const CallSite& site, std::int32_t step,
                                                          const Tensor* const* operands,
                                                          Tensor& result) {
  const Tensor& first = *operands[0];
  // In an order other than row-major, the elements are the same, but at other positions.
  if (!first.contiguous && (site.reduces || !isGapless(first.shape, first.strides))) return false;
  std::size_t dtypes = first.dtype == DType::float32 ? 0 : 1;
  bool typed = dtypes != 0 && first.dtype != DType::boolean;
  for (int i = 1; i < site.tensors; ++i) {
    const Tensor& operand = *operands[i];
    if (operand.contiguous != first.contiguous || !(operand.shape == first.shape)) return false;
    if (!operand.contiguous && !(operand.strides == first.strides)) return false;
    if (operand.dtype == DType::float32) continue;
    typed |= operand.dtype != DType::boolean;
    dtypes |= std::size_t{1} << i;
  }
  if constexpr (kInPlace)
    if (!liesAs(result, first)) return false;
  const std::int64_t elements = elementCount(first.shape);
  // Without elements, whether it is allowed depends on the op. A reduction of one element has a
  // different loop from one of several.
  if (elements < (site.reduces ? 2 : 1)) return false;
  // The result's dtype follows from several rules.
  if (typed || dtypes != site.truthTensors) return runGaplessTyped(site, step, operands, result);

  if constexpr (kInPlace)
    if (result.dtype != site.resultDType) return false;  // it is converted
  const std::size_t at =
      (static_cast<std::size_t>(site.row) * kMasks + static_cast<std::size_t>(site.numberMask)) *
          kDTypeMasks +
      dtypes;
  const Executable* const found = gapless_[at].get();
  launchGapless<kInPlace>(site, step, elements, operands, result, site.resultDType,
                          found ? *found : addGapless(at, site, operands), site.scalars.data());
  return true;
}

/// Compiles one loop for all operands of this kind.
const Executable& Dispatcher::addGapless(std::size_t at, const CallSite& site,
                                         const Tensor* const* operands) {
  gapless_[at] = compile(site, operands);
  return *gapless_[at];
}

/// The site's numbers for an op that computes in this type.
std::vector<Scalar> Dispatcher::scalarsOf(const CallSite& site, DType computed) {
  const TypeClass type =
      classOf(computed) == TypeClass::truth ? TypeClass::float32 : classOf(computed);
  const OpRow& row = *site.op->row;
  std::vector<Scalar> scalars;
  const auto add = [&](double number) { scalars.push_back(Scalar::of(number, type)); };
  const double* number = site.numbers.data();
  for (int operands = std::popcount(static_cast<unsigned>(site.numberMask)); operands > 0;
       --operands)
    add(numberIn(row, *number++, computed));
  std::size_t p = 0;
  for (const Parameter& parameter : row.parameters) {
    if (parameter.kind == Parameter::Kind::number && !site.reduces)
      add(parameterIn(row, p, *number++, computed));
    ++p;
  }
  while (scalars.size() < site.numbers.size()) add(parameterIn(row, p++, *number++, computed));
  return scalars;
}

/// The same for all dtypes: what the call site found last is kept.
bool Dispatcher::runGaplessTyped(const CallSite& site, std::int32_t step,
                                 const Tensor* const* operands, Tensor& result) {
  constexpr int kBits = 4;  // per dtype
  static_assert(kDTypes <= 1u << kBits);
  unsigned forms = operands[0]->shape.rank() > 0 ? 1 : 0;
  for (int i = 0; i < site.tensors; ++i)
    forms = forms << kBits | static_cast<unsigned>(operands[i]->dtype);
  Typed& found = typed_[site.op];
  if (!found.executable || found.forms != forms) {
    std::vector<ValueType> types;
    int next = 0;
    for (const Operand& operand : site.op->operands) {
      if (operand.isNumber()) {
        types.emplace_back();
        continue;
      }
      types.push_back({operands[next]->shape, operands[next]->dtype});
      ++next;
    }
    OpTypes made;
    found.result = inferType(*site.op, types, &made).dtype;
    found.scalars = scalarsOf(site, made.computed);
    found.executable = compile(site, operands);
    found.forms = forms;
  }
  const std::int64_t elements = elementCount(operands[0]->shape);
  if (site.into < 0)
    launchGapless<false>(site, step, elements, operands, result, found.result, *found.executable,
                         found.scalars.data());
  else if (result.dtype == found.result)
    launchGapless<true>(site, step, elements, operands, result, found.result, *found.executable,
                        found.scalars.data());
  else
    return false;
  return true;
}

void Dispatcher::runAnyLayout(const CallSite& site, std::int32_t step,
                              const Tensor* const* operands, Tensor& result) {
  const Op& op = *site.op;
  std::vector<ValueType> types;
  int next = 0;
  for (const Operand& operand : op.operands) {
    if (operand.isNumber()) {
      types.push_back({});
      continue;
    }
    const Tensor& tensor = *operands[next++];
    types.push_back({tensor.shape, tensor.dtype});
  }
  OpTypes made;
  ValueType type = inferType(op, types, &made);
  const bool inPlace = site.into >= 0;
  if (inPlace) type = inferWritten(op, type, {result.shape, result.dtype});
  const bool reduces = op.row->kind == OpKind::reduce;
  const Shape& space = reduces || site.isView ? operands[0]->shape : type.shape;
  if (site.isView) checkSize(op, type, /*view=*/false);  // it is a copy
  // A tensor that the result is like is inspected, not read.
  const bool checks = isIndexCheck(*op.row), gathers = op.row->kind == OpKind::gather;
  const int read = site.makes ? 0 : checks ? 1 : site.tensors;
  const int counted = count(op.row->places);

  IndexSpace<std::int64_t> loops;
  loops.extents = SizeList<std::int64_t>(space);
  const bool scans = op.row->kind == OpKind::scan;
  loops.reducedMask = reduces || scans ? reducedMask(op, space.rank()) : 0;
  std::vector<Strides> strides;
  for (int i = 0; i < site.tensors; ++i) {
    const Tensor& operand = *operands[i];
    if ((site.makes && !op.sizeNumbers.empty()) || i >= std::max(read, 1)) break;
    if (gathers) {
      loops.strides.emplace_back(indexedStrides(op, operands, static_cast<std::size_t>(i)));
      continue;
    }
    // With no elements, or one along a dimension, any strides are contiguous: these are those that
    // lowering uses, so that its loops and these are merged in the same way.
    strides.push_back(
        broadcastTo(space, operand.shape,
                    operand.contiguous ? rowMajorStrides(operand.shape) : operand.strides));
    if (i < read) loops.strides.emplace_back(strides.back());
  }
  for (int p = 0; p < counted; ++p)
    loops.strides.push_back(
        areOfSource(op.row->places)
            ? SizeList<std::int64_t>(loops.extents.size(), 0)
            : countStrides(op.row->places == IndexInputs::rowColumn ? 1 + p : p, loops.extents));
  if (inPlace) strides = {result.contiguous ? rowMajorStrides(result.shape) : result.strides};
  const DimOrder order =
      reduces || site.isView || gathers ? DimOrder(space.rank()) : resultOrder(space, strides);
  loops.strides.push_back(inPlace   ? SizeList<std::int64_t>(strides.front())
                          : reduces ? outputStrides(loops.extents, loops.reducedMask)
                                    : denseStrides(loops.extents, order));
  const SizeList<std::int64_t> resultStrides = loops.strides.back();
  if (!order.isRowMajor()) loops = reordered(loops, order);
  collapse(loops, reduces);

  std::string key;
  append(key, &site.row, sizeof site.row);
  append(key, &site.numberMask, sizeof site.numberMask);
  for (const ValueType& operand : types) key += static_cast<char>(operand.dtype);
  key += static_cast<char>(made.computed);
  key += static_cast<char>(type.dtype);
  if (!site.plain) append(key, op.parameters.data(), op.parameters.size() * sizeof(double));
  append(key, &loops.reducedMask, sizeof loops.reducedMask);
  std::vector<std::int64_t> integers(loops.extents.begin(), loops.extents.end());
  for (const auto& tensor : loops.strides)
    for (std::int64_t stride : tensor) {
      key += stride == 0 ? '0' : stride == 1 ? '1' : 's';
      if (stride != 0 && stride != 1) integers.push_back(stride);
    }
  Found& found = byLayout_[key];
  const Form into = result;
  if (!found) found = compile(site, operands, inPlace ? &into : nullptr);

  Recorder* const recorder = backend_.splitRecorder();
  if (!inPlace) {
    mark(recorder, CallPart::allocate);
    result = makeTensor(backend_.allocator(), type.dtype, type.shape);
  }
  if (!inPlace && !order.isRowMajor()) {
    for (int d = 0; d < space.rank(); ++d)
      result.strides[d] = resultStrides[static_cast<std::size_t>(d)];
    result.contiguous = isContiguous(result.shape, result.strides);
  }
  mark(recorder, CallPart::launch);
  std::array<void*, 6> pointers{};
  for (int i = 0; i < read; ++i) pointers[static_cast<std::size_t>(i)] = operands[i]->data();
  if (areOfSource(op.row->places)) {
    const Tensor& source = *operands[op.row->indexing.source];
    const bool whole = source.shape.rank() > 0;
    const int dim = indexedDim(op, source.shape.rank());
    const std::int64_t sizes[] = {whole ? source.shape[dim] : 1, whole ? source.strides[dim] : 1};
    for (int p = 0; p < counted; ++p)
      pointers[static_cast<std::size_t>(read + p)] = reinterpret_cast<void*>(sizes[p]);
  }
  pointers[static_cast<std::size_t>(read + counted)] = result.data();
  const std::vector<Scalar> scalars =
      made.computed == DType::float32 ? std::vector<Scalar>() : scalarsOf(site, made.computed);
  backend_.launch(*found, {pointers.data(), integers.data(),
                           scalars.empty() ? site.scalars.data() : scalars.data(), step});
}

/// Checks the operands, allocates the result, and calls the library.
void Dispatcher::runLibrary(const CallSite& site, std::int32_t step, const Tensor* const* operands,
                            Tensor& result) {
  Called& found = called_[site.op];
  const std::span<const Tensor* const> given(operands, static_cast<std::size_t>(site.tensors));
  if (!found.fits(given)) find(site, given, found);
  Recorder* const recorder = backend_.splitRecorder();
  mark(recorder, CallPart::allocate);
  if (site.into >= 0) {  // its shape is that of its operand
    std::ranges::copy(result.strides, found.integers.end() - result.shape.rank());
  } else {
    result = makeTensor(backend_.allocator(), found.call.result, found.result);
    result.strides = found.strides;
    result.contiguous = found.contiguous;
  }
  mark(recorder, CallPart::launch);
  std::array<void*, 4> pointers{};
  for (std::size_t i = 0; i < given.size(); ++i) pointers[i] = given[i]->data();
  pointers[given.size()] = result.data();
  backend_.launch(*found.executable, {pointers.data(), found.integers.data(), nullptr, step});
}

bool Dispatcher::Called::fits(std::span<const Tensor* const> given) const {
  if (!executable) return false;
  std::size_t f = 0, i = 0;
  for (const Tensor* operand : given) {
    const int rank = operand->shape.rank();
    if (forms[f++] != static_cast<std::uint8_t>(operand->dtype) ||
        forms[f++] != static_cast<std::uint8_t>(rank))
      return false;
    for (int d = 0; d < rank; ++d)
      if (integers[i++] != operand->shape[d]) return false;
    for (int d = 0; d < rank; ++d)
      if (integers[i++] != operand->strides[d]) return false;
  }
  return true;
}

void Dispatcher::find(const CallSite& site, std::span<const Tensor* const> given, Called& found) {
  std::vector<ValueType> types;
  std::vector<Form> forms;
  std::vector<Shape> shapes;
  std::vector<Strides> strides;
  std::vector<std::uint8_t> kinds;
  // Nothing is looked up as long as the operands may not fit.
  Found executable = std::exchange(found.executable, nullptr);
  found.integers.clear();
  const auto add = [&](const Dims& dims) {
    found.integers.insert(found.integers.end(), dims.begin(), dims.end());
  };
  for (const Tensor* operand : given) {
    types.push_back({operand->shape, operand->dtype});
    forms.push_back(*operand);
    shapes.push_back(operand->shape);
    strides.push_back(operand->strides);
    kinds.push_back(static_cast<std::uint8_t>(operand->dtype));
    kinds.push_back(static_cast<std::uint8_t>(operand->shape.rank()));
    add(operand->shape);
    add(operand->strides);
  }
  found.result = inferType(*site.op, types).shape;
  if (!executable || found.forms != kinds) {
    found.call = callOf(*site.op, forms);
    found.call.search = search_;
    executable = libraryOf(backend_, found.call, times_);
    found.forms = std::move(kinds);
  }
  const DimOrder order = found.call.contracts() ? contractOrder(found.call.form, shapes, strides)
                                                : DimOrder(found.result.rank());
  found.strides = contiguousStrides(found.result);
  if (!order.isRowMajor()) {
    const SizeList<std::int64_t> dense = denseStrides(SizeList<std::int64_t>(found.result), order);
    for (int d = 0; d < found.result.rank(); ++d)
      found.strides[d] = dense[static_cast<std::size_t>(d)];
  }
  found.contiguous = isContiguous(found.result, found.strides);
  add(found.result);
  add(found.strides);
  found.executable = std::move(executable);
}

Dispatcher::Found Dispatcher::compile(const CallSite& site, const Tensor* const* operands,
                                      const Form* into) {
  std::vector<Form> forms;
  for (int i = 0; i < site.tensors; ++i) forms.push_back(*operands[i]);
  return backend_.compile(lowerAlone(*site.op, forms, into).kernel, times_);
}

}  // namespace fusebench
