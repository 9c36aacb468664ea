// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/execution_trace_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QStandardItem>
#include <QToolButton>
#include <algorithm>
#include <optional>
#include <utility>

#include "profiler/trace/recorded_tensors.h"
#include "profiler/trace/traced_call.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostOperatorsShown = 5000;
constexpr int kNumberRole = Qt::UserRole + 1;

QString shapesCell(const ExecutionTrace& trace, OperatorIndex at) {
  std::vector<RecordedTensor> tensors;
  forEachTensor(trace.operators[at].inputs, [&](std::uint32_t index) {
    tensors.push_back({trace.tensors[index].extents, trace.tensors[index].dtype, 0});
  });
  return text(shapesText(tensors));
}

}  // namespace

ExecutionTracePanel::ExecutionTracePanel(ExecutionTraceModel& model, QWidget* parent)
    : FilePanel(model,
                {uiText("Operators of an execution trace"), uiText("Reading the execution trace…"),
                 uiText("Open a PyTorch execution trace (Ctrl+O): "
                        "ExecutionTraceObserver().register_callback(\"step.json\") records one.")},
                parent),
      model_(model),
      measure_(new QAction(uiText("Measure this"), this)) {
  auto* button = new QToolButton(controls());
  button->setObjectName(QStringLiteral("small"));
  button->setDefaultAction(measure_);
  controlLine().addWidget(button);
  measure_->setToolTip(
      uiText("Makes an experiment of the selected operators, or of all: eager, compiled and "
             "PyTorch on the shapes of the trace"));
  table().setToolTip(uiText("Select consecutive operators, then Measure this"));
  table().setSelectionMode(QAbstractItemView::ContiguousSelection);
  table().setContextMenuPolicy(Qt::ActionsContextMenu);
  table().addAction(measure_);
  connect(measure_, &QAction::triggered, this, &ExecutionTracePanel::measureSelected);
  refresh();
}

void ExecutionTracePanel::refresh() {
  measure_->setEnabled(showsContent());
  FilePanel::refresh();
}

QStringList ExecutionTracePanel::fill() {
  const auto content = model_.content();
  const ExecutionTrace& trace = content->trace;
  struct Row {
    OperatorIndex op = 0;
    const std::string* why = nullptr;
  };
  std::vector<Row> rows;
  for (const TracedProgram::Line& line : content->outline.lines) rows.push_back({line.op, nullptr});
  for (const TracedProgram::Unknown& each : content->outline.unknown)
    rows.push_back({each.op, &each.why});
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.op < b.op; });
  table().begin({uiText("Operator"), uiText("Shapes"), uiText("Range"), uiText("Number")}, {1, 2});
  for (std::size_t i = 0; i < rows.size() && i < kMostOperatorsShown; ++i) {
    const Row& row = rows[i];
    const std::int64_t number = trace.operators[row.op].id;
    const QString name = text(std::string(trace.nameOf(row.op)));
    QStandardItem* const item = table().addKernel(
        name,
        {shapesCell(trace, row.op), text(rangesAround(trace, row.op)), QString::number(number)});
    item->setData(qint64(number), kNumberRole);
    item->setToolTip(row.why ? uiText("cannot be measured: %1").arg(text(*row.why)) : name);
    if (row.why) item->setEnabled(false);
  }
  QStringList said{uiText("%1: %2 operators can be measured, %3 cannot")
                       .arg(text(trace.title),
                            formatCount(std::int64_t(content->outline.lines.size())),
                            formatCount(std::int64_t(content->outline.unknown.size())))};
  if (rows.size() > kMostOperatorsShown)
    said << uiText("the first %1 are shown").arg(formatCount(std::int64_t(kMostOperatorsShown)));
  if (!trace.partial.empty()) said << text(trace.partial);
  return said;
}

void ExecutionTracePanel::measureSelected() {
  std::optional<std::pair<std::int64_t, std::int64_t>> numbers;
  for (const QModelIndex& index : table().selectionModel()->selectedRows()) {
    const auto number = std::int64_t(index.data(kNumberRole).toLongLong());
    if (!numbers) numbers = std::pair(number, number);
    numbers->first = std::min(numbers->first, number);
    numbers->second = std::max(numbers->second, number);
  }
  model_.measure(numbers);
}

}  // namespace fusebench

#include "moc_execution_trace_panel.cpp"
