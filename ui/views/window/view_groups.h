// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <map>
#include <vector>

#include "ui/models/window/window_layout.h"
#include "ui/theme/theme.h"
#include "ui/views/base/tab_panel.h"

class QSplitter;

namespace fusebench {

class DropHint;
class Panel;
class ViewWindow;
struct DropPlaces;

/// The views that are not at home but in a second group of tabs right of the results or below
/// them, or in windows of their own. A view comes home by itself when its window is closed.
class ViewGroups : public QObject {
  Q_OBJECT

 public:
  /// `room`: has the results' tabs, and gets the second group.
  ViewGroups(QSplitter& room, QWidget& owner);
  /// Tabs, or a panel with one view, that views leave and come back to.
  void addHome(TabPanel& tabs);
  void addHome(Panel& panel, const QString& key, const QString& title, QWidget* view);

  enum class Spot : std::uint8_t { home, beside, window };
  Spot spotOf(const QString& key) const;
  /// False for the last tab of its group: it would leave an empty one.
  bool mayLeave(const QString& key) const;
  /// Moves a view to the second group, and that to the right of the results or below them.
  void putBeside(const QString& key, Qt::Orientation orientation);
  void detach(const QString& key, const QByteArray& geometry = {});
  void putHome(const QString& key);
  void putAllHome();

  /// Null before anything was there.
  TabPanel* beside() const { return beside_; }
  bool besideShown() const { return beside_ && beside_->count() > 0; }
  ViewWindow* windowOf(const QString& key) const;
  /// Shows a view that is not at home; false if it is at home.
  bool showView(const QString& key, bool focus);
  /// Whether it is in sight there.
  bool shows(const QString& key) const;
  Qt::Orientation orientation() const { return orientation_; }
  /// A narrow window has no room for two groups next to each other.
  void setNarrow(bool narrow);
  void setTheme(const Theme& theme);

  void save(WindowLayout& layout) const;
  void restore(const WindowLayout& layout);

 signals:
  /// Views have moved.
  void moved();
  /// Another view of the second group is in sight.
  void shownChanged(const QString& key);
  /// A tab of it was clicked with the right button.
  void menuWanted(const QString& key, QPoint place);
  /// A view was moved by dragging its tab: it is to be shown where it is now.
  void dropped(const QString& key);

 private:
  struct Home {
    TabPanel* tabs = nullptr;
    Panel* panel = nullptr;  ///< for this view alone
    QString key, title;
    QWidget* view = nullptr;
    QStringList order;  ///< the tabs as they were made
  };
  const Home* homeOf(const QString& key) const;
  TabPanel::Page take(const QString& key);
  void makeBeside();
  void turn();
  void followDrags(TabPanel& tabs);
  DropPlaces placesFor(const QString& key) const;
  void drag(const QString& key, QPoint screen);
  void drop(const QString& key, QPoint screen);

  QSplitter& room_;
  QWidget& owner_;
  std::vector<Home> homes_;
  TabPanel* beside_ = nullptr;
  DropHint* hint_ = nullptr;  ///< null before a tab was dragged
  std::map<QString, ViewWindow*> windows_;
  Qt::Orientation orientation_ = Qt::Horizontal;
  bool narrow_ = false;
  const Theme* theme_ = &darkTheme();
};

}  // namespace fusebench
