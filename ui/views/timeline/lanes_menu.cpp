// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/lanes_menu.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWidgetAction>
#include <algorithm>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr int kLaneTrace = Qt::UserRole, kLaneNumber = Qt::UserRole + 1;  ///< roles
constexpr QSize kListSize(330, 260);

LaneChoices::Place placeOf(const QListWidgetItem& item) {
  return {static_cast<std::size_t>(item.data(kLaneTrace).toULongLong()),
          static_cast<LaneId>(item.data(kLaneNumber).toUInt())};
}

}  // namespace

LanesMenu::LanesMenu(TimelineModel& model, QWidget* parent)
    : QMenu(parent),
      model_(model),
      filter_(new QLineEdit),
      list_(new QListWidget),
      note_(new QLabel),
      all_(new QPushButton(uiText("Show all"))),
      counters_(new QCheckBox(uiText("Counters"))) {
  auto* box = new QWidget(this);
  auto* layout = new QVBoxLayout(box);
  layout->setContentsMargins(10, 8, 10, 10);
  layout->setSpacing(6);
  filter_->setPlaceholderText(uiText("Only tracks whose name contains…"));
  filter_->setAccessibleName(uiText("Filter the tracks by name"));
  filter_->setClearButtonEnabled(true);
  list_->setAccessibleName(uiText("Tracks that are drawn"));
  list_->setMinimumSize(kListSize);
  note_->setObjectName(QStringLiteral("muted"));
  auto* foot = new QHBoxLayout;
  foot->addWidget(note_, 1);
  foot->addWidget(all_);
  layout->addWidget(filter_);
  layout->addWidget(list_, 1);
  layout->addWidget(counters_);
  layout->addLayout(foot);
  auto* action = new QWidgetAction(this);
  action->setDefaultWidget(box);
  addAction(action);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    model_.changeLanes([&](LaneChoices& lanes) { lanes.setFilter(text.trimmed()); });
  });
  connect(list_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
    const bool hidden = item->checkState() != Qt::Checked;
    ticking_ = true;
    model_.changeLanes([&](LaneChoices& lanes) { lanes.setHidden(placeOf(*item), hidden); });
    ticking_ = false;
  });
  counters_->setToolTip(uiText("Memory, utilization and other values over time, below the tracks"));
  connect(counters_, &QCheckBox::toggled, this, [this](bool drawn) {
    model_.changeLanes([&](LaneChoices& lanes) { lanes.setCounters(drawn); });
  });
  connect(all_, &QPushButton::clicked, this,
          [this] { model_.changeLanes([](LaneChoices& lanes) { lanes.showAll(); }); });
  connect(&model_, &TimelineModel::lanesChanged, this, &LanesMenu::fill);
  connect(&model_, &TimelineModel::tracesChanged, this, &LanesMenu::fill);
  connect(this, &QMenu::aboutToShow, this, [this] {
    fill();
    filter_->setFocus();
  });
}

/// The lanes in their order; with several traces each says which it is of.
void LanesMenu::fill() {
  if (ticking_) return count();
  const LaneChoices& lanes = model_.lanes();
  const QSignalBlocker quietList(list_), quietFilter(filter_), quietCounters(counters_);
  counters_->setChecked(lanes.counters());
  counters_->setVisible(std::ranges::any_of(
      model_.shown(), [](const auto& shown) { return !shown.trace->counters().empty(); }));
  if (filter_->text().trimmed() != lanes.filter()) filter_->setText(lanes.filter());
  const int current = list_->currentRow();
  list_->clear();
  for (const LaneChoices::Entry& entry : lanes.entries()) {
    if (!entry.name.contains(lanes.filter(), Qt::CaseInsensitive)) continue;
    QString name = entry.name;
    if (model_.shown().size() > 1)
      name += QStringLiteral("  ·  ") + model_.shown()[entry.place.trace].title;
    auto* item = new QListWidgetItem(name, list_);
    item->setToolTip(name);
    item->setData(kLaneTrace, static_cast<qulonglong>(entry.place.trace));
    item->setData(kLaneNumber, entry.place.lane);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(entry.hidden ? Qt::Unchecked : Qt::Checked);
  }
  list_->setCurrentRow(std::min(current, list_->count() - 1));
  count();
}

void LanesMenu::count() {
  const std::size_t all = model_.lanes().entries().size(), left = model_.lanes().left();
  note_->setText(left == 0 ? uiText("%1 tracks").arg(all)
                           : uiText("%1 of %2 tracks").arg(all - left).arg(all));
  all_->setEnabled(left > 0 || !model_.lanes().counters());
}

}  // namespace fusebench

#include "moc_lanes_menu.cpp"
