// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/prepared_executor.h"

#include <algorithm>
#include <span>

#include "engine/base/saying.h"
#include "engine/base/ticks.h"
#include "engine/language/program_errors.h"
#include "engine/run/eager.h"

namespace fusebench {

PreparedExecutor::PreparedExecutor(std::string_view name, Backend& backend, const Program& program,
                                   const ExecutorOptions& options)
    : backend_(backend), inputs_(program.inputs.size()), divided_(prepared(program)) {
  const std::vector<bool> held = heldValues(program);
  for (std::size_t i = 0; i < program.inputs.size(); ++i)
    if (held[i]) held_.push_back(i);
  ExecutorOptions inner = options;
  const bool told = options.stays.size() == program.inputs.size();
  inner.stays.clear();
  for (const std::size_t input : divided_.inputs) {
    const bool made = input >= program.inputs.size();
    if (!made) brought_.push_back(inner.stays.size());
    inner.stays.push_back(made || held[input] || (told && options.stays[input]));
  }
  inner_ = makeExecutor(name, backend, divided_.program, inner);
}

bool PreparedExecutor::isNew(std::span<const Tensor> inputs) const {
  if (!ready_) return true;
  for (std::size_t h = 0; h < held_.size(); ++h)
    if (inputs[held_[h]].data() != prepared_[h].data()) return true;
  return false;
}

void PreparedExecutor::prepare(std::span<const Tensor> inputs) {
  const std::int64_t begin = steadyNanoseconds();
  ready_ = false;
  prepared_.clear();
  made_.clear();
  if (!divided_.preparation.ops.empty()) {
    const ComputingScope computing(backend_);  // later calls that are checked read these values
    EagerExecutor once(backend_, shared(divided_.preparation), /*search=*/false);
    const std::span<const Tensor> results = once.call(inputs);
    backend_.synchronize();
    made_.assign(results.begin(), results.end());
  }
  given_.clear();
  for (const std::size_t input : divided_.inputs)
    given_.push_back(input < inputs.size() ? inputs[input] : made_[input - inputs.size()]);
  for (const std::size_t h : held_) prepared_.push_back(inputs[h]);
  ready_ = true;
  if (nanoseconds_ == 0) nanoseconds_ = steadyNanoseconds() - begin;
}

std::span<const Tensor> PreparedExecutor::call(std::span<const Tensor> inputs) {
  if (inputs.size() != inputs_)
    throw ProgramError({}, saying("the program takes {} inputs, not {}", inputs_, inputs.size()));
  if (isNew(inputs)) prepare(inputs);
  for (const std::size_t place : brought_) given_[place] = inputs[divided_.inputs[place]];
  return inner_->call(given_);
}

const ExecutorStatistics& PreparedExecutor::statistics() const {
  statistics_ = inner_->statistics();
  if (nanoseconds_ == 0) return statistics_;
  if (statistics_.compiles.empty()) statistics_.compiles.push_back({"first call", {}});
  statistics_.compiles.front().times.preparation += nanoseconds_;
  return statistics_;
}

std::vector<Form> PreparedExecutor::formsOfPlan(Forms inputs) const {
  std::vector<ValueType> types, made;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    types.push_back({inputs[i].shape, inputs[i].dtype});
  if (!divided_.preparation.ops.empty()) made = inferTypes(divided_.preparation, types);
  std::vector<Form> forms;
  for (const std::size_t input : divided_.inputs) {
    if (input < inputs.size()) {
      forms.push_back(inputs[input]);
      continue;
    }
    // As executors make them: row-major, unless a view of what was made is prepared.
    const std::size_t result = input - inputs.size();
    if (result < made_.size()) {
      forms.push_back(made_[result]);
      continue;
    }
    const ValueId value = divided_.preparation.outputs[result];
    forms.push_back(contiguousForm(made[static_cast<std::size_t>(value)].dtype,
                                   made[static_cast<std::size_t>(value)].shape));
  }
  return forms;
}

std::size_t PreparedExecutor::unreadBytes(std::span<const Tensor> inputs) const {
  std::size_t bytes = 0;
  for (const std::size_t h : held_)
    if (std::ranges::find(divided_.inputs, h) == divided_.inputs.end())
      bytes += spanBytes(inputs[h]);
  return bytes;
}

}  // namespace fusebench
