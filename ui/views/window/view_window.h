// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/theme/theme.h"
#include "ui/views/base/tab_panel.h"

namespace fusebench {

class FocusRing;

/// One view in a separate window, for example on a second screen. Closing it returns the view.
class ViewWindow : public QWidget {
  Q_OBJECT

 public:
  /// `owner`: the widget that the view belongs to, whose window's shortcuts also work here.
  ViewWindow(TabPanel::Page page, QWidget& owner, const Theme& theme);
  void setTheme(const Theme& theme);
  const QString& key() const { return page_.key; }
  QWidget& view() const { return *page_.view; }
  /// Removes the view; after that the window cannot be used.
  TabPanel::Page release();

 signals:
  void closed();

 protected:
  void closeEvent(QCloseEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  TabPanel::Page page_;
  QWidget* bar_ = nullptr;  ///< around the controls of the view; null: it has none
  FocusRing* ring_;
};

}  // namespace fusebench
