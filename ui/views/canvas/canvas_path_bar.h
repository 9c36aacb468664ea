// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/theme/theme.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace fusebench {

/// Above the graph of a large program: the path to the current op, which can be folded, and a
/// search.
class CanvasPathBar : public QWidget {
  Q_OBJECT

 public:
  explicit CanvasPathBar(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// The frames around the current op, the outermost first.
  void setPath(const QStringList& titles);
  /// The number of nodes that match the search, and which of them is shown, from 1; 0: none yet.
  void setFound(int count, int shown);
  QString searched() const;
  void startSearching();

  const std::vector<QToolButton*>& crumbs() const { return crumbs_; }
  QLineEdit& search() { return *search_; }
  QLabel& found() { return *found_; }

 signals:
  /// A part of the path was chosen: -1 is the whole model, else a number in the titles.
  void crumbChosen(int number);
  void searchChanged(const QString& text);
  void nextWanted(bool backwards);
  void left();  ///< Escape

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// Shortens a long path by leaving out parts after its first one.
  void fitPath();
  QToolButton* crumb(const QString& text, int number);

  const Theme* theme_ = &darkTheme();
  QWidget* path_;
  QHBoxLayout* pathLayout_;
  std::vector<QToolButton*> crumbs_;
  std::vector<QLabel*> marks_;  ///< between them
  QLabel* leftOut_ = nullptr;   ///< after the first one, if others are left out
  QLineEdit* search_;
  QLabel* found_;
};

}  // namespace fusebench
