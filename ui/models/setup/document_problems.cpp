// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/document_problems.h"

#include <QStringList>
#include <algorithm>
#include <set>
#include <string>

#include "engine/base/said_again.h"
#include "engine/plan/plan_values.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

Problem atProgram(const SketchProblem& found) {
  Problem problem;
  problem.where = Problem::Where::program;
  problem.index = found.statement;
  problem.op = found.op;
  problem.place = found.place;
  problem.text = QString::fromStdString(saidAgain(found.message));
  return problem;
}

/// "/inputs/0/tensors/1/fill" -> inputs, 0, "tensors/1/fill"; "/baseline" -> variants, -1,
/// "baseline".
Problem atSetting(const ExperimentProblem& found) {
  Problem problem;
  problem.text = QString::fromStdString(saidAgain(found.message));
  QStringList parts = QString::fromStdString(found.path).mid(1).split(u'/');
  const QString first = parts.takeFirst();
  problem.where = Problem::Where::header;
  if (first == QLatin1String("inputs"))
    problem.where = Problem::Where::inputs;
  else if (first == QLatin1String("variants") || first == QLatin1String("baseline"))
    problem.where = Problem::Where::variants;
  else if (first == QLatin1String("axes"))
    problem.where = Problem::Where::axes;
  else if (first == QLatin1String("measure"))
    problem.where = Problem::Where::measure;
  if (parts.isEmpty() &&
      (problem.where == Problem::Where::header || first == QLatin1String("baseline"))) {
    problem.field = first;
    return problem;
  }
  bool number = false;
  const int index = parts.isEmpty() ? -1 : parts.first().toInt(&number);
  if (number) {
    problem.index = index;
    parts.removeFirst();
  }
  problem.field = parts.join(u'/');
  return problem;
}

std::vector<std::optional<ValueType>> nothingKnown(const Sketch& sketch) {
  return std::vector<std::optional<ValueType>>(
      static_cast<std::size_t>(sketch.program.valueCount()));
}

/// Mismatches of all input sets that variants of the sketch's program use, each place once; and the
/// names of those sets.
std::set<std::string> addMismatches(const Experiment& experiment, const Sketch& sketch,
                                    std::vector<Problem>& problems) {
  std::set<std::string> tried, wrong;
  std::set<std::pair<int, int>> places;
  for (const Variant& variant : experiment.variants) {
    if (experiment.programTextOf(variant) != experiment.programText) continue;
    for (const InputSet& set : experiment.inputSets) {
      if (set.name != variant.inputs || !tried.insert(set.name).second) continue;
      std::vector<SketchProblem> mismatches;
      sketchTypes(experiment, sketch, set, mismatches);
      for (const SketchProblem& mismatch : mismatches) {
        wrong.insert(set.name);
        if (!places.insert({mismatch.statement, mismatch.op}).second) continue;
        problems.push_back(atProgram(mismatch));
        if (experiment.inputSets.size() > 1)
          problems.back().text += uiText(" (inputs \"%1\")").arg(QString::fromStdString(set.name));
      }
    }
  }
  return wrong;
}

/// The set with the program's own tensors at a place, if an axis is a parameter of a module.
InputSet withHeldAt(const Experiment& experiment, const std::vector<std::int64_t>& place,
                    InputSet set) {
  const auto taken = std::ranges::find(experiment.variants, set.name, &Variant::inputs);
  if (taken == experiment.variants.end()) return set;
  try {
    setHeld(experiment, *taken, place, set);
  } catch (const ProgramError&) {  // said of the program
  }
  return set;
}

