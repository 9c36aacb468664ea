// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <set>
#include <vector>

#include "engine/language/program.h"
#include "ui/theme/theme.h"

namespace fusebench {

class CodeGutter;
class CodeHighlighter;
class CompletionPopup;

/// A mark in the text: what is wrong, and where.
struct CodeMark {
  int line = 1;    ///< from 1
  int column = 1;  ///< in bytes, from 1
  QString text;    ///< in words
};

/// The program's text with line numbers, syntax colors, marks and completion. It has no history of
/// its own and signals undo and redo instead.
class CodeEditor : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit CodeEditor(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  void setMarks(std::vector<CodeMark> marks);
  const std::vector<CodeMark>& marks() const { return marks_; }
  /// Lines that are tinted, from 1.
  void setTinted(const std::set<int>& lines);
  const std::set<int>& tinted() const { return tinted_; }
  /// Per line the number of its statement, which has a color as in the generated code; -1: none.
  /// Empty: no colors.
  void setStatements(std::vector<int> statements);
  const std::vector<int>& statements() const { return statements_; }
  /// Replaces what differs and leaves the caret where it was. Signals nothing.
  void showText(const QString& text);
  void goTo(int line, int column);
  int caretLine() const { return textCursor().blockNumber() + 1; }
  CompletionPopup& completion() { return *completion_; }

 signals:
  void typed();
  void undoAsked();
  void redoAsked();
  void newProgramPasted(const QString& text);
  void left();  ///< the focus has gone elsewhere

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void insertFromMimeData(const QMimeData* source) override;
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  friend class CodeGutter;
  void paintGutter(QPaintEvent* event);
  void placeGutter();
  void refreshSelections();
  QTextEdit::ExtraSelection squiggle(const CodeMark& mark) const;
  void startLine();
  const CodeMark* markAt(int line) const;
  void pasteAsProgram();

  const Theme* theme_ = &darkTheme();
  std::vector<CodeMark> marks_;
  std::set<int> tinted_;
  std::vector<int> statements_;
  CodeGutter* gutter_;
  CodeHighlighter* highlighter_;
  CompletionPopup* completion_;
  bool showing_ = false;
};

}  // namespace fusebench
