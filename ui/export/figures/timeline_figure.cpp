// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/timeline_figure.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "ui/export/figures/figure_heading.h"
#include "ui/export/figures/timeline_rows.h"
#include "ui/look/span_colors.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/timeline/counter_picture.h"
#include "ui/models/timeline/launch_arrows.h"

namespace fusebench {
namespace {

// In ems.
constexpr double kFigureCounter = 2.8;
constexpr double kFigureRow = 1.45, kFigureHead = 2.1, kFigureAxis = 2.2, kLaneSpace = 0.55;
constexpr double kWidestName = 24, kLeastTickEms = 6.8, kWidestEntry = 22;
constexpr double kNamesShare = 0.28;      ///< the largest fraction of the width for names of tracks
constexpr std::size_t kMostEntries = 14;  ///< of the legend

class TimelineDrawing {
 public:
  TimelineDrawing(const TimelineSubject& subject, const FigureStyle& style)
      : subject_(subject), style_(style), theme_(style.theme), pen_(figure_) {}

  Figure draw() {
    figure_.id = QStringLiteral("timeline");
    figure_.size = style_.size;
    figure_.ground = theme_.panel;
    figure_.ink = theme_.text;
    figure_.title =
        style_.title.isEmpty() ? drawnTitles(subject_).join(QStringLiteral(", ")) : style_.title;
    QStringList said = {uiText("Launches over time, from %1 to %2.")
                            .arg(timeOf(subject_.from), timeOf(std::min(subject_.to, longest())))};
    said += statisticsLines(subject_.traces, subject_.summaries, subject_.selection);
    figure_.description = said.join(u' ');
    const double em = style_.em, pad = 0.9 * em;
    const double names = namesWidth();
    const double top = drawTitle(figure_, style_) + kFigureAxis * em;
    figure_.plot = QRectF(QPointF(pad + names, top),
                          QPointF(figure_.size.width() - pad, top + heightOfRows()));
    figure_.x = {subject_.from, subject_.to, false};
    drawRows();
    drawArrows();
    drawAxis();
    drawSelection();
    drawNoteMarks();
    const double legendTop = figure_.plot.bottom() + 0.5 * em;
    const double below = style_.legend == LegendPlace::none ? legendTop : drawLegend(legendTop);
    const double end = listNotes(below);
    figure_.size.setHeight(std::ceil(end + captionHeight(style_, figure_.size.width()) + pad));
    drawCaption(figure_, style_);
    return std::move(figure_);
  }

 private:
  static QString timeOf(double time) {
    return exactTime(static_cast<Nanoseconds>(std::llround(std::max(0.0, time))));
  }

  const Trace& traceOf(const TimelineRow& row) const { return *subject_.traces[row.trace].trace; }
  LaneId laneOf(const TimelineRow& row) const { return traceOf(row).rows()[row.row].lane; }
  bool beginsTrace(std::size_t i) const {
    return i == 0 || subject_.rows[i].trace != subject_.rows[i - 1].trace;
  }
  bool beginsLane(std::size_t i) const {
    return beginsTrace(i) || laneOf(subject_.rows[i]) != laneOf(subject_.rows[i - 1]);
  }

  /// The last of its trace: counters follow.
  bool endsTrace(std::size_t i) const {
    return i + 1 == subject_.rows.size() || subject_.rows[i + 1].trace != subject_.rows[i].trace;
  }

  double heightOfRows() const {
    double height = static_cast<double>(subject_.counters.size()) * (kFigureCounter + kLaneSpace);
    for (std::size_t i = 0; i < subject_.rows.size(); ++i)
      height += kFigureRow + (beginsTrace(i) ? kFigureHead : beginsLane(i) ? kLaneSpace : 0);
    return height * style_.em;
  }

  QString nameOf(const TimelineRow& row) const { return fullLaneTitle(traceOf(row), laneOf(row)); }

  /// The view may reach beyond the end of the traces.
  double longest() const {
    Nanoseconds most = 0;
    for (const auto& shown : subject_.traces) most = std::max(most, shown.trace->length());
    return static_cast<double>(most);
  }

  double namesWidth() const {
    double widest = 4 * style_.em;
    for (const TimelineRow& row : subject_.rows)
      widest = std::max(widest, figureTextWidth(nameOf(row), 0.9 * style_.em));
    for (const auto& [trace, counter] : subject_.counters)
      widest = std::max(
          widest, figureTextWidth(counterTitle(subject_.traces[trace].trace->counters()[counter]),
                                  0.9 * style_.em));
    return std::min(
        {widest + 0.8 * style_.em, kWidestName * style_.em, kNamesShare * figure_.size.width()});
  }

