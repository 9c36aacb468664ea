// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

#include "ui/theme/theme.h"

namespace fusebench {

/// Colors the words, texts, numbers and comments of SQL.
class SqlHighlighter : public QSyntaxHighlighter {
 public:
  using QSyntaxHighlighter::QSyntaxHighlighter;
  void setTheme(const Theme& theme);

 protected:
  void highlightBlock(const QString& text) override;

 private:
  QTextCharFormat word_, literal_, comment_;
};

}  // namespace fusebench
