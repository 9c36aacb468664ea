// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of TimelineFigures.
#include <QStandardItem>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "profiler/trace/gap_neighbors.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/views/timeline/share_bar.h"
#include "ui/views/timeline/timeline_figures.h"

namespace fusebench {
namespace {

constexpr int kSelf = 2;  ///< the column of self time, where spans nest

QString percent(double share) {
  return QString::number(100 * share, 'f', 1) + QStringLiteral("%");
}

}  // namespace

/// Time by kernel.
void TimelineFigures::refreshTable() {
  const auto& summaries = model_.summaries();
  QStringList titles = KernelTable::usualTitles();
  const bool nest = std::ranges::any_of(model_.shown(),
                                        [](const auto& shown) { return shown.work == Work::host; });
  if (nest) {
    titles[0] = uiText("Slice");
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

/// Shows one row per device.
void TimelineFigures::refreshDevices() {
  const auto& summaries = model_.summaries();
  table_->begin({uiText("Device"), uiText("Busy"), uiText("Share"), uiText("Idle"), uiText("Calls"),
                 uiText("Kernels"), uiText("Copies"), uiText("Fills"), uiText("Gaps"),
                 uiText("Mean gap")});
  for (std::size_t t = 0; t < summaries.size(); ++t)
    for (const auto& device : summaries[t].devices) {
      const RangeStatistics& found = device.figures.statistics;
      const double whole = double(std::max<Nanoseconds>(1, found.counted));
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

/// Shows what each device spent its time on, and how long host and kernels waited.
void TimelineFigures::refreshTime() {
  table_->begin({uiText("Device"), uiText("Time"), uiText("Computing"), uiText("Communication"),
                 uiText("Memory"), uiText("Idle"), uiText("Overlap"), uiText("Host wait"),
                 uiText("Kernel wait"), uiText("Other wait"), uiText("Launch-bound"),
                 uiText("Peak queue")});
  const std::vector<QColor> colors = ShareBar::colors(*theme_);
  for (std::size_t i = 0; i < colors.size(); ++i) table_->markTitle(2 + int(i), colors[i]);
  const QStringList meanings = {
      uiText(
          "The whole recording, from the first event to the last, by what the time was spent on"),
      uiText("Kernels other than collectives ran"),
      uiText("Collectives ran, and no other kernel overlapped them"),
      uiText("Only copies and fills ran"),
      uiText("Nothing ran"),
      uiText("Share of the collectives' time that other kernels overlapped"),
      uiText("Idle because the host had not launched the next kernel yet"),
      uiText("Idle although the next kernel was already launched: the device's own delay"),
      uiText("Idle before work whose launch was not recorded"),
      uiText("Share of the kernels that are shorter than the call that launched them"),
      uiText("Peak queue depth")};
  for (int i = 0; i < int(meanings.size()); ++i) table_->explainTitle(1 + i, meanings[i]);
  for (std::size_t t = 0; t < model_.wholesSelected().size(); ++t)
    for (const DeviceBreakdown& one : model_.wholesSelected()[t].devices) {
      const auto share = [](Nanoseconds part, Nanoseconds whole) {
        return whole > 0 ? percent(double(part) / double(whole)) : QStringLiteral("–");
      };
      const auto both = [&](Nanoseconds part) {
        return part == 0 ? QStringLiteral("0")
                         : formatTime(double(part)) + QStringLiteral("  ") + share(part, one.total);
      };
      const QString name = text(one.device.name);
      QStandardItem* first = table_->addKernel(
          model_.wholesSelected().size() > 1
              ? name + QStringLiteral("  ·  ") + model_.shown()[t].title
              : name,
          {QString(), both(one.computing), both(one.communication), both(one.memory),
           both(one.idle), share(one.overlap, one.collectives), formatTime(double(one.hostWait)),
           formatTime(double(one.kernelWait)), formatTime(double(one.otherWait)),
           share(Nanoseconds(one.shorter), Nanoseconds(one.kernels)),
           formatCount(std::int64_t(one.mostQueued))});
      const QModelIndex bar = first->index().siblingAtColumn(1);
      first->model()->setData(bar, ShareBar::sharesOf(one), ShareBar::kRole);
      for (const int role : {Qt::ToolTipRole, Qt::AccessibleTextRole})
        first->model()->setData(bar, ShareBar::wordsOf(one), role);
    }
  note_->setText(model_.selection()
                     ? uiText("In the selected range. Point at a title to read what it counts.")
                     : uiText("In the whole trace. Point at a title to read what it counts."));
}

/// Runs of small kernels, the ones first that fusing or a graph would help most.
void TimelineFigures::refreshSavings() {
  if (keepsShown()) {
    headline_->setText(savingsHead_);
    return note_->setText(how_->isChecked() ? savingsNote_ : QString());
  }
  table_->begin({uiText("Kernel sequence"), uiText("Saves"), uiText("Now"), uiText("One kernel"),
                 uiText("One graph"), uiText("Kernels"), uiText("Occurrences"),
                 uiText("First at")});
  QStringList said;
  for (std::size_t t = 0; t < model_.wholesSelected().size(); ++t) {
    const Savings& savings = model_.wholesSelected()[t].savings;
    const QString title = model_.shown()[t].title;
    const bool several = model_.wholesSelected().size() > 1;
    if (!savings.ranked.empty())
      said << (several ? title + QStringLiteral(": ") : QString()) +
                  uiText(
                      "%1 now, %2 with each sequence as one kernel, %3 with each sequence as one "
                      "graph")
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
      const Saving::Run& run = one.runs.front();
      setTime(*first, t, run.time);
      first->setData(run.first, kEventRole);
    }
  }
  if (model_.wholesSelected().empty()) return;
  QStringList assumed;
  const auto saving = std::ranges::find_if(
      model_.wholesSelected(), [](const auto& whole) { return !whole.savings.ranked.empty(); });
  const auto& of =
      saving == model_.wholesSelected().end() ? model_.wholesSelected().front() : *saving;
  for (const std::string& one : assumptionsOf(of.savings)) assumed << text(one);
  savingsHead_ = said.isEmpty() ? uiText(
                                      "Nothing to save: no sequences of launch-bound kernels, or "
                                      "their calls are not known.")
                                : uiText("Estimate: ") + said.join(QStringLiteral("; "));
  savingsNote_ = uiText("Assumed: ") + assumed.join(QStringLiteral("; ")) + QStringLiteral(".");
  headline_->setText(savingsHead_);
  if (how_->isChecked()) note_->setText(savingsNote_);
}

/// Collectives by name, dtype, size and ranks, with their bandwidths.
void TimelineFigures::refreshCollectives() {
  table_->begin({uiText("Collective"), uiText("Total"), uiText("Count"), uiText("Bytes per call"),
                 uiText("Ranks"), uiText("Waiting"), uiText("Transfer"), uiText("Algorithm GB/s"),
                 uiText("Bus GB/s")});
  table_->explainTitle(5,
                       uiText("Time until the last rank arrived, if the trace contains all ranks"));
  table_->explainTitle(7, uiText("Bytes per call divided by its time"));
  table_->explainTitle(8, uiText("Bytes per second over the links of each rank, as defined by "
                                 "nccl-tests; compare it with the link bandwidth"));
  const QString dash = QStringLiteral("–");
  bool any = false, unknown = false;
  for (std::size_t t = 0; t < model_.summaries().size(); ++t)
    for (const CollectiveTotal& one : model_.summaries()[t].collectives) {
      any = true;
      unknown |= one.bytes < 0;
      const auto rate = [&](double value) { return value > 0 ? formatSignificant(value) : dash; };
      QString name = text(one.name);
      if (!one.dtype.empty()) name += QStringLiteral("  ·  ") + text(one.dtype);
      if (model_.summaries().size() > 1) name += QStringLiteral("  ·  ") + model_.shown()[t].title;
      QStandardItem* first = table_->addKernel(
          name, {formatTime(double(one.total)), formatCount(std::int64_t(one.count)),
                 formatBytes(one.bytes), one.ranks > 0 ? formatCount(one.ranks) : dash,
                 one.met > 0 ? formatTime(double(one.waiting)) : dash,
                 one.met > 0 ? formatTime(double(one.transfer)) : dash,
                 rate(one.algorithmBandwidth), rate(one.busBandwidth)});
      first->setData(one.longest, kEventRole);
      first->setData(qulonglong(t), kTraceRole);
    }
  if (!any) table_->begin({});
  note_->setText(
      !any ? uiText("No collectives are recorded here: they appear in traces of programs that use "
                    "several ranks.")
      : model_.selection()
          ? uiText("Times cover the selected range; GB/s cover whole calls, excluding waiting time "
                   "where it is known. A click shows the longest call.")
      : unknown
          ? uiText("A click shows the longest one. Bytes and ranks need a trace of PyTorch's "
                   "profiler, version 2.1 or newer; without them there is no bandwidth.")
          : uiText("A click shows the longest one. GB/s exclude waiting time where it is known."));
}

/// Times with no work of the device, the longest first. Showing one selects it: then the list stays
/// that of the whole, or nothing would be left of it.
void TimelineFigures::refreshGaps() {
  note_->setText(uiText("The longest idle times between two kernels or calls. A click shows one."));
  if (keepsShown()) return;
  table_->begin({uiText("Gap, with the work before and after it"), uiText("Length"), uiText("From"),
                 uiText("To"), uiText("Share of the range")});
  struct Gap {
    std::size_t trace;
    TimeRange range;
    double share;
  };
  std::vector<Gap> found;
  for (std::size_t t = 0; t < model_.summaries().size(); ++t) {
    const TimelineModel::Figures* figures = figuresOf(model_.summaries()[t]);
    if (!figures) continue;
    const double whole = double(std::max<Nanoseconds>(1, figures->statistics.counted));
    for (const TimeRange& gap : figures->longestGaps)
      found.push_back({t, gap, double(gap.length()) / whole});
  }
  // The longest of all traces first, whichever it is in.
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](const Gap& gap) { return gap.range.length(); });
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [trace, range, share] = found[i];
    const auto& shown = model_.shown()[trace];
    const GapNeighbors around = neighborsOf(*shown.trace, shown.work, range, scopeDevice(trace));
    const QString name = uiText("Gap %1").arg(i + 1) + QStringLiteral("  ·  ") +
                         text(sentenceOf(*shown.trace, around));
    QStandardItem* first = table_->addKernel(
        model_.summaries().size() > 1 ? name + QStringLiteral("  ·  ") + model_.shown()[trace].title
                                      : name,
        {formatTime(double(range.length())), formatTime(double(range.from)),
         formatTime(double(range.to)), percent(share)});
    setTime(*first, trace, range);
  }
}

void TimelineFigures::setTime(QStandardItem& row, std::size_t trace, TimeRange time) {
  row.setData(qlonglong(time.from), kFromRole);
  row.setData(qlonglong(time.to), kToRole);
  row.setData(qulonglong(trace), kTraceRole);
}

}  // namespace fusebench
