// SPDX-License-Identifier: GPL-3.0-or-later
// Checking a cell's results against the double-precision reference, here or by another program.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/measure/accuracy.h"
#include "profiler/measure/cell_runner.h"
#include "profiler/measure/values_file.h"

namespace fusebench {
namespace {

/// Elements x ops that a check may cost: the reference interprets, so this is a good part of a
/// second.
constexpr std::int64_t kMostWork = 4'000'000;

/// A product and its sum cost this share of what an op on an element does.
constexpr std::int64_t kProductsAnElement = 4;

/// Multiplications of one contraction.
double productsOf(const Op& op, const std::vector<ValueType>& types) {
  std::vector<int> ranks;
  std::vector<SizeList<std::int64_t>> extents;
  for (const Operand& operand : op.operands) {
    const Shape& shape = types[static_cast<std::size_t>(operand.value)].shape;
    ranks.push_back(shape.rank());
    extents.emplace_back(shape);
  }
  double products = 1;
  for (const std::int64_t loop : contractLoopsOf(op, contractFormOf(op, ranks), extents))
    products *= static_cast<double>(loop);
  return products;
}

std::int64_t workOf(const Program& program, const std::vector<Tensor>& inputs) {
  std::vector<ValueType> given;
  std::int64_t elements = 1;
  double products = 0;
  for (const Tensor& input : inputs) given.push_back({input.shape, input.dtype});
  const std::vector<ValueType> types = inferTypes(program, given);
  for (const ValueType& type : types) elements = std::max(elements, elementCount(type.shape));
  for (const Op& op : program.ops)
    if (op.row->kind == OpKind::contract && !op.dependsOnSizes()) products += productsOf(op, types);
  const double most = static_cast<double>(std::numeric_limits<std::int64_t>::max()) / 2;
  return cappedAdd(cappedMultiply(elements, static_cast<std::int64_t>(
                                                std::max<std::size_t>(program.ops.size(), 1))),
                   static_cast<std::int64_t>(std::min(products / kProductsAnElement, most / 2)));
}

/// Which inputs belong to the program: they are not shortened with the number of rows.
std::vector<bool> heldInputs(const Program& program) {
  std::vector<bool> held(program.inputs.size(), false);
  for (const HeldInput& each : program.held) held[static_cast<std::size_t>(each.input)] = true;
  return held;
}

/// The greatest number of dimensions of the inputs that are not held.
int mostDimensions(const Program& program, const std::vector<Tensor>& inputs) {
  const std::vector<bool> held = heldInputs(program);
  int rank = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!held[i]) rank = std::max(rank, inputs[i].shape.rank());
  return rank;
}

/// Every input of as many dimensions as any, or `only` of one of them, with its leading elements
/// along one dimension: a smaller problem of the same kind.
std::vector<Tensor> leading(const Program& program, const std::vector<Tensor>& inputs,
                            const SmallerInputs& to) {
  const std::vector<bool> held = heldInputs(program);
  const int rank = mostDimensions(program, inputs);
  std::vector<Tensor> cut = inputs;
  for (std::size_t i = 0; i < cut.size(); ++i) {
    Tensor& input = cut[i];
    if (held[i] || input.shape.rank() != rank || to.dim >= rank || input.shape[to.dim] <= to.rows ||
        (to.only && *to.only != i))
      continue;
    input.shape[to.dim] = to.rows;
    input.contiguous = isContiguous(input.shape, input.strides);
  }
  return cut;
}

/// Whether there is such a smaller problem: not where an index names rows that it would not have.
bool takes(const Program& program, const std::vector<Tensor>& inputs) {
  if (std::ranges::any_of(program.ops, [](const Op& op) { return op.row->indexing.is; }))
    return false;
  std::vector<ValueType> types;
  for (const Tensor& input : inputs) types.push_back({input.shape, input.dtype});
  try {
    inferTypes(program, types);
    return true;
  } catch (const ProgramError&) {
    return false;
  }
}

/// Which input alone is to be cut where not all can be: rows of a product are those of its first
/// factor. Nothing: all of them.
std::optional<std::size_t> cutInput(const Program& program, const std::vector<Tensor>& inputs,
                                    const SmallerInputs& to) {
  SmallerInputs tried = to;
  tried.only = std::nullopt;
  if (takes(program, leading(program, inputs, tried))) return std::nullopt;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    tried.only = i;
    if (takes(program, leading(program, inputs, tried))) return i;
  }
  return std::nullopt;
}

