// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/operators_panel.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStandardItem>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/base/saying.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostGroupsShown = 500;  ///< the ones that take the most time
constexpr int kTitleCharacters = 12;

/// The groupings in the list.
const std::vector<std::vector<OperatorKey>>& groupings() {
  using enum OperatorKey;
  static const std::vector<std::vector<OperatorKey>> kAll = {
      {op}, {module}, {module, op}, {shape}, {step}, {step, op}, {stream}, {stream, op}};
  return kAll;
}

}  // namespace

OperatorsPanel::OperatorsPanel(TimelineModel& model, QWidget* parent)
    : FiguresPanel(parent),
      model_(model),
      figures_(model),
      controls_(new QWidget(this)),
      form_(new QComboBox(controls_)),
      by_(new QComboBox(controls_)),
      trace_(new QComboBox(controls_)),
      measure_(new QAction(uiText("Measure this"), this)),
      stack_(new QStackedWidget(this)),
      table_(new KernelTable(this)),
      flame_(new FlameGraph(this)) {
  layOut();
  connect(form_, &QComboBox::currentIndexChanged, this, &OperatorsPanel::refresh);
  connect(by_, &QComboBox::currentIndexChanged, this,
          [this](int index) { figures_.groupBy(groupings().at(std::size_t(std::max(0, index)))); });
  connect(trace_, &QComboBox::currentIndexChanged, this,
          [this](int index) { figures_.setTrace(std::size_t(std::max(0, index))); });
  connect(&figures_, &OperatorFigures::changed, this, &OperatorsPanel::refresh);
  connect(&model_, &TimelineModel::tracesChanged, this, &OperatorsPanel::refreshTraces);
  connect(&model_, &TimelineModel::currentChanged, this, &OperatorsPanel::markCurrent);
  connect(flame_, &FlameGraph::eventWanted, this, &OperatorsPanel::goTo);
  const auto activate = [this](const QModelIndex& index) {
    const QVariant event = index.siblingAtColumn(0).data(Qt::UserRole);
    if (!event.isNull()) goTo(event.toUInt());
  };
  connect(table_, &QTableView::activated, this, activate);
  connect(table_, &QTableView::clicked, this, activate);
  refreshTraces();
  refresh();
}

void OperatorsPanel::layOut() {
  form_->addItems({uiText("Table"), uiText("Calls (top-down)"), uiText("Callers (bottom-up)")});
  form_->setAccessibleName(uiText("How operators are shown"));
  form_->setToolTip(
      uiText("Calls: from modules down to kernels. Callers: from the kernels and operators that "
             "took the time up to the modules that called them."));
  for (const auto& keys : groupings()) {
    QStringList names;
    for (const OperatorKey key : keys) names << text(saidAs("head", nameOf(key)));
    by_->addItem(uiText("by %1").arg(names.join(text(said(", ")))));
  }
  by_->setAccessibleName(uiText("Grouping of operators"));
  trace_->setAccessibleName(uiText("Trace whose operators are shown"));
  trace_->setMinimumContentsLength(kTitleCharacters);
  trace_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  table_->setAccessibleName(uiText("Time by operator"));
  table_->setToolTip(uiText("A click shows the longest call on the timeline"));
  measure_->setToolTip(uiText(
      "Creates an experiment from the longest call: eager, compiled and PyTorch on its shapes"));
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  table_->addAction(measure_);
  connect(measure_, &QAction::triggered, this, &OperatorsPanel::measureSelected);
  auto* line = new QHBoxLayout(controls_);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(6);
  for (QComboBox* list : {form_, by_, trace_}) line->addWidget(list);
  // In line with the lists above it.
  auto* margins = new QWidget(stack_);
  auto* around = new QVBoxLayout(margins);
  around->setContentsMargins(8, 0, 8, 6);
  around->addWidget(flame_);
  stack_->addWidget(table_);
  stack_->addWidget(margins);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(stack_, 1);
}

