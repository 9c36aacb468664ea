// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/layout_words.h"

#include <QStringList>
#include <algorithm>
#include <functional>
#include <numeric>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

QString listed(const std::vector<std::int64_t>& numbers) {
  QStringList words;
  for (const std::int64_t number : numbers) words << QString::number(number);
  if (words.size() == 1) words.front() += u',';
  return u'(' + words.join(QStringLiteral(", ")) + u')';
}

/// Whether the elements are contiguous with the dimensions in this order, slowest first.
bool liesIn(const TensorLayout& layout, const std::vector<std::size_t>& order) {
  std::int64_t step = 1;
  for (std::size_t place = order.size(); place-- > 0;) {
    const std::size_t dim = order[place];
    if (layout.extents[dim] != 1 && layout.strides[dim] != step) return false;
    step *= layout.extents[dim];
  }
  return true;
}

}  // namespace

QString layoutWord(const TensorLayout& layout) {
  const std::size_t rank = layout.extents.size();
  std::vector<std::size_t> rows(rank);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (liesIn(layout, rows)) return uiText("row-major");
  if (rank == 4 && liesIn(layout, {0, 2, 3, 1})) return uiText("channels last");
  const std::vector<std::size_t> columns(rows.rbegin(), rows.rend());
  if (liesIn(layout, columns)) return uiText("column-major");
  for (std::size_t d = 0; d < rank; ++d)
    if (layout.strides[d] == 0 && layout.extents[d] > 1)
      return uiText("the same elements read several times");
  std::vector<std::size_t> order = rows;
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t d) { return layout.strides[d]; });
  return liesIn(layout, order) ? uiText("no gaps, dimensions in another order")
                               : uiText("with gaps");
}

QString layoutText(const TensorLayout& layout, const QString& root) {
  QString text = uiText("strides %1: %2").arg(listed(layout.strides), layoutWord(layout));
  if (layout.of >= 0)
    text += root.isEmpty() ? QStringLiteral(", a view") : uiText(", a view of %1").arg(root);
  return text;
}

LayoutGrid layoutGrid(const TensorLayout& layout, int mostRows, int mostColumns) {
  LayoutGrid grid;
  const std::size_t rank = layout.extents.size();
  const auto extent = [&](std::size_t fromLast) {
    return rank < fromLast ? 1 : layout.extents[rank - fromLast];
  };
  const auto stride = [&](std::size_t fromLast) {
    return rank < fromLast ? 0 : layout.strides[rank - fromLast];
  };
  if (rank > 2) {
    QStringList part;
    for (std::size_t d = 0; d + 2 < rank; ++d) part << QStringLiteral("0");
    grid.part = u'[' + (part << QStringLiteral(":") << QStringLiteral(":")).join(u", ") + u']';
  }
  grid.moreRows = extent(2) > mostRows;
  grid.moreColumns = extent(1) > mostColumns;
  for (std::int64_t r = 0; r < std::min<std::int64_t>(extent(2), mostRows); ++r) {
    std::vector<std::int64_t>& row = grid.rows.emplace_back();
    for (std::int64_t c = 0; c < std::min<std::int64_t>(extent(1), mostColumns); ++c) {
      row.push_back(layout.offset + r * stride(2) + c * stride(1));
      grid.last = std::max(grid.last, row.back());
    }
  }
  return grid;
}

}  // namespace fusebench
