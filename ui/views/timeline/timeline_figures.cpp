// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/timeline_figures.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPoint>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStandardItem>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/views/timeline/histogram_view.h"
#include "ui/views/timeline/operators_panel.h"
#include "ui/views/timeline/share_bar.h"

namespace fusebench {
namespace {

constexpr int kWidthForHistograms = 560;
constexpr int kWidestTitle = 280;  ///< pixels of a list of traces
constexpr int kMostSentences = 6;  ///< lines
constexpr int kSelf = 2;           ///< the column of self time, where spans nest
constexpr int kGapFrom = Qt::UserRole + 2, kGapTo = Qt::UserRole + 3,
              kGapTrace = Qt::UserRole + 4;  ///< roles

QString percent(double share) {
  return QString::number(100 * share, 'f', 1) + QStringLiteral("%");
}

}  // namespace

TimelineFigures::TimelineFigures(TimelineModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      statistics_(new CappedLabel(kMostSentences, this)),
      scope_(new QComboBox(this)),
      subject_(new QComboBox(this)),
      by_(new QComboBox(this)),
      compared_{new QComboBox(this), new QComboBox(this)},
      whole_(new QToolButton(this)),
      note_(new QLabel(this)),
      details_(new QLabel(this)),
      table_(new KernelTable(this)),
      operators_(new OperatorsPanel(model, this)),
      panels_{{Subject::operators, operators_}},
      shares_(new ShareBar(this)),
      delays_(new HistogramView(uiText("Launch delay"),
                                uiText("No kernel could be matched to the call that launched it."),
                                this)),
      gaps_(new HistogramView(uiText("Gaps"),
                              uiText("There is none between two kernels or calls here."), this)) {
  layOut();
  connect(&model_, &TimelineModel::selectionChanged, this, &TimelineFigures::refresh);
  connect(scope_, &QComboBox::currentIndexChanged, this, &TimelineFigures::refresh);
  connect(subject_, &QComboBox::currentIndexChanged, this, [this] {
    refresh();
    emit subjectChanged();
  });
  connect(by_, &QComboBox::currentIndexChanged, this,
          [this] { model_.groupBy(static_cast<Grouping>(by_->currentData().toInt())); });
  for (const std::size_t which : {std::size_t(0), std::size_t(1)})
    connect(compared_[which], &QComboBox::currentIndexChanged, this,
            [this, which] { chooseCompared(which); });
  connect(table_, &QTableView::activated, this, &TimelineFigures::activate);
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (subjectNow() == Subject::savings || subjectNow() == Subject::gaps) activate(index);
  });
  connect(&model_, &TimelineModel::currentChanged, this, &TimelineFigures::showDetails);
  connect(&model_, &TimelineModel::tracesChanged, this, &TimelineFigures::showDetails);
  refresh();
}

