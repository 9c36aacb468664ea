// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/figures_panel.h"

#include <QLabel>
#include <QVBoxLayout>

namespace fusebench {

void FiguresPanel::layOutUnder(QLabel& note, QWidget& content) {
  note.setObjectName(QStringLiteral("muted"));
  note.setTextFormat(Qt::PlainText);
  note.setWordWrap(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  // A styled label drops margins of its own.
  auto* around = new QVBoxLayout;
  around->setContentsMargins(12, 0, 12, 6);
  around->addWidget(&note);
  layout->addLayout(around);
  layout->addWidget(&content, 1);
}

}  // namespace fusebench
