// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profiler/trace/compiled_regions.h"
#include "profiler/trace/compiles_within.h"
#include "profiler/trace/trace_breakdown.h"
#include "profiler/trace/trace_collectives.h"
#include "profiler/trace/trace_groups.h"
#include "profiler/trace/trace_savings.h"
#include "profiler/trace/trace_statistics.h"
#include "profiler/trace/trace_within.h"
#include "ui/models/timeline/compile_log_model.h"
#include "ui/models/timeline/execution_trace_model.h"
#include "ui/models/timeline/lane_choices.h"
#include "ui/models/timeline/memory_snapshot_model.h"
#include "ui/models/timeline/timeline_loader.h"
#include "ui/models/timeline/timeline_pixels.h"
#include "ui/models/timeline/trace_notes.h"

namespace fusebench {

/// Traces one under the other on one time scale, each counted from its begin; which part of them is
/// seen; what is selected, searched and under way.
class TimelineModel : public QObject {
  Q_OBJECT

 public:
  /// A trace that is shown.
  struct Shown {
    std::shared_ptr<const Trace> trace;
    QString title;  ///< with its file's name where another file has one of that title
    Work work = Work::device;
    ColorClasses colors;
  };
  /// An event of one of the traces shown.
  struct Place {
    std::size_t trace = 0;
    EventId event = kNoEvent;
    bool operator==(const Place&) const = default;
  };
  /// A stretch of time that was measured, and the events whose edges its ends are at.
  struct Ruler {
    TimeRange time;
    std::optional<Place> from, to;
    bool fromEnd = false, toEnd = false;  ///< at the end of the event instead of its start
    bool operator==(const Ruler&) const = default;
  };
  /// Statistics of a whole trace, or of one of its devices.
  struct Figures {
    RangeStatistics statistics;
    std::vector<SpanTotal> totals;
    Distribution delays, gaps;
    std::vector<TimeRange> longestGaps = {};
    std::string delaysSaid = {};          ///< how many executions they are from, and their source
    std::vector<GroupTotal> groups = {};  ///< by grouping(), where that is not by kernel
  };
  /// Statistics of the selected range, or of everything, in one trace.
  struct Summary : Figures {
    struct OfDevice {
      QString name;
      Figures figures;
    };
    std::vector<OfDevice> devices;             ///< where there are several
    std::vector<CollectiveTotal> collectives;  ///< on all devices
  };

  /// The estimates of a trace: its savings, and what its devices did.
  struct Whole {
    Savings savings;
    std::vector<DeviceBreakdown> devices;
    std::optional<CompiledRegions> compiled = {};  ///< calls of torch.compile
    std::optional<CompilesWithin> compiles = {};   ///< and its compilations
  };

  explicit TimelineModel(QObject* parent = nullptr);

  /// Shows these, the first at the top; empty: nothing.
  void setTraces(std::vector<std::shared_ptr<const Trace>> traces);
  void add(std::shared_ptr<const Trace> trace);
  const std::vector<Shown>& shown() const { return shown_; }
  /// The trace to compare the first with: the same title in another file, else the second trace.
  std::size_t besideFirst() const;
  bool empty() const { return shown_.empty(); }
  Nanoseconds length() const { return length_; }  ///< length of the longest trace

  /// Reads a file on another thread; it takes the place of what is shown, or comes under it.
  void open(const QString& path, bool below = false);
  /// Several, one under the other.
  void openAll(const QStringList& paths);
  TimelineLoader& loader() { return loader_; }
  CompileLogModel& compileLogs() { return compileLogs_; }
  ExecutionTraceModel& executionTrace() { return executionTrace_; }
  MemorySnapshotModel& memory() { return memory_; }
  TraceNotes& notes() { return notes_; }
  const TraceNotes& notes() const { return notes_; }
  /// Keeps a bookmark for the selected range, else for the current event, else for the middle of
  /// the visible part.
  void addNote();
  /// Selects a note's time and shows it.
  void showNote(TraceNotes::Place place);
  /// Shows the next note after the visible part, or the one before it. False if there is none.
  bool stepNote(bool backwards);
  const QString& failure() const { return failure_; }  ///< why the last file is not shown

