// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/palette_popup.h"

#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/base/ui_text.h"

namespace fusebench {

PalettePopup::PalettePopup(QWidget* parent)
    : QFrame(parent, Qt::Popup), heading_(new QLabel(this)), view_(new PaletteView(model_, this)) {
  setObjectName(QStringLiteral("palettePopup"));
  setAccessibleName(uiText("Choose an op"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(1, 1, 1, 1);
  layout->setSpacing(0);
  heading_->setContentsMargins(12, 8, 10, 0);
  heading_->setTextFormat(Qt::PlainText);
  layout->addWidget(heading_);
  layout->addWidget(view_, 1);
  view_->setChooseOnClick(true);
  resize(290, 380);
  setFocusProxy(view_);
  connect(view_, &PaletteView::opChosen, this, [this](const OpRow* row) {
    const Chosen chosen = std::move(chosen_);
    chosen_ = nullptr;
    hide();
    if (shared_) shared_->noteUsed(*row);
    if (chosen) chosen(*row);
  });
  setTheme(darkTheme());
}

void PalettePopup::setTheme(const Theme& theme) {
  view_->setTheme(theme);
  styleBy(*this, withRoles("#palettePopup { background: @panel@; border: 1px solid @border@; }"
                           "#palettePopup > QLabel { color: @text@; font-weight: 600; }"));
}

void PalettePopup::share(PaletteModel& other) {
  shared_ = &other;
  model_.setRecent(other.recent());
  connect(&other, &PaletteModel::recentChanged, this,
          [this, &other] { model_.setRecent(other.recent()); });
}

QString PalettePopup::heading() const {
  return heading_->text();
}

void PalettePopup::open(QPoint global, const QString& heading, Chosen chosen) {
  chosen_ = std::move(chosen);
  heading_->setText(heading);
  QPoint place = global;
  if (const QScreen* here = screen()) {
    const QRect room = here->availableGeometry();
    place.setX(std::max(room.left(), std::min(place.x(), room.right() - width())));
    place.setY(std::max(room.top(), std::min(place.y(), room.bottom() - height())));
  }
  move(place);
  show();
  view_->start();
}

}  // namespace fusebench

#include "moc_palette_popup.cpp"