std::int64_t longest(const Program& program, const std::vector<Tensor>& inputs, int dim) {
  const std::vector<bool> held = heldInputs(program);
  std::int64_t rows = 1;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!held[i] && inputs[i].shape.rank() > dim) rows = std::max(rows, inputs[i].shape[dim]);
  return rows;
}

/// A smaller problem along another dimension than the first, such as attention of a part of the
/// sequence, that costs at most `most`. Nothing: there is none that costs less than a quarter of
/// the whole.
std::optional<SmallerInputs> alongOthers(const Program& program, const std::vector<Tensor>& inputs,
                                         std::int64_t most) {
  std::vector<int> dims;
  for (int d = 1; d < mostDimensions(program, inputs); ++d) dims.push_back(d);
  std::ranges::stable_sort(dims, std::greater(),
                           [&](int dim) { return longest(program, inputs, dim); });
  const std::int64_t whole = workOf(program, inputs);
  for (const int dim : dims) {
    SmallerInputs made{longest(program, inputs, dim) / 2, dim, std::nullopt};
    if (made.rows < 2) break;
    made.only = cutInput(program, inputs, made);
    std::vector<Tensor> cut = leading(program, inputs, made);
    while (takes(program, cut)) {
      const std::int64_t work = workOf(program, cut);
      if (work <= most || made.rows < 4) {
        if (work <= most || work < whole / 4) return made;
        break;
      }
      made.rows /= 2;
      cut = leading(program, inputs, made);
    }
  }
  return std::nullopt;
}

bool hasNarrowInputs(const Variant& variant) {
  return variant.dtype == "float16" || variant.dtype == "bfloat16";
}

/// The program's results in float32 on these inputs, op by op.
std::vector<ReferenceTensor> inFloat32(Backend& backend, const SharedProgram& program,
                                       const std::vector<Tensor>& inputs,
                                       const std::vector<ReferenceResult>& expected);

/// An error that is at most this fraction of the terms, and more than all of the result, comes from
/// canceled terms.
constexpr double kCanceled = 1e-4;
/// Errors that float32's rounding of a few operations does not explain.
constexpr double kNotable = 1e-5;
constexpr double kNotableUnits = 64;  ///< the same in half distances at 1, of narrower dtypes
constexpr int kRoundingDraws = 4;

/// How far results are from those of the reference, and from others if there are some.
class AccuracyCheck {
 public:
  void add(const Program& program, const std::vector<ReferenceResult>& exact,
           const std::vector<ReferenceTensor>& got, const std::vector<ReferenceTensor>* other) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (!isFloat(got[i].type.dtype)) continue;
      exact_.add(exact[i].value.values, got[i].values);
      if (other) other_.add((*other)[i].values, got[i].values);
    }
    hasOther_ |= other != nullptr;
    const Shape& first = exact.front().value.type.shape;
    if (endsInLogits(program, first))
      exact_.addRows(exact.front().value.values, got.front().values,
                     static_cast<std::size_t>(first[1]));
  }
  Accuracy result() const {
    Accuracy made;
    made.relative = exact_.relative();
    if (hasOther_) made.fromFloat32 = other_.relative();
    if (exact_.hasRows()) made.sameClass = exact_.sameRows();
    return made;
  }

 private:
  AccuracySums exact_, other_;
  bool hasOther_ = false;
};