void TimelineFigures::layOut() {
  statistics_->label().setObjectName(QStringLiteral("muted"));
  statistics_->setAccessibleName(uiText("How long devices were busy and idle"));
  scope_->setAccessibleName(uiText("Figures of which device"));
  scope_->setToolTip(uiText("Figures of which device"));
  scope_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  subject_->addItems({uiText("Time by kernel"), uiText("Where the time went"),
                      uiText("What would fusing save?"), uiText("Longest gaps"),
                      uiText("Two traces compared"), uiText("Time by operator")});
  subject_->setAccessibleName(uiText("What the table is of"));
  subject_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (const Grouping grouping : {Grouping::kernel, Grouping::op, Grouping::step, Grouping::stream})
    by_->addItem(uiText("by %1").arg(text(nameOf(grouping))), static_cast<int>(grouping));
  by_->setAccessibleName(uiText("By what the traces are compared"));
  by_->setToolTip(
      uiText("Kernel: its name. Operator: what launched it. Step: the profiler's steps, "
             "else ranges that the program named. Stream: the device's queue."));
  by_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  by_->hide();
  compared_[0]->setAccessibleName(uiText("The trace called A"));
  compared_[1]->setAccessibleName(uiText("The trace called B"));
  for (QComboBox* list : compared_) {
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list->setMinimumContentsLength(kShortTitle / 2);
    list->hide();
  }
  whole_->setObjectName(QStringLiteral("small"));
  whole_->setText(uiText("All of it"));
  whole_->setToolTip(uiText("Clear selection (Esc)"));
  whole_->setAccessibleName(uiText("Clear selection"));
  connect(whole_, &QToolButton::clicked, this, [this] { model_.select(std::nullopt); });
  note_->setObjectName(QStringLiteral("muted"));
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);
  note_->setContentsMargins(12, 0, 12, 6);
  note_->hide();
  details_->setTextFormat(Qt::PlainText);
  details_->setWordWrap(true);
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  details_->setAccessibleName(uiText("The event that was clicked"));
  details_->setContentsMargins(12, 0, 12, 6);
  details_->hide();
  table_->setToolTip(uiText("Enter searches the kernel"));
  auto* histograms = histograms_ = new QWidget(this);
  auto* side = new QVBoxLayout(histograms);
  side->setContentsMargins(0, 0, 0, 0);
  side->setSpacing(0);
  side->addWidget(delays_);
  side->addWidget(gaps_);
  auto* below = new QSplitter(Qt::Horizontal, this);
  tables_ = below;
  below->setHandleWidth(1);
  below->addWidget(table_);
  for (const auto& [subject, panel] : panels_) below->addWidget(panel);
  below->addWidget(histograms);
  for (int i = 0; i < below->count(); ++i)
    below->setStretchFactor(i, below->widget(i) == histograms ? 0 : 1);
  below->setChildrenCollapsible(false);
  // A styled label drops margins of its own.
  auto* line = new QHBoxLayout;
  line->setContentsMargins(8, 0, 8, 5);
  line->setSpacing(6);
  for (QComboBox* list : {subject_, by_}) line->addWidget(list);
  for (QComboBox* list : compared_) {
    list->setMaximumWidth(kWidestTitle);
    line->addWidget(list, 2);
  }
  for (const auto& [subject, panel] : panels_)
    if (QWidget* const controls = panel->controls()) line->addWidget(controls);
  line->addWidget(scope_);
  line->addWidget(whole_);
  line->addStretch();
  auto* sentences = new QVBoxLayout;
  sentences->setContentsMargins(12, 5, 12, 5);
  sentences->addWidget(statistics_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(details_);
  layout->addLayout(sentences);
  layout->addLayout(line);
  layout->addWidget(note_);
  layout->addWidget(below, 1);
}

/// Where there is little room the table has it; the timeline shows gaps and delays as well.
void TimelineFigures::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  histograms_->setVisible(!panel() && width() >= kWidthForHistograms);
}

/// Lines without tables take what they need, and leave the rest to the lanes.
bool TimelineFigures::event(QEvent* event) {
  const bool handled = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize) fitHeight();
  return handled;
}

void TimelineFigures::fitHeight() {
  if (!tables_) return;
  const int needed = !tables_->isHidden() ? QWIDGETSIZE_MAX
                                          : std::max(minimumSizeHint().height(),
                                                     layout()->totalHeightForWidth(width()));
  if (maximumHeight() != needed) setMaximumHeight(needed);
}

void TimelineFigures::showTables(bool shown) {
  tables_->setVisible(shown);
  refresh();
  fitHeight();
}

void TimelineFigures::setTheme(const Theme& theme) {
  delays_->setTheme(theme);
  gaps_->setTheme(theme);
  for (const auto& [subject, panel] : panels_) panel->setTheme(theme);
  theme_ = &theme;
  shares_->setTheme(theme);
  if (subjectNow() == Subject::time) refresh();  // its titles show colours
}

