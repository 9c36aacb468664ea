// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

#include "ui/models/code/op_completion.h"
#include "ui/theme/theme.h"

class QKeyEvent;

namespace fusebench {

class CodeEditor;

/// The list of functions that fit what is being typed, under the caret.
class CompletionPopup : public QListWidget {
  Q_OBJECT

 public:
  explicit CompletionPopup(CodeEditor& editor);
  void setTheme(const Theme& theme);
  /// Shows what fits before the caret, or hides. `asked`: also for a word not begun.
  void offer(bool asked);
  /// Whether a key of the editor was for the list.
  bool takes(QKeyEvent* event);

 private:
  void accept(int row);
  void place();

  CodeEditor& editor_;
  OpCompletions completions_;
};

}  // namespace fusebench
