// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/whatif/what_if_view.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "engine/base/saying.h"
#include "profiler/analysis/wording.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/base/elided_combo_box.h"
#include "ui/views/chart/chart_view.h"

namespace fusebench {
namespace {

/// A slider goes over powers of two: from a sixteenth of the device's own value to sixteen times.
constexpr int kSteps = 200;
constexpr double kSliderReach = 4;
constexpr int kNarrowPanel = 180, kWidePanel = 270;

/// A whole number with fewer values than this, such as copy engines, has one slider step per value.
constexpr double kFew = 16;

bool isCounted(const sim::ParameterRow& row) {
  return row.unit.empty() && row.least == std::floor(row.least) && row.most - row.least < kFew &&
         row.most > 1;
}

double valueAt(const sim::ParameterRow& row, int position, double own) {
  return isCounted(row) ? position : own * std::exp2(kSliderReach * position / kSteps);
}

int positionOf(const sim::ParameterRow& row, double value, double own) {
  if (isCounted(row)) return static_cast<int>(std::lround(value));
  return own > 0 ? static_cast<int>(std::lround(std::log2(value / own) / kSliderReach * kSteps))
                 : 0;
}

QString valueText(const sim::ParameterRow& row, double value) {
  if (row.unit == "ns") return QString::fromStdString(wording::time(value));
  if (row.unit == "bytes/ns")
    return QStringLiteral("%1 GB/s").arg(QString::fromStdString(wording::number(value)));
  return QString::fromStdString(wording::number(std::round(value)));
}

QString plain(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

WhatIfView::WhatIfView(WhatIfModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      analysis_(model.run()),
      devices_(new ElidedComboBox(this)),
      truth_(new QLabel(this)),
      reset_(new QPushButton(uiText("Reset to the device"), this)),
      fit_(new QPushButton(uiText("Fit to the run"), this)),
      ranksName_(new QLabel(uiText("Ranks up to"), this)),
      ranks_(new QComboBox(this)),
      chart_(new ChartView(model.run(), analysis_, this)) {
  auto* panel = new QWidget;
  auto* grid = new QGridLayout(panel);
  grid->setContentsMargins(12, 10, 12, 10);
  grid->setVerticalSpacing(4);
  grid->addWidget(devices_, 0, 0, 1, 2);
  truth_->setWordWrap(true);
  truth_->setObjectName(QStringLiteral("muted"));
  truth_->setFont(textFont(0.92));
  truth_->setTextFormat(Qt::PlainText);
  grid->addWidget(truth_, 1, 0, 1, 2);
  fit_->setToolTip(uiText("Create a device with the costs measured in this run"));
  grid->addWidget(fit_, 2, 0, 1, 2);
  ranks_->addItem(uiText("as measured"), 0);
  for (const int most : {8, 64, 256, 1024}) ranks_->addItem(QString::number(most), most);
  ranksName_->setBuddy(ranks_);
  ranks_->setAccessibleName(ranksName_->text());
  grid->addWidget(ranksName_, 3, 0);
  grid->addWidget(ranks_, 3, 1);
  int line = 4;
  for (const sim::ParameterRow& parameter : sim::parameterRows()) {
    if (!parameter.slider) continue;
    auto* name = new QLabel(plain(said(parameter.title)), panel);
    auto* value = new QLabel(panel);
    value->setAlignment(Qt::AlignRight);
    name->setWordWrap(true);  // in a narrow panel the value leaves too little room for one line
    auto* slider = new QSlider(Qt::Horizontal, panel);
    if (isCounted(parameter)) {
      slider->setRange(static_cast<int>(parameter.least), static_cast<int>(parameter.most));
      slider->setPageStep(1);
    } else {
      slider->setRange(-kSteps, kSteps);
    }
    slider->setAccessibleName(name->text());
    name->setBuddy(slider);
    grid->addWidget(name, line, 0);
    grid->addWidget(value, line++, 1);
    grid->addWidget(slider, line++, 0, 1, 2);
    rows_.push_back({&parameter, slider, value});
    connect(slider, &QSlider::valueChanged, this, [this, &parameter](int position) {
      const double own = model_.device().parameters.*parameter.member;
      model_.setValue(parameter, valueAt(parameter, position, own));
    });
  }
  grid->addWidget(reset_, line, 0, 1, 2);
  grid->setRowStretch(line + 1, 1);
  devices_->setAccessibleName(uiText("Simulated device"));
  devices_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  connect(devices_, &QComboBox::activated, &model_, &WhatIfModel::choose);
  connect(reset_, &QPushButton::clicked, &model_, &WhatIfModel::reset);
  connect(fit_, &QPushButton::clicked, &model_, &WhatIfModel::fit);
  connect(ranks_, &QComboBox::activated, &model_, [this] {
    model_.setRanks(ranks_->currentData().toInt());
    chart_->setExperiment(&model_.experiment(), nullptr);
  });
  connect(&model_, &WhatIfModel::predicted, this, &WhatIfView::refresh);
  connect(&model_, &WhatIfModel::changed, this, &WhatIfView::refresh);

  auto* scroll = new QScrollArea(this);
  scroll->setAccessibleName(uiText("What if"));
  scroll->setWidget(panel);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  panel_ = scroll;
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(scroll);
  layout->addWidget(chart_, 1);
  refresh();
}

void WhatIfView::setTheme(const Theme& theme) {
  chart_->setTheme(theme);
}

void WhatIfView::setMeasured(std::shared_ptr<const Run> run) {
  std::vector<Overlay> overlays;
  if (run && !run->isSimulated())
    overlays.push_back({uiText("measured on %1").arg(plain(run->device)), run.get()});
  chart_->setOverlays(std::move(overlays));
  model_.setMeasured(run);
  measured_ = std::move(run);  // only now may the one before go
}

QSlider* WhatIfView::slider(std::string_view key) const {
  for (const Row& row : rows_)
    if (row.parameter->key == key) return row.slider;
  return nullptr;
}

/// In a narrow view both parts give way, or the chart would have nothing left.
void WhatIfView::resizeEvent(QResizeEvent* event) {
  panel_->setFixedWidth(std::clamp(width() * 2 / 5, kNarrowPanel, kWidePanel));
  QWidget::resizeEvent(event);
}

QString WhatIfView::truth() const {
  return truth_->text();
}

void WhatIfView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  model_.want();
}

void WhatIfView::refresh() {
  const auto named = [](const SimDevice& device) {
    return QStringLiteral("sim:%1 · %2").arg(plain(device.name), plain(said(device.title)));
  };
  const auto count = static_cast<int>(model_.devices().size());
  while (devices_->count() > count) devices_->removeItem(devices_->count() - 1);
  for (int d = 0; d < count; ++d) {
    const QString name = named(model_.devices()[static_cast<std::size_t>(d)]);
    if (d == devices_->count()) devices_->addItem(name);
    if (devices_->itemText(d) != name) devices_->setItemText(d, name);
  }
  fit_->setEnabled(model_.canFit() && !model_.busy());
  ranksName_->setVisible(model_.hasRanks());
  ranks_->setVisible(model_.hasRanks());
  ranks_->setCurrentIndex(std::max(0, ranks_->findData(model_.ranks())));
  devices_->setCurrentIndex(model_.chosen());
  const SimDevice& device = model_.device();
  QString text = uiText("Simulated: %1.").arg(plain(device.truth()));
  if (const QString agreement = model_.agreement(); !agreement.isEmpty())
    text += QStringLiteral(" ") + uiText("Compared with this run: %1.").arg(agreement);
  if (!model_.problem().isEmpty()) text = model_.problem();
  truth_->setText(text);
  // The source of the figures is long, so it is in the tool tip of the sentence.
  const QString note = plain(said(device.note)).toHtmlEscaped();
  truth_->setToolTip(note.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(note));
  for (const Row& row : rows_) {
    const double own = device.parameters.*row.parameter->member, now = model_.value(*row.parameter);
    const QSignalBlocker quiet(row.slider);
    row.slider->setEnabled(own > 0);
    row.slider->setValue(positionOf(*row.parameter, now, own));
    const double times = own > 0 && !isCounted(*row.parameter) ? now / own : 1;
    row.value->setText(times == 1 ? valueText(*row.parameter, now)
                                  : QStringLiteral("%1 (×%2)")
                                        .arg(valueText(*row.parameter, now),
                                             QString::fromStdString(wording::number(times))));
  }
  reset_->setEnabled(model_.moved());
}

}  // namespace fusebench

#include "moc_what_if_view.cpp"