  // Limiting to named ranges.
  /// Shows only events inside the ranges of this name, in every trace that has some; empty: all.
  /// The traces come a moment later.
  void limitTo(const QString& range);
  const QString& limit() const { return limit_; }
  /// The ranges that the program named, in any of the traces.
  const std::vector<NamedRange>& namedRanges() const { return named_; }

  // The ruler.
  const std::optional<Ruler>& ruler() const { return ruler_; }
  void setRuler(std::optional<Ruler> ruler);
  /// "12.3 µs, from the end of aten::mm to the start of gemm".
  QStringList rulerFacts() const;

  // The visible part.
  double from() const { return from_; }
  double to() const { return to_; }
  void setView(double from, double to);  ///< nanoseconds; kept within the traces and above 20 ns
  /// The views before and after this one. A series of zooms and pans is one step.
  bool canStep(bool back) const { return !(back ? past_ : future_).empty(); }
  void step(bool back);
  void fit();
  void zoom(double center, double factor);  ///< a factor below 1 shows less; `center` stays
  void pan(double nanoseconds);

  // A selected range, and the statistics of it, or of all.
  const std::optional<TimeRange>& selection() const { return selection_; }
  void select(std::optional<TimeRange> range);
  /// The same while the mouse is still moving: statistics follow with endDragging().
  void selectWhileDragging(TimeRange range);
  void endDragging();
  /// Empty at first for large traces, whose summaries follow a moment later.
  const std::vector<Summary>& summaries() const { return summaries_; }
  /// By what summaries add up in their groups, for traces to be compared.
  void groupBy(Grouping grouping);
  Grouping grouping() const { return grouping_; }
  /// Whole traces, whatever is selected. They come with the first summaries; empty until then.
  const std::vector<Whole>& wholes() const { return wholes_; }
  /// The same for what is selected; without a selection wholes().
  const std::vector<Whole>& wholesSelected() const { return selection_ ? parts_ : wholes_; }
  /// Selects the first of the runs that a saving is about, and shows it.
  void showSaving(std::size_t trace, const Saving& saving);
  /// Selects a time, and shows it with something around it.
  void showTime(TimeRange range);
  /// The same, waited for, however large the traces are.
  static std::vector<Summary> summariesNow(const std::vector<Shown>& shown,
                                           const std::optional<TimeRange>& selection);

  // Which lanes are drawn, and in which order.
  const LaneChoices& lanes() const { return lanes_; }
  /// Changes them; `change` gets a LaneChoices&.
  template <typename Change>
  void changeLanes(Change&& change) {
    change(lanes_);
    emit lanesChanged();
  }
  /// The lane of an event comes back into the picture if it was left out or collapsed.
  void showLaneOf(std::size_t trace, EventId event);

  // The current event.
  const std::optional<Place>& current() const { return current_; }
  void setCurrent(std::optional<Place> place);
  /// Shows it, zoomed so that it can be seen, and makes it the current one.
  void goTo(Place place);

  // Searching names, without regard to capitals; statements, too ("statement 3").
  void search(const QString& text);
  const QString& searched() const { return searched_; }
  /// The text is a regular expression.
  void setRegular(bool regular);
  bool regular() const { return regular_; }
  const QString& searchError() const { return searchError_; }  ///< one line; empty: there is none
  /// The names that match, by their numbers; empty: nothing is searched.
  const std::vector<std::vector<bool>>& matchingNames() const { return matching_; }
  std::uint64_t matches() const { return matches_; }
  bool matches(std::size_t trace, EventId event) const;

  /// Marks the launches of these statements (from 1; the return is 0); empty: none are marked.
  /// `pass`: if the program is a chain, its statements, which come again and again; else 0.
  void follow(std::vector<int> statements, int pass);
  bool following() const { return !followed_.empty(); }
  bool follows(std::size_t trace, EventId event) const;
  /// Statements, from 1 and within one pass, of a launch; empty if they are not known.
  static std::vector<int> statementsOf(const Trace& trace, EventId event, int pass);

  /// Goes to the next or previous match (without a search: to the next launch that is followed,
  /// else to the next work of that kind in the row), around the end. False if there is none.
  bool next(bool backwards);

