// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <QSyntaxHighlighter>
#include <memory>
#include <vector>

#include "ui/theme/theme.h"

class QMenu;

namespace fusebench {

/// Syntax colors for the languages in which kernels are shown.
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

class ListingEdit;

/// The strip left of a listing.
class ListingGutter : public QWidget {
 public:
  explicit ListingGutter(ListingEdit& listing);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  ListingEdit& listing_;
};

/// Text of generated code, read-only, with line numbers, the statement that each line belongs to,
/// and the lines of the marked ops tinted.
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
  /// Tints the lines of these ops; with `reveal`, scrolls to the first if none is visible.
  void markOps(const std::vector<int>& ops, bool reveal);
  const std::vector<int>& marked() const { return marked_; }
  std::vector<int> markedLines() const;  ///< from 0
  void copyAll() const;
  /// Copy, select, and the whole text: to the clipboard, to a file.
  std::unique_ptr<QMenu> menu();
  /// Op of the line that the cursor is on; -1: none.
  int opAtCursor() const;
  /// Per line, whether the other variant's text has no equal line; empty if there is no other text.
  void setDiffering(std::vector<bool> differing);
  const std::vector<bool>& differing() const { return differing_; }
  const std::vector<int>& statements() const { return colors_; }
  /// Tinted spots: what was searched for.
  void setFound(const QList<QTextCursor>& found);
  int gutterWidth() const;

 signals:
  /// The cursor moved to a line of another op; -1: to a line without one.
  void opReached(int op);
  /// The menu's "Save as…".
  void saveWanted();

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  friend class ListingGutter;
  void paintGutter(QPaintEvent* event);
  void placeGutter();
  void tint();
  bool isMarked(int line) const;

  const Theme* theme_ = &darkTheme();
  ListingHighlighter* highlighter_;
  ListingGutter* gutter_;
  std::vector<int> lineOps_;
  QStringList statements_;
  std::vector<int> colors_;  ///< per line the number of its statement; 0: the return; -1: none
  std::vector<int> marked_;
  QList<QTextCursor> found_;
  std::vector<bool> differing_;
  int reached_ = -1;
  bool setting_ = false;
};

}  // namespace fusebench
