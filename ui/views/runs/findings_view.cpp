// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/runs/findings_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>
#include <optional>
#include <vector>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr std::size_t kAtFirst = 9;  ///< more are shown on demand
constexpr int kBarLeft = 14, kBarWidth = 3;

ShownFinding invitation() {
  return {ShownFinding::Kind::note,
          -1,
          {},
          uiText("Break-evens, the cost of a launch and compile payback will be shown here."),
          {},
          -1,
          false};
}

/// A long name of a kernel may be broken where its words meet: it must not widen the panel.
QString breakable(const QString& line) {
  constexpr int kLong = 18;
  QString broken;
  int since = 0;
  for (const QChar letter : line) {
    broken += letter;
    since = letter.isSpace() ? 0 : since + 1;
    if (since < kLong || letter.isLetterOrNumber() || letter.isSpace()) continue;
    broken += QChar(0x200B);
    since = 0;
  }
  return broken;
}

}  // namespace

FindingEntry::FindingEntry(const ShownFinding& finding, const Theme& theme, QWidget* parent)
    : QFrame(parent), finding_(finding), theme_(&theme) {
  setAccessibleName(finding.headline.isEmpty()
                        ? finding.text
                        : QStringLiteral("%1. %2").arg(finding.headline, finding.text));
  if (finding.shows) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setToolTip(finding.time ? uiText("Show it on the timeline") : uiText("Show it in the chart"));
    setAttribute(Qt::WA_Hover);
  }
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kBarLeft + kBarWidth + 10, 6, 12, 6);
  auto* text = new QVBoxLayout;
  text->setSpacing(2);
  const auto addLine = [&](const QString& line, const char* name) {
    auto* label = new QLabel(breakable(line), this);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    text->addWidget(label);
  };
  if (!finding.headline.isEmpty()) addLine(finding.headline, "headline");
  addLine(finding.text, "muted");
  row->addLayout(text, 1);
}

void FindingEntry::mouseReleaseEvent(QMouseEvent* event) {
  if (finding_.shows && event->button() == Qt::LeftButton && rect().contains(event->pos()))
    emit activated();
}

void FindingEntry::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (finding_.shows && (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space))
    emit activated();
  else
    QFrame::keyPressEvent(event);
}

bool FindingEntry::event(QEvent* event) {
  switch (event->type()) {
    case QEvent::HoverEnter:
    case QEvent::HoverLeave:
    case QEvent::FocusIn:
    case QEvent::FocusOut:
      update();
      break;
    default:
      break;
  }
  return QFrame::event(event);
}

void FindingEntry::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void FindingEntry::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (finding_.shows && (underMouse() || hasFocus())) {
    painter.setPen(hasFocus() ? QPen(theme_->accent) : QPen(Qt::NoPen));
    painter.setBrush(underMouse() ? theme_->raised : QColor(Qt::transparent));
    painter.drawRoundedRect(QRectF(rect()).adjusted(5.5, 0.5, -5.5, -0.5), 5, 5);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(finding_.kind == ShownFinding::Kind::warning ? theme_->warning
                   : finding_.series >= 0 ? theme_->series(finding_.series).color
                                          : theme_->border);
  const QRect room = layout()->contentsRect();
  painter.drawRoundedRect(QRectF(kBarLeft, room.top(), kBarWidth, room.height()), 1, 1);
}

FindingsView::FindingsView(const FindingsModel& model, QWidget* parent)
    : QScrollArea(parent), model_(model) {
  setAccessibleName(uiText("Findings"));
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(&model, &QAbstractItemModel::modelReset, this, &FindingsView::rebuild);
  rebuild();
}

void FindingsView::setTheme(const Theme& theme) {
  theme_ = &theme;
  for (FindingEntry* entry : findChildren<FindingEntry*>()) entry->setTheme(theme);
}

void FindingsView::showInstead(std::optional<std::vector<ShownFinding>> findings) {
  if (instead_ == findings) return;
  instead_ = std::move(findings);
  rebuild();
}

void FindingsView::rebuild() {
  // While results come in, the list is rebuilt every half second and must keep its scroll position.
  const int scrolled = verticalScrollBar()->value();
  auto* content = new QWidget;
  content->setObjectName(QStringLiteral("panel"));
  auto* entries = new QVBoxLayout(content);
  entries->setContentsMargins(0, 6, 0, 6);
  entries->setSpacing(1);
  const std::vector<ShownFinding>& findings = instead_ ? *instead_ : model_.findings();
  const std::size_t shown = all_ || findings.size() <= kAtFirst + 1 ? findings.size() : kAtFirst;
  for (std::size_t i = 0; i < shown; ++i) {
    auto* entry = new FindingEntry(findings[i], *theme_, content);
    connect(entry, &FindingEntry::activated, this, [this, finding = findings[i]] {
      finding.time ? emit timePicked(*finding.time) : emit picked(finding.target);
    });
    entries->addWidget(entry);
  }
  if (shown < findings.size()) {
    auto* more = new QPushButton(uiText("Show %1 more").arg(findings.size() - shown), content);
    more->setAccessibleName(uiText("Show all findings"));
    connect(
        more, &QPushButton::clicked, this,
        [this] {
          all_ = true;
          rebuild();
        },
        Qt::QueuedConnection);  // the button goes with the list
    auto* row = new QHBoxLayout;
    row->setContentsMargins(14, 6, 12, 6);
    row->addWidget(more);
    row->addStretch(1);
    entries->addLayout(row);
  }
  if (findings.empty() && !instead_)
    entries->addWidget(new FindingEntry(invitation(), *theme_, content));
  entries->addStretch(1);
  setWidget(content);  // deletes the former one
  content->show();
  content->layout()->activate();
  verticalScrollBar()->setValue(scrolled);
}

}  // namespace fusebench

#include "moc_findings_view.cpp"