std::vector<ReferenceTensor> valuesOf(Backend& backend, const std::vector<Tensor>& tensors) {
  std::vector<ReferenceTensor> values;
  for (const Tensor& tensor : tensors)
    values.push_back({{tensor.shape, tensor.dtype}, valuesOf(backend, tensor)});
  return values;
}

/// How many of a program's results are compared. A program with a tape also returns what its
/// gradients would read. Each executor saves other values for that, so they are left out.
std::size_t comparedOf(const Program& program, std::size_t results) {
  return program.taped.empty() ? results : std::min(results, program.outputs.size());
}

/// The executor's results that are compared; throws std::runtime_error if it returns fewer or, of a
/// program without a tape, more, or some of other shapes.
std::vector<ReferenceTensor> resultsOf(Backend& backend, Executor& executor, const Program& program,
                                       const std::vector<Tensor>& inputs,
                                       const std::vector<ReferenceResult>& expected) {
  const auto got = executor.call(inputs);
  backend.synchronize();
  const std::size_t compared = comparedOf(program, expected.size());
  if (got.size() < compared || (program.taped.empty() && got.size() != compared))
    throw std::runtime_error(saying("the executor returned a different number of results"));
  std::vector<ReferenceTensor> results;
  for (std::size_t i = 0; i < compared; ++i) {
    if (!(got[i].shape == expected[i].value.type.shape))
      throw std::runtime_error(saying("result {} has shape {} instead of {}", i,
                                      toString(got[i].shape),
                                      toString(expected[i].value.type.shape)));
    results.push_back({expected[i].value.type, valuesOf(backend, got[i])});
  }
  return results;
}

std::vector<ReferenceTensor> inFloat32(Backend& backend, const SharedProgram& program,
                                       const std::vector<Tensor>& inputs,
                                       const std::vector<ReferenceResult>& expected) {
  return resultsOf(backend, *makeExecutor("eager", backend, program), *program, inputs, expected);
}

}  // namespace

/// One entry of each kind of shapes, as many as the work allows; if not one, the first rows of one.
CellRunner::CheckedInputs CellRunner::checkedInputs() {
  takeInputs();
  CheckedInputs checked;
  std::int64_t left = kMostWork;
  const auto kinds = list_->firstOfKind();
  std::vector<std::size_t> chosen;
  for (const std::size_t entry : kinds) {
    const std::int64_t work = workOf(program_, list_->entries[entry]);
    if (work > left) break;
    left -= work;
    checked.entries.push_back(list_->entries[entry]);
    checked.numbers.push_back(static_cast<std::int64_t>(entry));
    chosen.push_back(entry);
  }
  checked.exact = exactInputs(chosen);
  const std::size_t count = checked.entries.size();
  if (count == kinds.size()) {
    if (kinds.size() < list_->entries.size())
      checked.note =
          saying("checked on {} of {} inputs, one of each shape", count, list_->entries.size());
    return checked;
  }
  if (count > 0) {
    checked.note = saying("checked on {} of {} shapes", count, kinds.size());
    return checked;
  }
  const auto& inputs = list_->entries.front();
  const std::int64_t rowWork =
      std::max<std::int64_t>(workOf(program_, inputs) / longest(program_, inputs, 0), 1);
  // The reference goes through the inputs of every rank.
  const std::int64_t most = kMostWork / ranksOf(experiment_, key_);
  SmallerInputs smaller{std::max<std::int64_t>(most / rowWork, 2), 0, std::nullopt};
  checked.numbers.push_back(0);
  smaller.only = cutInput(program_, inputs, smaller);
  if (smaller.rows >= longest(program_, inputs, 0) ||
      !takes(program_, leading(program_, inputs, smaller)))
    smaller = alongOthers(program_, inputs, most).value_or(SmallerInputs());
  if (smaller.rows == 0) {  // sizes are not all there is to it
    checked.entries.push_back(inputs);
    checked.exact = exactInputs({0});
    if (kinds.size() < list_->entries.size() || kinds.size() > 1)
      checked.note = saying("checked on 1 of {} inputs", list_->entries.size());
    return checked;
  }
  checked.entries.push_back(leading(program_, inputs, smaller));
  checked.smaller = smaller;
  for (const std::vector<Tensor>& exact : exactInputs({0}))
    checked.exact.push_back(leading(program_, exact, smaller));
  checked.separate = true;
  const std::int64_t all = longest(program_, inputs, smaller.dim);
  checked.note = saying("checked on the first {} of {} rows", std::min(smaller.rows, all), all);
  return checked;
}

