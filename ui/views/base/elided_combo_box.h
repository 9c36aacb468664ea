// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace fusebench {

/// A combo box that may be narrower than its entries. The current entry ends in an ellipsis if it
/// does not fit; the opened list shows the entries in full.
class ElidedComboBox : public QComboBox {
  Q_OBJECT

 public:
  using QComboBox::QComboBox;
  /// The text of the closed box.
  QString shownText() const;

 protected:
  void initStyleOption(QStyleOptionComboBox* option) const override;
};

}  // namespace fusebench