void TimelineFigures::refresh() {
  refreshScope();
  refreshSentences();
  subject_->setVisible(!tables_->isHidden() && !model_.empty());
  by_->setVisible(!subject_->isHidden() && subjectNow() == Subject::compared &&
                  model_.shown().size() > 1);
  refreshChoice();
  whole_->setVisible(!subject_->isHidden() && model_.selection());
  if (subjectNow() != Subject::gaps) shownGap_.reset();
  for (const auto& [subject, each] : panels_) {
    const bool shown = each == panel();
    each->setVisible(shown);
    each->setWanted(shown && !tables_->isHidden());
    if (QWidget* const controls = each->controls())
      controls->setVisible(shown && !subject_->isHidden());
  }
  table_->setVisible(!panel());
  histograms_->setVisible(!panel() && width() >= kWidthForHistograms);
  note_->clear();
  table_->setItemDelegateForColumn(1, subjectNow() == Subject::time ? shares_ : nullptr);
  if (subjectNow() == Subject::savings)
    refreshSavings();
  else if (subjectNow() == Subject::time)
    refreshTime();
  else if (subjectNow() == Subject::gaps)
    refreshGaps();
  else if (subjectNow() == Subject::compared)
    refreshCompared();
  else if (panel())
    table_->begin({});
  else if (scopeNow() == Scope::byDevice)
    refreshDevices();
  else
    refreshTable();
  note_->setVisible(!note_->text().isEmpty() && !tables_->isHidden());
  refreshHistograms();
  table_->fitColumns();
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
    if (!devices.isEmpty()) choices << uiText("All devices") << uiText("By device") << devices;
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
  // Panels are of all devices.
  scope_->setVisible(scope_->count() > 0 && !tables_->isHidden() && !panel());
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
    titles[0] = uiText("Span");
    titles.insert(kSelf, uiText("Self"));
  }
  const bool bytes = std::ranges::any_of(summaries, [](const auto& summary) {
    return std::ranges::any_of(summary.totals, [](const SpanTotal& total) {
      return total.bytesRead >= 0 || total.bytesWritten >= 0;
    });
  });
  if (bytes) titles << uiText("Read") << uiText("Written");
  table_->begin(titles);
  const QStringList brief = shortTitles();
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
          summaries.size() > 1 ? name + QStringLiteral("  ·  ") + brief[qsizetype(t)] : name,
          cells);
      first->setData(name, Qt::UserRole);
      first->setToolTip(summaries.size() > 1 ? name + u'\n' + shown.title : name);
    }
  }
}

/// Devices beside each other.
void TimelineFigures::refreshDevices() {
  const auto& summaries = model_.summaries();
  table_->begin({uiText("Device"), uiText("Busy"), uiText("Share"), uiText("Idle"), uiText("Calls"),
                 uiText("Kernels"), uiText("Copies"), uiText("Fills"), uiText("Gaps"),
                 uiText("Mean gap")});
  for (std::size_t t = 0; t < summaries.size(); ++t)
    for (const auto& device : summaries[t].devices) {
      const RangeStatistics& found = device.figures.statistics;
      const double whole = double(std::max<Nanoseconds>(1, found.range.length()));
      table_->addKernel(
          summaries.size() > 1 ? device.name + QStringLiteral("  ·  ") + model_.shown()[t].title
                               : device.name,
          {formatTime(double(found.busy)), percent(double(found.busy) / whole),
           formatTime(double(found.idle)), formatCount(std::int64_t(found.counts.calls)),
           formatCount(std::int64_t(found.counts.kernels + found.counts.graphs)),
           formatCount(std::int64_t(found.counts.copies)),
           formatCount(std::int64_t(found.counts.fills)), formatCount(std::int64_t(found.gaps)),
           found.gaps > 0 ? formatTime(found.meanGap) : QStringLiteral("–")});
    }
}

TimelineFigures::Subject TimelineFigures::subjectNow() const {
  return static_cast<Subject>(std::max(0, subject_->currentIndex()));
}

FiguresPanel* TimelineFigures::panel() const {
  const auto found = panels_.find(subjectNow());
  return found == panels_.end() ? nullptr : found->second;
}

void TimelineFigures::activate(const QModelIndex& index) {
  const QModelIndex first = index.siblingAtColumn(0);
  const QString name = first.data(Qt::UserRole).toString();
  if (subjectNow() == Subject::gaps) {
    const QVariant from = first.data(kGapFrom), to = first.data(kGapTo);
    if (from.isNull()) return;
    shownGap_ = TimeRange{from.toLongLong(), to.toLongLong()};
    model_.showTime(*shownGap_);
    emit laneWanted(first.data(kGapTrace).toULongLong());
    return;
  }
  if (subjectNow() != Subject::savings) {
    if (!name.isEmpty()) emit kernelActivated(name);
    return;
  }
  const QPoint place = first.data(Qt::UserRole + 1).toPoint();  // the trace, the saving
  const auto trace = std::size_t(place.x()), saving = std::size_t(place.y());
  if (first.data(Qt::UserRole + 1).isNull() || trace >= model_.wholes().size()) return;
  const auto& ranked = model_.wholes()[trace].savings.ranked;
  if (saving < ranked.size()) model_.showSaving(trace, Saving(ranked[saving]));
}

