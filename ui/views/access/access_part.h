// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>
#include <QRect>
#include <QString>
#include <functional>
#include <vector>

class QWidget;

namespace fusebench {

/// One element that a widget draws by itself, in a form for screen readers: a curve, a node, an
/// event of a trace.
struct AccessPart {
  QAccessible::Role role = QAccessible::ListItem;
  QString name;
  QString value;         ///< what it measures; may be empty
  QString description;   ///< the rest; may be empty
  QRect place;           ///< within the widget; empty: not drawn now
  bool current = false;  ///< it has the keyboard focus
  bool selected = false;
  std::vector<int> from, to;    ///< parts that it reads, and parts that read it
  std::function<void()> press;  ///< what a click on it does; empty: nothing
};
using AccessParts = std::vector<AccessPart>;

/// With more parts, a screen reader would take minutes to go through them, and the program to list
/// them. A last part counts the others.
inline constexpr std::size_t kMostAccessParts = 400;
/// Removes excess parts, and adds one that counts them.
void boundParts(AccessParts& parts, std::size_t all);

}  // namespace fusebench
