// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <string>
#include <vector>

#include "ui/models/base/latest_task.h"
#include "ui/models/setup/document_model.h"
#include "ui/theme/theme.h"

namespace fusebench {

class CodeEditor;
class CodeProblems;

/// The program of the document as PyTorch text, both ways: what is typed becomes the document's
/// program after a short pause, and what changes it elsewhere shows here.
class CodePane : public QWidget {
  Q_OBJECT

 public:
  explicit CodePane(DocumentModel& document, QWidget* parent = nullptr);
  ~CodePane() override;
  void setTheme(const Theme& theme);
  /// A color per statement left of the text, as in the generated code.
  void colorStatements(bool colored);
  CodeEditor& editor() const { return *editor_; }
  CodeProblems& problems() const { return *problems_; }
  /// Puts what is typed into the document now, as before saving or running.
  void commit();

 public slots:
  /// Tints the lines of these ops, as picked elsewhere.
  void markOps(std::vector<int> ops);
  /// Shows a place of the text and puts the caret there.
  void goTo(int line, int column);
  void pasteAsNewProgram();

 signals:
  /// The ops of the statement that the caret is in; none where it is in no statement.
  void opsPicked(std::vector<int> ops);

 private:
  /// The text without the lines that are not understood, or why there is none.
  struct Removal {
    SketchEdit edit;
    std::string refusal;
  };

  void typed();
  void showProgram();
  void showProblems();
  void showStatements();
  void caretMoved();
  void removeUnknown();
  void take(const Removal& removal);
  void replaceAll(const QString& text);

  DocumentModel& document_;
  CodeEditor* editor_;
  CodeProblems* problems_;
  QTimer pause_;      ///< until what is typed is read
  QTimer endOfStep_;  ///< until what is typed next is another step
  bool committing_ = false;
  bool colored_ = false;
  std::vector<int> picked_;
  LatestTask task_{this};
};

}  // namespace fusebench
