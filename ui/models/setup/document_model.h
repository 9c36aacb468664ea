// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/edit/sketch.h"
#include "engine/language/input_shapes.h"
#include "profiler/experiment/experiment.h"
#include "ui/models/base/latest_task.h"
#include "ui/models/setup/document_problems.h"
#include "ui/models/setup/document_reading.h"
#include "ui/models/setup/document_tensors.h"

namespace fusebench {

/// The experiment that is being edited, valid or not, and every state that it was in. All edits, of
/// the canvas, the code and the settings, go through here, so undo covers everything.
///
/// A text that takes more than a moment to read is read outside the window's thread. Until then
/// reading() is true, experiment() has the new text, sketch() is still of the text before, and
/// nothing can be run.
class DocumentModel : public QObject {
  Q_OBJECT

 public:
  explicit DocumentModel(QObject* parent = nullptr);

  /// As edited. `program` is that of the text if it is valid, otherwise that of the last valid
  /// text.
  const Experiment& experiment() const { return now().experiment; }
  const Sketch& sketch() const { return *sketch_; }
  /// For other threads: a snapshot that later edits do not change.
  std::shared_ptr<const Sketch> sharedSketch() const { return sketch_; }
  bool reading() const { return task_.busy() || pasting_.busy(); }
  /// Whether every edit has been made and read, so that sketch() includes all of them.
  bool isSettled() const { return !reading() && !editing_; }
  /// Whether an edit is being made that will change the text.
  void setEditing(bool editing);
  /// Whether reading it, or changing one op, takes at most a moment.
  bool isSmall() const { return requestFor(now(), {}).isSmall(); }
  /// Types of the sketch's values for entry 0 of the input set of `variant`, at the axes' first
  /// values; nothing where they are not known.
  std::vector<std::optional<ValueType>> types(int variant) const;
  /// Shapes and types of the sketch's values for the inputs of the first variant, if known.
  KnownValues known() const;
  /// The memory layout of the sketch's values for the inputs of variant number `variant`.
  std::vector<std::optional<TensorLayout>> layouts(int variant) const;
  const std::vector<Problem>& problems() const { return problems_; }
  bool runnable() const { return problems_.empty(); }

  /// Shows another experiment; forgets the history. `path`: its file, or empty.
  void load(Experiment experiment, const QString& path);
  /// A new one: input x (8, 16), an empty chain that returns x.sum(), the three executors.
  static Experiment blank();
  const QString& path() const { return path_; }
  bool modified() const { return position_ != savedPosition_; }
  void markSaved(const QString& path);
  /// The current location of the experiment's file of weights, in every state that undo can return
  /// to.
  void setWeights(const std::string& file, const std::string& folder);
  /// The shown state is not in a file, for example because it was recovered: modified until it is
  /// saved.
  void markUnsaved();

  /// Changes settings. `name` is shown in the menu ("Rename variant"). Consecutive edits with the
  /// same non-empty `key` are one step. Nothing happens if nothing changes.
  void edit(const QString& name, const QString& key,
            const std::function<void(Experiment&)>& change);
  /// A new program text, typed or made by an edit of the graph. New inputs get a tensor in every
  /// input set; removed ones lose theirs (it is restored with the name). A statements axis that
  /// ended at the program's length follows it.
  void setText(const QString& name, const QString& key, const std::string& text);
  /// A program that is pasted in place of the current one: its inputs get the shapes with which the
  /// text calls it, or matching ones. pasted() lists what was chosen.
  void paste(const QString& name, const std::string& text);
  /// Inputs that the edit adds get matching tensors.
  void apply(const QString& name, const SketchEdit& edit);
  /// Chooses which of several programs canvas and code show.
  void chooseProgram(const std::string& name);
  /// Ends a sequence of merged edits.
  void endMerge() { mergeKey_.clear(); }

  bool canUndo() const { return position_ > 0; }
  bool canRedo() const { return position_ + 1 < states_.size(); }
  QString undoName() const;  ///< name of the step that undo() reverts
  QString redoName() const;
  void undo();
  void redo();

  /// For each op of the sketch before the last change, its current index; -1: removed.
  const std::vector<int>& opsNow() const { return opsNow_; }

 signals:
  void pasted(const QStringList&
                  notes);  ///< the parts of the text that were left out, and the inputs' shapes
  void loaded();           ///< a different experiment; the other signals follow
  void textChanged();      ///< the text; the sketch may follow later
  void programChanged();   ///< the sketch
  void changed();          ///< anything, problems included
  void historyChanged();   ///< undo, redo, modified
  void becameSettled();    ///< isSettled() again, after everything above

 private:
  struct State {
    QString name;           ///< name of the step that led here
    Experiment experiment;  ///< `program` is left out in states with a valid text, except in now()
    std::vector<ParkedTensor> parked;
    std::vector<int> opsNow;  ///< for each op of the previous state, its index in this one
    /// Its inputs and axes still have to be adapted to its text, which has not been read yet.
    bool follows = false;
    std::optional<std::size_t> lengthBefore;
  };
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  const State& now() const { return states_[position_]; }
  State& nowState() { return states_[position_]; }
  void enter(const QString& key, State next, std::optional<std::vector<int>> opsNow);
  void push(const QString& key, State next);
  bool mergeInto(const QString& key, State& next);
  void moveTo(std::size_t position, std::vector<int> opsNow);
  ReadingRequest requestFor(const State& state, std::optional<std::vector<int>> opsNow,
                            bool anew = false) const;
  static void complete(State& state, DocumentReading& reading);
  void read(ReadingRequest request);
  void readLater(ReadingRequest request);
  void settle(DocumentReading reading);
  void tellOfText();
  struct Pasted {
    PastedProgram program;
    std::size_t statements = 0;
  };
  void takePasted(const QString& name, const std::string& text,
                  const std::optional<Pasted>& pasted);

  std::vector<State> states_;
  std::size_t position_ = 0;
  std::size_t savedPosition_ = 0;
  QString mergeKey_;
  QString path_;
  std::shared_ptr<const Sketch> sketch_;  ///< shows the text that was read last
  std::optional<std::string> toldText_;   ///< the text that textChanged() reported
  std::map<std::string, std::vector<std::optional<ValueType>>> types_;
  std::map<std::string, std::vector<std::optional<TensorLayout>>> layouts_;
  std::vector<int> opsNow_;
  std::vector<Problem> problems_;
  bool editing_ = false;
  LatestTask task_{this};
  LatestTask pasting_{this};
};

}  // namespace fusebench
