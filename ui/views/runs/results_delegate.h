// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <optional>

#include "ui/theme/theme.h"

namespace fusebench {

/// Draws one cell of the results: figures in a fixed-width font, the variant with its color, a line
/// where a group begins.
class ResultsDelegate : public QStyledItemDelegate {
 public:
  static constexpr int kRowHeight = 24;
  static constexpr int kPadding = 6;
  static constexpr int kSlack = 2;         ///< advances are rounded, eliding is not
  static constexpr int kTightPadding = 3;  ///< if the table would not fit otherwise

  /// The references are read each time a cell is drawn.
  ResultsDelegate(QObject* parent, const Theme* const& theme, const std::optional<double>& marked,
                  const int& padding)
      : QStyledItemDelegate(parent), theme_(theme), marked_(marked), padding_(padding) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  const Theme* const& theme_;
  const std::optional<double>& marked_;
  const int& padding_;  ///< pixels at either side of a cell
};

}  // namespace fusebench
