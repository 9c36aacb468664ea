// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QRect>
#include <cstdint>

namespace fusebench {

/// The result of dropping a tab at a place.
struct TabDrop {
  enum class To : std::uint8_t { nothing, right, below, otherGroup, home, window };
  To to = To::nothing;
  QRect place;  ///< that the view would take, in the workbench; empty: outside of it

  QString words() const;
  friend bool operator==(const TabDrop&, const TabDrop&) = default;
};

/// The parts of the workbench that a tab can be dropped on, in the workbench.
struct DropPlaces {
  QRect window;  ///< all of it, with the window's frame
  QRect room;    ///< the results' tabs and the second group
  QRect second;  ///< the second group; empty: there is none
  QRect home;    ///< where the view came from
  bool away = false, inSecond = false, inWindow = false;  ///< where it is now
  bool homeIsRoom = false;                                ///< it comes from the results' tabs
  bool narrow = false;  ///< two groups have no room next to each other
};

/// In the outer third of the results, a view goes right of them or below them; outside of the
/// window, it gets one of its own.
TabDrop dropAt(const DropPlaces& places, QPoint at);

/// Shows the result of a drop while a tab is dragged: the outline of its place, with words.
class DropHint : public QLabel {
  Q_OBJECT

 public:
  explicit DropHint(QWidget& workbench);
  /// `at`: where the pointer is, in the workbench.
  void show(const TabDrop& drop, QPoint at);
};

}  // namespace fusebench
