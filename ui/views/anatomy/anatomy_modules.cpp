// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/anatomy/anatomy_modules.h"

#include <QHeaderView>
#include <QLabel>
#include <QStandardItem>
#include <QVBoxLayout>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "engine/base/work_limit.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr int kPathRole = Qt::UserRole + 1;

QString bytesOf(const ModuleTime& module) {
  return formatBytes(module.bytes ? std::llround(*module.bytes) : -1);
}

QString flopsOf(const ModuleTime& module) {
  return module.flops ? QString::fromStdString(flopsText(*module.flops)) : QStringLiteral("–");
}

}  // namespace

AnatomyModules::AnatomyModules(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), table_(new KernelTable(this)) {
  title_->setObjectName(QStringLiteral("muted"));
  title_->setTextFormat(Qt::PlainText);
  title_->setWordWrap(true);
  title_->setContentsMargins(18, 5, 14, 3);
  table_->setAccessibleName(uiText("Time by module"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(title_);
  layout->addWidget(table_, 1);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    emit moduleChosen(index.siblingAtColumn(0).data(kPathRole).toString());
  });
  clear();
}

void AnatomyModules::clear() {
  task_.cancel();
  title_->clear();
  fill({});
}

AnatomyModules::Costs AnatomyModules::costsOf(const Run& run, const CellKey& key) {
  const Cell* const cell = run.find(key);
  try {
    if (cell) return {modulesByTime(moduleCosts(run, *cell)), {}};
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
  return {};
}

void AnatomyModules::setCell(std::shared_ptr<const Run> run, const CellKey& key,
                             const QString& variant) {
  task_.cancel();
  variant_ = variant;
  const Cell* const cell = run->find(key);
  fill(cell ? modulesByTime(moduleTimes(*run, *cell)) : std::vector<ModuleTime>());
  title_->setText(uiText("Modules in a recorded call of %1, each with the modules within it. "
                         "Double-click one to show it on the canvas.")
                      .arg(variant_));
  task_.start(
      [run = std::move(run), key](const std::stop_token& stop) {
        const WorkLimit limit(WorkLimit::kUsualSeconds, stop);
        return costsOf(*run, key);
      },
      [this](const Costs& costs) { take(costs); });
}

void AnatomyModules::take(const Costs& costs) {
  if (!costs.problem.empty())
    return title_->setText(uiText("Bytes and FLOPs of %1 are not known: %2")
                               .arg(variant_, QString::fromStdString(costs.problem)));
  fill(costs.modules);
}

void AnatomyModules::fill(const std::vector<ModuleTime>& modules) {
  table_->begin({uiText("Module"), uiText("Share"), uiText("Time"), uiText("Launches"),
                 uiText("Bytes"), uiText("FLOPs")});
  table_->explainTitle(3, uiText("A kernel that computes operations of several modules is divided "
                                 "among them, in equal parts per operation"));
  table_->explainTitle(4, uiText("Read and written by the steps of the plan"));
  const double whole = modules.empty() ? 0 : modules.front().nanoseconds;
  for (const ModuleTime& module : modules) {
    const QString path = QString::fromStdString(module.path);
    const double share = whole > 0 ? module.nanoseconds / whole : 0;
    QStandardItem* const item = table_->addKernel(
        path.isEmpty() ? uiText("(the model)") : path,
        {QString::number(100 * share, 'f', 1) + QStringLiteral("%"), formatTime(module.nanoseconds),
         formatMean(module.launches), bytesOf(module), flopsOf(module)});
    item->setData(path, kPathRole);
  }
  table_->fitColumns();
}

}  // namespace fusebench

#include "moc_anatomy_modules.cpp"