  void drawRows() {
    TimelineRowDrawing rows(pen_, subject_, style_, figure_.plot);
    const double em = style_.em;
    double y = figure_.plot.top();
    for (std::size_t i = 0; i < subject_.rows.size(); ++i) {
      const TimelineRow& row = subject_.rows[i];
      if (beginsTrace(i)) {
        drawHead(row.trace, y);
        y += kFigureHead * em;
      } else if (beginsLane(i)) {
        pen_.group(QStringLiteral("axes"));
        const double line = y + 0.5 * kLaneSpace * em;
        pen_.line({figure_.plot.left(), line}, {figure_.plot.right(), line},
                  {theme_.grid, style_.unit(), {}});
        y += kLaneSpace * em;
      }
      const LaneId lane = laneOf(row);
      pen_.group(QStringLiteral("axes"));
      if (beginsLane(i))
        pen_.text({0.9 * em, y + 0.5 * kFigureRow * em},
                  figureElided(nameOf(row), 0.9 * em, figure_.plot.left() - 1.4 * em), 0.9 * em,
                  theme_.text);
      pen_.group(QStringLiteral("trace%1-lane%2").arg(row.trace + 1).arg(lane + 1), true);
      rows.draw(row, y, kFigureRow * em, shown_);
      tops_[{row.trace, row.row}] = y;
      y += kFigureRow * em;
      if (endsTrace(i)) y = drawCounters(row.trace, y);
    }
  }

  /// Those of a trace from `y` down; where the next row begins.
  double drawCounters(std::size_t t, double y) {
    const double em = style_.em;
    for (const auto& [trace, number] : subject_.counters) {
      if (trace != t) continue;
      const CounterTrack& counter = subject_.traces[t].trace->counters()[number];
      y += kLaneSpace * em;
      const QRectF place(figure_.plot.left(), y + 0.1 * em, figure_.plot.width(),
                         (kFigureCounter - 0.2) * em);
      const double perUnit = (subject_.to - subject_.from) / place.width();
      const CounterPicture picture = drawnCounter(counter, {subject_.from, perUnit}, place);
      pen_.group(QStringLiteral("axes"));
      const double room = figure_.plot.left() - 1.4 * em;
      pen_.text({0.9 * em, y + 0.35 * kFigureCounter * em},
                figureElided(counterTitle(counter), 0.9 * em, room), 0.9 * em, theme_.text);
      const QString range = counterValue(counter, picture.low) + QStringLiteral(" – ") +
                            counterValue(counter, picture.high);
      pen_.text({0.9 * em, y + 0.75 * kFigureCounter * em}, figureElided(range, 0.85 * em, room),
                0.85 * em, theme_.muted);
      pen_.group(QStringLiteral("trace%1-counter%2").arg(t + 1).arg(number + 1), true);
      pen_.areas({picture.areas.begin(), picture.areas.end()},
                 blend(theme_.accent, theme_.panel, 0.25));
      pen_.lines({picture.lines.begin(), picture.lines.end()}, {theme_.accent, style_.unit(), {}});
      y += kFigureCounter * em;
    }
    return y;
  }

  /// Numbers above the plot, with a line down to its end.
  void drawNoteMarks() {
    if (subject_.notes.empty()) return;
    const double em = style_.em;
    pen_.group(QStringLiteral("notes"));
    for (std::size_t i = 0; i < subject_.notes.size(); ++i) {
      const TimeRange time = subject_.notes[i].note.time;
      const double x = std::clamp(figure_.pixelX(static_cast<double>(time.from)),
                                  figure_.plot.left(), figure_.plot.right());
      const double to =
          std::clamp(figure_.pixelX(static_cast<double>(time.to)), x, figure_.plot.right());
      pen_.line({x, figure_.plot.top()}, {x, figure_.plot.bottom()},
                {theme_.warning, style_.unit(), {}});
      if (to > x) pen_.rect({x, figure_.plot.top(), to - x, 0.18 * em}, theme_.warning);
      const QString number = QString::number(i + 1);
      const double width = figureTextWidth(number, 0.8 * em, true) + 0.6 * em;
      const QRectF badge(std::min(x, figure_.plot.right() - width), figure_.plot.top() - 0.9 * em,
                         width, 0.95 * em);
      pen_.rect(badge, theme_.warning, {}, 0.2 * em);
      pen_.text(badge.center(), number, 0.8 * em, inkOn(theme_.warning), Qt::AlignHCenter, true);
    }
  }

