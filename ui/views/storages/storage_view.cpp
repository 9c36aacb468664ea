// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/storages/storage_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "engine/base/saying.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/views/base/elided_label.h"
#include "ui/views/storages/storage_canvas.h"
#include "ui/views/storages/storage_legend.h"

namespace fusebench {

StorageView::StorageView(GeneratedCodeModel& followed, QWidget* parent)
    : QWidget(parent),
      followed_(followed),
      place_(new ElidedLabel(this)),
      legend_(new StorageLegend(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(6);
  place_->setObjectName(QStringLiteral("muted"));
  place_->setTextFormat(Qt::PlainText);
  layout->addWidget(place_);
  addRow(rows_[0], uiText("Variant above"));
  addRow(rows_[1], uiText("Variant below"));
  for (Row& row : rows_) layout->addWidget(row.panel, 1);
  layout->addWidget(legend_);
  connect(&followed_, &GeneratedCodeModel::optionsChanged, this, [this] {
    for (Row& row : rows_) row.model.setOptions(followed_.options());
  });
  connect(&followed_, &GeneratedCodeModel::experimentChanged, this, &StorageView::takeExperiment);
  connect(&followed_, &GeneratedCodeModel::changed, this, &StorageView::follow);
  for (Row& row : rows_) row.model.setOptions(followed_.options());
  takeExperiment();
}

void StorageView::addRow(Row& row, const QString& name) {
  row.panel = new QWidget(this);
  row.variants = new QComboBox(row.panel);
  row.note = new ElidedLabel(row.panel);
  row.canvas = new StorageCanvas(row.panel);
  row.variants->setAccessibleName(name);
  row.variants->setToolTip(name);
  row.variants->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  row.note->setTextFormat(Qt::PlainText);
  row.canvas->setAccessibleName(uiText("Memory by step"));
  auto* head = new QHBoxLayout;
  head->setSpacing(10);
  head->addWidget(row.variants);
  head->addWidget(row.note, 1);
  auto* layout = new QVBoxLayout(row.panel);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addLayout(head);
  layout->addWidget(row.canvas, 1);
  connect(row.variants, &QComboBox::activated, this, [this, &row](int index) {
    row.chosen = true;
    row.model.setVariant(row.variants->itemData(index).toInt());
    refresh();
  });
  connect(&row.model, &GeneratedCodeModel::changed, this, &StorageView::refresh);
  connect(&row.maker, &StorageMaker::made, this, &StorageView::refresh);
  connect(row.canvas, &StorageCanvas::currentChanged, this, [this, &row](int column) {
    row.note->setText(column < 0 ? note(static_cast<int>(&row - rows_.data()))
                                 : row.canvas->columnText(column));
  });
}

void StorageView::setTheme(const Theme& theme) {
  for (Row& row : rows_) row.canvas->setTheme(theme);
  legend_->setTheme(theme);
}

void StorageView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  follow();
  for (Row& row : rows_) row.model.setActive(row.panel->isVisibleTo(this));
}

void StorageView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  for (Row& row : rows_) row.model.setActive(false);
}

void StorageView::takeExperiment() {
  const Experiment* experiment = followed_.experiment();
  const std::vector<int> own = experiment ? memoryVariants(*experiment) : std::vector<int>();
  for (Row& row : rows_) {
    const QSignalBlocker quiet(row.variants);
    row.variants->clear();
    for (const int variant : own)
      row.variants->addItem(
          QString::fromStdString(experiment->variants[static_cast<std::size_t>(variant)].name),
          variant);
  }
  rows_[0].panel->setVisible(!own.empty());
  rows_[1].panel->setVisible(own.size() > 1);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    if (own.size() > r)
      row.model.setExperiment(*experiment);
    else
      row.model.clear({});
    row.model.setActive(isVisible() && own.size() > r);
  }
  chooseVariants();
  follow();
}

/// Until somebody chooses: the baseline above, and the first that compiles below.
void StorageView::chooseVariants() {
  const Experiment* experiment = followed_.experiment();
  if (!experiment) return;
  const std::vector<int> first = memoryAtFirst(*experiment);
  for (std::size_t r = 0; r < std::min(rows_.size(), first.size()); ++r)
    if (!rows_[r].chosen) rows_[r].model.setVariant(first[r]);
}

void StorageView::follow() {
  if (!followed_.experiment()) return refresh();
  for (Row& row : rows_) row.model.setPlace(followed_.place());
  refresh();
}

QString StorageView::note(int row) const {
  using State = GeneratedCodeModel::State;
  const Row& of = rows_[static_cast<std::size_t>(row)];
  switch (of.model.state()) {
    case State::loading:
      return uiText("Planning…");
    case State::ready:
      return of.maker.busy() ? uiText("Drawing…") : peakText(of.maker.picture());
    case State::empty:
    case State::failed:
      break;
  }
  return of.model.message();
}

bool StorageView::settled() const {
  return std::ranges::none_of(rows_, [](const Row& row) {
    return row.model.state() == GeneratedCodeModel::State::loading || row.maker.busy();
  });
}

void StorageView::refresh() {
  std::vector<const StoragePicture*> pictures;
  for (Row& row : rows_) {
    const QSignalBlocker quiet(row.variants);
    row.variants->setCurrentIndex(row.variants->findData(row.model.variant()));
    if (row.model.state() != GeneratedCodeModel::State::loading)
      row.maker.make(row.model.sharedListing());
    pictures.push_back(&row.maker.picture());
  }
  const std::int64_t top = commonTop(pictures);
  std::array<bool, kStorageClasses> seen{};
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (const StoragePicture::Band& band : pictures[r]->bands)
      seen[static_cast<std::size_t>(band.kind)] = true;
    rows_[r].canvas->setPicture(rows_[r].maker.shared(), top);
    rows_[r].note->setText(note(static_cast<int>(r)));
  }
  legend_->setClasses(seen);
  place_->setText(
      !followed_.experiment()
          ? uiText("Open an experiment to see what is in memory while a call of it runs.")
          : storagesPlace(rows_[0].model.listing()));
}

StoragesSubject StorageView::subject() const {
  StoragesSubject subject;
  const Experiment* experiment = followed_.experiment();
  if (!experiment) return subject;
  subject.title = text(said(experiment->title));
  subject.place = storagesPlace(rows_[0].model.listing());
  for (const Row& row : rows_)
    if (!row.panel->isHidden() && row.maker.picture().peak > 0)
      subject.rows.push_back({row.variants->currentText(), row.maker.shared()});
  return subject;
}

}  // namespace fusebench

#include "moc_storage_view.cpp"
