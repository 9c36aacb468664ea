// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "ui/models/window/window_layout.h"
#include "ui/theme/theme.h"
#include "ui/views/window/view_rows.h"

class QLabel;
class QSplitter;

namespace fusebench {

class FocusRing;
class Panel;
class TabPanel;
class ViewGroups;

/// The views and their positions: the chain on the left, results in the middle, findings and setup
/// on the right. Remembers the sizes of the regions.
class Workbench : public QWidget {
  Q_OBJECT

 public:
  /// Creates every view that viewRows() lists.
  explicit Workbench(WindowModels& models, QWidget* parent = nullptr);
  /// Connects them to the rest of the window, and gives those that show figures `exportAction`.
  void link(WindowParts& parts, QAction* exportAction);

  /// The view, or the controls next to a view's tab, of this class.
  template <typename View>
  View& view() const {
    for (QWidget* widget : made_)
      if (auto* found = dynamic_cast<View*>(widget)) return *found;
    qFatal("the window has no such view");
  }

  void setTheme(const Theme& theme);
  /// Shows a view by its key ("chart", "setup", ...) and, on request, focuses it.
  void showView(const QString& key, bool focus = false);
  bool shows(const QString& key) const;
  /// Moves the focus to the next part of the window, or the previous one.
  void nextPart(bool backwards);
  /// Shown in the header of the middle; empty: nothing.
  void setNotice(const QString& notice, const QString& why);
  /// Whether a view of the middle has its own table now. While it is shown, the run's table is
  /// hidden.
  void setOwnTable(const QString& key, bool own);
  void savePlaces();

  /// The view that had the focus last, if it is still visible; otherwise the visible one of the
  /// results.
  QString currentView() const;
  /// The same among the views of results, wherever they are: exports are of this one.
  QString currentResult() const;
  /// The views that are not at home.
  ViewGroups& groups() const { return *groups_; }
  /// Moves the current view to the second group of tabs, right of the first or below it.
  void split(Qt::Orientation orientation);
  /// From one group to the other.
  void moveToOtherGroup();
  /// Moves the current view to a separate window; a view that has one is returned.
  void detachOrReturn();
  /// Saves the layout for the kind of file that was open, and restores the one that was last used
  /// for this kind.
  void setKind(FileKind kind);
  FileKind kind() const { return kind_; }
  WindowLayout layout() const;
  void takeLayout(const WindowLayout& layout);

  /// Regions that can be hidden. A region is shown again when one of its views is requested.
  enum class Region : std::uint8_t { left, right, table };
  void setHidden(Region region, bool hidden);
  /// By the user, or because there is not enough room.
  bool hidden(Region region) const { return chosenHidden(region) || folded(region); }
  /// Whether there is room for only one column next to the middle: then the other one is folded
  /// automatically.
  bool narrow() const { return narrow_; }
  /// The same for the table and the views above it.
  bool low() const { return low_; }
  /// Shows only the middle's tabs; off: the previous state.
  void setFocusMode(bool on);
  bool focusMode() const { return focusMode_; }

 signals:
  /// A part was hidden or shown again.
  void regionsChanged();
  /// Another view of the middle became visible.
  void middleChanged(const QString& key);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// A part of the window: tabs, or a panel with one view.
  struct Part {
    QWidget* widget = nullptr;  ///< that views in it are parts of
    TabPanel* tabs = nullptr;
    QString only;  ///< key of the only view in it
  };

  QSplitter* splitter(Qt::Orientation orientation, const char* name, QList<int> sizes,
                      QWidget* parent);
  TabPanel* addTabs(ViewPlace place, const QString& accessibleName, const char* name,
                    QWidget* parent);
  Panel* addPanel(ViewPlace place, QWidget* parent);
  QWidget* make(const ViewRow& row, QWidget* parent);
  Part& part(ViewPlace place) { return parts_[static_cast<std::size_t>(place)]; }
  const ViewRow* rowOf(const QString& key) const;
  const Part* partOf(const QString& key) const;

  WindowModels& models_;
  void saveLayout();
  void openTabMenu(const QString& key, QPoint place);
  void follow(QWidget* focused);
  void noteCurrent(const QString& key);

  std::vector<QSplitter*> splitters_;
  QSplitter* room_ = nullptr;  ///< around the results and the second group
  ViewGroups* groups_ = nullptr;
  FileKind kind_ = FileKind::experiment;
  QString current_, result_;  ///< keys of the views that had the keyboard last
  std::array<Part, kViewPlaces> parts_;
  Panel *chain_ = nullptr, *table_ = nullptr;  ///< around the views that have a part each
  std::vector<std::pair<const ViewRow*, QWidget*>> views_;
  std::vector<QWidget*> made_;  ///< views, and the controls next to their tabs
  void applyRegions();
  bool ownTable() const;
  void bringBack(const QString& key);

  bool chosenHidden(Region region) const { return hidden_[static_cast<std::size_t>(region)]; }
  bool folded(Region region) const {
    return region == Region::table ? low_ && !tableInFront_ : narrow_ && aside_ != region;
  }

  std::array<bool, 3> hidden_{};
  std::optional<Region> aside_ = Region::right;  ///< the column that is there in a narrow window
  bool tableInFront_ = false;                    ///< in a low window
  bool narrow_ = false, low_ = false;
  std::set<QString> ownTables_;  ///< keys of views of the middle
  bool focusMode_ = false;
  QWidget *left_ = nullptr, *right_ = nullptr;
  class QToolButton* focus_ = nullptr;
  QLabel* notice_ = nullptr;
  FocusRing* ring_ = nullptr;
};

}  // namespace fusebench
