// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSyntaxHighlighter>

#include "ui/models/code/code_spans.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// Applies syntax colors to a program's text.
class CodeHighlighter : public QSyntaxHighlighter {
 public:
  explicit CodeHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {}
  void setTheme(const Theme& theme) {
    theme_ = &theme;
    rehighlight();
  }

 protected:
  void highlightBlock(const QString& line) override {
    for (const CodeSpan& span : codeSpans(line))
      setFormat(span.begin, span.length, format(span.kind));
  }

 private:
  QTextCharFormat format(CodeSpan::Kind kind) const {
    QTextCharFormat format;
    switch (kind) {
      case CodeSpan::Kind::keyword:
        format.setForeground(theme_->seriesColors[3]);
        format.setFontWeight(QFont::DemiBold);
        break;
      case CodeSpan::Kind::library:
        format.setForeground(theme_->accent);
        break;
      case CodeSpan::Kind::number:
        format.setForeground(theme_->seriesColors[2]);
        break;
      case CodeSpan::Kind::text:
        format.setForeground(theme_->warning);
        break;
      case CodeSpan::Kind::comment:
        format.setForeground(theme_->muted);
        format.setFontItalic(true);
        break;
    }
    return format;
  }

  const Theme* theme_ = &darkTheme();
};

}  // namespace fusebench
