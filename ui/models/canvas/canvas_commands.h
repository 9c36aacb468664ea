// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "ui/models/base/latest_task.h"
#include "ui/models/canvas/canvas_graph.h"
#include "ui/models/setup/document_model.h"

namespace fusebench {

/// The outcome of an edit.
struct CanvasOutcome {
  QString refusal;         ///< in words; empty: the edit was made
  std::vector<int> added;  ///< ops of the new program that are new
  std::vector<int> moved;  ///< where the ops that were edited are now
  int inputs = 0;          ///< by how many the number of ops in the program grew
  /// The edit takes more than a moment; CanvasCommands::finished delivers its outcome.
  bool later = false;
  bool done() const { return refusal.isEmpty() && !later; }
};

/// The edits of the canvas, each one named step of the document's history. Ops, values and ports
/// are those of the document's sketch. Nothing is thrown: a refused edit gives the reason.
class CanvasCommands {
 public:
  explicit CanvasCommands(DocumentModel& document);

  /// Applies the outcome of a delayed edit, which was made outside the window's thread or after
  /// other edits. It is refused if something else has changed the text since.
  std::function<void(const CanvasOutcome&)> finished;
  bool busy() const { return task_.busy() || !waiting_.empty(); }

  /// Waits for the edits before it, and for a program that is being read. Every other edit refers
  /// to ops of the displayed program and is refused in the meantime.
  CanvasOutcome append(const OpRow& row);
  CanvasOutcome insert(const OpRow& row, Port port);
  CanvasOutcome branch(const OpRow& row, ValueId value);
  CanvasOutcome replace(int op, const OpRow& row);
  CanvasOutcome remove(std::span<const int> ops);
  CanvasOutcome duplicate(std::span<const int> ops);
  CanvasOutcome move(std::span<const int> ops, Port port);
  CanvasOutcome connect(ValueId value, Port port);
  CanvasOutcome setNumber(Port port, double number);
  /// A field of op `op` (or of an input), already read and checked.
  CanvasOutcome setField(int op, const CanvasField& field, const FieldValue& value);
  CanvasOutcome paste(const QString& text, Port port);
  /// The whole program.
  CanvasOutcome pasteAll(const QString& text);
  CanvasOutcome removeProblemLines();
  QString copy(std::span<const int> ops, QString& refusal) const;

 private:
  /// An edit copies what it needs, because it may run in another thread.
  using Edit = std::function<SketchEdit(const Sketch&)>;
  /// The result of one.
  struct Made {
    SketchEdit edit;
    QString refusal;
    bool whole = false;  ///< the pasted text is a complete program
  };
  /// Where its result goes.
  struct Step {
    QString name, key;
    std::vector<int> edited;
    QString pasted;  ///< text that may become the whole program
  };
  CanvasOutcome run(const QString& name, const QString& key, std::span<const int> edited,
                    Edit edit) {
    return run(Step{name, key, {edited.begin(), edited.end()}, {}}, std::move(edit));
  }
  CanvasOutcome run(const Step& step, Edit edit);
  bool mustWait() const;
  CanvasOutcome wait(std::function<CanvasOutcome()> edit);
  void makeNext();
  void tell(const CanvasOutcome& outcome);
  void textChanged();
  CanvasOutcome take(const Step& step, const Made& made);
  CanvasOutcome apply(const Step& step, const Made& made);
  QString nameOf(std::span<const int> ops) const;

  DocumentModel& document_;
  std::deque<std::function<CanvasOutcome()>> waiting_;
  bool makingNext_ = false;  ///< the edit was waiting
  bool taking_ = false;      ///< an edit changes the text
  QObject receiver_;
  LatestTask task_{&receiver_};
};

}  // namespace fusebench
