// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/timeline_figures.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
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

#include "engine/base/saying.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/views/timeline/compile_log_panel.h"
#include "ui/views/timeline/execution_trace_panel.h"
#include "ui/views/timeline/histogram_view.h"
#include "ui/views/timeline/matches_panel.h"
#include "ui/views/timeline/memory_panel.h"
#include "ui/views/timeline/notes_panel.h"
#include "ui/views/timeline/operators_panel.h"
#include "ui/views/timeline/query_panel.h"
#include "ui/views/timeline/roofline_panel.h"
#include "ui/views/timeline/share_bar.h"

namespace fusebench {
namespace {

constexpr int kWidthForHistograms = 560;
constexpr int kWidestTitle = 280;  ///< pixels of a list of traces
constexpr int kMostSentences = 6;  ///< lines

}  // namespace

TimelineFigures::TimelineFigures(TimelineModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      statistics_(new CappedLabel(kMostSentences, this)),
      scope_(new QComboBox(this)),
      subject_(new QComboBox(this)),
      by_(new QComboBox(this)),
      limits_(new QComboBox(this)),
      compared_{new QComboBox(this), new QComboBox(this)},
      whole_(new QToolButton(this)),
      headline_(new QLabel(this)),
      how_(new QToolButton(this)),
      note_(new QLabel(this)),
      details_(new QLabel(this)),
      table_(new KernelTable(this)),
      operators_(new OperatorsPanel(model, this)),
      roofline_(new RooflinePanel(model, this)),
      matches_(new MatchesPanel(model, this)),
      compileLog_(new CompileLogPanel(model.compileLogs(), this)),
      executionTrace_(new ExecutionTracePanel(model.executionTrace(), this)),
      memory_(new MemoryPanel(model, this)),
      query_(new QueryPanel(model, this)),
      notes_(new NotesPanel(model, this)),
      panels_{{Subject::operators, operators_},
              {Subject::roofline, roofline_},
              {Subject::matches, matches_},
              {Subject::compiling, compileLog_},
              {Subject::query, query_},
              {Subject::notes, notes_},
              {Subject::execution, executionTrace_},
              {Subject::memory, memory_}},
      shares_(new ShareBar(this)),
      delays_(new HistogramView(uiText("Launch delay"),
                                uiText("No kernel could be matched to the call that launched it."),
                                this)),
      gaps_(new HistogramView(uiText("Gaps"),
                              uiText("There are no gaps between kernels or calls here."), this)) {
  layOut();
  connect(&model_, &TimelineModel::selectionChanged, this, &TimelineFigures::refresh);
  connect(scope_, &QComboBox::currentIndexChanged, this, &TimelineFigures::refresh);
  connect(subject_, &QComboBox::currentIndexChanged, this, [this] {
    shownTime_.reset();
    refresh();
    emit subjectChanged();
  });
  connect(by_, &QComboBox::currentIndexChanged, this,
          [this] { model_.groupBy(static_cast<Grouping>(by_->currentData().toInt())); });
  for (const std::size_t which : {std::size_t(0), std::size_t(1)})
    connect(compared_[which], &QComboBox::currentIndexChanged, this,
            [this, which] { chooseCompared(which); });
  connect(limits_, &QComboBox::activated, this,
          [this](int index) { model_.limitTo(limits_->itemData(index).toString()); });
  connect(&model_, &TimelineModel::limitChanged, this, &TimelineFigures::refreshLimits);
  connect(&model_, &TimelineModel::loadingChanged, this, &TimelineFigures::refreshLimits);
  connect(&model_, &TimelineModel::tracesChanged, this, [this] {
    // A second trace is usually opened to see the difference.
    const std::size_t now = model_.shown().size();
    if (now > tracesBefore_ && tracesBefore_ <= 1 && now == 2) showCompared();
    tracesBefore_ = now;
  });
  connect(how_, &QToolButton::toggled, this, &TimelineFigures::refresh);
  connect(table_, &QTableView::activated, this, &TimelineFigures::activate);
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (subjectNow() == Subject::savings || subjectNow() == Subject::gaps ||
        subjectNow() == Subject::collectives)
      activate(index);
  });
  connect(&model_, &TimelineModel::currentChanged, this, &TimelineFigures::showDetails);
  connect(&model_, &TimelineModel::tracesChanged, this, &TimelineFigures::showDetails);
  refresh();
}