 signals:
  void tracesChanged();
  void viewChanged();
  void lanesChanged();
  void selectionChanged();  ///< and summaries
  void currentChanged();
  void rulerChanged();
  void limitChanged();
  void searchChanged();   ///< and what is followed
  void loadingChanged();  ///< begin, end, failure of reading and writing

 private:
  void showCompilePhases();
  void summarize();
  void refreshSearch();
  void moveTo(double from, double to, bool glides);
  void tellFilesApart();
  void show(std::vector<std::shared_ptr<const Trace>> traces);
  void showLimited(std::vector<std::shared_ptr<const Trace>> traces, const QString& range);
  bool passes(std::size_t trace, EventId event) const;

  std::vector<Shown> shown_;
  LaneChoices lanes_;
  TimelineLoader loader_;
  CompileLogModel compileLogs_;
  std::shared_ptr<const Trace> compilePhases_;  ///< last shown ones of a log
  ExecutionTraceModel executionTrace_;
  MemorySnapshotModel memory_;
  bool below_ = false;
  QStringList waiting_;                                    ///< to be read next
  std::map<std::shared_ptr<const Trace>, QString> files_;  ///< that they were read from
  QString failure_;
  TraceNotes notes_;
  std::optional<Ruler> ruler_;
  QString limit_;
  std::vector<std::shared_ptr<const Trace>> all_;  ///< what is shown without a limit
  std::vector<NamedRange> named_;
  Nanoseconds length_ = 0;
  double from_ = 0, to_ = 1;
  std::vector<std::pair<double, double>> past_, future_;  ///< views, the nearest last
  bool glided_ = false;                                   ///< the last change was a zoom or a pan
  std::optional<TimeRange> selection_;
  std::vector<Summary> summaries_;
  std::vector<Whole> wholes_, parts_;
  Grouping grouping_ = Grouping::kernel;
  std::optional<Place> current_;
  QString searched_, searchError_;
  bool regular_ = false;
  std::vector<int> followed_;
  int pass_ = 0;
  std::vector<std::vector<bool>> matching_;  ///< per trace, by name
  std::uint64_t matches_ = 0;
  /// The note that was stepped to, while the view is the one that shows it.
  struct SteppedNote {
    Nanoseconds time = 0;
    double from = 0, to = 0;
  };
  std::optional<SteppedNote> stepped_;
  int asked_ = 0;     ///< number of the last summary asked for
  QThreadPool pool_;  ///< last: its end waits for what still looks at the traces
};

/// "busy 1.2 ms (60%) · idle 0.8 ms · 120 launching calls, 120 kernels · mean gap 7 µs". No share
/// for a trace of the host alone, which contains nothing about a device.
QString sentenceOf(const RangeStatistics& statistics, Work work);

/// The facts about an event, one per line, starting with its name.
QStringList factsOf(const Trace& trace, EventId event);
/// What is known of a lane: its full name first, how many events in how many rows.
QStringList laneFacts(const Trace& trace, LaneId lane);
/// What is known of a trace, fact by fact: its device, how large it is, how it came about.
QStringList factsOf(const TimelineModel::Shown& shown);
/// Explains what a trace does not show, or shows only in part; mostly empty.
QString warningOf(const Trace& trace);
/// "stream 7", and of which device if another one has a lane of that name.
QString laneTitle(const Trace& trace, LaneId lane);
/// "stream 7 · GPU 0": for pictures that stand alone.
QString fullLaneTitle(const Trace& trace, LaneId lane);
/// The meaning of a color: a kind, or the kernel of that name.
QString colorName(const TimelineModel::Shown& shown, ColorClass color);
/// A line per trace, for the selection or for everything: busy and idle time, launches and gaps. If
/// there are several devices, but not many, a line for each follows.
QStringList statisticsLines(const std::vector<TimelineModel::Shown>& traces,
                            const std::vector<TimelineModel::Summary>& summaries,
                            const std::optional<TimeRange>& selection);
/// "12.345 µs" with as many digits as a nanosecond needs.
QString exactTime(Nanoseconds time);

/// The positions of a time axis's marks, which are 1, 2 or 5 times a power of ten apart.
struct TimeTick {
  double time = 0;
  QString text;
};
std::vector<TimeTick> timeTicks(double from, double to, double least);

}  // namespace fusebench
