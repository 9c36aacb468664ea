// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace fusebench {

/// A list to choose from that may be narrower than its entries. The chosen one ends in an ellipsis
/// where there is no room for all of it; the list that opens shows it in full.
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
