// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/anatomy/part_legend.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <variant>

#include "ui/look/part_colors.h"
#include "ui/models/anatomy/anatomy_model.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/base/plain_texts.h"

namespace fusebench {
namespace {

constexpr int kPartLine = 18, kChip = 10, kSpace = 5, kPartBetween = 14;

/// Before the parts of a device.
QString deviceWords() {
  return uiText("On the device:");
}

}  // namespace

PartLegend::PartLegend(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setAccessibleName(uiText("Parts of a call"));
}

void PartLegend::setParts(const std::vector<CallPart>& parts,
                          const std::vector<DevicePart>& device) {
  parts_.assign(parts.begin(), parts.end());
  parts_.insert(parts_.end(), device.begin(), device.end());
  QStringList names;
  for (const AnatomyPart part : parts_) names << partName(part);
  setAccessibleDescription(names.join(QStringLiteral(", ")));
  updateGeometry();
  update();
}

void PartLegend::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

std::vector<PartLegend::Entry> PartLegend::layOut(int width) const {
  std::vector<Entry> entries;
  const QFontMetrics metrics(textFont(0.9));
  int x = 0, y = 0;
  bool device = false;
  for (const AnatomyPart part : parts_) {
    const int needed = kChip + kSpace + metrics.horizontalAdvance(partName(part));
    const bool first = !device && std::holds_alternative<DevicePart>(part);
    device |= first;
    if (x > 0 && (first || x + needed > width)) {
      x = 0;
      y += kPartLine;
    }
    if (first) x += metrics.horizontalAdvance(deviceWords()) + kPartBetween;
    entries.push_back({part, {x, y, needed, kPartLine}});
    x += needed + kPartBetween;
  }
  return entries;
}

QSize PartLegend::sizeHint() const {
  return {320, heightForWidth(320)};
}

int PartLegend::heightForWidth(int width) const {
  const auto entries = layOut(width);
  return entries.empty() ? 0 : entries.back().place.bottom() + 1;
}

void PartLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(textFont(0.9));
  bool device = false;
  for (const Entry& entry : layOut(width())) {
    if (!device && std::holds_alternative<DevicePart>(entry.part)) {
      device = true;
      painter.setPen(theme_->muted);
      painter.drawText(QRect(0, entry.place.top(), entry.place.left(), entry.place.height()),
                       Qt::AlignVCenter, deviceWords());
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(partColor(*theme_, entry.part));
    painter.drawRoundedRect(
        QRect(entry.place.left(), entry.place.center().y() - kChip / 2, kChip, kChip), 2, 2);
    painter.setPen(theme_->muted);
    painter.drawText(entry.place.adjusted(kChip + kSpace, 0, 2, 0), Qt::AlignVCenter,
                     partName(entry.part));
  }
}

bool PartLegend::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (const Entry& entry : layOut(width()))
    if (entry.place.contains(help->pos()))
      showTip(help->globalPos(), partDescription(entry.part), this);
  return true;
}

}  // namespace fusebench

#include "moc_part_legend.cpp"
