// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/elided_combo_box.h"

#include <QStyle>
#include <QStyleOptionComboBox>

namespace fusebench {

QString ElidedComboBox::shownText() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  return option.currentText;
}

void ElidedComboBox::initStyleOption(QStyleOptionComboBox* option) const {
  QComboBox::initStyleOption(option);
  constexpr int kStyleMargins = 4;  // what styles leave on both sides of the text
  int room = style()
                 ->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this)
                 .width() -
             kStyleMargins;
  if (!option->currentIcon.isNull()) room -= option->iconSize.width() + kStyleMargins;
  option->currentText = option->fontMetrics.elidedText(option->currentText, Qt::ElideRight, room);
}

}  // namespace fusebench

#include "moc_elided_combo_box.cpp"
