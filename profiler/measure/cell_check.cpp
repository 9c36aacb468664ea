// SPDX-License-Identifier: GPL-3.0-or-later
// Checking a cell's results against the double-precision reference, here or by another program.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "profiler/experiment/rank_options.h"
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
      std::max<std::int64_t>(kMostWork / rowWork / ranksOf(experiment_, key_), 2);
  checked.entries.push_back(leadingRows(inputs, fit));
  checked.numbers.push_back(0);
  checked.rows = fit;
  checked.separate = true;
  checked.note = fmt::format("checked on the first {} of {} rows", std::min(fit, rows), rows);
  return checked;
}

/// One of them as a rank has it.
std::vector<Tensor> CellRunner::inputsOf(const CheckedInputs& checked, std::size_t which,
                                         int ofRank) {
  if (ofRank == rank()) return checked.entries[which];
  std::vector<Tensor> theirs = inputs_.entryOf(key_, checked.numbers[which], ofRank);
  return checked.rows > 0 ? leadingRows(theirs, checked.rows) : theirs;
}

/// What the reference says of one of them, to each rank.
std::vector<std::vector<ReferenceResult>> CellRunner::expectedOf(const CheckedInputs& checked,
                                                                 std::size_t which) {
  std::vector<std::vector<ReferenceTensor>> all;
  for (int each = 0; each < ranksOf(experiment_, key_); ++each)
    all.push_back(valuesOf(backend_, inputsOf(checked, which, each)));
  return evaluateRanks(program_, all, nullptr, Forms(checked.entries[which]));
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
    const auto expected = expectedOf(checked, which)[static_cast<std::size_t>(rank())];
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
      const std::vector<ReferenceResult>& expected = all[each];
      std::vector<ReferenceTensor> values;
      std::vector<std::vector<double>> scales;
      for (const ReferenceResult& result : expected) {
        values.push_back(result.value);
        scales.push_back(result.scale);
      }
      if (what == Checked::results)
        values = resultsOf(backend_, separate ? *separate : *executor_, inputs, expected);
      files[each].add(inputs, std::move(values), std::move(scales));
    }
  }
  for (std::size_t each = 0; each < files.size(); ++each)
    files[each].write(fileOfRank(path, static_cast<int>(each)));
}

}  // namespace fusebench
