// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/chart_choices.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

#include "profiler/analysis/wording.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {

ChartChoices::ChartChoices(QWidget* parent)
    : QWidget(parent), slice_(new QComboBox(this)), published_(new QToolButton(this)) {
  slice_->setAccessibleName(uiText("Value of the second axis"));
  slice_->setToolTip(uiText("Which slice of the second axis the chart shows"));
  published_->setObjectName(QStringLiteral("small"));
  published_->setText(uiText("Published"));
  published_->setToolTip(
      uiText("Show published curves next to these: another machine, measured in another way"));
  published_->setAccessibleName(published_->toolTip());
  published_->setCheckable(true);
  published_->setFocusPolicy(Qt::StrongFocus);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(slice_);
  layout->addWidget(published_);
  slice_->hide();
  published_->hide();
  connect(published_, &QToolButton::clicked, this, &ChartChoices::publishedChosen);
  connect(slice_, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (index >= 0) emit sliceChosen(static_cast<std::size_t>(index));
  });
}

void ChartChoices::setExperiment(const Experiment& experiment, bool published) {
  published_->setVisible(published);
  const bool slices = experiment.axes.size() > 1;
  slice_->setVisible(slices);
  const QSignalBlocker quiet(slice_);
  slice_->clear();
  if (!slices) return;
  const wording::PlaceStyle style = wording::placeStyle(experiment.axes[1].values);
  for (const std::int64_t value : experiment.axes[1].values)
    slice_->addItem(
        QStringLiteral("%1 = %2").arg(text(wording::axisWord(experiment.axes[1].name)),
                                      axisValueText(static_cast<double>(value), style)));
}

void ChartChoices::setShowPublished(bool on) {
  published_->setChecked(on);
}

void ChartChoices::setSlice(std::size_t slice) {
  const QSignalBlocker quiet(slice_);
  slice_->setCurrentIndex(static_cast<int>(slice));
}

}  // namespace fusebench

#include "moc_chart_choices.cpp"
