// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/document_model.h"

#include <algorithm>
#include <optional>
#include <string>

#include "engine/language/input_shapes.h"
#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "profiler/experiment/module_origins.h"
#include "profiler/experiment/pasted_experiment.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/setup/document_extents.h"

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

/// For a paste, which reads a text several times to find inputs that fit it.
constexpr double kPastingSeconds = 5 * WorkLimit::kUsualSeconds;

/// Lines of a captured program keep their modules when the text is edited.
void followCapture(Experiment& experiment, const std::string& before) {
  if (experiment.capture) followText(*experiment.capture, 0, before, experiment.programText);
}

}  // namespace

DocumentModel::DocumentModel(QObject* parent)
    : QObject(parent), sketch_(std::make_shared<const Sketch>()) {
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
  if (variant >= 0 && v < experiment().variants.size())
    if (const auto known = types_.find(experiment().variants[v].inputs); known != types_.end())
      return known->second;
  return std::vector<std::optional<ValueType>>(
      static_cast<std::size_t>(sketch_->program.valueCount()));
}

KnownValues DocumentModel::known() const {
  for (const InputSet& set : experiment().inputSets)
    if (!experiment().variants.empty() && set.name == experiment().variants.front().inputs)
      return knownValues(experiment(), *sketch_, set);
  return {};
}

std::vector<std::optional<TensorLayout>> DocumentModel::layouts(int variant) const {
  const auto v = static_cast<std::size_t>(variant);
  if (variant >= 0 && v < experiment().variants.size())
    if (const auto known = layouts_.find(experiment().variants[v].inputs); known != layouts_.end())
      return known->second;
  return std::vector<std::optional<TensorLayout>>(
      static_cast<std::size_t>(sketch_->program.valueCount()));
}

void DocumentModel::load(Experiment experiment, const QString& path) {
  State state;
  state.experiment = std::move(experiment);
  // A draft may lack tensors, or have some that nothing reads.
  state.follows = true;
  states_.clear();
  states_.push_back(std::move(state));
  position_ = savedPosition_ = 0;
  path_ = path;
  endMerge();
  toldText_.reset();
  emit loaded();
  read(requestFor(now(), std::vector<int>(), true));
}

void DocumentModel::markSaved(const QString& path) {
  path_ = path;
  savedPosition_ = position_;
  endMerge();
  emit historyChanged();
}

void DocumentModel::setWeights(const std::string& file, const std::string& folder) {
  for (State& state : states_) {
    if (state.experiment.weights.empty()) continue;
    state.experiment.weights = file;
    state.experiment.folder = folder;
  }
}

void DocumentModel::markUnsaved() {
  savedPosition_ = kNever;
  emit historyChanged();
}

void DocumentModel::edit(const QString& name, const QString& key,
                         const std::function<void(Experiment&)>& change) {
  State next = now();
  next.name = name;
  next.opsNow = unmoved(sketch_->program.ops.size());
  change(next.experiment);
  next.experiment.programText = now().experiment.programText;
  if (toJson(next.experiment) == toJson(now().experiment)) return;
  push(key, std::move(next));
  read(requestFor(now(), {}));
}

void DocumentModel::setText(const QString& name, const QString& key, const std::string& text) {
  if (text == now().experiment.programText) return;
  State next{name, now().experiment, now().parked, {}, true, {}};
  next.experiment.programText = text;
  followCapture(next.experiment, now().experiment.programText);
  enter(key, std::move(next), {});
}

void DocumentModel::paste(const QString& name, const std::string& text) {
  const auto read = [text]() -> std::optional<Pasted> {
    try {
      Pasted pasted{readPasted(text), 0};
      ProgramHints hints;
      for (const ChosenInput& input : pasted.program.inputs) hints[input.name] = input.type;
      pasted.statements = parseProgram(pasted.program.text, hints).statements.size();
      return pasted;
    } catch (const ProgramError&) {  // it is shown at the line that is wrong
      return std::nullopt;
    }
  };
  if (const auto pasted = LatestTask::tryNow(read)) return takePasted(name, text, *pasted);
  pasting_.start(
      [read](const std::stop_token& stop) {
        const WorkLimit limit(kPastingSeconds, stop);
        return read();
      },
      [this, name, text](const std::optional<Pasted>& pasted) {
        takePasted(name, text, pasted);
        if (isSettled()) emit becameSettled();  // it may be what was there already
      });
}

void DocumentModel::takePasted(const QString& name, const std::string& text,
                               const std::optional<Pasted>& pasted) {
  endMerge();
  if (!pasted) return setText(name, {}, text);
  const PastedProgram& program = pasted->program;
  if (program.text == now().experiment.programText) return;
  State next{name, now().experiment, now().parked, {}, true, {}};
  // A module that returns an expression has no statements to sweep: it is measured at one point.
  std::vector<Axis>& axes = next.experiment.axes;
  if (pasted->statements == 0)
    std::erase_if(axes, [](const Axis& axis) { return axis.name == "statements"; });
  if (axes.empty()) axes = {{"threads", "threads", {1}}};
  for (InputSet& set : next.experiment.inputSets) {
    set.inputs.clear();
    for (const ChosenInput& input : program.inputs) set.inputs.push_back(specOf(input));
  }
  next.experiment.programText = program.text;
  next.experiment.capture.reset();
  enter({}, std::move(next), {});
  QStringList notes;
  for (const std::string& note : notesOf(program)) notes.push_back(QString::fromStdString(note));
  emit this->pasted(notes);
}

