// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/timeline_figures.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStandardItem>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/base/format.h"
#include "ui/models/base/utf8.h"
#include "ui/views/timeline/histogram_view.h"

namespace fusebench {
namespace {

constexpr int kNarrowestName = 170;
constexpr int kSelf = 2;             ///< the column of self time, where spans nest
constexpr int kMostRowsShown = 500;  ///< of the table: the ones that take the most time

QString percent(double share) {
  return QString::number(100 * share, 'f', 1) + QStringLiteral("%");
}

}  // namespace

TimelineFigures::TimelineFigures(TimelineModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      statistics_(new QLabel(this)),
      scope_(new QComboBox(this)),
      table_(new KernelTable(this)),
      delays_(new HistogramView(tr("Launch delay"), tr("No call is joined with a kernel."), this)),
      gaps_(new HistogramView(tr("Gaps"), tr("There are no gaps."), this)) {
  layOut();
  connect(&model_, &TimelineModel::selectionChanged, this, &TimelineFigures::refresh);
  connect(scope_, &QComboBox::currentIndexChanged, this, &TimelineFigures::refresh);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    const QString name = index.siblingAtColumn(0).data(Qt::UserRole).toString();
    if (!name.isEmpty()) emit kernelActivated(name);
  });
  refresh();
}

void TimelineFigures::layOut() {
  statistics_->setObjectName(QStringLiteral("muted"));
  statistics_->setTextFormat(Qt::PlainText);
  statistics_->setWordWrap(true);
  scope_->setAccessibleName(tr("Figures of which device"));
  scope_->setToolTip(tr("Figures of which device"));
  scope_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  table_->setToolTip(tr("Enter searches the kernel"));
  table_->viewport()->installEventFilter(this);
  auto* histograms = new QWidget(this);
  auto* side = new QVBoxLayout(histograms);
  side->setContentsMargins(0, 0, 0, 0);
  side->setSpacing(0);
  side->addWidget(delays_);
  side->addWidget(gaps_);
  auto* below = new QSplitter(Qt::Horizontal, this);
  tables_ = below;
  below->setHandleWidth(1);
  below->addWidget(table_);
  below->addWidget(histograms);
  below->setStretchFactor(0, 1);
  below->setStretchFactor(1, 0);
  below->setChildrenCollapsible(false);
  // A styled label drops margins of its own.
  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 5, 12, 5);
  line->addWidget(statistics_, 1);
  line->addWidget(scope_, 0, Qt::AlignTop);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(line);
  layout->addWidget(below, 1);
}

void TimelineFigures::showTables(bool shown) {
  tables_->setVisible(shown);
  refreshScope();
}

void TimelineFigures::setTheme(const Theme& theme) {
  delays_->setTheme(theme);
  gaps_->setTheme(theme);
}

void TimelineFigures::refresh() {
  refreshScope();
  refreshSentences();
  if (scopeNow() == Scope::byDevice)
    refreshDevices();
  else
    refreshTable();
  refreshHistograms();
  table_->resizeColumnsToContents();
  widenNames();
}

TimelineFigures::Scope TimelineFigures::scopeNow() const {
  const int index = scope_->currentIndex();
  return index <= 0 ? Scope::allDevices : index == 1 ? Scope::byDevice : Scope::oneDevice;
}

const TimelineModel::Figures* TimelineFigures::figuresOf(
    const TimelineModel::Summary& summary) const {
  if (scopeNow() != Scope::oneDevice) return &summary;
  const auto found = std::ranges::find(summary.devices, scope_->currentText(),
                                       &TimelineModel::Summary::OfDevice::name);
  return found == summary.devices.end() ? nullptr : &found->figures;
}

void TimelineFigures::refreshScope() {
  // While figures are computed the choice stays.
  if (!model_.summaries().empty() || model_.empty()) {
    QStringList devices;
    for (const auto& summary : model_.summaries())
      for (const auto& device : summary.devices)
        if (!devices.contains(device.name)) devices << device.name;
    QStringList choices;
    if (!devices.isEmpty()) choices << tr("All devices") << tr("By device") << devices;
    QStringList before;
    for (int i = 0; i < scope_->count(); ++i) before << scope_->itemText(i);
    if (choices != before) {
      const QSignalBlocker quiet(scope_);
      const QString chosen = scope_->currentText();
      scope_->clear();
      scope_->addItems(choices);
      scope_->setCurrentIndex(std::max(0, scope_->findText(chosen)));
    }
  }
  scope_->setVisible(scope_->count() > 0 && !tables_->isHidden());
}

