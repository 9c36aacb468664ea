// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_commands.h"

#include <algorithm>

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

CanvasOutcome CanvasCommands::run(const QString& name, const QString& key,
                                  std::span<const int> edited,
                                  const std::function<SketchEdit(const Sketch&)>& edit) {
  CanvasOutcome outcome;
  const std::vector<int> before(edited.begin(), edited.end());
  try {
    const SketchEdit made = edit(document_.sketch());
    outcome.added = made.added;
    for (int op : before)
      if (op >= 0 && op < static_cast<int>(made.opsNow.size()))
        if (const int now = made.opsNow[static_cast<std::size_t>(op)]; now >= 0)
          outcome.moved.push_back(now);
    if (key.isEmpty())
      document_.apply(name, made);
    else
      document_.setText(name, key, made.text);
  } catch (const std::exception& error) {
    outcome.refusal = QString::fromStdString(saidAgain(error.what()));
    if (outcome.refusal.isEmpty()) outcome.refusal = uiText("This edit cannot be made");
  }
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
  return run(uiText("Append %1").arg(titleOf(row)), {}, {},
             [&](const Sketch& sketch) { return appendOp(sketch, row); });
}

CanvasOutcome CanvasCommands::insert(const OpRow& row, Port port) {
  return run(uiText("Insert %1").arg(titleOf(row)), {}, {},
             [&](const Sketch& sketch) { return insertOnEdge(sketch, row, port); });
}

CanvasOutcome CanvasCommands::branch(const OpRow& row, ValueId value) {
  return run(uiText("Branch to %1").arg(titleOf(row)), {}, {},
             [&](const Sketch& sketch) { return branchFrom(sketch, row, value); });
}

CanvasOutcome CanvasCommands::replace(int op, const OpRow& row) {
  const int ops[] = {op};
  return run(uiText("Replace %1 by %2").arg(nameOf(ops), titleOf(row)), {}, ops,
             [&](const Sketch& sketch) { return replaceOp(sketch, op, row); });
}

CanvasOutcome CanvasCommands::remove(std::span<const int> ops) {
  return run(uiText("Delete %1").arg(nameOf(ops)), {}, {},
             [&](const Sketch& sketch) { return removeOps(sketch, ops); });
}

CanvasOutcome CanvasCommands::duplicate(std::span<const int> ops) {
  return run(uiText("Duplicate %1").arg(nameOf(ops)), {}, {},
             [&](const Sketch& sketch) { return duplicateOps(sketch, ops); });
}

CanvasOutcome CanvasCommands::move(std::span<const int> ops, Port port) {
  return run(uiText("Move %1").arg(nameOf(ops)), {}, ops,
             [&](const Sketch& sketch) { return moveOps(sketch, ops, port); });
}

CanvasOutcome CanvasCommands::connect(ValueId value, Port port) {
  const int ops[] = {port.op};
  const QString name =
      port.op < 0 ? uiText("Connect to the result") : uiText("Connect to %1").arg(nameOf(ops));
  return run(name, {}, ops,
             [&](const Sketch& sketch) { return fusebench::connect(sketch, value, port); });
}

CanvasOutcome CanvasCommands::setNumber(Port port, double number) {
  const int ops[] = {port.op};
  return run(uiText("Number of %1").arg(nameOf(ops)),
             QStringLiteral("canvas/operand/%1/%2").arg(port.op).arg(port.operand), ops,
             [&](const Sketch& sketch) { return fusebench::setNumber(sketch, port, number); });
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
                 [&](const Sketch& sketch) {
                   return renameValue(sketch, field.position, value.text.toStdString());
                 });
    case CanvasField::Kind::dims:
      return run(name, {}, ops, [&](const Sketch& sketch) {
        return setDims(sketch, op, value.dims,
                       sketch.program.ops[static_cast<std::size_t>(op)].keepDims);
      });
    case CanvasField::Kind::flag:
      return run(name, {}, ops, [&](const Sketch& sketch) {
        const Op& now = sketch.program.ops[static_cast<std::size_t>(op)];
        if (isKeepDims(now, field.position))
          return setDims(sketch, op, now.dims, value.number != 0);
        return setParameter(sketch, op, field.position, value.number);
      });
    default:
      return run(name, key, ops, [&](const Sketch& sketch) {
        return setParameter(sketch, op, field.position, value.number);
      });
  }
}

CanvasOutcome CanvasCommands::paste(const QString& text, Port port) {
  const CanvasOutcome joined = run(uiText("Paste"), {}, {}, [&](const Sketch& sketch) {
    return pasteText(sketch, text.toStdString(), port);
  });
  // A function whose lines cannot stand among the chain's is a program all the same.
  if (!joined.done() && isFunction(text) && sketch(text.toStdString()).problems.empty())
    return pasteAll(text);
  return joined;
}

CanvasOutcome CanvasCommands::pasteAll(const QString& text) {
  CanvasOutcome outcome;
  document_.setText(uiText("Paste a program"), {}, text.toStdString());
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