/// One of them as a rank has it.
std::vector<Tensor> CellRunner::inputsOf(const CheckedInputs& checked, std::size_t which,
                                         int ofRank) {
  if (ofRank == rank()) return checked.entries[which];
  std::vector<Tensor> theirs = inputs_.entryOf(key_, checked.numbers[which], ofRank);
  return checked.smaller.rows > 0 ? leading(program_, theirs, checked.smaller) : theirs;
}

/// The reference's results for one of them, for each rank.
std::shared_ptr<const ReferenceMemo::Results> CellRunner::expectedOf(const CheckedInputs& checked,
                                                                     std::size_t which) {
  const std::string key = ReferenceMemo::keyOf(experiment_, key_, checked.numbers[which]);
  if (auto said = references_.find(key)) return said;
  std::vector<std::vector<ReferenceTensor>> all;
  for (int each = 0; each < ranksOf(experiment_, key_); ++each)
    all.push_back(valuesOf(backend_, inputsOf(checked, which, each)));
  return references_.keep(key,
                          evaluateRanks(program_, all, nullptr, Forms(checked.entries[which])));
}

/// The effect of rounding on the program with these inputs; see evaluateRounded().
double CellRunner::roundingErrorOf(const std::vector<Tensor>& inputs,
                                   const std::vector<ReferenceResult>& expected) {
  double most = 0;
  for (int draw = 0; draw < kRoundingDraws; ++draw) {
    giveWay();
    const auto rounded = evaluateRounded(program_, valuesOf(backend_, inputs), Forms(inputs), draw);
    for (std::size_t i = 0; i < comparedOf(program_, expected.size()); ++i)
      most = std::max(most, relativeError(expected[i], rounded[i].value.values));
  }
  return most;
}

CellRunner::Check CellRunner::check() {
  if (!executor_) throw std::logic_error("the cell is not prepared");
  chooseThreads();
  const ComputingScope computing(backend_);
  const CheckedInputs checked = checkedInputs();
  Check check;
  check.note = checked.note;
  // Another executor for other shapes, so that this one compiles nothing for them.
  const auto separate = checked.separate ? fresh() : nullptr;
  const Variant& variant = experiment_.variants.at(static_cast<std::size_t>(key_.variant));
  // With several ranks there are no wide inputs to compare with: see exactInputs().
  const bool narrow = hasNarrowInputs(variant) ? !checked.exact.empty() : !variant.quantize.empty();
  AccuracyCheck accuracy;
  for (std::size_t which = 0; which < checked.entries.size(); ++which) {
    const std::vector<Tensor>& inputs = checked.entries[which];
    giveWay();
    const auto all = expectedOf(checked, which);
    const std::vector<ReferenceResult>& expected = (*all)[static_cast<std::size_t>(rank())];
    const auto got =
        resultsOf(backend_, separate ? *separate : *executor_, program_, inputs, expected);
    const std::vector<Tensor>& wide = checked.exact.empty() ? inputs : checked.exact[which];
    const std::vector<ReferenceResult> made =
        checked.exact.empty() ? std::vector<ReferenceResult>()
                              : evaluateReference(program_, valuesOf(backend_, wide));
    const std::vector<ReferenceResult>& exact = checked.exact.empty() ? expected : made;
    if (narrow) {
      const auto float32 = inFloat32(backend_, shared_, wide, exact);
      accuracy.add(program_, exact, got, &float32);
    } else {
      accuracy.add(program_, exact, got, nullptr);
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double error = relativeError(expected[i], got[i].values);
      if (std::isnan(error) || error > check.relativeError) check.relativeError = error;
    }
    // With several ranks the rounding error is not known: values received from other ranks are not
    // rounded.
    const double notable = std::max(kNotable, kNotableUnits * roundingUnit(experiment_, variant));
    if (!(check.relativeError <= notable) && ranksOf(experiment_, key_) == 1) {
      check.roundingError = std::max(check.roundingError.value_or(0),
                                     roundingErrorOf(checked.entries[which], expected));
    }
  }
  // A result that is near zero compared with the terms of its sum has no error of its own size.
  const Accuracy found = accuracy.result();
  if (found.relative <= 1 || !(check.relativeError <= kCanceled)) check.accuracy = found;
  return check;
}

