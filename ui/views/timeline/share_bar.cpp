// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/share_bar.h"

#include <QPainter>
#include <QVariantList>

#include "ui/models/base/ui_text.h"

namespace fusebench {

QVariant ShareBar::sharesOf(const DeviceBreakdown& one) {
  if (one.total <= 0) return {};
  QVariantList shares;
  for (const Nanoseconds part : {one.computing, one.communication, one.memory, one.idle})
    shares << double(part) / double(one.total);
  return shares;
}

QString ShareBar::wordsOf(const DeviceBreakdown& one) {
  const QVariantList shares = sharesOf(one).toList();
  QStringList words;
  const QStringList names = {uiText("computing"), uiText("communication"), uiText("memory"),
                             uiText("idle")};
  for (qsizetype i = 0; i < shares.size(); ++i)
    words << QStringLiteral("%1 %2%").arg(names[i]).arg(100 * shares[i].toDouble(), 0, 'f', 1);
  return words.join(QStringLiteral(", "));
}

std::vector<QColor> ShareBar::colors(const Theme& theme) {
  return {theme.seriesColors[0], theme.seriesColors[1], theme.seriesColors[2], theme.border};
}

void ShareBar::paint(QPainter* painter, const QStyleOptionViewItem& option,
                     const QModelIndex& index) const {
  const QVariantList shares = index.data(kRole).toList();
  if (shares.isEmpty()) return QStyledItemDelegate::paint(painter, option, index);
  const QRectF whole = QRectF(option.rect).adjusted(7, 6, -7, -6);
  const std::vector<QColor> colors = ShareBar::colors(*theme_);
  painter->save();
  double at = whole.left();
  for (qsizetype i = 0; i < shares.size() && i < qsizetype(colors.size()); ++i) {
    const double width = shares[i].toDouble() * whole.width();
    painter->fillRect(QRectF(at, whole.top(), width, whole.height()), colors[std::size_t(i)]);
    at += width;
  }
  painter->restore();
}

QSize ShareBar::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  constexpr int kWidth = 180;
  return {kWidth, QStyledItemDelegate::sizeHint(option, index).height()};
}

}  // namespace fusebench