  /// A line for each numbered note. Returns the end of the list.
  double listNotes(double y) {
    if (subject_.notes.empty()) return y;
    const double em = style_.em, width = figure_.size.width() - 1.8 * em;
    pen_.group(QStringLiteral("notes"));
    for (std::size_t i = 0; i < subject_.notes.size(); ++i) {
      const TraceNote& note = subject_.notes[i].note;
      const QString line =
          QStringLiteral("%1  %2  %3").arg(i + 1).arg(exactTime(note.time.from), note.text);
      pen_.text({0.9 * em, y + 0.8 * em}, figureElided(line, 0.92 * em, width), 0.92 * em,
                theme_.text);
      y += 1.5 * em;
    }
    return y + 0.3 * em;
  }

  /// The trace's name, and what is known of it.
  void drawHead(std::size_t t, double y) {
    const auto& shown = subject_.traces[t];
    const double em = style_.em, width = figure_.size.width() - 1.8 * em;
    const double middle = y + 0.46 * kFigureHead * em;
    pen_.group(QStringLiteral("heading"));
    pen_.rect({0, y, figure_.size.width(), 0.86 * kFigureHead * em}, theme_.raised);
    const QString title = figureElided(shown.title, em, width, true);
    pen_.text({0.9 * em, middle}, title, em, theme_.text, Qt::AlignLeft, true);
    QStringList facts = factsOf(shown);
    if (const QString warning = warningOf(*shown.trace); !warning.isEmpty()) facts << warning;
    const double taken = figureTextWidth(title, em, true) + 1.1 * em;
    if (width - taken > 8 * em)
      pen_.text({0.9 * em + taken, middle},
                figureElided(facts.join(QStringLiteral(" · ")), 0.9 * em, width - taken), 0.9 * em,
                theme_.muted);
  }

  void drawArrows() {
    std::vector<LaunchArrow> arrows;
    for (const auto& [t, call, to] : shown_.executions) {
      const Trace& trace = *subject_.traces[t].trace;
      const auto top = tops_.find({t, trace.rowOf(call)});
      if (top == tops_.end()) continue;
      arrows.push_back({{figure_.pixelX(static_cast<double>(trace.start(call))),
                         top->second + 0.94 * kFigureRow * style_.em},
                        to});
    }
    leaveReadable(arrows);
    if (arrows.empty()) return;
    pen_.group(QStringLiteral("arrows"), true);
    QColor color = theme_.muted;
    color.setAlpha(120);
    for (const LaunchArrow& arrow : arrows) {
      const ArrowStroke stroke = strokeOf(arrow, 5 * style_.unit());
      QPolygonF curve;
      constexpr int kSteps = 20;
      for (int step = 0; step <= kSteps; ++step) {
        const double s = static_cast<double>(step) / kSteps, r = 1 - s;
        curve << r * r * r * arrow.from + 3 * r * r * s * stroke.firstControl +
                     3 * r * s * s * stroke.secondControl + s * s * s * arrow.to;
      }
      pen_.lines({curve, QPolygonF({stroke.head[0], stroke.head[1], stroke.head[2]})},
                 {color, 0.8 * style_.unit(), {}});
    }
  }

  void drawAxis() {
    pen_.group(QStringLiteral("axes"));
    const double em = style_.em, top = figure_.plot.top();
    const double perUnit = (subject_.to - subject_.from) / figure_.plot.width();
    for (const TimeTick& tick :
         timeTicks(subject_.from, subject_.to, kLeastTickEms * em * perUnit)) {
      const double x = figure_.pixelX(tick.time);
      pen_.line({x, top - 0.5 * em}, {x, top}, {theme_.muted, style_.unit(), {}});
      if (x + figureTextWidth(tick.text, 0.9 * em) / 2 <= figure_.size.width() - 0.3 * em)
        pen_.text({x, top - 1.15 * em}, tick.text, 0.9 * em, theme_.muted, Qt::AlignHCenter);
    }
    pen_.line({figure_.plot.left(), top}, {figure_.plot.right(), top},
              {theme_.border, style_.unit(), {}});
  }

  void drawSelection() {
    if (!subject_.selection) return;
    const QRectF& plot = figure_.plot;
    const double left = std::max(plot.left(), figure_.pixelX(double(subject_.selection->from)));
    const double right = std::min(plot.right(), figure_.pixelX(double(subject_.selection->to)));
    if (right <= left) return;
    const double em = style_.em, top = plot.top() - kFigureAxis * em;
    pen_.group(QStringLiteral("selection"));
    QColor wash = theme_.accent;
    wash.setAlpha(38);
    pen_.rect({left, plot.top(), right - left, plot.height()}, wash);
    for (const double x : {left, right})
      pen_.line({x, plot.top()}, {x, plot.bottom()}, {theme_.accent, style_.unit(), {}});
    const QString length = exactTime(subject_.selection->length());
    const double width = figureTextWidth(length, 0.9 * em, true) + em;
    const QRectF badge(std::clamp((left + right - width) / 2, plot.left(),
                                  std::max(plot.left(), plot.right() - width)),
                       top + 0.35 * em, width, 1.55 * em);
    pen_.rect(badge, theme_.accent, {}, 0.25 * em);
    pen_.text(badge.center(), length, 0.9 * em, theme_.onAccent, Qt::AlignHCenter, true);
  }

