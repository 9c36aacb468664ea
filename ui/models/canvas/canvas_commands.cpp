// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_commands.h"

#include <algorithm>
#include <utility>

#include "engine/base/said_again.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/setup/pasted_function.h"

namespace fusebench {
namespace {

QString titleOf(const OpRow& row) {
  return QString::fromUtf8(row.name.data(), static_cast<qsizetype>(row.name.size()));
}

bool isKeepDims(const Op& op, int parameter) {
  return op.row->kind == OpKind::reduce &&
         op.row->parameters.begin()[parameter].kind == Parameter::Kind::flag;
}

}  // namespace

CanvasCommands::CanvasCommands(DocumentModel& document) : document_(document) {
  QObject::connect(&document_, &DocumentModel::textChanged, &receiver_, [this] { textChanged(); });
  // After whatever else follows the change.
  QObject::connect(
      &document_, &DocumentModel::changed, &receiver_, [this] { makeNext(); },
      Qt::QueuedConnection);
}

CanvasOutcome CanvasCommands::run(const Step& step, Edit edit) {
  CanvasOutcome outcome;
  if (mustWait()) {
    outcome.refusal = document_.reading()
                          ? uiText("The program is still being read; wait for it")
                          : uiText("The edit before this one is still being applied; wait for it");
    return outcome;
  }
  const auto work = [sketch = document_.sharedSketch(), edit = std::move(edit),
                     pasted = step.pasted.toStdString()] {
    Made made;
    try {
      made.edit = edit(*sketch);
    } catch (const std::exception& error) {
      made.refusal = QString::fromStdString(saidAgain(error.what()));
      if (made.refusal.isEmpty()) made.refusal = uiText("This edit cannot be made");
      // A function whose lines cannot be part of a chain may still be a program of its own.
      made.whole = !pasted.empty() && isFunction(QString::fromStdString(pasted)) &&
                   fusebench::sketch(pasted).problems.empty();
    }
    return made;
  };
  if (document_.isSmall())
    if (const auto made = LatestTask::tryNow(work)) return take(step, *made);
  task_.start(
      [work](const std::stop_token& stop) {
        const WorkLimit limit(WorkLimit::kUsualSeconds, stop);
        return work();
      },
      [this, step](const Made& made) {
        tell(take(step, made));
        makeNext();
      });
  document_.setEditing(true);
  outcome.later = true;
  return outcome;
}

/// Whether an edit has to come after something that is not there yet.
bool CanvasCommands::mustWait() const {
  return document_.reading() || task_.busy() || (!waiting_.empty() && !makingNext_);
}

CanvasOutcome CanvasCommands::wait(std::function<CanvasOutcome()> edit) {
  waiting_.push_back(std::move(edit));
  document_.setEditing(true);
  CanvasOutcome outcome;
  outcome.later = true;
  return outcome;
}

/// Makes those of the edits that wait that can be made now, in their order.
void CanvasCommands::makeNext() {
  makingNext_ = true;
  while (!waiting_.empty() && !mustWait()) {
    const auto edit = std::move(waiting_.front());
    waiting_.pop_front();
    const CanvasOutcome outcome = edit();
    if (!outcome.later) tell(outcome);
  }
  makingNext_ = false;
  document_.setEditing(busy());
}

void CanvasCommands::tell(const CanvasOutcome& outcome) {
  if (finished) finished(outcome);
}

/// An edit of another text is not made in this one.
void CanvasCommands::textChanged() {
  if (taking_ || !busy()) return;
  task_.cancel();
  waiting_.clear();
  document_.setEditing(false);
  CanvasOutcome outcome;
  outcome.refusal =
      uiText("The program changed in the meantime; the previous edit was not applied");
  tell(outcome);
}

CanvasOutcome CanvasCommands::take(const Step& step, const Made& made) {
  const bool before = std::exchange(taking_, true);
  CanvasOutcome outcome = made.whole ? pasteAll(step.pasted) : apply(step, made);
  taking_ = before;
  return outcome;
}

CanvasOutcome CanvasCommands::apply(const Step& step, const Made& made) {
  CanvasOutcome outcome;
  outcome.refusal = made.refusal;
  if (!outcome.done()) return outcome;
  outcome.added = made.edit.added;
  outcome.inputs = static_cast<int>(made.edit.inputs.size());
  for (const int op : step.edited)
    if (op >= 0 && op < static_cast<int>(made.edit.opsNow.size()))
      if (const int now = made.edit.opsNow[static_cast<std::size_t>(op)]; now >= 0)
        outcome.moved.push_back(now);
  if (step.key.isEmpty())
    document_.apply(step.name, made.edit);
  else
    document_.setText(step.name, step.key, made.edit.text);
  return outcome;
}

QString CanvasCommands::nameOf(std::span<const int> ops) const {
  if (ops.size() != 1) return uiText("%1 ops").arg(ops.size());
  const auto& all = document_.sketch().program.ops;
  const auto at = static_cast<std::size_t>(ops.front());
  if (ops.front() < 0 || at >= all.size()) return QStringLiteral("op");
  return all[at].row ? titleOf(*all[at].row) : uiText("line");
}

CanvasOutcome CanvasCommands::append(const OpRow& row) {
  if (mustWait()) return wait([this, row = &row] { return append(*row); });
  return run(uiText("Append %1").arg(titleOf(row)), {}, {},
             [row = &row, known = document_.known()](const Sketch& sketch) {
               return appendOp(sketch, *row, known);
             });
}

CanvasOutcome CanvasCommands::insert(const OpRow& row, Port port) {
  return run(uiText("Insert %1").arg(titleOf(row)), {}, {},
             [row = &row, port, known = document_.known()](const Sketch& sketch) {
               return insertOnEdge(sketch, *row, port, known);
             });
}

CanvasOutcome CanvasCommands::branch(const OpRow& row, ValueId value) {
  return run(uiText("Branch to %1").arg(titleOf(row)), {}, {},
             [row = &row, value, known = document_.known()](const Sketch& sketch) {
               return branchFrom(sketch, *row, value, known);
             });
}

CanvasOutcome CanvasCommands::replace(int op, const OpRow& row) {
  const int ops[] = {op};
  return run(uiText("Replace %1 by %2").arg(nameOf(ops), titleOf(row)), {}, ops,
             [row = &row, op, known = document_.known()](const Sketch& sketch) {
               return replaceOp(sketch, op, *row, known);
             });
}

CanvasOutcome CanvasCommands::remove(std::span<const int> ops) {
  return run(uiText("Delete %1").arg(nameOf(ops)), {}, {},
             [all = std::vector<int>(ops.begin(), ops.end())](const Sketch& sketch) {
               return removeOps(sketch, all);
             });
}

CanvasOutcome CanvasCommands::duplicate(std::span<const int> ops) {
  return run(uiText("Duplicate %1").arg(nameOf(ops)), {}, {},
             [all = std::vector<int>(ops.begin(), ops.end())](const Sketch& sketch) {
               return duplicateOps(sketch, all);
             });
}

CanvasOutcome CanvasCommands::move(std::span<const int> ops, Port port) {
  return run(uiText("Move %1").arg(nameOf(ops)), {}, ops,
             [all = std::vector<int>(ops.begin(), ops.end()), port](const Sketch& sketch) {
               return moveOps(sketch, all, port);
             });
}

CanvasOutcome CanvasCommands::connect(ValueId value, Port port) {
  const int ops[] = {port.op};
  const QString name =
      port.op < 0 ? uiText("Connect to the result") : uiText("Connect to %1").arg(nameOf(ops));
  return run(name, {}, ops, [value, port](const Sketch& sketch) {
    return fusebench::connect(sketch, value, port);
  });
}

CanvasOutcome CanvasCommands::setNumber(Port port, double number) {
  const int ops[] = {port.op};
  return run(
      uiText("Number of %1").arg(nameOf(ops)),
      QStringLiteral("canvas/operand/%1/%2").arg(port.op).arg(port.operand), ops,
      [port, number](const Sketch& sketch) { return fusebench::setNumber(sketch, port, number); });
}

CanvasOutcome CanvasCommands::setField(int op, const CanvasField& field, const FieldValue& value) {
  const int ops[] = {op};
  const QString key = QStringLiteral("canvas/field/%1/%2/%3")
                          .arg(op)
                          .arg(static_cast<int>(field.kind))
                          .arg(field.position);
  const QString name = uiText("%1 of %2").arg(field.name, nameOf(ops));
  switch (field.kind) {
    case CanvasField::Kind::operand:
      return setNumber({op, field.position}, value.number);
    case CanvasField::Kind::name:
      return run(uiText("Rename %1 to %2").arg(field.text, value.text), {}, {},
                 [value = ValueId{field.position}, renamed = value.text.toStdString()](
                     const Sketch& sketch) { return renameValue(sketch, value, renamed); });
    case CanvasField::Kind::dims:
      return run(name, {}, ops, [op, dims = value.dims](const Sketch& sketch) {
        return setDims(sketch, op, dims, sketch.program.ops[static_cast<std::size_t>(op)].keepDims);
      });
    case CanvasField::Kind::flag:
      return run(name, {}, ops,
                 [op, at = field.position, number = value.number](const Sketch& sketch) {
                   const Op& now = sketch.program.ops[static_cast<std::size_t>(op)];
                   if (isKeepDims(now, at)) return setDims(sketch, op, now.dims, number != 0);
                   return setParameter(sketch, op, at, number);
                 });
    default:
      return run(name, key, ops,
                 [op, at = field.position, number = value.number](const Sketch& sketch) {
                   return setParameter(sketch, op, at, number);
                 });
  }
}

CanvasOutcome CanvasCommands::paste(const QString& text, Port port) {
  return run(Step{uiText("Paste"), {}, {}, text},
             [pasted = text.toStdString(), port](const Sketch& sketch) {
               return pasteText(sketch, pasted, port);
             });
}

CanvasOutcome CanvasCommands::pasteAll(const QString& text) {
  CanvasOutcome outcome;
  document_.paste(uiText("Paste a program"), text.toStdString());
  if (document_.reading()) return outcome;
  for (int i = 0; i < static_cast<int>(document_.sketch().program.ops.size()); ++i)
    outcome.added.push_back(i);
  return outcome;
}

CanvasOutcome CanvasCommands::removeProblemLines() {
  return run(uiText("Remove lines not understood"), {}, {},
             [](const Sketch& sketch) { return fusebench::removeProblemLines(sketch); });
}

QString CanvasCommands::copy(std::span<const int> ops, QString& refusal) const {
  try {
    return QString::fromStdString(copyText(document_.sketch(), ops));
  } catch (const std::exception& error) {
    refusal = QString::fromStdString(saidAgain(error.what()));
    return {};
  }
}

}  // namespace fusebench
