// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline_view.h"

#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QShortcut>
#include <QSplitter>
#include <QStandardItem>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/format.h"
#include "ui/models/utf8.h"
#include "ui/views/histogram_view.h"
#include "ui/views/timeline_canvas.h"

namespace fusebench {
namespace {

constexpr int kNarrowestName = 170;
constexpr int kHeightForTables = 460;
constexpr int kWidthForButtons = 600;
constexpr int kTablesHeight = 190;
constexpr int kMostRowsShown = 500;  ///< of the table: the ones that take the most time

}  // namespace

TimelineView::TimelineView(TimelineModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      search_(new QLineEdit(this)),
      found_(new QLabel(this)),
      back_(new QToolButton(this)),
      on_(new QToolButton(this)),
      fit_(new QToolButton(this)),
      open_(new QToolButton(this)),
      below_(new QToolButton(this)),
      export_(new QToolButton(this)),
      tablesButton_(new QToolButton(this)),
      more_(new QToolButton(this)),
      cancel_(new QToolButton(this)),
      notice_(new QLabel(this)),
      progress_(new QProgressBar(this)),
      canvas_(new TimelineCanvas(model, this)),
      statistics_(new QLabel(this)),
      table_(new KernelTable(this)),
      delays_(new HistogramView(tr("Launch delay"), tr("No call is joined with a kernel."), this)),
      gaps_(new HistogramView(tr("Gaps"), tr("There are no gaps."), this)) {
  layOut();
  connect(search_, &QLineEdit::textChanged, &model_, &TimelineModel::search);
  connect(search_, &QLineEdit::returnPressed, this, [this] { model_.next(false); });
  connect(back_, &QToolButton::clicked, this, [this] { model_.next(true); });
  connect(on_, &QToolButton::clicked, this, [this] { model_.next(false); });
  connect(fit_, &QToolButton::clicked, &model_, &TimelineModel::fit);
  connect(open_, &QToolButton::clicked, this, [this] { emit openRequested(false); });
  connect(below_, &QToolButton::clicked, this, [this] { emit openRequested(true); });
  connect(export_, &QToolButton::clicked, this, &TimelineView::exportRequested);
  tablesButton_->setCheckable(true);
  connect(tablesButton_, &QToolButton::clicked, this, [this](bool on) {
    tablesChosen_ = true;
    showTables(on);
  });
  connect(cancel_, &QToolButton::clicked, &model_.loader(), &TimelineLoader::cancel);
  connect(&model_.loader(), &TimelineLoader::progressed, this,
          [this](double share) { progress_->setValue(int(share * 1000)); });
  connect(&model_, &TimelineModel::loadingChanged, this, &TimelineView::refreshLoading);
  connect(&model_, &TimelineModel::searchChanged, this, &TimelineView::refreshSearch);
  connect(&model_, &TimelineModel::selectionChanged, this, &TimelineView::refreshStatistics);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    search_->setText(index.siblingAtColumn(0).data(Qt::UserRole).toString());
    model_.next(false);
  });
  const auto bind = [this](const QKeySequence& keys, auto act) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, act);
  };
  bind(QKeySequence::Find, [this] {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
  });
  bind(Qt::Key_F3, [this] { model_.next(false); });
  bind(Qt::SHIFT | Qt::Key_F3, [this] { model_.next(true); });
  setFocusProxy(canvas_);
  showTables(false);
  refreshSearch();
  refreshStatistics();
  refreshLoading();
}

