// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>

#include "engine/language/program_builder.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_gradients.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

/// Keywords that change nothing here: a program is differentiated as a whole, and keeps nothing.
bool saysNothing(const std::string& keyword) {
  return keyword == "retain_graph" || keyword == "create_graph" || keyword == "allow_unused" ||
         keyword == "materialize_grads";
}

bool isSet(const std::vector<CallArgument>& arguments, const char* keyword) {
  const auto said = std::ranges::find(arguments, keyword, &CallArgument::keyword);
  return said != arguments.end() && said->value.isScalar() && said->value.number != 0;
}

/// Whether what a gradient is made of is recorded, so that it may be differentiated in turn.
bool createsGraph(const std::vector<CallArgument>& arguments) {
  return isSet(arguments, "create_graph");
}

}  // namespace

void ProgramBuilder::requireGradient(ValueId value, bool required) {
  const auto found = std::ranges::find(requiring_, value);
  if (!required && found != requiring_.end()) requiring_.erase(found);
  if (required && found == requiring_.end()) requiring_.push_back(value);
}

bool ProgramBuilder::hasPart(ValueId value, ValueId in) const {
  if (value == in) return true;
  if (in < kFirstResult && writes() == 0) return false;
  // Up to the value that is asked for, or to the last op, if something may be written to it later.
  const std::size_t until =
      writes() == 0 ? static_cast<std::size_t>(in - kFirstResult) + 1 : program_.ops.size();
  std::vector<bool> depends(until);
  std::vector<ValueId> written;  // memory that a gradient was written to
  const auto dependsOn = [&](ValueId read) {
    if (read == value) return true;
    if (read >= kFirstResult && depends[static_cast<std::size_t>(read - kFirstResult)]) return true;
    return !written.empty() && std::ranges::find(written, rootOf(read)) != written.end();
  };
  for (std::size_t i = 0; i < depends.size(); ++i) {
    const Op& op = program_.ops[i];
    const bool flows = op.recorded && op.row &&
                       (op.row->kind == OpKind::view || op.row->kind == OpKind::gradient ||
                        isDifferentiable(*op.row));
    depends[i] = flows && std::ranges::any_of(op.operands, [&](const Operand& operand) {
                   return !operand.isNumber() && !operand.detached && dependsOn(operand.value);
                 });
    if (op.writesInto() && depends[i]) written.push_back(rootOf(op.into));
  }
  return dependsOn(in);
}

bool ProgramBuilder::requiresGradient(ValueId value) const {
  return std::ranges::any_of(requiring_, [&](ValueId by) { return hasPart(by, value); });
}

/// Has the text read again where a gradient flows through a function whose own backward was not
/// read. Throws ProgramError where it was, and cannot be followed.
void ProgramBuilder::refuseOwn(ValueId of, ValueId by) const {
  if (hints_.ownBackward == ProgramHints::OwnBackward::asked &&
      ownBackward(program_.ops, program_.frames, kFirstResult, of, by))
    throw OwnBackwardAsked();
  refuseOwnBackward(program_.ops, program_.frames, kFirstResult, of, by);
}

PythonValue ProgramBuilder::gradientBy(const PythonValue& of, ValueId by, SourcePlace place) {
  refuseOwn(of.value, by);
  Op op;
  op.row = &gradientRow();
  op.operands.resize(2);
  op.operands[0].value = of.value;
  op.operands[1].value = by;
  op.place = place;
  program_.asksGradients = true;
  return append(std::move(op));
}

void ProgramBuilder::backward(const PythonValue& of, const std::vector<CallArgument>& arguments,
                              SourcePlace place) {
  if (!of.isTensor()) failProgram(place, "backward needs a tensor, but found " + of.shown());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const CallArgument& argument = arguments[i];
    const bool initial = argument.keyword == "gradient" || (argument.keyword.empty() && i == 0);
    if (!initial && !saysNothing(argument.keyword))
      failProgram(argument.place,
                  "backward of a tensor takes an initial gradient, retain_graph and "
                  "create_graph here");
    if (!initial || argument.value.kind == Kind::none) continue;
    std::vector<CallArgument> rest;
    std::ranges::copy_if(arguments, std::back_inserter(rest),
                         [&](const CallArgument& each) { return &each != &argument; });
    return backward(weighted({of}, {argument.value}, requiring_, place), rest, place);
  }
  std::vector<ValueId> by;
  for (const ValueId value : requiring_)
    if (!of.detached && hasPart(value, of.value)) by.push_back(value);
  for (const ValueId value : requiring_) refuseOwn(of.value, value);
  if (by.empty())
    failProgram(place,
                "this value does not depend on anything that requires a gradient; call "
                "x.requires_grad_() on the tensors to differentiate with respect to");
  const bool creates = createsGraph(arguments);
  std::vector<PythonValue> made;
  for (const ValueId value : by) {
    made.push_back(gradientBy(of, value, place));
    made.back().detached = !creates;
  }
  for (std::size_t i = 0; i < by.size(); ++i) {
    PythonValue& kept = gradient_[by[i]];
    if (!kept.isTensor())
      kept = made[i];
    else if (!creates && seenGradients_.contains(by[i]))
      kept = augmented("+", kept, made[i], place);  // another name of it may be about
    else
      kept = binary("+", kept, made[i], place);
    kept.detached = !creates;
  }
}