/// What each device's time was spent on, and who waited for whom.
void TimelineFigures::refreshTime() {
  table_->begin({uiText("Device"), uiText("Time"), uiText("Computing"), uiText("Communication"),
                 uiText("Memory"), uiText("Idle"), uiText("Overlap"), uiText("Host wait"),
                 uiText("Kernel wait"), uiText("Other wait"), uiText("Bound by launch"),
                 uiText("Queued, most")});
  const std::vector<QColor> colors = ShareBar::colors(*theme_);
  for (std::size_t i = 0; i < colors.size(); ++i) table_->markTitle(2 + int(i), colors[i]);
  const QStringList meanings = {
      uiText("All that was recorded of it, from the first event to the last: what it was spent on"),
      uiText("Kernels other than collectives ran"),
      uiText("Collectives ran, and no other kernel overlapped them"),
      uiText("Only copies and fills ran"),
      uiText("Nothing ran"),
      uiText("Share of the collectives' time that other kernels overlapped"),
      uiText("Idle because the host had not launched the next kernel yet"),
      uiText("Idle though the next kernel was launched already: the device's own delay"),
      uiText("Idle before work whose launch was not recorded"),
      uiText("Share of the kernels that are shorter than the call that launched them"),
      uiText("The most launches that waited to begin at one time")};
  for (int i = 0; i < int(meanings.size()); ++i) table_->explainTitle(1 + i, meanings[i]);
  for (std::size_t t = 0; t < model_.wholes().size(); ++t)
    for (const DeviceBreakdown& one : model_.wholes()[t].devices) {
      const auto share = [](Nanoseconds part, Nanoseconds whole) {
        return whole > 0 ? percent(double(part) / double(whole)) : QStringLiteral("–");
      };
      const auto both = [&](Nanoseconds part) {
        return part == 0 ? QStringLiteral("0")
                         : formatTime(double(part)) + QStringLiteral("  ") + share(part, one.total);
      };
      const QString name = text(one.device.name);
      QStandardItem* first = table_->addKernel(
          model_.wholes().size() > 1 ? name + QStringLiteral("  ·  ") + model_.shown()[t].title
                                     : name,
          {QString(), both(one.computing), both(one.communication), both(one.memory),
           both(one.idle), share(one.overlap, one.collectives), formatTime(double(one.hostWait)),
           formatTime(double(one.kernelWait)), formatTime(double(one.otherWait)),
           share(Nanoseconds(one.shorter), Nanoseconds(one.kernels)),
           formatCount(std::int64_t(one.mostQueued))});
      const QModelIndex bar = first->index().siblingAtColumn(1);
      first->model()->setData(bar, ShareBar::sharesOf(one), ShareBar::kRole);
      first->model()->setData(bar, ShareBar::wordsOf(one), Qt::ToolTipRole);
    }
  note_->setText(uiText("For the whole recording; point at a title to see what it counts."));
}

