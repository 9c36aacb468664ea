// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <QSyntaxHighlighter>
#include <vector>

#include "ui/theme/theme.h"

namespace fusebench {

/// Colours of the languages that kernels are shown in.
class ListingHighlighter : public QSyntaxHighlighter {
  Q_OBJECT

 public:
  explicit ListingHighlighter(QTextDocument* document);
  void setTheme(const Theme& theme);
  void setLanguage(const QString& language);

 protected:
  void highlightBlock(const QString& text) override;

 private:
  const Theme* theme_ = &darkTheme();
  QString language_;
};

/// Text of generated code, read only: line numbers, beside them the statement that a line stands
/// for, and the lines of the marked ops tinted.
class ListingEdit : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ListingEdit(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);

  /// `lineOps`: per line its op, -1: none; `statements`: per line what the strip says, or empty.
  void setListing(const QString& text, const QString& language, std::vector<int> lineOps,
                  QStringList statements);
  /// Opens at this line (from 0), a few lines above it still in view.
  void startAt(int line);
  const std::vector<int>& lineOps() const { return lineOps_; }
  /// Tints the lines of these ops; with `reveal`, brings the first into view if none is.
  void markOps(const std::vector<int>& ops, bool reveal);
  const std::vector<int>& marked() const { return marked_; }
  std::vector<int> markedLines() const;  ///< from 0
  /// Of the line of the cursor; -1: none.
  int opAtCursor() const;
  /// Per line whether the text beside has none like it; empty: there is none beside.
  void setDiffering(std::vector<bool> differing);
  const std::vector<bool>& differing() const { return differing_; }
  /// Tinted spots: what was searched for.
  void setFound(const QList<QTextCursor>& found);
  int gutterWidth() const;

 signals:
  /// The cursor came to a line of another op (-1: of none).
  void opReached(int op);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void paintGutter(QPaintEvent* event);
  void placeGutter();
  void tint();
  bool isMarked(int line) const;

  const Theme* theme_ = &darkTheme();
  ListingHighlighter* highlighter_;
  QWidget* gutter_;
  std::vector<int> lineOps_;
  QStringList statements_;
  std::vector<int> colors_;  ///< per line the number of its statement; -1: none
  std::vector<int> marked_;
  QList<QTextCursor> found_;
  std::vector<bool> differing_;
  int reached_ = -1;
  bool setting_ = false;
};

}  // namespace fusebench
