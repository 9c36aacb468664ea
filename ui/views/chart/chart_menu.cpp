// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/chart_menu.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QToolButton>
#include <utility>
#include <vector>

#include "ui/models/base/ui_text.h"
#include "ui/views/chart/chart_bar.h"
#include "ui/views/chart/chart_view.h"

namespace fusebench {
namespace {

/// Keeps the actions as the bar's buttons are when the menu opens.
class ChartMenu : public QObject {
 public:
  explicit ChartMenu(ChartView& view) : QObject(&view), view_(view) {
    const ChartBar& bar = view.bar();
    follow(uiText("Show everything"), bar.fit());
    follow(uiText("Logarithmic axis"), bar.logAxis());
    follow(uiText("Logarithmic values"), bar.logValue());
    follow(uiText("Fitted lines"), bar.models());
    pin_ = add(uiText("Clear pin"), [this] {
      const std::optional<double> pin = view_.pin();
      view_.setPin(std::nullopt);
      if (pin) emit view_.picked(*pin);
    });
    add(uiText("Copy picture"), [this] { QGuiApplication::clipboard()->setPixmap(view_.grab()); });
    auto* line = new QAction(this);
    line->setSeparator(true);
    view_.addAction(line);
    view_.setContextMenuPolicy(Qt::ActionsContextMenu);
    view_.installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() != QEvent::ContextMenu) return false;
    for (const auto& [action, button] : followed_) {
      action->setEnabled(button->isEnabled());
      action->setChecked(button->isChecked());
    }
    pin_->setEnabled(view_.pin().has_value());
    return false;
  }

 private:
  template <typename Done>
  QAction* add(const QString& text, Done done) {
    auto* action = new QAction(text, this);
    connect(action, &QAction::triggered, this, done);
    view_.addAction(action);
    return action;
  }
  void follow(const QString& text, QToolButton& button) {
    QAction* action = add(text, [&button] { button.click(); });
    action->setCheckable(button.isCheckable());
    followed_.emplace_back(action, &button);
  }

  ChartView& view_;
  std::vector<std::pair<QAction*, QToolButton*>> followed_;
  QAction* pin_;
};

}  // namespace

void addChartMenu(ChartView& view) {
  new ChartMenu(view);
}

}  // namespace fusebench
