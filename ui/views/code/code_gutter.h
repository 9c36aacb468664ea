// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/base/ui_text.h"
#include "ui/views/code/code_editor.h"

namespace fusebench {

/// The strip left of the text, with line numbers and dots at lines that have a problem.
class CodeGutter : public QWidget {
 public:
  explicit CodeGutter(CodeEditor& editor) : QWidget(&editor), editor_(editor) {
    setAccessibleName(uiText("Line numbers"));
  }
  int wantedWidth(int lines) const {
    const auto digits = std::max<qsizetype>(2, QString::number(lines).size());
    return 32 + static_cast<int>(digits) * QFontMetrics(monoFont(0.88)).horizontalAdvance(u'0');
  }

 protected:
  void paintEvent(QPaintEvent* event) override { editor_.paintGutter(event); }

 private:
  CodeEditor& editor_;
};

}  // namespace fusebench
