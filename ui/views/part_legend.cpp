// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/part_legend.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/models/anatomy_model.h"
#include "ui/views/anatomy_bars.h"

namespace fusebench {
namespace {

constexpr int kLine = 18, kChip = 10, kSpace = 5, kBetween = 14;

QString textOf(CallPart part) {
  return QString::fromUtf8(name(part).data(), static_cast<int>(name(part).size()));
}

}  // namespace

PartLegend::PartLegend(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setAccessibleName(QStringLiteral("Parts of a call"));
}

void PartLegend::setParts(std::vector<CallPart> parts) {
  parts_ = std::move(parts);
  QStringList names;
  for (const CallPart part : parts_) names << textOf(part);
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
  for (const CallPart part : parts_) {
    const int needed = kChip + kSpace + metrics.horizontalAdvance(textOf(part));
    if (x > 0 && x + needed > width) {
      x = 0;
      y += kLine;
    }
    entries.push_back({part, {x, y, needed, kLine}});
    x += needed + kBetween;
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
  for (const Entry& entry : layOut(width())) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(partColor(*theme_, entry.part));
    painter.drawRoundedRect(
        QRect(entry.place.left(), entry.place.center().y() - kChip / 2, kChip, kChip), 2, 2);
    painter.setPen(theme_->muted);
    painter.drawText(entry.place.adjusted(kChip + kSpace, 0, 2, 0), Qt::AlignVCenter,
                     textOf(entry.part));
  }
}

bool PartLegend::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (const Entry& entry : layOut(width()))
    if (entry.place.contains(help->pos()))
      QToolTip::showText(help->globalPos(), partDescription(entry.part), this);
  return true;
}

}  // namespace fusebench
