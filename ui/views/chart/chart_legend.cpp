// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/chart_legend.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QToolButton>
#include <utility>

#include "ui/models/base/ui_text.h"
#include "ui/views/base/flow_layout.h"
#include "ui/views/chart/curve_marks.h"

namespace fusebench {
namespace {
constexpr int kSampleWidth = 26;
constexpr int kHeight = 22;
constexpr int kLegendPadding = 7;
constexpr int kLegendGap = 6;
}  // namespace

LegendEntry::LegendEntry(LegendItem item, QWidget* parent)
    : QAbstractButton(parent), item_(std::move(item)) {
  setCheckable(true);
  setChecked(true);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setText(item_.name);
  setAccessibleName(uiText("Curve %1").arg(item_.name));
  setAccessibleDescription(uiText("Space hides and shows it, Enter shows it alone. ") + item_.tip);
  setToolTip((item_.tip.isEmpty() ? QString() : item_.tip + u'\n') +
             uiText("Click: hide or show. Double-click or Alt+click: show alone."));
}

void LegendEntry::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void LegendEntry::setMarked(bool marked) {
  if (std::exchange(marked_, marked) != marked) update();
}

QSize LegendEntry::sizeHint() const {
  const QFontMetrics metrics(textFont(0.94));
  return {kLegendPadding + kSampleWidth + kLegendGap + metrics.horizontalAdvance(item_.name) +
              kLegendPadding + 2,
          kHeight};
}

void LegendEntry::paintEvent(QPaintEvent*) {
  QCPPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(hasFocus() ? QPen(theme_->accent) : QPen(Qt::NoPen));
  painter.setBrush(underMouse() || marked_ ? theme_->raised : QColor(Qt::transparent));
  painter.drawRoundedRect(box, 5, 5);
  const double middle = box.center().y();
  const QPointF left(kLegendPadding, middle), right(kLegendPadding + kSampleWidth, middle);
  if (!isChecked()) painter.setOpacity(0.45);
  if (item_.series >= 0) {
    const SeriesStyle style = theme_->series(item_.series);
    QPen pen(style.color, 2);
    if (!style.dashes.isEmpty()) pen.setDashPattern(style.dashes);
    painter.setPen(pen);
    painter.drawLine(left, right);
    painter.setPen(QPen(style.color, 1.6));
    painter.setBrush(isChecked() ? style.color : theme_->panel);
    QCPScatterStyle(scatterShape(style.marker), 7.5).drawShape(&painter, (left + right) / 2);
  } else if (item_.series == kCostSeries) {
    painter.setPen(QPen(theme_->muted, 1.1, Qt::DotLine));
    painter.drawLine(left, right);
  } else {
    for (int i = 0; i < 3; ++i) {
      painter.setPen(QPen(theme_->series(i).color, 1.1));
      painter.drawLine(left + QPointF(0, 4 * (i - 1)), right + QPointF(0, 4 * (i - 1)));
    }
  }
  QFont font = textFont(0.94);
  font.setStrikeOut(!isChecked());
  painter.setFont(font);
  painter.setPen(isChecked() ? theme_->text : theme_->muted);
  const QRectF room(right.x() + kLegendGap, 0, width() - right.x() - kLegendGap - 2, height());
  painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(item_.name, Qt::ElideMiddle,
                                                    static_cast<int>(room.width())));
}

void LegendEntry::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::AltModifier)) {
    emit isolated();
    return;
  }
  QAbstractButton::mousePressEvent(event);
}

void LegendEntry::enterEvent(QEnterEvent* event) {
  QAbstractButton::enterEvent(event);
  emit pointed(true);
}

void LegendEntry::leaveEvent(QEvent* event) {
  QAbstractButton::leaveEvent(event);
  emit pointed(false);
}

void LegendEntry::mouseDoubleClickEvent(QMouseEvent*) {
  emit isolated();
}

void LegendEntry::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
    emit isolated();
  else
    QAbstractButton::keyPressEvent(event);
}

ChartLegend::ChartLegend(QWidget* parent) : QWidget(parent), badge_(new QToolButton(this)) {
  setAccessibleName(uiText("Legend"));
  auto* flow = new FlowLayout(this, 4);
  flow->setContentsMargins(10, 2, 8, 2);
  badge_->setObjectName(QStringLiteral("small"));
  badge_->setFocusPolicy(Qt::StrongFocus);
  badge_->hide();
  flow->addWidget(badge_);
  connect(badge_, &QToolButton::clicked, this, &ChartLegend::badgeClicked);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void ChartLegend::setTheme(const Theme& theme) {
  theme_ = &theme;
  for (LegendEntry* entry : entries_) entry->setTheme(theme);
  styleBy(*badge_, withRoles("color: @warning@; border-color: @warning@; padding: 1px 7px;"));
}

void ChartLegend::setItems(const std::vector<LegendItem>& items) {
  const bool same =
      std::equal(items.begin(), items.end(), entries_.begin(), entries_.end(),
                 [](const LegendItem& item, const LegendEntry* entry) {
                   return item.name == entry->item().name && item.series == entry->item().series;
                 });
  if (same) return;
  for (LegendEntry* entry : entries_) {
    layout()->removeWidget(entry);
    entry->hide();
    entry->deleteLater();  // it may be the one whose click led here
  }
  entries_.clear();
  layout()->removeWidget(badge_);
  for (const LegendItem& item : items) {
    auto* entry = new LegendEntry(item, this);
    entry->setTheme(*theme_);
    connect(entry, &LegendEntry::toggled, this, [this, name = item.name](bool shown) {
      visibility_.setShown(name, shown);
      emit visibilityChanged();
    });
    connect(entry, &LegendEntry::pointed, this,
            [this, name = item.name](bool at) { emit pointedAt(at ? name : QString()); });
    connect(entry, &LegendEntry::isolated, this, [this, name = item.name] {
      visibility_.isolate(name, names());
      refresh();
      emit visibilityChanged();
    });
    layout()->addWidget(entry);
    entry->show();
    entries_.push_back(entry);
  }
  layout()->addWidget(badge_);
  refresh();
  updateGeometry();
}

void ChartLegend::setBadge(const QString& text, const QString& tip) {
  badge_->setText(text);
  badge_->setToolTip(tip);
  badge_->setAccessibleDescription(
      QString(tip).remove(QRegularExpression(QStringLiteral("<[^>]*>"))));
  badge_->setVisible(!text.isEmpty());
}

void ChartLegend::mark(const QString& name) {
  for (LegendEntry* entry : entries_)
    entry->setMarked(!name.isEmpty() && entry->item().name == name);
}

void ChartLegend::reveal(const QString& name) {
  if (visibility_.shown(name)) return;
  visibility_.setShown(name, true);
  refresh();
  emit visibilityChanged();
}

QStringList ChartLegend::names() const {
  QStringList names;
  for (const LegendEntry* entry : entries_) names << entry->item().name;
  return names;
}

void ChartLegend::refresh() {
  for (LegendEntry* entry : entries_) {
    const QSignalBlocker quiet(entry);
    entry->setChecked(visibility_.shown(entry->item().name));
    entry->update();
  }
}

}  // namespace fusebench

#include "moc_chart_legend.cpp"