/// The entries as float32, where the variant's are narrower; else none.
std::vector<std::vector<Tensor>> CellRunner::exactInputs(
    const std::vector<std::size_t>& entries) const {
  const auto at = static_cast<std::size_t>(key_.variant);
  const std::string& dtype = experiment_.variants.at(at).dtype;
  if (dtype != "float16" && dtype != "bfloat16") return {};
  // The values that one rank gets from others are not known for inputs other than those that all
  // have.
  if (ranksOf(experiment_, key_) > 1) return {};
  Experiment wide = experiment_;
  wide.variants[at].dtype.clear();
  InputStore store(backend_, wide, inputs_.available());
  const auto list = store.get(key_);
  std::vector<std::vector<Tensor>> exact;
  for (const std::size_t entry : entries)
    if (entry < list->entries.size()) exact.push_back(list->entries[entry]);
  if (exact.size() < entries.size()) exact.clear();
  return exact;
}

void CellRunner::writeInputs(const std::string& path) {
  demandMemory();
  if (std::error_code ignored; std::filesystem::exists(path, ignored)) return;
  list_ = inputs_.get(key_);
  for (int each = ranksOf(experiment_, key_) - 1; each >= 0; --each) {
    ValuesFile file(backend_);
    for (std::size_t entry = 0; entry < list_->entries.size(); ++entry)
      file.add(each == rank() ? list_->entries[entry]
                              : inputs_.entryOf(key_, static_cast<std::int64_t>(entry), each));
    file.write(fileOfRank(path, each));
  }
}

void CellRunner::writeChecked(const std::string& path, Checked what) {
  if (what == Checked::results && !executor_) throw std::logic_error("the cell is not prepared");
  chooseThreads();
  const ComputingScope computing(backend_);
  const CheckedInputs checked = checkedInputs();
  const auto separate = checked.separate && executor_ ? fresh() : nullptr;
  // Results are this rank's alone.
  std::vector<ValuesFile> files(
      what == Checked::results ? 1 : static_cast<std::size_t>(ranksOf(experiment_, key_)),
      ValuesFile(backend_));
  for (ValuesFile& file : files) file.describe(checked.note, checked.separate);
  for (std::size_t which = 0; which < checked.entries.size(); ++which) {
    giveWay();
    const auto all = expectedOf(checked, which);
    for (std::size_t each = 0; each < files.size(); ++each) {
      const std::vector<Tensor> inputs = inputsOf(checked, which, static_cast<int>(each));
      const std::vector<ReferenceResult>& expected = (*all)[each];
      std::vector<ReferenceTensor> values;
      std::vector<std::vector<double>> scales;
      for (std::size_t i = 0; i < comparedOf(program_, expected.size()); ++i) {
        values.push_back(expected[i].value);
        scales.push_back(expected[i].scale);
      }
      if (what == Checked::results)
        values = resultsOf(backend_, separate ? *separate : *executor_, program_, inputs, expected);
      files[each].add(inputs, std::move(values), std::move(scales));
    }
  }
  restoreInputs();  // the calls may have written to their inputs
  for (std::size_t each = 0; each < files.size(); ++each)
    files[each].write(fileOfRank(path, static_cast<int>(each)));
}

}  // namespace fusebench
