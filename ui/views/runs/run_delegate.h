// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include "ui/theme/theme.h"

namespace fusebench {

/// One run of the library in three lines: name, result, then date, device and size.
class RunDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  RunDelegate(const Theme* const& theme, QObject* parent)
      : QStyledItemDelegate(parent), theme_(theme) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  /// The editor of the name covers the first line only.
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;

 private:
  const Theme* const& theme_;
};

}  // namespace fusebench
