// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/insights_view.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace fusebench {

InsightsView::InsightsView(const InsightsModel& model, QWidget* parent)
    : QScrollArea(parent), model_(model) {
  setAccessibleName(QStringLiteral("Findings"));
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(&model, &QAbstractItemModel::modelReset, this, &InsightsView::rebuild);
  rebuild();
}

void InsightsView::setTheme(const Theme& theme) {
  theme_ = &theme;
  rebuild();
}

QWidget* InsightsView::makeEntry(const Insight& insight) {
  auto* entry = new QWidget;
  auto* row = new QHBoxLayout(entry);
  row->setContentsMargins(14, 0, 12, 0);
  row->setSpacing(10);
  auto* bar = new QFrame(entry);
  bar->setFixedWidth(3);
  const QColor color = insight.kind == Insight::Kind::warning ? theme_->warning
                       : insight.variant >= 0 ? theme_->series(insight.variant).color
                                              : theme_->border;
  bar->setStyleSheet(QStringLiteral("background: %1; border-radius: 1px;").arg(color.name()));
  auto* text = new QVBoxLayout;
  text->setSpacing(2);
  const auto addLine = [&](const QString& line, const char* name) {
    auto* label = new QLabel(line, entry);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->addWidget(label);
  };
  if (!insight.headline.isEmpty()) addLine(insight.headline, "headline");
  addLine(insight.text, "muted");
  row->addWidget(bar);
  row->addLayout(text, 1);
  return entry;
}

void InsightsView::rebuild() {
  auto* content = new QWidget;
  content->setObjectName(QStringLiteral("panel"));
  entries_ = new QVBoxLayout(content);
  entries_->setContentsMargins(0, 12, 0, 12);
  entries_->setSpacing(12);
  for (const Insight& insight : model_.insights()) entries_->addWidget(makeEntry(insight));
  if (model_.insights().empty())
    entries_->addWidget(makeEntry(
        {Insight::Kind::note,
         -1,
         {},
         QStringLiteral(
             "Where the curves cross, what a launch costs and after how many calls a compile "
             "has paid for itself will be said here.")}));
  entries_->addStretch(1);
  setWidget(content);  // deletes the former one
}

}  // namespace fusebench
