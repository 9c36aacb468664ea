// SPDX-License-Identifier: GPL-3.0-or-later
// Checking a cell's results against the double-precision reference.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profiler/cell_runner.h"

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

double errorOf(Backend& backend, Executor& executor, const Program& program,
               const std::vector<Tensor>& inputs) {
  std::vector<ReferenceTensor> expectedInputs;
  for (const Tensor& input : inputs)
    expectedInputs.push_back({{input.shape, input.dtype}, valuesOf(backend, input)});
  const auto expected = evaluateReference(program, expectedInputs);
  const auto got = executor.call(inputs);
  backend.synchronise();
  if (got.size() != expected.size())
    throw std::runtime_error("the executor returned another number of results");
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(got[i].shape == expected[i].value.type.shape))
      throw std::runtime_error(fmt::format("result {} has shape {} instead of {}", i,
                                           toString(got[i].shape),
                                           toString(expected[i].value.type.shape)));
    const double error = relativeError(expected[i], valuesOf(backend, got[i]));
    if (std::isnan(error) || error > worst) worst = error;
  }
  return worst;
}

}  // namespace

CellRunner::Check CellRunner::check() {
  if (!executor_) throw std::logic_error("the cell is not prepared");
  chooseThreads();
  list_ = inputs_.get(key_);
  Check check;
  std::int64_t left = kMostWork;
  std::size_t checked = 0;
  const auto kinds = list_->firstOfKind();
  for (const std::size_t entry : kinds) {
    const std::int64_t work = workOf(program_, list_->entries[entry]);
    if (work > left) break;
    giveWay();
    left -= work;
    ++checked;
    check.relativeError = std::max(check.relativeError,
                                   errorOf(backend_, *executor_, program_, list_->entries[entry]));
  }
  if (checked == kinds.size()) {
    if (kinds.size() < list_->entries.size())
      check.note = fmt::format("checked on {} of {} inputs, one of each shape", checked,
                               list_->entries.size());
    return check;
  }
  if (checked > 0) {
    check.note = fmt::format("checked on {} of {} shapes", checked, kinds.size());
    return check;
  }
  const auto& inputs = list_->entries.front();
  const std::int64_t rows = longest(inputs);
  const std::int64_t rowWork = std::max<std::int64_t>(workOf(program_, inputs) / rows, 1);
  const std::int64_t fit = std::max<std::int64_t>(kMostWork / rowWork, 2);
  // Another executor, so that this one compiles nothing for shapes that it will not run on.
  const auto separate = fresh();
  check.relativeError = errorOf(backend_, *separate, program_, leadingRows(inputs, fit));
  check.note = fmt::format("checked on the first {} of {} rows", std::min(fit, rows), rows);
  return check;
}

}  // namespace fusebench