/// Runs of small kernels, the ones first that fusing or a graph would help most.
void TimelineFigures::refreshSavings() {
  table_->begin({uiText("Run of kernels"), uiText("Saves"), uiText("Now"), uiText("One kernel"),
                 uiText("One graph"), uiText("Kernels"), uiText("Runs"), uiText("First at")});
  QStringList said;
  for (std::size_t t = 0; t < model_.wholes().size(); ++t) {
    const Savings& savings = model_.wholes()[t].savings;
    const QString title = model_.shown()[t].title;
    const bool several = model_.wholes().size() > 1;
    if (!savings.ranked.empty())
      said << (several ? title + QStringLiteral(": ") : QString()) +
                  uiText("now %1; each run one kernel %2; each run one graph %3")
                      .arg(formatTime(double(savings.total)), formatTime(double(savings.ifKernels)),
                           formatTime(double(savings.ifGraphs)));
    for (std::size_t i = 0; i < savings.ranked.size() && i < std::size_t(kMostRowsShown); ++i) {
      const Saving& one = savings.ranked[i];
      const QString name = text(one.kernels);
      QStandardItem* first =
          table_->addKernel(several ? name + QStringLiteral("  ·  ") + title : name,
                            {formatTime(double(one.saved())), formatTime(double(one.now)),
                             one.fusible ? formatTime(double(one.oneKernel)) : QStringLiteral("–"),
                             formatTime(double(one.oneGraph)), formatCount(std::int64_t(one.count)),
                             formatCount(std::int64_t(one.runs.size())),
                             formatTime(double(one.runs.front().time.from))});
      first->setData(QPoint(int(t), int(i)), Qt::UserRole + 1);
    }
  }
  if (model_.wholes().empty()) return;
  QStringList assumed;
  const auto saving = std::ranges::find_if(
      model_.wholes(), [](const auto& whole) { return !whole.savings.ranked.empty(); });
  const auto& of = saving == model_.wholes().end() ? model_.wholes().front() : *saving;
  for (const std::string& one : assumptionsOf(of.savings)) assumed << text(one);
  note_->setText(
      said.isEmpty()
          ? uiText("Nothing to save: no runs of kernels that are shorter than their launches, "
                   "or their calls are not known.")
          : uiText("An estimate. ") + said.join(QStringLiteral("; ")) + uiText(". Assumed: ") +
                assumed.join(QStringLiteral("; ")) + QStringLiteral("."));
}

/// Times with no work of the device, the longest first. Showing one selects it: then the list stays
/// that of the whole, or nothing would be left of it.
void TimelineFigures::refreshGaps() {
  note_->setText(
      uiText("The longest times at which nothing ran, between two kernels or calls. A click "
             "shows one."));
  if (shownGap_ && model_.selection() == shownGap_) return;
  shownGap_.reset();
  table_->begin({uiText("Gap"), uiText("Length"), uiText("From"), uiText("To"),
                 uiText("Share of the range")});
  struct Gap {
    std::size_t trace;
    TimeRange range;
    double share;
  };
  std::vector<Gap> found;
  for (std::size_t t = 0; t < model_.summaries().size(); ++t) {
    const TimelineModel::Figures* figures = figuresOf(model_.summaries()[t]);
    if (!figures) continue;
    const double whole = double(std::max<Nanoseconds>(1, figures->statistics.range.length()));
    for (const TimeRange& gap : figures->longestGaps)
      found.push_back({t, gap, double(gap.length()) / whole});
  }
  // The longest of all traces first, whichever it is in.
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](const Gap& gap) { return gap.range.length(); });
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [trace, range, share] = found[i];
    const QString name = uiText("Gap %1").arg(i + 1);
    QStandardItem* first = table_->addKernel(
        model_.summaries().size() > 1 ? name + QStringLiteral("  ·  ") + model_.shown()[trace].title
                                      : name,
        {formatTime(double(range.length())), formatTime(double(range.from)),
         formatTime(double(range.to)), percent(share)});
    first->setData(qlonglong(range.from), kGapFrom);
    first->setData(qlonglong(range.to), kGapTo);
    first->setData(qulonglong(trace), kGapTrace);
  }
}

/// All that is known of the event at hand, to be read at leisure and copied.
void TimelineFigures::showDetails() {
  const auto& place = model_.current();
  const bool known = place && place->trace < model_.shown().size();
  details_->setText(
      known
          ? factsOf(*model_.shown()[place->trace].trace, place->event).join(QStringLiteral("  ·  "))
          : QString());
  details_->setVisible(known);
}

void TimelineFigures::refreshHistograms() {
  std::vector<Distribution> delays, gaps;
  QStringList names, notes;
  for (std::size_t t = 0; t < model_.summaries().size(); ++t) {
    const TimelineModel::Figures* figures = figuresOf(model_.summaries()[t]);
    delays.push_back(figures ? figures->delays : Distribution());
    gaps.push_back(figures ? figures->gaps : Distribution());
    names << model_.shown()[t].title;
    notes << (figures && figures->delays.count > 0 ? text(figures->delaysSaid) : QString());
  }
  delays_->setDistributions(std::move(delays), names, notes);
  gaps_->setDistributions(std::move(gaps), names);
}

}  // namespace fusebench

#include "moc_timeline_figures.cpp"
