// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/checked_once_executor.h"

#include "engine/base/saying.h"
#include "engine/language/program_errors.h"
#include "engine/plan/fixed_checks.h"
#include "engine/run/eager.h"
#include "engine/run/value_checks.h"

namespace fusebench {

CheckedOnceExecutor::CheckedOnceExecutor(Backend& backend, SharedProgram program,
                                         std::unique_ptr<Executor> inner)
    : backend_(backend), program_(std::move(program)), inner_(std::move(inner)) {}

SharedProgram CheckedOnceExecutor::programWithout(const Program& program) {
  const std::vector<bool> fixed = fixedChecks(program);
  Program without = program;
  without.checks.clear();
  for (std::size_t i = 0; i < fixed.size(); ++i)
    if (!fixed[i]) without.checks.push_back(program.checks[i]);
  return without.checks.size() == program.checks.size() ? nullptr : shared(std::move(without));
}

bool CheckedOnceExecutor::isNew(std::span<const Tensor> inputs) const {
  if (checked_.size() != program_->held.size() + 1) return true;
  for (std::size_t h = 0; h < program_->held.size(); ++h)
    if (inputs[static_cast<std::size_t>(program_->held[h].input)].data() != checked_[h])
      return true;
  return false;
}

void CheckedOnceExecutor::check(std::span<const Tensor> inputs) {
  checked_.clear();
  const std::vector<bool> fixed = fixedChecks(*program_);
  const ComputingScope computing(backend_);
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (!fixed[i]) continue;
    const SizeCheck& check = program_->checks[i];
    Program only = onlyFor(*program_, check.value);
    only.checks.clear();  // the inner executor makes the others
    EagerExecutor once(backend_, shared(std::move(only)), /*search=*/false);
    checkValue(backend_, *program_, check, once.call(inputs).front(), inputs);
  }
  for (const HeldInput& held : program_->held)
    checked_.push_back(inputs[static_cast<std::size_t>(held.input)].data());
  checked_.push_back(nullptr);  // there are no such inputs where numbers alone are checked
}

std::span<const Tensor> CheckedOnceExecutor::call(std::span<const Tensor> inputs) {
  if (inputs.size() != program_->inputs.size())
    throw ProgramError(
        {}, saying("the program takes {} inputs, not {}", program_->inputs.size(), inputs.size()));
  if (isNew(inputs)) check(inputs);
  return inner_->call(inputs);
}

}  // namespace fusebench
