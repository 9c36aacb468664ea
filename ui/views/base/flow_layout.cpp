// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/flow_layout.h"

#include <algorithm>

namespace fusebench {

FlowLayout::FlowLayout(QWidget* parent, int gap) : QLayout(parent), gap_(gap) {}

FlowLayout::~FlowLayout() {
  for (QLayoutItem* item : items_) delete item;
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  QLayoutItem* item = itemAt(index);
  if (item) items_.erase(items_.begin() + index);
  return item;
}

int FlowLayout::heightForWidth(int width) const {
  return arrange({0, 0, width, 0}, false);
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : items_) size = size.expandedTo(item->minimumSize());
  const QMargins margins = contentsMargins();
  return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool place) const {
  const QMargins margins = contentsMargins();
  const QRect inner = rect.marginsRemoved(margins);
  struct Placed {
    QLayoutItem* item;
    QRect at;
  };
  std::vector<Placed> row;
  int x = inner.left(), y = inner.top(), rowHeight = 0;
  bool one = true;  // all are in the first row
  const auto endRow = [&](bool last) {
    const int spare = inner.left() + inner.width() + gap_ - x;
    for (std::size_t i = 0; place && i < row.size(); ++i) {
      const int aside = apart_ && one && last && i > 0 ? std::max(0, spare) : 0;
      const int down = (rowHeight - row[i].at.height()) / 2;
      row[i].item->setGeometry(row[i].at.translated(aside, down));
    }
    row.clear();
  };
  for (QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    QSize size = item->sizeHint();
    size.setWidth(std::min(size.width(), std::max(1, inner.width())));
    if (x > inner.left() && x + size.width() > inner.left() + inner.width()) {
      endRow(false);
      one = false;
      x = inner.left();
      y += rowHeight + gap_ / 2;
      rowHeight = 0;
    }
    row.push_back({item, {{x, y}, size}});
    x += size.width() + gap_;
    rowHeight = std::max(rowHeight, size.height());
  }
  endRow(true);
  return y + rowHeight + margins.bottom() - rect.top();
}

}  // namespace fusebench