void TimelineView::layOut() {
  search_->setPlaceholderText(tr("Find a kernel"));
  search_->setAccessibleName(tr("Find a kernel"));
  search_->setClearButtonEnabled(true);
  search_->setMaximumWidth(220);
  found_->setObjectName(QStringLiteral("muted"));
  const std::tuple<QToolButton*, QString, QString> kButtons[] = {
      {back_, QStringLiteral("◂"), tr("Previous (P, Shift+F3)")},
      {on_, QStringLiteral("▸"), tr("Next (N, F3)")},
      {fit_, tr("Fit"), tr("Show all, or all that is selected (F)")},
      {open_, tr("Open…"), tr("Open a trace")},
      {below_, tr("Below…"), tr("Open a second trace under this one, on the same time scale")},
      {export_, tr("Export…"), tr("Write what is shown as Chrome trace events, for Perfetto")},
      {more_, QStringLiteral("⋯"), tr("Open and export")},
      {tablesButton_, tr("Tables"), tr("Time by kernel, launch delays and gaps")},
      {cancel_, tr("Cancel"), tr("Cancel")}};
  for (const auto& [button, label, tip] : kButtons) {
    button->setObjectName(QStringLiteral("small"));
    button->setText(label);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
  }
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(8, 6, 8, 6);
  bar->setSpacing(6);
  for (QWidget* widget : std::initializer_list<QWidget*>{search_, back_, on_, found_})
    bar->addWidget(widget);
  bar->addStretch(1);
  for (QWidget* widget : {fit_, tablesButton_, open_, below_, export_, more_})
    bar->addWidget(widget);
  // What a narrow view has no room for.
  auto* menu = new QMenu(more_);
  for (QToolButton* button : {open_, below_, export_}) {
    QAction* action = menu->addAction(button->text(), button, &QToolButton::click);
    connect(menu, &QMenu::aboutToShow, action,
            [action, button] { action->setEnabled(button->isEnabled()); });
  }
  more_->setMenu(menu);
  more_->setPopupMode(QToolButton::InstantPopup);

  strip_ = new QWidget(this);
  auto* strip = new QHBoxLayout(strip_);
  strip->setContentsMargins(12, 0, 8, 6);
  notice_->setTextFormat(Qt::PlainText);
  notice_->setWordWrap(true);
  notice_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(4);
  progress_->setAccessibleName(tr("Reading the trace"));
  strip->addWidget(notice_, 1);
  strip->addWidget(progress_, 1);
  strip->addWidget(cancel_);

  statistics_->setObjectName(QStringLiteral("muted"));
  statistics_->setTextFormat(Qt::PlainText);
  statistics_->setWordWrap(true);
  table_->setToolTip(tr("Enter searches the kernel"));
  table_->viewport()->installEventFilter(this);
  auto* figures = new QWidget(this);
  auto* side = new QVBoxLayout(figures);
  side->setContentsMargins(0, 0, 0, 0);
  side->setSpacing(0);
  side->addWidget(delays_);
  side->addWidget(gaps_);
  auto* below = new QSplitter(Qt::Horizontal, this);
  tables_ = below;
  below->setHandleWidth(1);
  below->addWidget(table_);
  below->addWidget(figures);
  below->setStretchFactor(0, 1);
  below->setStretchFactor(1, 0);
  below->setChildrenCollapsible(false);
  auto* under = new QWidget(this);
  auto* underLayout = new QVBoxLayout(under);
  underLayout->setContentsMargins(0, 0, 0, 0);
  underLayout->setSpacing(0);
  // A styled label drops margins of its own.
  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 5, 12, 5);
  line->addWidget(statistics_);
  underLayout->addLayout(line);
  underLayout->addWidget(below, 1);
  auto* parts = parts_ = new QSplitter(Qt::Vertical, this);
  parts->setHandleWidth(1);
  parts->setChildrenCollapsible(false);
  parts->addWidget(canvas_);
  parts->addWidget(under);
  parts->setStretchFactor(0, 3);
  parts->setStretchFactor(1, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(bar);
  layout->addWidget(strip_);
  layout->addWidget(parts, 1);
}

/// Where there is little room the lanes get it.
void TimelineView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool room = height() >= kHeightForTables;
  const bool wide = width() >= kWidthForButtons;
  for (QToolButton* button : {open_, below_, export_}) button->setVisible(wide);
  more_->setVisible(!wide);
  if (!tablesChosen_ && room != tablesButton_->isChecked()) showTables(room);
}

void TimelineView::showTables(bool shown) {
  tables_->setVisible(shown);
  tablesButton_->setChecked(shown);
  // The statistics' lines keep the height they need.
  parts_->setSizes({height(), shown ? kTablesHeight : 1});
}

void TimelineView::setTheme(const Theme& theme) {
  canvas_->setTheme(theme);
  delays_->setTheme(theme);
  gaps_->setTheme(theme);
}

