// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/chart_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QStandardItemModel>
#include <QTabBar>
#include <QToolButton>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr int kChartBarRoom = 24;  ///< pixels: margins, and a gap between the two ends

}  // namespace

ChartBar::ChartBar(QWidget* parent)
    : QWidget(parent),
      tabs_(new QTabBar(this)),
      list_(new QComboBox(this)),
      times_(new QComboBox(this)) {
  const auto make = [&](const QString& text, const QString& tip, bool checkable) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("small"));
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setCheckable(checkable);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
  };
  logAxis_ = make(uiText("Log x"), uiText("Logarithmic horizontal axis"), true);
  logValue_ = make(uiText("Log y"), uiText("Logarithmic vertical axis"), true);
  models_ = make(uiText("Model"),
                 uiText("Fitted line T = a + b × launches, with the cost of a launch"), true);
  fit_ = make(uiText("Fit"), uiText("Show everything (F)"), false);
  more_ = make(QStringLiteral("⋯"), uiText("Model, axes, fit"), false);
  auto* menu = new QMenu(more_);
  for (QToolButton* button : {models_, logAxis_, logValue_, fit_}) {
    QAction* action = menu->addAction(button->text(), button, &QToolButton::click);
    action->setToolTip(button->toolTip());
    action->setCheckable(button->isCheckable());
    connect(menu, &QMenu::aboutToShow, action, [action, button] {
      action->setVisible(button->isHidden());
      action->setEnabled(button->isEnabled());
      action->setChecked(button->isChecked());
    });
  }
  menu->setToolTipsVisible(true);
  more_->setMenu(menu);
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->hide();
  tabs_->setAccessibleName(uiText("What the chart shows"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setUsesScrollButtons(false);
  list_->setAccessibleName(uiText("What the chart shows"));
  for (const Metric metric : kMetrics) {
    tabs_->addTab(metricName(metric));
    list_->addItem(metricName(metric));
  }
  times_->setAccessibleName(uiText("Time shown"));
  times_->setToolTip(uiText("Which time of a call the chart shows (T)"));
  for (const ShownTime time : kShownTimes) {
    times_->addItem(timeName(time));
    times_->setItemData(static_cast<int>(time), timeCaption(time), Qt::ToolTipRole);
  }
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(6, 3, 8, 3);
  layout->setSpacing(5);
  layout->addWidget(tabs_);
  layout->addWidget(list_);
  layout->addWidget(times_);
  layout->addStretch(1);
  for (QToolButton* button : {models_, logAxis_, logValue_, fit_}) layout->addWidget(button);
  layout->addWidget(more_);
  list_->hide();
  times_->hide();

  const auto choose = [this](int index) {
    if (index >= 0) emit metricChosen(kMetrics[index]);
  };
  connect(tabs_, &QTabBar::currentChanged, this, choose);
  connect(list_, &QComboBox::activated, this, choose);
  connect(times_, &QComboBox::activated, this,
          [this](int index) { emit timeChosen(kShownTimes[index]); });
  connect(logAxis_, &QToolButton::clicked, this, &ChartBar::logAxisChosen);
  connect(logValue_, &QToolButton::clicked, this, &ChartBar::logValueChosen);
  connect(models_, &QToolButton::clicked, this, &ChartBar::modelsChosen);
  connect(fit_, &QToolButton::clicked, this, &ChartBar::fitChosen);
  setMinimumWidth(120);
}

void ChartBar::setMetric(Metric metric) {
  const QSignalBlocker quietTabs(tabs_), quietList(list_);
  tabs_->setCurrentIndex(static_cast<int>(metric));
  list_->setCurrentIndex(static_cast<int>(metric));
}

void ChartBar::setTime(ShownTime time, bool available) {
  const QSignalBlocker quiet(times_);
  times_->setCurrentIndex(static_cast<int>(time));
  if (available == !times_->isHidden()) return;
  times_->setVisible(available);
  arrange();
}

void ChartBar::setSelectable(ShownTime time, bool selectable) {
  const auto* const items = qobject_cast<QStandardItemModel*>(times_->model());
  items->item(static_cast<int>(time))->setEnabled(selectable);
}

void ChartBar::setLogAxis(bool on) {
  logAxis_->setChecked(on);
}

void ChartBar::setLogValue(bool on) {
  logValue_->setChecked(on);
}

void ChartBar::setModels(bool on, bool available) {
  models_->setChecked(on);
  models_->setEnabled(available);
}

void ChartBar::setFitted(bool fitted) {
  fit_->setEnabled(!fitted);
}

void ChartBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void ChartBar::arrange() {
  const int beside = kChartBarRoom + (times_->isHidden() ? 0 : times_->sizeHint().width() + 5);
  // In the order in which they stay when it gets narrow.
  QToolButton* const buttons[] = {logValue_, logAxis_, models_, fit_};
  const auto roomOf = [](const QToolButton* button) { return button->sizeHint().width() + 5; };
  int all = 0;
  for (const QToolButton* button : buttons) all += roomOf(button);
  // The controls that are used most often are hidden last.
  const bool tabs = width() >= tabs_->sizeHint().width() + beside + roomOf(more_);
  const int chosen = tabs ? tabs_->sizeHint().width() : list_->sizeHint().width();
  int room = width() - chosen - beside;
  const bool menu = room < all;
  if (menu) room -= roomOf(more_);
  tabs_->setVisible(tabs);
  list_->setVisible(!tabs);
  for (QToolButton* button : buttons) {
    room -= roomOf(button);
    button->setVisible(!menu || room >= 0);
  }
  more_->setVisible(menu);
}

}  // namespace fusebench

#include "moc_chart_bar.cpp"