PythonValue ProgramBuilder::weighted(const std::vector<PythonValue>& outputs,
                                     const std::vector<PythonValue>& initials,
                                     const std::vector<ValueId>& by, SourcePlace place) {
  PythonValue total;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    PythonValue part = outputs[i];
    PythonValue weight = initials[i];
    if (weight.kind != Kind::none) {
      if (!weight.isTensor())
        failProgram(place, "an initial gradient must be a tensor or None, not " + weight.shown());
      const std::optional<Shape> own = shapeOf(part.value), given = shapeOf(weight.value);
      if (own && given && *own != *given)
        failProgram(place, "the initial gradient has shape " + toString(*given) +
                               ", and the tensor " + toString(*own) + "; they must be the same");
      // The initial gradient is taken as a constant, even if an input of the gradient is in it.
      weight.detached |=
          std::ranges::any_of(by, [&](ValueId value) { return hasPart(value, weight.value); });
      part = method(binary("*", part, weight, place), "sum", {}, place);
    }
    total = total.isTensor() ? binary("+", total, part, place) : part;
  }
  return total;
}

PythonValue ProgramBuilder::gradient(ValueId value, SourcePlace place) {
  const auto found = gradient_.find(value);
  if (found != gradient_.end()) seenGradients_.insert(value);
  PythonValue result = found == gradient_.end() ? PythonValue() : found->second;
  result.place = place;
  return result;
}

void ProgramBuilder::setGradient(ValueId value, const PythonValue& to, SourcePlace place) {
  if (to.kind != Kind::none && !to.isTensor())
    failProgram(place, "a gradient must be a tensor or None, not " + to.shown());
  gradient_[value] = to;
  if (to.isTensor())
    seenGradients_.insert(value);
  else
    seenGradients_.erase(value);
}

PythonValue ProgramBuilder::gradients(const std::vector<CallArgument>& arguments,
                                      SourcePlace place) {
  const PythonValue* of = nullptr;
  const PythonValue* by = nullptr;
  const PythonValue* initial = nullptr;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const CallArgument& argument = arguments[i];
    if (argument.keyword == "outputs" || (argument.keyword.empty() && i == 0))
      of = &argument.value;
    else if (argument.keyword == "inputs" || (argument.keyword.empty() && i == 1))
      by = &argument.value;
    else if (argument.keyword == "grad_outputs" || (argument.keyword.empty() && i == 2))
      initial = &argument.value;
    else if (!saysNothing(argument.keyword))
      failProgram(argument.place,
                  "torch.autograd.grad takes outputs, inputs and grad_outputs here");
  }
  const auto listOf = [](const PythonValue& value) {
    return value.kind == Kind::list ? value.items() : std::vector<PythonValue>{value};
  };
  const std::vector<PythonValue> outputs = of ? listOf(*of) : std::vector<PythonValue>();
  if (outputs.size() == 1) of = &outputs.front();
  PythonValue sum;
  const bool weights = initial && initial->kind != Kind::none;
  if ((weights || outputs.size() > 1) && by &&
      std::ranges::all_of(outputs, &PythonValue::isTensor)) {
    std::vector<ValueId> inputs;
    for (const PythonValue& each : listOf(*by)) inputs.push_back(each.value);
    std::vector<PythonValue> initials =
        weights ? listOf(*initial) : std::vector<PythonValue>(outputs.size());
    if (initials.size() != outputs.size())
      failProgram(place, "torch.autograd.grad takes as many grad_outputs as outputs");
    sum = weighted(outputs, initials, inputs, place);
    of = &sum;
  }
  if (!of || !of->isTensor() || !by)
    failProgram(place,
                "torch.autograd.grad needs a scalar tensor and the tensors to differentiate with "
                "respect to");
  const std::vector<PythonValue> all =
      by->kind == Kind::list ? by->items() : std::vector<PythonValue>{*by};
  std::vector<PythonValue> made;
  for (const PythonValue& each : all) {
    if (!each.isTensor())
      failProgram(
          place, "torch.autograd.grad differentiates with respect to tensors, not " + each.shown());
    refuseOwn(of->value, each.value);
    if (of->detached || !hasPart(each.value, of->value)) {
      if (isSet(arguments, "materialize_grads")) {
        made.push_back(callSpelled(
            "torch.autograd.grad", "torch.full_like",
            {{"", each, place}, {"", PythonValue::numberOf(0, true, place), place}}, place));
      } else if (isSet(arguments, "allow_unused")) {
        made.emplace_back();
        made.back().place = place;
      } else {
        failProgram(each.place,
                    "the differentiated value does not depend on this tensor; allow_unused=True "
                    "gives None for it, and materialize_grads=True zeros");
      }
      continue;
    }
    made.push_back(gradientBy(*of, each.value, place));
    made.back().detached = !createsGraph(arguments);
  }
  return PythonValue::listOf(std::move(made), true, place);
}

}  // namespace fusebench