void TimelineView::refreshLoading() {
  const bool busy = model_.loader().busy();
  const bool failed = !busy && !model_.failure().isEmpty();
  strip_->setVisible(busy || failed);
  progress_->setVisible(busy);
  cancel_->setVisible(busy);
  notice_->setVisible(failed);
  notice_->setText(model_.failure());
  if (busy) progress_->setValue(0);
  for (QToolButton* button : {open_, below_}) button->setEnabled(!busy);
  below_->setEnabled(!busy && !model_.empty());
  export_->setEnabled(!busy && !model_.empty());
}

void TimelineView::refreshSearch() {
  if (search_->text() != model_.searched()) search_->setText(model_.searched());
  found_->setText(model_.searched().isEmpty() ? QString()
                  : model_.matches() == 0     ? tr("none")
                                              : formatCount(std::int64_t(model_.matches())));
}

void TimelineView::refreshStatistics() {
  QStringList lines;
  const auto& summaries = model_.summaries();
  const bool several = summaries.size() > 1;
  QStringList titles = KernelTable::usualTitles();
  if (!summaries.empty() && model_.shown()[0].work == Work::host) titles[0] = tr("Span");
  const auto known = [](const SpanTotal& total) {
    return total.bytesRead >= 0 || total.bytesWritten >= 0;
  };
  const bool bytes = std::ranges::any_of(
      summaries, [&](const auto& summary) { return std::ranges::any_of(summary.totals, known); });
  if (bytes) titles << tr("Read") << tr("Written");
  table_->begin(titles);
  std::vector<Distribution> delays, gaps;
  for (std::size_t t = 0; t < summaries.size(); ++t) {
    const auto& [statistics, totals, delay, gap] = summaries[t];
    const auto& shown = model_.shown()[t];
    const double whole = double(std::max<Nanoseconds>(1, statistics.range.length()));
    QString line = several ? shown.title + QStringLiteral(": ") : QString();
    if (t == 0 && model_.selection())
      line = tr("Selected %1 · ").arg(exactTime(statistics.range.length())) + line;
    line += tr("busy %1 (%2%) · idle %3 · %4 %5%6")
                .arg(formatTime(double(statistics.busy)),
                     QString::number(100 * double(statistics.busy) / whole, 'f', 1),
                     formatTime(double(statistics.idle)),
                     formatCount(std::int64_t(statistics.launches)),
                     shown.work == Work::device ? tr("launch") : tr("span"),
                     statistics.launches == 1     ? QString()
                     : shown.work == Work::device ? QStringLiteral("es")
                                                  : QStringLiteral("s"));
    if (statistics.gaps > 0) line += tr(" · mean gap %1").arg(formatTime(statistics.meanGap));
    lines << line;
    delays.push_back(delay);
    gaps.push_back(gap);
    for (std::size_t i = 0; i < totals.size() && i < std::size_t(kMostRowsShown); ++i) {
      const SpanTotal& total = totals[i];
      const QString name = text(shown.trace->nameText(total.name));
      QStringList figures = {formatTime(double(total.total)),
                             QString::number(100 * total.share, 'f', 1) + QStringLiteral("%"),
                             formatCount(std::int64_t(total.count)),
                             formatTime(total.mean),
                             formatTime(double(total.least)),
                             formatTime(double(total.most))};
      if (bytes) figures << formatBytes(total.bytesRead) << formatBytes(total.bytesWritten);
      QStandardItem* first =
          table_->addKernel(several ? name + QStringLiteral("  ·  ") + shown.title : name, figures);
      first->setData(name, Qt::UserRole);
      first->setToolTip(name);
    }
  }
  statistics_->setText(lines.join(u'\n'));
  delays_->setDistributions(std::move(delays));
  gaps_->setDistributions(std::move(gaps));
  table_->resizeColumnsToContents();
  widenNames();
}

/// The names take what room the figures leave; where there is little, the last figures scroll.
void TimelineView::widenNames() {
  int figures = 0;
  for (int column = 1; column < table_->model()->columnCount(); ++column)
    figures += table_->columnWidth(column);
  if (table_->model()->columnCount() > 0)
    table_->setColumnWidth(0, std::max(kNarrowestName, table_->viewport()->width() - figures));
}

bool TimelineView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) widenNames();
  return QWidget::eventFilter(watched, event);
}

}  // namespace fusebench