void DocumentModel::apply(const QString& name, const SketchEdit& edit) {
  endMerge();
  if (edit.text == now().experiment.programText) return;
  State next{name, now().experiment, now().parked, edit.opsNow, true, {}};
  next.experiment.programText = edit.text;
  addInputs(next.experiment, edit.inputs);
  followCapture(next.experiment, now().experiment.programText);
  enter({}, std::move(next), edit.opsNow);
}

void DocumentModel::chooseProgram(const std::string& name) {
  if (name == now().experiment.programName) return;
  endMerge();
  State next{uiText("Show another program"), now().experiment, now().parked, {}, false, {}};
  next.experiment.putFirst(name);
  push({}, std::move(next));
  toldText_.reset();
  read(requestFor(now(), std::vector<int>(), true));
}

/// Enters a state with a new text. A text that is read at once is merged after the reading: an axis
/// that followed the length and came back has not changed.
void DocumentModel::enter(const QString& key, State next, std::optional<std::vector<int>> opsNow) {
  next.lengthBefore =
      now().follows ? now().lengthBefore : std::optional(next.experiment.program.statements.size());
  ReadingRequest request = requestFor(next, std::move(opsNow));
  if (request.isSmall())
    if (auto reading = LatestTask::tryNow([&] { return readDocument(request); })) {
      complete(next, *reading);
      next.opsNow = reading->opsNow;
      push(key, std::move(next));
      return settle(std::move(*reading));
    }
  push(key, std::move(next));
  readLater(std::move(request));
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
  if (sketch_->valid() && !reading()) nowState().experiment.program = {};
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
  moveTo(position_ - 1, inverted(now().opsNow, sketch_->program.ops.size()));
}

void DocumentModel::redo() {
  if (!canRedo()) return;
  moveTo(position_ + 1, states_[position_ + 1].opsNow);
}

void DocumentModel::moveTo(std::size_t position, std::vector<int> opsNow) {
  endMerge();
  Program program = now().experiment.program;
  if (sketch_->valid() && !reading()) nowState().experiment.program = {};
  position_ = position;
  // Until its text is read again the state shows the last program that is known.
  if (nowState().experiment.program.ops.empty()) nowState().experiment.program = std::move(program);
  read(requestFor(now(), std::move(opsNow)));
}

ReadingRequest DocumentModel::requestFor(const State& state, std::optional<std::vector<int>> opsNow,
                                         bool anew) const {
  return {state.experiment,   state.parked,      sketch_, state.follows,
          state.lengthBefore, std::move(opsNow), anew};
}

/// Gives a state what was read of it.
void DocumentModel::complete(State& state, DocumentReading& reading) {
  state.experiment = std::move(reading.experiment);
  state.parked = std::move(reading.parked);
  state.follows = false;
  state.lengthBefore.reset();
}

/// Reads the current state: at once if that takes a moment only.
void DocumentModel::read(ReadingRequest request) {
  if (request.isSmall())
    if (auto reading = LatestTask::tryNow([&] { return readDocument(request); })) {
      complete(nowState(), *reading);
      return settle(std::move(*reading));
    }
  readLater(std::move(request));
}

/// Shows meanwhile that the state is being read.
void DocumentModel::readLater(ReadingRequest request) {
  const bool isStep = request.follow && !request.opsNow;
  Problem unread;
  unread.place = {1, 1};
  unread.text = uiText("the program is still being read; wait for it");
  problems_ = {std::move(unread)};
  task_.start(
      [request = std::move(request)](const std::stop_token& stop) mutable {
        return readDocument(std::move(request), stop);
      },
      [this, isStep](DocumentReading reading) {
        complete(nowState(), reading);
        if (isStep) nowState().opsNow = reading.opsNow;
        settle(std::move(reading));
      });
  tellOfText();
  emit changed();
  emit historyChanged();
}

/// Takes what was read of the current state, and tells of it.
void DocumentModel::settle(DocumentReading reading) {
  task_.cancel();
  const bool isAnother = reading.sketch != sketch_;
  if (isAnother) opsNow_ = std::move(reading.opsNow);
  sketch_ = std::move(reading.sketch);
  if (sketch_->valid()) nowState().experiment.program = sketch_->program;
  types_ = std::move(reading.types);
  layouts_ = std::move(reading.layouts);
  problems_ = std::move(reading.problems);
  tellOfText();
  if (isAnother) emit programChanged();
  emit changed();
  emit historyChanged();
  if (isSettled()) emit becameSettled();
}

void DocumentModel::setEditing(bool editing) {
  if (editing == editing_) return;
  editing_ = editing;
  if (isSettled()) emit becameSettled();
}

void DocumentModel::tellOfText() {
  if (toldText_ == experiment().programText) return;
  toldText_ = experiment().programText;
  emit textChanged();
}

}  // namespace fusebench

#include "moc_document_model.cpp"
