// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/runs/results_delegate.h"

#include <QPainter>

#include "ui/models/runs/results_filter_model.h"

namespace fusebench {
namespace {

constexpr int kResultSwatch = 9;

int columnOf(const QModelIndex& index) {
  return index.column() -
         static_cast<const ResultsFilterModel*>(index.model())->table().axisCount();
}

}  // namespace

void ResultsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  const int column = columnOf(index);
  painter->save();
  const bool marked =
      marked_ && index.data(ResultsTableModel::AxisValueRole).toDouble() == *marked_;
  const bool selected = option.state & QStyle::State_Selected;
  if (marked || selected) painter->fillRect(option.rect, theme_->raised);
  if (selected && index.column() == 0)
    painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())), theme_->accent);
  const bool groupStart = index.data(ResultsTableModel::GroupStartRole).toBool();
  if (groupStart && index.row() > 0) {
    painter->setPen(theme_->grid);
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
  }
  QRect box = option.rect.adjusted(padding_, 0, -padding_, 0);
  if (column == ResultsTableModel::variantColumn) {
    const QColor color = theme_->series(index.data(ResultsTableModel::SeriesRole).toInt()).color;
    painter->fillRect(
        QRect(box.left(), box.center().y() - kResultSwatch / 2, kResultSwatch, kResultSwatch),
        color);
    box.adjust(kResultSwatch + 7, 0, 0, 0);
  }
  const bool words =
      column == ResultsTableModel::variantColumn || column == ResultsTableModel::stopColumn;
  painter->setFont(words ? textFont() : monoFont(0.94));
  painter->setPen(index.data(ResultsTableModel::MutedRole).toBool() ? theme_->muted : theme_->text);
  // The place is written once for the group.
  if (column >= 0 || groupStart)
    painter->drawText(
        box, index.data(Qt::TextAlignmentRole).toInt(),
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, box.width()));
  painter->restore();
}

QSize ResultsDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  const int column = columnOf(index);
  const bool words =
      column == ResultsTableModel::variantColumn || column == ResultsTableModel::stopColumn;
  const int width =
      QFontMetrics(words ? textFont() : monoFont(0.94)).horizontalAdvance(index.data().toString()) +
      (column == ResultsTableModel::variantColumn ? kResultSwatch + 7 : 0);
  return {width + 2 * padding_ + kSlack, kRowHeight};
}

}  // namespace fusebench
