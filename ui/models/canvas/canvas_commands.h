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
  QString refusal;         ///< in words; empty: done
  std::vector<int> added;  ///< ops of the new program that were not there
  std::vector<int> moved;  ///< where the ops that were edited are now
  int inputs = 0;          ///< how many the program has more
  /// The edit takes more than a moment; its outcome comes to CanvasCommands::finished.
  bool later = false;
  bool done() const { return refusal.isEmpty() && !later; }
};

/// The edits of the canvas, each one named step of the document's history. Ops,
/// values and ports are those of the document's sketch. Nothing is thrown: a
/// refused edit says why.
class CanvasCommands {
 public:
  explicit CanvasCommands(DocumentModel& document);

  /// Takes the outcome of an edit that comes later: made outside the window's thread, or after
  /// those before it. One whose text something else changes meanwhile is refused.
  std::function<void(const CanvasOutcome&)> finished;
  bool busy() const { return task_.busy() || !waiting_.empty(); }

  /// Waits for the edits before it, and for a program that is being read. Every other edit names
  /// ops of the program that is shown, and is refused meanwhile.
  CanvasOutcome append(const OpRow& row);
  CanvasOutcome insert(const OpRow& row, Port port);
  CanvasOutcome branch(const OpRow& row, ValueId value);
  CanvasOutcome replace(int op, const OpRow& row);
  CanvasOutcome remove(std::span<const int> ops);
  CanvasOutcome duplicate(std::span<const int> ops);
  CanvasOutcome move(std::span<const int> ops, Port port);
  CanvasOutcome connect(ValueId value, Port port);
  CanvasOutcome setNumber(Port port, double number);
  /// A field of op `op` (or of an input), read and checked already.
  CanvasOutcome setField(int op, const CanvasField& field, const FieldValue& value);
  CanvasOutcome paste(const QString& text, Port port);
  /// The whole program.
  CanvasOutcome pasteAll(const QString& text);
  CanvasOutcome removeProblemLines();
  QString copy(std::span<const int> ops, QString& refusal) const;

 private:
  /// An edit takes copies of what it needs: it may be made in another thread.
  using Edit = std::function<SketchEdit(const Sketch&)>;
  /// The result of one.
  struct Made {
    SketchEdit edit;
    QString refusal;
    bool whole = false;  ///< what was pasted is a program by itself
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