void TimelineFigures::refreshSentences() {
  statistics_->setText(
      statisticsLines(model_.shown(), model_.summaries(), model_.selection()).join(u'\n'));
}

/// Time by kernel.
void TimelineFigures::refreshTable() {
  const auto& summaries = model_.summaries();
  QStringList titles = KernelTable::usualTitles();
  const bool nest = std::ranges::any_of(model_.shown(),
                                        [](const auto& shown) { return shown.work == Work::host; });
  if (nest) {
    titles[0] = tr("Span");
    titles.insert(kSelf, tr("Self"));
  }
  const bool bytes = std::ranges::any_of(summaries, [](const auto& summary) {
    return std::ranges::any_of(summary.totals, [](const SpanTotal& total) {
      return total.bytesRead >= 0 || total.bytesWritten >= 0;
    });
  });
  if (bytes) titles << tr("Read") << tr("Written");
  table_->begin(titles);
  for (std::size_t t = 0; t < summaries.size(); ++t) {
    const TimelineModel::Figures* figures = figuresOf(summaries[t]);
    if (!figures) continue;
    const auto& shown = model_.shown()[t];
    for (std::size_t i = 0; i < figures->totals.size() && i < std::size_t(kMostRowsShown); ++i) {
      const SpanTotal& total = figures->totals[i];
      const QString name = text(shown.trace->nameText(total.name));
      QStringList cells = {formatTime(double(total.total)),        percent(total.share),
                           formatCount(std::int64_t(total.count)), formatTime(total.mean),
                           formatTime(double(total.least)),        formatTime(double(total.most))};
      if (nest) cells.insert(kSelf - 1, formatTime(double(total.self)));
      if (bytes) cells << formatBytes(total.bytesRead) << formatBytes(total.bytesWritten);
      QStandardItem* first = table_->addKernel(
          summaries.size() > 1 ? name + QStringLiteral("  ·  ") + shown.title : name, cells);
      first->setData(name, Qt::UserRole);
      first->setToolTip(name);
    }
  }
}

/// Devices beside each other.
void TimelineFigures::refreshDevices() {
  const auto& summaries = model_.summaries();
  table_->begin({tr("Device"), tr("Busy"), tr("Share"), tr("Idle"), tr("Launches"), tr("Gaps"),
                 tr("Mean gap")});
  for (std::size_t t = 0; t < summaries.size(); ++t)
    for (const auto& device : summaries[t].devices) {
      const RangeStatistics& found = device.figures.statistics;
      const double whole = double(std::max<Nanoseconds>(1, found.range.length()));
      table_->addKernel(summaries.size() > 1
                            ? device.name + QStringLiteral("  ·  ") + model_.shown()[t].title
                            : device.name,
                        {formatTime(double(found.busy)), percent(double(found.busy) / whole),
                         formatTime(double(found.idle)), formatCount(std::int64_t(found.launches)),
                         formatCount(std::int64_t(found.gaps)),
                         found.gaps > 0 ? formatTime(found.meanGap) : QStringLiteral("–")});
    }
}

void TimelineFigures::refreshHistograms() {
  std::vector<Distribution> delays, gaps;
  QStringList names;
  for (std::size_t t = 0; t < model_.summaries().size(); ++t) {
    const TimelineModel::Figures* figures = figuresOf(model_.summaries()[t]);
    delays.push_back(figures ? figures->delays : Distribution());
    gaps.push_back(figures ? figures->gaps : Distribution());
    names << model_.shown()[t].title;
  }
  delays_->setDistributions(std::move(delays), names);
  gaps_->setDistributions(std::move(gaps), names);
}

/// The names take what room the figures leave; where there is little, the last figures scroll.
void TimelineFigures::widenNames() {
  int figures = 0;
  for (int column = 1; column < table_->model()->columnCount(); ++column)
    figures += table_->columnWidth(column);
  if (table_->model()->columnCount() > 0)
    table_->setColumnWidth(0, std::max(kNarrowestName, table_->viewport()->width() - figures));
}

bool TimelineFigures::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) widenNames();
  return QWidget::eventFilter(watched, event);
}

}  // namespace fusebench
