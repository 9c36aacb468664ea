// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>
#include <vector>

class QHBoxLayout;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace fusebench {

/// Several views that share a place, one shown at a time. The header has the tabs and the controls
/// of the shown view. If not all tabs fit, it also has a menu of the views.
class TabPanel : public QFrame {
  Q_OBJECT

 public:
  explicit TabPanel(const QString& accessibleName, QWidget* parent = nullptr);

  /// Parents of what is added: a view made with another one takes its style a second time here.
  QWidget* pages() const;
  QWidget* header() const;
  /// Adds a view; `key` names it in settings. `controls` (may be null) are in the header while the
  /// view is shown.
  void add(const QString& key, const QString& title, QWidget* view, QWidget* controls = nullptr);
  /// A widget in the header, whichever view is shown.
  void addToHeader(QWidget* widget);
  /// A line between the header and the view, whichever is shown.
  void addBelowHeader(QWidget* widget);
  void setTitle(const QString& key, const QString& title);
  /// Shows a view; one that is not here is ignored.
  void showView(const QString& key);
  /// Shows it and gives it the keyboard.
  void focusView(const QString& key);
  QString shown() const;
  bool has(const QString& key) const { return indexOf(key) >= 0; }
  QStringList keys() const;
  int count() const { return static_cast<int>(pages_.size()); }

  /// A view with its tab.
  struct Page {
    QString key, title;
    QWidget* view = nullptr;
    QWidget* controls = nullptr;
  };
  /// Takes a view out, for another place: it has this panel as its parent until it is put there.
  Page take(const QString& key);
  /// Adds such a view as the tab number `index`.
  void put(Page page, int index);

 signals:
  void shownChanged(const QString& key);
  /// A tab was clicked with the right button, or its menu asked for by the keyboard.
  void menuWanted(const QString& key, QPoint place);
  /// A tab is dragged with the mouse, and dropped; `place` is on the screen.
  void dragMoved(const QString& key, QPoint place);
  void dropped(const QString& key, QPoint place);
  void dragCanceled();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  int indexOf(const QString& key) const;
  void turnTo(int index);
  void fillMore();
  void fitTabs();
  void fitLater();
  void chooseTabs(int room);

  std::vector<Page> pages_;
  bool fitting_ = false;  ///< fitTabs is about to be called
  QTabBar* tabs_;
  QToolButton* more_;
  QHBoxLayout* header_;
  QStackedWidget* stack_;
};

}  // namespace fusebench
