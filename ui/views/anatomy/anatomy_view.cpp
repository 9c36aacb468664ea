// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/anatomy/anatomy_view.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "profiler/analysis/module_times.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/anatomy/anatomy_bars.h"
#include "ui/views/anatomy/anatomy_kernels.h"
#include "ui/views/anatomy/anatomy_modules.h"
#include "ui/views/anatomy/part_legend.h"
#include "ui/views/base/flow_layout.h"

namespace fusebench {

AnatomyView::AnatomyView(const RunModel& run, QWidget* parent)
    : QWidget(parent), results_(run), model_(run) {
  setObjectName(QStringLiteral("anatomy"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  buildHeader();
  scroll_ = new QScrollArea(this);
  scroll_->setAccessibleName(uiText("Call breakdown"));
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  bars_ = new AnatomyBars(model_, scroll_);
  bars_->setProperty("ring", false);  // draws its own
  scroll_->setWidget(bars_);
  setFocusProxy(bars_);
  kernels_ = new AnatomyKernels(this);
  kernels_->setVisible(false);
  modules_ = new AnatomyModules(this);
  modules_->setVisible(false);
  footnote_ = new QLabel(this);
  footnote_->setObjectName(QStringLiteral("muted"));
  footnote_->setWordWrap(true);
  footnote_->setContentsMargins(18, 4, 14, 10);
  empty_ = new QLabel(this);
  empty_->setObjectName(QStringLiteral("muted"));
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setContentsMargins(48, 24, 48, 24);
  run_ = new QPushButton(uiText("Run the study"), this);
  run_->setObjectName(QStringLiteral("primary"));
  connect(run_, &QPushButton::clicked, this, &AnatomyView::runRequested);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(header_);
  layout->addWidget(scroll_, 3);
  layout->addWidget(kernels_, 2);
  layout->addWidget(modules_, 2);
  layout->addWidget(footnote_);
  layout->addWidget(empty_, 1);
  layout->addWidget(run_, 1, Qt::AlignHCenter | Qt::AlignTop);
  connect(&model_, &AnatomyModel::changed, this, &AnatomyView::refresh);
  connect(bars_, &AnatomyBars::currentChanged, this, &AnatomyView::refreshTables);
  connect(kernelsButton_, &QToolButton::toggled, this,
          [this] { showOneTable(*kernelsButton_, *modulesButton_); });
  connect(modulesButton_, &QToolButton::toggled, this,
          [this] { showOneTable(*modulesButton_, *kernelsButton_); });
  refresh();
}

void AnatomyView::buildHeader() {
  header_ = new QWidget(this);
  title_ = new QLabel(uiText("Where a call's time goes"), header_);
  title_->setObjectName(QStringLiteral("headline"));
  legend_ = new PartLegend(header_);
  places_ = new QComboBox(header_);
  places_->setAccessibleName(uiText("Point on the first axis"));
  connect(places_, &QComboBox::activated, this, [this](int place) { model_.setPlace(place); });
  auto* group = new QButtonGroup(header_);
  const auto segment = [&](const char* name, const QString& text, const QString& tip) {
    auto* button = new QToolButton(header_);
    button->setObjectName(QLatin1String(name));
    button->setText(text);
    button->setToolTip(tip);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    group->addButton(button);
    return button;
  };
  times_ = segment("segmentLeft", uiText("Time"), uiText("Bars show the time"));
  shares_ = segment("segmentRight", uiText("Share"), uiText("Bars show shares of the call"));
  times_->setChecked(true);
  connect(shares_, &QToolButton::toggled, this, [this](bool on) { bars_->setShares(on); });
  const auto table = [&](const QString& text, const QString& tip) {
    auto* button = new QToolButton(header_);
    button->setObjectName(QStringLiteral("small"));
    button->setText(text);
    button->setToolTip(tip);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
  };
  kernelsButton_ = table(uiText("Kernels"),
                         uiText("Time by kernel, and on a device launch delays and gaps, of the "
                                "variant that was clicked last"));
  modulesButton_ = table(uiText("Modules"), uiText("Time, launches, bytes and FLOPs by module, of "
                                                   "the variant that was clicked last"));
  timeline_ = new QToolButton(header_);
  timeline_->setObjectName(QStringLiteral("small"));
  timeline_->setFocusPolicy(Qt::StrongFocus);
  connect(timeline_, &QToolButton::clicked, this, &AnatomyView::timelineRequested);
  setRecording(false);
  auto* pair = new QWidget(header_);  // stays together
  auto* choice = new QHBoxLayout(pair);
  choice->setContentsMargins(0, 0, 0, 0);
  choice->setSpacing(0);
  choice->addWidget(times_);
  choice->addWidget(shares_);
  auto* line = new FlowLayout(nullptr, 10);
  line->setApart(true);
  for (QWidget* widget : {static_cast<QWidget*>(title_), static_cast<QWidget*>(kernelsButton_),
                          static_cast<QWidget*>(modulesButton_), static_cast<QWidget*>(timeline_),
                          static_cast<QWidget*>(places_), pair})
    line->addWidget(widget);
  auto* layout = new QVBoxLayout(header_);
  layout->setContentsMargins(18, 10, 14, 6);
  layout->setSpacing(6);
  layout->addLayout(line);
  layout->addWidget(legend_);
}

void AnatomyView::setRecording(bool recording) {
  timeline_->setText(recording ? uiText("Recording… Cancel") : uiText("Timeline"));
  timeline_->setToolTip(
      uiText("Record ten calls of each variant here, several times, and show every launch of the "
             "recording with the median time on one clock"));
}

void AnatomyView::setTheme(const Theme& theme) {
  bars_->setTheme(theme);
  legend_->setTheme(theme);
  kernels_->setTheme(theme);
}

/// The bars need the room that a second table would take.
void AnatomyView::showOneTable(QToolButton& chosen, QToolButton& other) {
  if (chosen.isChecked()) {
    const QSignalBlocker quiet(other);
    other.setChecked(false);
  }
  refreshTables();
}

bool AnatomyView::currentHasModules() const {
  const auto current = static_cast<std::size_t>(bars_->current());
  if (!results_.run() || current >= model_.cells().size()) return false;
  const Cell* const cell = results_.run()->find(model_.cells()[current]);
  return cell && !moduleTimes(*results_.run(), *cell).empty();
}

void AnatomyView::refreshTables() {
  const auto current = static_cast<std::size_t>(bars_->current());
  const AnatomyBar* bar = current < model_.bars().size() ? &model_.bars()[current] : nullptr;
  const bool kernels = bar && kernelsButton_->isChecked();
  kernels_->setVisible(kernels);
  kernels_->setBar(kernels ? bar : nullptr);
  modulesButton_->setVisible(bar && currentHasModules());
  const bool modules = bar && modulesButton_->isChecked() && currentHasModules();
  modules_->setVisible(modules);
  if (modules)
    modules_->setCell(results_.shared(), model_.cells()[current], bar->name);
  else
    modules_->clear();
  footnote_->setVisible(bar && !kernels && !modules);  // the bars need the room
}

void AnatomyView::refresh() {
  const bool any = !model_.bars().empty();
  for (QWidget* shown : {static_cast<QWidget*>(scroll_), header_}) shown->setVisible(any);
  empty_->setVisible(!any);
  empty_->setAlignment(model_.needsRun() ? Qt::AlignHCenter | Qt::AlignBottom : Qt::AlignCenter);
  empty_->setText(model_.emptyReason());
  run_->setVisible(!any && model_.needsRun());
  footnote_->setText(model_.footnote());
  legend_->setParts(model_.parts(), model_.deviceParts());
  refreshTables();
  const QSignalBlocker quiet(places_);
  places_->clear();
  for (const QString& place : model_.places()) places_->addItem(place);
  places_->setCurrentIndex(model_.place());
}

}  // namespace fusebench

#include "moc_anatomy_view.cpp"