/// The forms that the program's inputs have where the axes begin; nothing: not all are known.
std::optional<std::vector<Form>> inputForms(const Experiment& experiment, const Sketch& sketch,
                                            const InputSet& given) {
  std::vector<std::int64_t> place;
  for (const Axis& axis : experiment.axes) {
    if (axis.values.empty()) return std::nullopt;
    place.push_back(axis.values.front());
  }
  const InputSet set = withHeldAt(experiment, place, given);
  std::vector<Form> forms;
  for (const std::string& name : sketch.program.inputs)
    for (const InputSpec& spec : set.inputs) {
      if (spec.name != name) continue;
      if (spec.extents.size() > static_cast<std::size_t>(kMaxRank)) return std::nullopt;
      try {
        Form form = contiguousForm(dtypeOf(spec), shapeOf(spec, bindingsFor(experiment, place, 0)));
        if (const auto strides = inputStrides(spec, form.shape)) form.strides = *strides;
        form.contiguous = isContiguous(form.shape, form.strides);
        forms.push_back(form);
      } catch (const InputError&) {
        return std::nullopt;  // the extent itself is marked
      }
      break;
    }
  if (forms.size() != sketch.program.inputs.size()) return std::nullopt;
  return forms;
}

}  // namespace

std::vector<std::optional<ValueType>> sketchTypes(const Experiment& experiment,
                                                  const Sketch& sketch, const InputSet& given,
                                                  std::vector<SketchProblem>& mismatches) {
  const auto forms = inputForms(experiment, sketch, given);
  if (!forms) return nothingKnown(sketch);
  std::vector<ValueType> inputs;
  for (const Form& form : *forms) inputs.push_back({form.shape, form.dtype});
  return inferSketchTypes(sketch, inputs, mismatches);
}

std::vector<std::optional<TensorLayout>> sketchLayouts(const Experiment& experiment,
                                                       const Sketch& sketch,
                                                       const InputSet& given) {
  std::vector<std::optional<TensorLayout>> layouts(
      static_cast<std::size_t>(sketch.program.valueCount()));
  const auto forms = inputForms(experiment, sketch, given);
  if (!forms) return layouts;
  for (std::size_t i = 0; i < forms->size(); ++i) {
    const Form& form = (*forms)[i];
    layouts[i] = TensorLayout{{form.shape.begin(), form.shape.end()},
                              {form.strides.begin(), form.strides.end()}};
  }
  if (!sketch.valid() || sketch.program.isSettledFirst()) return layouts;
  try {
    Guards guards(*forms, Specialize::exact);
    const PlanValues values = planValues(sketch.program, *forms, guards);
    for (std::size_t v = forms->size(); v < layouts.size(); ++v) {
      const auto value = static_cast<ValueId>(v);
      TensorLayout layout;
      for (const SymbolicSize& extent : values.extents(values.space(value)))
        layout.extents.push_back(extent.constant());
      for (const SymbolicSize& stride : values.strides(value))
        layout.strides.push_back(stride.constant());
      if (values.isView(value)) {
        layout.of = values.root(value);
        layout.offset = values.offset(value).constant();
      }
      layouts[v] = std::move(layout);
    }
  } catch (const std::exception&) {  // said of the program
  }
  return layouts;
}

std::vector<Problem> documentProblems(const Experiment& experiment, const Sketch& sketch) {
  std::vector<Problem> problems;
  for (const SketchProblem& found : sketch.problems) problems.push_back(atProgram(found));
  if (sketch.valid() && sketch.program.ops.empty()) {
    Problem problem;
    problem.place = {1, 1};
    problem.text = uiText("the program computes nothing; add a statement");
    problems.push_back(problem);
  }
  const std::set<std::string> wrong = addMismatches(experiment, sketch, problems);

  Experiment withoutProgram;
  if (!sketch.valid()) {
    withoutProgram = experiment;
    withoutProgram.program = {};
  }
  for (const ExperimentProblem& found : problemsOf(sketch.valid() ? experiment : withoutProgram)) {
    Problem problem = atSetting(found);
    const bool shapes =
        problem.where == Problem::Where::variants && problem.index >= 0 && problem.field.isEmpty();
    if (shapes &&
        wrong.contains(experiment.variants[static_cast<std::size_t>(problem.index)].inputs))
      continue;
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace fusebench