OperatorsPanel::Form OperatorsPanel::formNow() const {
  return static_cast<Form>(std::max(0, form_->currentIndex()));
}

void OperatorsPanel::setTheme(const Theme& theme) {
  flame_->setTheme(theme);
}

void OperatorsPanel::setWanted(bool wanted) {
  figures_.setWanted(wanted);
}

void OperatorsPanel::refreshTraces() {
  const QSignalBlocker quiet(trace_);
  trace_->clear();
  for (const auto& shown : model_.shown()) trace_->addItem(shown.title);
  trace_->setCurrentIndex(int(figures_.trace()));
  trace_->setVisible(model_.shown().size() > 1);
}

void OperatorsPanel::refresh() {
  by_->setVisible(formNow() == Form::table);
  stack_->setCurrentIndex(formNow() == Form::table ? 0 : 1);
  flame_->setFigures(figures_.made(), formNow() == Form::callers, figures_.busy());
  refreshTable();
  markCurrent();
}

void OperatorsPanel::refreshTable() {
  const auto& made = figures_.made();
  const bool device = made && made->tree.device;
  QStringList titles{uiText("Operator"), uiText("Share"), uiText("Calls"), uiText("Host"),
                     uiText("Host, self")};
  if (device) titles << uiText("Device") << uiText("Device, self") << uiText("Kernels");
  table_->begin(titles);
  if (!made) return;
  for (std::size_t i = 0; i < made->groups.size() && i < kMostGroupsShown; ++i) {
    const OperatorGroup& one = made->groups[i];
    QStringList cells{QString::number(100 * one.share, 'f', 1) + QStringLiteral("%"),
                      formatCount(std::int64_t(one.calls)), formatTime(double(one.hostTotal)),
                      formatTime(double(one.hostSelf))};
    if (device)
      cells << formatTime(double(one.deviceTotal)) << formatTime(double(one.deviceSelf))
            << formatCount(std::int64_t(one.kernels));
    table_->addKernel(text(titleOf(one)), cells)->setData(one.longest, Qt::UserRole);
  }
  table_->fitColumns();
}

/// Finds the event that was clicked on the timeline.
void OperatorsPanel::markCurrent() {
  const auto& made = figures_.made();
  const auto& current = model_.current();
  if (!made || !current || current->trace != figures_.trace()) return;
  if (formNow() == Form::table) {
    const std::uint32_t group = made->groupOf(current->event);
    if (group >= std::uint32_t(table_->model()->rowCount())) return table_->clearSelection();
    const QModelIndex row = table_->model()->index(int(group), 0);
    table_->setCurrentIndex(row);
    return table_->scrollTo(row);
  }
  std::uint32_t node = nodeOf(*made->trace, made->tree, current->event);
  if (formNow() == Form::callers && node != 0) {
    // The names at the top took the time themselves.
    const OperatorNode& of = made->tree.nodes[node];
    const auto& tops = made->callers.nodes[0].children;
    const auto top = std::ranges::find_if(tops, [&](std::uint32_t one) {
      const OperatorNode& each = made->callers.nodes[one];
      return each.kind == of.kind && each.name == of.name;
    });
    node = top == tops.end() ? 0 : *top;
  }
  if (node != flame_->marked()) flame_->mark(node);
}

void OperatorsPanel::measureSelected() {
  const auto& made = figures_.made();
  const QModelIndex row = table_->currentIndex();
  if (!made || !row.isValid()) return;
  const EventId event = row.siblingAtColumn(0).data(Qt::UserRole).value<EventId>();
  const Trace& trace = *made->trace;
  if (event >= trace.size()) return;
  model_.executionTrace().measureOperator(text(trace.title()),
                                          text(std::string(trace.nameText(trace.nameId(event)))),
                                          trace.recordedArguments(event));
}

void OperatorsPanel::goTo(EventId event) {
  if (figures_.trace() < model_.shown().size()) model_.goTo({figures_.trace(), event});
}

}  // namespace fusebench

#include "moc_operators_panel.cpp"
