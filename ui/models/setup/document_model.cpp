// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/document_model.h"

#include <algorithm>
#include <optional>
#include <string>

#include "engine/run/executor.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

/// a then b: where each op of the first has gone. Nothing known if they do not fit each other.
std::vector<int> composed(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> both(a.size(), -1);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] >= 0 && static_cast<std::size_t>(a[i]) < b.size())
      both[i] = b[static_cast<std::size_t>(a[i])];
  return both;
}

std::vector<int> inverted(const std::vector<int>& map, std::size_t size) {
  std::vector<int> back(size, -1);
  for (std::size_t i = 0; i < map.size(); ++i)
    if (map[i] >= 0 && static_cast<std::size_t>(map[i]) < size)
      back[static_cast<std::size_t>(map[i])] = static_cast<int>(i);
  return back;
}

std::vector<int> unmoved(std::size_t count) {
  std::vector<int> map(count);
  for (std::size_t i = 0; i < count; ++i) map[i] = static_cast<int>(i);
  return map;
}

}  // namespace

DocumentModel::DocumentModel(QObject* parent) : QObject(parent) {
  load(blank(), {});
}

Experiment DocumentModel::blank() {
  Experiment experiment;
  experiment.title = uiText("New experiment").toStdString();
  experiment.programText = "def program(x):\n    return x.sum()";
  experiment.program = fusebench::sketch(experiment.programText).program;
  InputSpec x;
  x.name = "x";
  x.extents = {"8", "16"};
  experiment.inputSets = {{"inputs", 100, {x}}};
  for (const ExecutorInfo& executor : executorTable()) {
    if (executor.captures) continue;
    Variant variant;
    variant.name = variant.executor = executor.name;
    variant.inputs = "inputs";
    experiment.variants.push_back(variant);
  }
  experiment.baseline = experiment.variants.front().name;
  experiment.axes = {{"statements", "statements", {1}}};
  return experiment;
}

std::vector<std::optional<ValueType>> DocumentModel::types(int variant) const {
  const auto v = static_cast<std::size_t>(variant);
  std::vector<SketchProblem> mismatches;
  if (variant >= 0 && v < experiment().variants.size())
    for (const InputSet& set : experiment().inputSets)
      if (set.name == experiment().variants[v].inputs)
        return sketchTypes(experiment(), sketch_, set, mismatches);
  return std::vector<std::optional<ValueType>>(
      static_cast<std::size_t>(sketch_.program.valueCount()));
}

std::vector<std::optional<TensorLayout>> DocumentModel::layouts(int variant) const {
  const auto v = static_cast<std::size_t>(variant);
  if (variant >= 0 && v < experiment().variants.size())
    for (const InputSet& set : experiment().inputSets)
      if (set.name == experiment().variants[v].inputs)
        return sketchLayouts(experiment(), sketch_, set);
  return std::vector<std::optional<TensorLayout>>(
      static_cast<std::size_t>(sketch_.program.valueCount()));
}

void DocumentModel::load(Experiment experiment, const QString& path) {
  State state;
  state.experiment = std::move(experiment);
  sketch_ = fusebench::sketch(state.experiment.programText);
  if (sketch_.valid()) state.experiment.program = sketch_.program;
  // A draft may lack tensors, or have some that nothing reads.
  followInputs(state.experiment, sketch_, state.parked);
  states_.clear();
  states_.push_back(std::move(state));
  position_ = savedPosition_ = 0;
  path_ = path;
  endMerge();
  emit loaded();
  settle({}, true);
}

void DocumentModel::markSaved(const QString& path) {
  path_ = path;
  savedPosition_ = position_;
  endMerge();
  emit historyChanged();
}

void DocumentModel::markUnsaved() {
  savedPosition_ = kNever;
  emit historyChanged();
}

void DocumentModel::edit(const QString& name, const QString& key,
                         const std::function<void(Experiment&)>& change) {
  State next{name, now().experiment, now().parked, unmoved(sketch_.program.ops.size())};
  change(next.experiment);
  next.experiment.programText = now().experiment.programText;
  if (toJson(next.experiment) == toJson(now().experiment)) return;
  push(key, std::move(next));
  settle({}, false);
}