  struct Entry {
    QString name;
    QColor color;
    double width = 0;
  };

  static bool isOfName(ColorClass color) {
    return color >= kFirstRank && color < kFirstRank + kRanks;
  }

  /// The meaning of each color, the ones that cover the most first.
  std::vector<Entry> entries() const {
    std::vector<Entry> found;
    for (const auto& [key, width] : shown_.widths) {
      const auto& [t, kind] = key;
      QString name = figureElided(colorName(subject_.traces[t], kind), 0.92 * style_.em,
                                  kWidestEntry * style_.em);
      // Each trace assigns the colors to its own kernels.
      if (isOfName(kind) && std::ranges::any_of(shown_.widths, [&](const auto& other) {
            return other.first.second == kind &&
                   colorName(subject_.traces[other.first.first], kind) !=
                       colorName(subject_.traces[t], kind);
          }))
        name += QStringLiteral(" (%1)").arg(subject_.traces[t].title);
      const QColor color = classColor(kind, theme_);
      const auto same = std::ranges::find_if(
          found, [&](const Entry& entry) { return entry.name == name && entry.color == color; });
      if (same == found.end())
        found.push_back({name, color, width});
      else
        same->width += width;
    }
    std::ranges::stable_sort(found, std::greater{}, &Entry::width);
    if (found.size() > kMostEntries) found.resize(kMostEntries);
    return found;
  }

  double drawLegend(double y) {
    const double em = style_.em, left = 0.9 * em, right = figure_.size.width() - 0.9 * em;
    pen_.group(QStringLiteral("legend"));
    double x = left;
    for (const Entry& entry : entries()) {
      const double width = 1.2 * em + figureTextWidth(entry.name, 0.92 * em);
      if (x > left && x + width > right) {
        x = left;
        y += 1.6 * em;
      }
      pen_.rect({x, y + 0.4 * em, 0.8 * em, 0.8 * em}, entry.color, {}, 0.15 * em);
      pen_.text({x + 1.2 * em, y + 0.8 * em}, entry.name, 0.92 * em, theme_.muted);
      x += width + 1.3 * em;
    }
    return y + 1.6 * em;
  }

  const TimelineSubject& subject_;
  const FigureStyle& style_;
  const Theme& theme_;
  Figure figure_;
  FigurePen pen_;
  TimelineShown shown_;
  std::map<std::pair<std::size_t, std::size_t>, double> tops_;
};

}  // namespace

QStringList drawnTitles(const TimelineSubject& subject) {
  QStringList titles;
  for (std::size_t i = 0; i < subject.rows.size(); ++i)
    if (const std::size_t trace = subject.rows[i].trace;
        i == 0 || trace != subject.rows[i - 1].trace)
      titles << subject.traces[trace].title;
  return titles;
}

TimelineSubject timelineSubject(const TimelineModel& model) {
  TimelineSubject subject{model.shown(),     model.from(), model.to(), model.selection(),
                          model.summaries(), {},           {},         {}};
  // The tracks as in the window: in its order and without the hidden ones. A track that is pinned
  // there is drawn with its trace here.
  for (std::size_t t = 0; t < subject.traces.size(); ++t) {
    const Trace& trace = *subject.traces[t].trace;
    const auto counters = trace.counters();
    for (std::size_t c = 0; c < counters.size(); ++c)
      if (model.lanes().drawsCounter(counterTitle(counters[c]))) subject.counters.push_back({t, c});
    for (const TraceNote& note : model.notes().of(t))
      if (static_cast<double>(note.time.to) >= subject.from &&
          static_cast<double>(note.time.from) <= subject.to)
        subject.notes.push_back({t, note});
    for (const LaneChoices::Entry& entry : model.lanes().entries()) {
      if (entry.place.trace != t || !model.lanes().drawn(entry)) continue;
      const auto rows = trace.rowsOf(entry.place.lane);
      const auto first = static_cast<std::size_t>(rows.data() - trace.rows().data());
      const std::size_t most = entry.collapsed ? 1 : kRowsUnfolded;
      for (std::size_t row = 0; row < std::min(rows.size(), most); ++row)
        subject.rows.push_back({t, first + row});
    }
  }
  return subject;
}

Figure timelineFigure(const TimelineSubject& subject, const FigureStyle& style) {
  return TimelineDrawing(subject, style).draw();
}

}  // namespace fusebench
