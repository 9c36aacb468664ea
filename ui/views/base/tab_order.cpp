// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/tab_order.h"

#include <QAbstractScrollArea>
#include <QScrollArea>
#include <QWidget>
#include <algorithm>

namespace fusebench {
namespace {

bool takesTab(const QWidget& widget) {
  return widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) && !widget.focusProxy();
}

/// The children in rows: what begins above the middle of a row's first belongs to the row.
std::vector<QWidget*> asRead(const QWidget& parent) {
  std::vector<QWidget*> children;
  for (QObject* child : parent.children())
    if (auto* widget = qobject_cast<QWidget*>(child);
        widget && !widget->isWindow() && !widget->isHidden() && !widget->size().isEmpty())
      children.push_back(widget);
  std::ranges::stable_sort(children, {}, [](const QWidget* widget) { return widget->y(); });
  for (auto row = children.begin(); row != children.end();) {
    const int middle = (*row)->geometry().center().y();
    const auto end = std::find_if(row, children.end(),
                                  [&](const QWidget* widget) { return widget->y() > middle; });
    std::stable_sort(row, end, [](const QWidget* a, const QWidget* b) { return a->x() < b->x(); });
    row = end;
  }
  return children;
}

void collect(QWidget& widget, std::vector<QWidget*>& order) {
  // A chart's controls are read before the chart, a list before what is edited in it.
  const bool takes = takesTab(widget);
  const bool first = qobject_cast<const QAbstractScrollArea*>(&widget) != nullptr;
  if (takes && first) order.push_back(&widget);
  for (QWidget* child : asRead(widget)) collect(*child, order);
  if (takes && !first) order.push_back(&widget);
}

}  // namespace

std::vector<QWidget*> tabOrder(QWidget& window) {
  std::vector<QWidget*> order;
  for (QWidget* child : asRead(window)) collect(*child, order);
  return order;
}

bool followTabOrder(QWidget& window, bool next) {
  const std::vector<QWidget*> order = tabOrder(window);
  if (order.empty()) return false;
  auto at = order.end();
  for (QWidget* widget = window.focusWidget(); widget && at == order.end();
       widget = widget->parentWidget())
    at = std::ranges::find(order, widget);
  const std::size_t count = order.size();
  const auto now = static_cast<std::size_t>(at - order.begin());
  const std::size_t to =
      at == order.end() ? (next ? 0 : count - 1) : (now + (next ? 1 : count - 1)) % count;
  order[to]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  for (QWidget* around = order[to]->parentWidget(); around; around = around->parentWidget())
    if (auto* area = qobject_cast<QScrollArea*>(around)) area->ensureWidgetVisible(order[to]);
  return true;
}

}  // namespace fusebench