void DocumentModel::setText(const QString& name, const QString& key, const std::string& text) {
  if (text == now().experiment.programText) return;
  Sketch next = fusebench::sketch(text);
  std::vector<int> opsNow = matchOps(sketch_, next);
  takeText(name, key, std::move(next), std::move(opsNow));
}

void DocumentModel::apply(const QString& name, const SketchEdit& edit) {
  endMerge();
  if (edit.text == now().experiment.programText) return;
  takeText(name, {}, fusebench::sketch(edit.text), edit.opsNow);
}

void DocumentModel::chooseProgram(const std::string& name) {
  if (name == now().experiment.programName) return;
  endMerge();
  State next{uiText("Show another program"), now().experiment, now().parked, {}};
  next.experiment.putFirst(name);
  Sketch sketch = fusebench::sketch(next.experiment.programText);
  push({}, std::move(next));
  sketch_ = std::move(sketch);
  settle({}, true);
}

void DocumentModel::takeText(const QString& name, const QString& key, Sketch sketch,
                             std::vector<int> opsNow) {
  State next{name, now().experiment, now().parked, opsNow};
  const std::size_t before = next.experiment.program.statements.size();
  next.experiment.programText = sketch.text;
  const Program& program = sketch.program;
  followInputs(next.experiment, sketch, next.parked);
  if (sketch.valid()) {
    followLength(next.experiment, before, program.statements.size());
    next.experiment.program = program;
  }
  push(key, std::move(next));
  sketch_ = std::move(sketch);
  settle(std::move(opsNow), true);
}

/// Puts a state in the place of the last one, if both belong to one step.
bool DocumentModel::mergeInto(const QString& key, State& next) {
  const bool last = position_ + 1 == states_.size();
  if (key.isEmpty() || key != mergeKey_ || position_ == 0 || !last || position_ == savedPosition_)
    return false;
  const State& before = states_[position_ - 1];
  if (toJson(before.experiment) == toJson(next.experiment)) {
    // Typed and taken back: no step at all.
    states_.pop_back();
    --position_;
    mergeKey_.clear();
    return true;
  }
  next.opsNow = composed(now().opsNow, next.opsNow);
  next.name = now().name;
  states_.back() = std::move(next);
  return true;
}

void DocumentModel::push(const QString& key, State next) {
  if (mergeInto(key, next)) return;
  // A valid text gives its program again when it comes back; thousands of states stay small.
  if (sketch_.valid()) nowState().experiment.program = {};
  if (savedPosition_ != kNever && savedPosition_ > position_) savedPosition_ = kNever;
  states_.resize(position_ + 1);
  states_.push_back(std::move(next));
  ++position_;
  mergeKey_ = key;
}

QString DocumentModel::undoName() const {
  return canUndo() ? now().name : QString();
}
QString DocumentModel::redoName() const {
  return canRedo() ? states_[position_ + 1].name : QString();
}

void DocumentModel::undo() {
  if (!canUndo()) return;
  moveTo(position_ - 1, inverted(now().opsNow, sketch_.program.ops.size()));
}

void DocumentModel::redo() {
  if (!canRedo()) return;
  moveTo(position_ + 1, states_[position_ + 1].opsNow);
}

void DocumentModel::moveTo(std::size_t position, std::vector<int> opsNow) {
  endMerge();
  const std::string text = now().experiment.programText;
  if (sketch_.valid()) nowState().experiment.program = {};
  position_ = position;
  const bool textChanged = experiment().programText != text;
  if (textChanged) sketch_ = fusebench::sketch(experiment().programText);
  settle(std::move(opsNow), textChanged);
}

/// Works out what follows from the state that is now the current one, and tells of it.
void DocumentModel::settle(std::vector<int> opsNow, bool textChanged) {
  if (textChanged) opsNow_ = std::move(opsNow);
  if (sketch_.valid()) nowState().experiment.program = sketch_.program;
  problems_ = documentProblems(experiment(), sketch_);
  if (textChanged) emit programChanged();
  emit changed();
  emit historyChanged();
}

}  // namespace fusebench

#include "moc_document_model.cpp"