void TimelineFigures::layOut() {
  statistics_->label().setObjectName(QStringLiteral("muted"));
  statistics_->setAccessibleName(uiText("How long devices were busy and idle"));
  scope_->setAccessibleName(uiText("Device whose figures are shown"));
  scope_->setToolTip(uiText("Device whose figures are shown"));
  scope_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  subject_->addItems({uiText("Time by kernel"), uiText("Where the time went"),
                      uiText("What would fusing save?"), uiText("Longest gaps"),
                      uiText("Two traces compared"), uiText("Time by operator"), uiText("Roofline"),
                      uiText("Collectives"), uiText("Search matches"), uiText("Compile log"),
                      uiText("Query (SQL)"), uiText("Notes"), uiText("Execution trace"),
                      uiText("Memory snapshot")});
  subject_->setAccessibleName(uiText("What the table shows"));
  subject_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (const Grouping grouping : {Grouping::kernel, Grouping::op, Grouping::step, Grouping::stream})
    by_->addItem(uiText("by %1").arg(text(saidAs("head", nameOf(grouping)))),
                 static_cast<int>(grouping));
  by_->setAccessibleName(uiText("Grouping of the comparison"));
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
  whole_->setText(uiText("Whole trace"));
  whole_->setToolTip(uiText("Clear selection (Esc)"));
  whole_->setAccessibleName(uiText("Clear selection"));
  connect(whole_, &QToolButton::clicked, this, [this] { model_.select(std::nullopt); });
  limits_->setAccessibleName(uiText("Filter by a named range of the program"));
  limits_->setToolTip(
      uiText("Limit all tables and tracks to the ranges of one name, from record_function or NVTX, "
             "and to the kernels launched in them"));
  limits_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  limits_->setMinimumContentsLength(kShortTitle);
  headline_->setObjectName(QStringLiteral("headline"));
  headline_->setTextFormat(Qt::PlainText);
  headline_->setWordWrap(true);
  headline_->setFont(textFont(1.2, QFont::DemiBold));
  headline_->setAccessibleName(uiText("What fusing would save"));
  how_->setObjectName(QStringLiteral("small"));
  how_->setText(uiText("How?"));
  how_->setToolTip(uiText("Assumptions of the estimate"));
  how_->setAccessibleName(uiText("How the savings are estimated"));
  how_->setCheckable(true);
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
  line->addWidget(limits_);
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
  top_ = new QWidget(this);
  auto* top = new QHBoxLayout(top_);
  top->setContentsMargins(12, 0, 8, 6);
  top->addWidget(headline_, 1);
  top->addWidget(how_, 0, Qt::AlignTop);
  layout->addLayout(line);
  layout->addWidget(top_);
  layout->addWidget(note_);
  layout->addWidget(below, 1);
}

/// Collectives have columns for all of the width, and nothing to do with these.
void TimelineFigures::showHistograms() {
  histograms_->setVisible(!panel() && subjectNow() != Subject::collectives &&
                          width() >= kWidthForHistograms);
}

/// Where there is little room the table has it; the timeline shows gaps and delays as well.
void TimelineFigures::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showHistograms();
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
  if (subjectNow() == Subject::time) refresh();  // its titles show colors
}

void TimelineFigures::refresh() {
  refreshScope();
  refreshSentences();
  // A compile log or an execution trace may be open without a trace of launches.
  const bool isOfFile = dynamic_cast<FilePanel*>(panel()) != nullptr;
  subject_->setVisible(!tables_->isHidden() && (!model_.empty() || isOfFile));
  by_->setVisible(!subject_->isHidden() && subjectNow() == Subject::compared &&
                  model_.shown().size() > 1);
  refreshChoice();
  whole_->setVisible(!subject_->isHidden() && model_.selection());
  if (subjectNow() != Subject::gaps && subjectNow() != Subject::savings) shownTime_.reset();
  for (const auto& [subject, each] : panels_) {
    const bool shown = each == panel();
    each->setVisible(shown);
    each->setWanted(shown && !tables_->isHidden());
    if (QWidget* const controls = each->controls())
      controls->setVisible(shown && !subject_->isHidden());
  }
  table_->setVisible(!panel());
  showHistograms();
  note_->clear();
  headline_->clear();
  table_->setItemDelegateForColumn(1, subjectNow() == Subject::time ? shares_ : nullptr);
  if (subjectNow() == Subject::savings)
    refreshSavings();
  else if (subjectNow() == Subject::time)
    refreshTime();
  else if (subjectNow() == Subject::gaps)
    refreshGaps();
  else if (subjectNow() == Subject::compared)
    refreshCompared();
  else if (subjectNow() == Subject::collectives)
    refreshCollectives();
  else if (panel())
    table_->begin({});
  else if (scopeNow() == Scope::byDevice)
    refreshDevices();
  else
    refreshTable();
  note_->setVisible(!note_->text().isEmpty() && !tables_->isHidden());
  top_->setVisible(!headline_->text().isEmpty() && !tables_->isHidden());
  refreshLimits();
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
  // Panels and collectives are of all devices.
  scope_->setVisible(scope_->count() > 0 && !tables_->isHidden() && !panel() &&
                     subjectNow() != Subject::collectives);
}

