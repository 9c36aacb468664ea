// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;

namespace fusebench {

/// A titled part of the window: a header line with space for controls, and the content below it.
class Panel : public QFrame {
  Q_OBJECT

 public:
  explicit Panel(const QString& title, QWidget* parent = nullptr);
  /// Created with this panel as its parent, because reparenting whole parts of the window, with
  /// their style, is what takes time at the start.
  void setContent(QWidget* content);
  void setTitle(const QString& title);
  /// Puts a control at the right end of the header.
  void addControl(QWidget* control);
  QWidget* header() const { return header_; }

 private:
  QFrame* header_;
  QHBoxLayout* controls_;
  QLabel* title_;
};

}  // namespace fusebench
