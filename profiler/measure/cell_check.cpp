// SPDX-License-Identifier: GPL-3.0-or-later
// Checking a cell's results against the double-precision reference, here or by another program.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "profiler/measure/cell_runner.h"
#include "profiler/measure/values_file.h"

namespace fusebench {
namespace {

/// Elements x ops that a check may cost: the reference interprets, so this is a good part of a
/// second.
constexpr std::int64_t kMostWork = 4'000'000;

std::int64_t workOf(const Program& program, const std::vector<Tensor>& inputs) {
  std::vector<ValueType> types;
  std::int64_t elements = 1;
  for (const Tensor& input : inputs) types.push_back({input.shape, input.dtype});
  for (const ValueType& type : inferTypes(program, types))
    elements = std::max(elements, elementCount(type.shape));
  return elements * static_cast<std::int64_t>(std::max<std::size_t>(program.ops.size(), 1));
}

/// The leading rows of every input that is as long as the longest: a smaller problem of the same
/// kind.
std::vector<Tensor> leadingRows(const std::vector<Tensor>& inputs, std::int64_t rows) {
  int rank = 0;
  for (const Tensor& input : inputs) rank = std::max(rank, input.shape.rank());
  std::vector<Tensor> cut = inputs;
  for (Tensor& input : cut)
    if (input.shape.rank() == rank && rank > 0 && input.shape[0] > rows) {
      input.shape[0] = rows;
      input.contiguous = isContiguous(input.shape, input.strides);
    }
  return cut;
}

std::int64_t longest(const std::vector<Tensor>& inputs) {
  std::int64_t rows = 1;
  for (const Tensor& input : inputs)
    if (input.shape.rank() > 0) rows = std::max(rows, input.shape[0]);
  return rows;
}

std::vector<ReferenceTensor> valuesOf(Backend& backend, const std::vector<Tensor>& tensors) {
  std::vector<ReferenceTensor> values;
  for (const Tensor& tensor : tensors)
    values.push_back({{tensor.shape, tensor.dtype}, valuesOf(backend, tensor)});
  return values;
}

/// The executor's results; throws std::runtime_error if they are not as many or of other shapes.
std::vector<ReferenceTensor> resultsOf(Backend& backend, Executor& executor,
                                       const std::vector<Tensor>& inputs,
                                       const std::vector<ReferenceResult>& expected) {
  const auto got = executor.call(inputs);
  backend.synchronise();
  if (got.size() != expected.size())
    throw std::runtime_error("the executor returned another number of results");
  std::vector<ReferenceTensor> results;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(got[i].shape == expected[i].value.type.shape))
      throw std::runtime_error(fmt::format("result {} has shape {} instead of {}", i,
                                           toString(got[i].shape),
                                           toString(expected[i].value.type.shape)));
    results.push_back({expected[i].value.type, valuesOf(backend, got[i])});
  }
  return results;
}

}  // namespace

/// One entry of each kind of shapes, as many as the work allows; if not one, the first rows of one.
CellRunner::CheckedInputs CellRunner::checkedInputs() {
  takeInputs();
  CheckedInputs checked;
  std::int64_t left = kMostWork;
  const auto kinds = list_->firstOfKind();
  for (const std::size_t entry : kinds) {
    const std::int64_t work = workOf(program_, list_->entries[entry]);
    if (work > left) break;
    left -= work;
    checked.entries.push_back(list_->entries[entry]);
    checked.numbers.push_back(static_cast<std::int64_t>(entry));
  }
  const std::size_t count = checked.entries.size();
  if (count == kinds.size()) {
    if (kinds.size() < list_->entries.size())
      checked.note = fmt::format("checked on {} of {} inputs, one of each shape", count,
                                 list_->entries.size());
    return checked;
  }
  if (count > 0) {
    checked.note = fmt::format("checked on {} of {} shapes", count, kinds.size());
    return checked;
  }
  const auto& inputs = list_->entries.front();
  const std::int64_t rows = longest(inputs);
  const std::int64_t rowWork = std::max<std::int64_t>(workOf(program_, inputs) / rows, 1);
  // The reference goes through the inputs of every rank.
  const std::int64_t fit =
      std::max<std::int64_t>(kMostWork / rowWork / (ranks_ ? ranks_->size() : 1), 2);
  checked.entries.push_back(leadingRows(inputs, fit));
  checked.numbers.push_back(0);
  checked.rows = fit;
  checked.separate = true;
  checked.note = fmt::format("checked on the first {} of {} rows", std::min(fit, rows), rows);
  return checked;
}

/// What the reference says of one of them; of what ranks do together, to this one.
std::vector<ReferenceResult> CellRunner::expectedOf(const CheckedInputs& checked,
                                                    std::size_t which) {
  const Forms forms(checked.entries[which]);
  if (!ranks_ || ranks_->size() == 1)
    return evaluateReference(program_, valuesOf(backend_, checked.entries[which]), nullptr, forms);
  std::vector<std::vector<ReferenceTensor>> all;
  for (int rank = 0; rank < ranks_->size(); ++rank) {
    const std::vector<Tensor> theirs = inputs_.entryOf(key_, checked.numbers[which], rank);
    all.push_back(
        valuesOf(backend_, checked.rows > 0 ? leadingRows(theirs, checked.rows) : theirs));
  }
  return evaluateRanks(program_, all, nullptr, forms)[static_cast<std::size_t>(ranks_->rank())];
}

CellRunner::Check CellRunner::check() {
  if (!executor_) throw std::logic_error("the cell is not prepared");
  chooseThreads();
  const ComputingScope computing(backend_);
  const CheckedInputs checked = checkedInputs();
  Check check{0, checked.note};
  // Another executor for other shapes, so that this one compiles nothing for them.
  const auto separate = checked.separate ? fresh() : nullptr;
  for (std::size_t which = 0; which < checked.entries.size(); ++which) {
    const std::vector<Tensor>& inputs = checked.entries[which];
    giveWay();
    const auto expected = expectedOf(checked, which);
    const auto got = resultsOf(backend_, separate ? *separate : *executor_, inputs, expected);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double error = relativeError(expected[i], got[i].values);
      if (std::isnan(error) || error > check.relativeError) check.relativeError = error;
    }
  }
  return check;
}

void CellRunner::writeInputs(const std::string& path) {
  demandMemory();
  if (std::error_code ignored; std::filesystem::exists(path, ignored)) return;
  list_ = inputs_.get(key_);
  ValuesFile file(backend_);
  for (const std::vector<Tensor>& inputs : list_->entries) file.add(inputs);
  file.write(path);
}

void CellRunner::writeChecked(const std::string& path, Checked what) {
  if (what == Checked::results && !executor_) throw std::logic_error("the cell is not prepared");
  chooseThreads();
  const ComputingScope computing(backend_);
  const CheckedInputs checked = checkedInputs();
  const auto separate = checked.separate && executor_ ? fresh() : nullptr;
  ValuesFile file(backend_);
  file.describe(checked.note, checked.separate);
  for (std::size_t which = 0; which < checked.entries.size(); ++which) {
    const std::vector<Tensor>& inputs = checked.entries[which];
    giveWay();
    const auto expected = expectedOf(checked, which);
    std::vector<ReferenceTensor> values;
    std::vector<std::vector<double>> scales;
    for (const ReferenceResult& result : expected) {
      values.push_back(result.value);
      scales.push_back(result.scale);
    }
    if (what == Checked::results)
      values = resultsOf(backend_, separate ? *separate : *executor_, inputs, expected);
    file.add(inputs, std::move(values), std::move(scales));
  }
  file.write(path);
}

}  // namespace fusebench