void TimelineFigures::refreshSentences() {
  statistics_->setVisible(!model_.empty());
  statistics_->setText(
      statisticsLines(model_.shown(), model_.summaries(), model_.selection()).join(u'\n'));
}

TimelineFigures::Subject TimelineFigures::subjectNow() const {
  return static_cast<Subject>(std::max(0, subject_->currentIndex()));
}

void TimelineFigures::showMatches() {
  subject_->setCurrentIndex(static_cast<int>(Subject::matches));
}

void TimelineFigures::showNotes() {
  subject_->setCurrentIndex(static_cast<int>(Subject::notes));
}

void TimelineFigures::showCompared() {
  subject_->setCurrentIndex(static_cast<int>(Subject::compared));
}

/// Names with how often they are there, the longest in all first.
void TimelineFigures::refreshLimits() {
  constexpr std::size_t kMostRanges = 200;  // nobody reads a longer list
  const QSignalBlocker quiet(limits_);
  limits_->clear();
  limits_->addItem(uiText("All ranges"), QString());
  const auto& ranges = model_.namedRanges();
  for (std::size_t i = 0; i < ranges.size() && i < kMostRanges; ++i) {
    const QString name = text(ranges[i].name);
    limits_->addItem(uiText("%1 (%2 times, %3)")
                         .arg(name, formatCount(std::int64_t(ranges[i].count)),
                              formatTime(double(ranges[i].total))),
                     name);
  }
  limits_->setCurrentIndex(std::max(0, limits_->findData(model_.limit())));
  limits_->setEnabled(!model_.loader().busy());
  limits_->setVisible(!subject_->isHidden() && !ranges.empty() &&
                      subjectNow() != Subject::compiling);
}

void TimelineFigures::showCompileLog() {
  subject_->setCurrentIndex(static_cast<int>(Subject::compiling));
  refresh();
}

void TimelineFigures::showMemory() {
  subject_->setCurrentIndex(static_cast<int>(Subject::memory));
  refresh();
}

FilePanel* TimelineFigures::filePanel() const {
  auto* const shown = tables_->isHidden() ? nullptr : dynamic_cast<FilePanel*>(panel());
  return shown && shown->hasFile() ? shown : nullptr;
}

void TimelineFigures::showExecutionTrace() {
  subject_->setCurrentIndex(static_cast<int>(Subject::execution));
  refresh();
}

FiguresPanel* TimelineFigures::panel() const {
  const auto found = panels_.find(subjectNow());
  return found == panels_.end() ? nullptr : found->second;
}

OneDevice TimelineFigures::scopeDevice(std::size_t trace) const {
  if (scopeNow() != Scope::oneDevice) return {};
  for (const TraceDevice& device : devicesOf(*model_.shown()[trace].trace))
    if (text(device.name) == scope_->currentText()) return device.process;
  return {};
}

/// Showing a row's time selects it: then the list stays, or nothing would be left of it.
bool TimelineFigures::keepsShown() {
  if (shownTime_ && model_.selection() == shownTime_) return true;
  shownTime_.reset();
  return false;
}

/// A row leads to its time, to its event, or to the next kernel of its name.
void TimelineFigures::activate(const QModelIndex& index) {
  const QModelIndex first = index.siblingAtColumn(0);
  const QVariant from = first.data(kFromRole), event = first.data(kEventRole);
  const std::size_t trace = first.data(kTraceRole).toULongLong();
  if (trace >= model_.shown().size()) return;
  if (!from.isNull()) {
    shownTime_ = TimeRange{from.toLongLong(), first.data(kToRole).toLongLong()};
    model_.showTime(*shownTime_);
    if (event.isNull())
      emit laneWanted(trace);
    else
      model_.setCurrent(TimelineModel::Place{trace, EventId(event.toUInt())});
  } else if (!event.isNull()) {
    model_.goTo({trace, EventId(event.toUInt())});
  } else if (const QString name = first.data(Qt::UserRole).toString(); !name.isEmpty()) {
    emit kernelActivated(name);
  }
}

/// Shows all that is known about the current event, as text that can be copied.
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
