// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <vector>

#include "profiler/trace/trace_breakdown.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// A device's recorded time as one bar, divided by what it was spent on, so that devices and ranks
/// can be compared in a column.
class ShareBar : public QStyledItemDelegate {
 public:
  static constexpr int kRole = Qt::UserRole + 4;  ///< role of the shares, a QVariantList

  using QStyledItemDelegate::QStyledItemDelegate;

  void setTheme(const Theme& theme) { theme_ = &theme; }
  /// Computing, communication, memory, idle: each of the whole, from 0 to 1.
  static QVariant sharesOf(const DeviceBreakdown& one);
  /// The same in words.
  static QString wordsOf(const DeviceBreakdown& one);
  /// In the same order.
  static std::vector<QColor> colors(const Theme& theme);

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  const Theme* theme_ = &darkTheme();
};

}  // namespace fusebench
