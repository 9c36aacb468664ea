// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/timeline_model.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr double kLeastView = 20;  ///< nanoseconds
constexpr double kMargin = 0.02;   ///< of the length, at both ends
constexpr std::size_t kMostViewsKept = 100;
constexpr double kSeenShare = 0.12;  ///< fraction of the view for an event that goTo() shows

}  // namespace

TimelineModel::TimelineModel(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);
  connect(&loader_, &TimelineLoader::loaded, this,
          [this](const std::vector<std::shared_ptr<const Trace>>& traces, const QString& path) {
            for (const auto& trace : traces) files_[trace] = path;
            std::vector<std::shared_ptr<const Trace>> all;
            if (below_) all = all_;
            all.insert(all.end(), traces.begin(), traces.end());
            setTraces(std::move(all));
            if (!waiting_.isEmpty()) {
              const QStringList rest = std::exchange(waiting_, {});
              open(rest.front(), true);
              waiting_ = rest.mid(1);
            }
            emit loadingChanged();
          });
  connect(&loader_, &TimelineLoader::limited, this,
          [this](const std::vector<std::shared_ptr<const Trace>>& traces, const QString& range) {
            showLimited(traces, range);
            emit loadingChanged();
          });
  connect(&loader_, &TimelineLoader::failed, this, [this](const QString& what) {
    failure_ = what;
    emit loadingChanged();
  });
  connect(&loader_, &TimelineLoader::canceled, this, &TimelineModel::loadingChanged);
  connect(&compileLogs_, &FileModel::changed, this, &TimelineModel::showCompilePhases);
}

void TimelineModel::open(const QString& path, bool below) {
  below_ = below && !shown_.empty();
  failure_.clear();
  waiting_.clear();
  loader_.load(path);
  emit loadingChanged();
}

/// A trace that is open stays: the phases of a log take the place of nothing but those of another.
void TimelineModel::showCompilePhases() {
  const std::shared_ptr<const Trace>& phases = compileLogs_.phases();
  const bool room = all_.empty() || (all_.size() == 1 && all_.front() == compilePhases_);
  if (compileLogs_.busy() || phases == compilePhases_ || !room) return;
  compilePhases_ = phases;
  std::vector<std::shared_ptr<const Trace>> traces;
  if (phases) traces.push_back(phases);
  setTraces(std::move(traces));
}

void TimelineModel::openAll(const QStringList& paths) {
  if (paths.isEmpty()) return;
  open(paths.front());
  waiting_ = paths.mid(1);
}

void TimelineModel::setTraces(std::vector<std::shared_ptr<const Trace>> traces) {
  all_ = traces;
  limit_.clear();
  named_.clear();
  for (const auto& trace : all_)
    for (NamedRange& range : namedRangesOf(*trace)) {
      const auto known = std::ranges::find(named_, range.name, &NamedRange::name);
      if (known == named_.end()) {
        named_.push_back(std::move(range));
        continue;
      }
      known->count += range.count;
      known->total += range.total;
    }
  std::ranges::stable_sort(named_, std::ranges::greater(), &NamedRange::total);
  show(std::move(traces));
  std::vector<TraceNotes::Owner> owners;
  for (const auto& trace : all_) {
    const auto file = files_.find(trace);
    owners.push_back(
        {file == files_.end() ? QString() : file->second, QString::fromStdString(trace->title())});
  }
  notes_.setOwners(owners);
  emit limitChanged();
}

void TimelineModel::limitTo(const QString& range) {
  if (range == limit_ || all_.empty()) return;
  failure_.clear();
  if (range.isEmpty()) {
    showLimited(all_, {});
    return;
  }
  loader_.limit(all_, range);
  emit loadingChanged();
}

/// At the same times as before: a limited trace has those of the whole one.
void TimelineModel::showLimited(std::vector<std::shared_ptr<const Trace>> traces,
                                const QString& range) {
  if (traces.size() != all_.size()) return;  // others were opened meanwhile
  const double from = from_, to = to_;
  limit_ = range;
  for (std::size_t t = 0; t < traces.size(); ++t)
    if (const auto file = files_.find(all_[t]); file != files_.end())
      files_[traces[t]] = file->second;
  show(std::move(traces));
  setView(from, to);
  past_.clear();
  emit viewChanged();
  emit limitChanged();
}

void TimelineModel::show(std::vector<std::shared_ptr<const Trace>> traces) {
  shown_.clear();
  lanes_.reset(traces);
  length_ = 0;
  for (auto& trace : traces) {
    length_ = std::max(length_, trace->length());
    const QString title = QString::fromStdString(trace->title());
    const Work work = workOf(*trace);
    ColorClasses colors(*trace);
    shown_.push_back({std::move(trace), title, work, std::move(colors)});
  }
  std::erase_if(files_, [this](const auto& known) {
    return std::ranges::find(shown_, known.first, &Shown::trace) == shown_.end() &&
           std::ranges::find(all_, known.first) == all_.end();
  });
  tellFilesApart();
  current_.reset();
  ruler_.reset();
  selection_.reset();
  wholes_.clear();
  parts_.clear();
  searched_.clear();
  searchError_.clear();
  matching_.clear();
  matches_ = 0;
  emit tracesChanged();
  emit searchChanged();
  emit currentChanged();
  emit rulerChanged();
  summarize();
  fit();
  past_.clear();
  future_.clear();
  glided_ = false;
  emit viewChanged();
}

/// Two runs of one program have traces of the same titles.
void TimelineModel::tellFilesApart() {
  std::map<QString, std::set<QString>> files;  // by title
  for (const Shown& shown : shown_)
    if (const auto file = files_.find(shown.trace); file != files_.end())
      files[shown.title].insert(QFileInfo(file->second).fileName());
  for (Shown& shown : shown_)
    if (files[shown.title].size() > 1)
      if (const auto file = files_.find(shown.trace); file != files_.end())
        shown.title += QStringLiteral(" · ") + QFileInfo(file->second).fileName();
}

std::size_t TimelineModel::besideFirst() const {
  for (std::size_t t = 1; t < shown_.size(); ++t)
    if (shown_[t].title != shown_[0].title && shown_[t].trace->title() == shown_[0].trace->title())
      return t;
  return 1;
}

void TimelineModel::add(std::shared_ptr<const Trace> trace) {
  std::vector<std::shared_ptr<const Trace>> traces = all_;
  traces.push_back(std::move(trace));
  setTraces(std::move(traces));
}

void TimelineModel::setView(double from, double to) {
  moveTo(from, to, false);
}

void TimelineModel::step(bool back) {
  auto &source = back ? past_ : future_, &target = back ? future_ : past_;
  if (source.empty()) return;
  target.emplace_back(from_, to_);
  std::tie(from_, to_) = source.back();
  source.pop_back();
  glided_ = false;
  emit viewChanged();
}

void TimelineModel::moveTo(double from, double to, bool glides) {
  const double margin = std::max(kLeastView, kMargin * static_cast<double>(length_));
  const double low = -margin, high = static_cast<double>(length_) + margin;
  const double width = std::clamp(to - from, kLeastView, high - low);
  const double center = (from + to) / 2;
  from = std::clamp(center - width / 2, low, high - width);
  if (from == from_ && from + width == to_) return;
  if (!glides || !glided_) {
    past_.emplace_back(from_, to_);
    if (past_.size() > kMostViewsKept) past_.erase(past_.begin());
  }
  future_.clear();
  glided_ = glides;
  from_ = from;
  to_ = from + width;
  emit viewChanged();
}

void TimelineModel::fit() {
  if (selection_ &&
      (from_ > static_cast<double>(selection_->from) || to_ < static_cast<double>(selection_->to) ||
       to_ - from_ > 1.2 * static_cast<double>(selection_->length()))) {
    const double margin = 0.05 * static_cast<double>(selection_->length());
    setView(static_cast<double>(selection_->from) - margin,
            static_cast<double>(selection_->to) + margin);
    return;
  }
  setView(-1e18, 1e18);
}

void TimelineModel::zoom(double center, double factor) {
  const double width = to_ - from_;
  const double made = std::max(kLeastView, width * factor);
  const double share = (center - from_) / width;
  moveTo(center - share * made, center + (1 - share) * made, true);
}

void TimelineModel::pan(double nanoseconds) {
  moveTo(from_ + nanoseconds, to_ + nanoseconds, true);
}

void TimelineModel::select(std::optional<TimeRange> range) {
  if (range && range->length() <= 0) range.reset();
  if (range == selection_) return;
  selection_ = range;
  summarize();
}

void TimelineModel::selectWhileDragging(TimeRange range) {
  selection_ = range;
  emit viewChanged();
}

void TimelineModel::endDragging() {
  if (selection_ && selection_->length() <= 0) selection_.reset();
  summarize();
}

void TimelineModel::setCurrent(std::optional<Place> place) {
  if (place == current_) return;
  current_ = place;
  emit currentChanged();
}

void TimelineModel::showLaneOf(std::size_t trace, EventId event) {
  const Trace& of = *shown_.at(trace).trace;
  const std::size_t row = of.rowOf(event);
  const LaneChoices::Place place{trace, of.rows()[row].lane};
  const bool inner = &of.rowsOf(place.lane)[0] != &of.rows()[row];
  const bool collapsed = inner && lanes_.collapsed(place);
  if (lanes_.drawn(place) && !collapsed) return;
  changeLanes([&](LaneChoices& lanes) {
    lanes.setHidden(place, false);
    if (!lanes.drawn(place)) lanes.setFilter({});
    if (collapsed) lanes.setCollapsed(place, false);
  });
}

void TimelineModel::goTo(Place place) {
  showLaneOf(place.trace, place.event);
  const Trace& trace = *shown_.at(place.trace).trace;
  const auto start = static_cast<double>(trace.start(place.event));
  const auto duration = static_cast<double>(trace.duration(place.event));
  double width = to_ - from_;
  // So wide that it can be seen, and so narrow that it can be seen as one.
  if (duration > width * 0.9 || duration < width * 0.002) width = duration / kSeenShare;
  width = std::max(width, kLeastView);
  if (width != to_ - from_ || start < from_ || start + duration > to_)
    setView(start + duration / 2 - width / 2, start + duration / 2 + width / 2);
  setCurrent(place);
}

void TimelineModel::showSaving(std::size_t trace, const Saving& saving) {
  if (trace >= shown_.size() || saving.runs.empty()) return;
  const Saving::Run& run = saving.runs.front();
  showTime(run.time);
  setCurrent(Place{trace, run.first});
}

void TimelineModel::showTime(TimeRange range) {
  select(range);
  const double margin = 0.1 * static_cast<double>(range.length());
  setView(static_cast<double>(range.from) - margin, static_cast<double>(range.to) + margin);
}

void TimelineModel::search(const QString& text) {
  if (text == searched_) return;
  searched_ = text;
  refreshSearch();
}

void TimelineModel::setRegular(bool regular) {
  if (regular == regular_) return;
  regular_ = regular;
  refreshSearch();
}

void TimelineModel::refreshSearch() {
  matching_.clear();
  matches_ = 0;
  searchError_.clear();
  // A limit of its own: some expressions take a time beyond all measure.
  const QRegularExpression expression(
      regular_ ? QStringLiteral("(*LIMIT_MATCH=20000)") + searched_ : QString(),
      QRegularExpression::CaseInsensitiveOption);
  if (regular_ && !expression.isValid())
    searchError_ =
        uiText("not a regular expression: %1").arg(expression.errorString().simplified());
  if (!searched_.isEmpty() && searchError_.isEmpty())
    for (const Shown& shown : shown_) {
      const Trace& trace = *shown.trace;
      std::vector<bool> names(trace.names(), false);
      for (NameId name = 0; name < names.size(); ++name) {
        const QString known = text(trace.nameText(name));
        names[name] = regular_ ? expression.match(known).hasMatch()
                               : known.contains(searched_, Qt::CaseInsensitive);
      }
      for (EventId e = 0; e < trace.size(); ++e) matches_ += names[trace.nameId(e)];
      matching_.push_back(std::move(names));
    }
  emit searchChanged();
}

bool TimelineModel::matches(std::size_t trace, EventId event) const {
  return trace < matching_.size() && matching_[trace][shown_[trace].trace->nameId(event)];
}

void TimelineModel::groupBy(Grouping grouping) {
  if (grouping == grouping_) return;
  grouping_ = grouping;
  if (!shown_.empty()) summarize();
}

void TimelineModel::follow(std::vector<int> statements, int pass) {
  if (statements == followed_ && pass == pass_) return;
  followed_ = std::move(statements);
  pass_ = pass;
  emit searchChanged();
}

std::vector<int> TimelineModel::statementsOf(const Trace& trace, EventId event, int pass) {
  const LaunchDetails* details = trace.details(event);
  std::vector<int> statements;
  if (!details || details->firstStatement < 0) return statements;
  const int first = details->firstStatement, last = details->lastStatement;
  // A launch of more than a pass has each statement of it.
  for (int at = first; at <= (pass > 0 ? std::min(last, first + pass - 1) : last); ++at)
    statements.push_back(pass > 0 && at > 0 ? (at - 1) % pass + 1 : at);
  std::sort(statements.begin(), statements.end());
  return statements;
}

bool TimelineModel::follows(std::size_t trace, EventId event) const {
  const LaunchDetails* details = followed_.empty() ? nullptr : shown_[trace].trace->details(event);
  if (!details || details->firstStatement < 0) return false;
  const int first = std::max(1, details->firstStatement), last = details->lastStatement;
  return std::any_of(followed_.begin(), followed_.end(), [&](int statement) {
    if (statement == 0) return details->firstStatement == 0;
    if (pass_ <= 0) return first <= statement && statement <= last;
    // The first time that it comes at `first` or later.
    return first + ((statement - first) % pass_ + pass_) % pass_ <= last;
  });
}

bool TimelineModel::passes(std::size_t trace, EventId event) const {
  const Shown& shown = shown_[trace];
  if (searched_.isEmpty() && following())
    return counts(shown.trace->kind(event), shown.work) && follows(trace, event);
  return searched_.isEmpty() ? counts(shown.trace->kind(event), shown.work) : matches(trace, event);
}

bool TimelineModel::next(bool backwards) {
  if (shown_.empty() || (!searched_.isEmpty() && matches_ == 0)) return false;
  // By time, then by trace and row; the next after the current one, else the first of all.
  struct Key {
    Nanoseconds time;
    std::size_t trace;
    EventId event;
    auto operator<=>(const Key&) const = default;
  };
  std::optional<Key> here, best, wrapped;
  if (current_)
    here = Key{shown_[current_->trace].trace->start(current_->event), current_->trace,
               current_->event};
  const auto better = [backwards](const Key& a, const std::optional<Key>& b) {
    return !b || (backwards ? a > *b : a < *b);
  };
  for (std::size_t t = 0; t < shown_.size(); ++t) {
    const Trace& trace = *shown_[t].trace;
    for (const TraceRow& row : trace.rows()) {
      // In a row time ascends: outwards from the current event, the first match is the nearest.
      const EventId split =
          !here ? (backwards ? row.last : row.first) : trace.firstStartingAt(row, here->time);
      const auto take = [&](EventId e) {
        if (!passes(t, e)) return false;
        const Key key{trace.start(e), t, e};
        const bool beyond = !here || (backwards ? key < *here : key > *here);
        if (beyond && better(key, best)) best = key;
        if (better(key, wrapped)) wrapped = key;
        return beyond;
      };
      if (backwards) {
        EventId e = split;
        while (e < row.last && here && trace.start(e) == here->time) ++e;
        while (e > row.first && !take(e - 1)) --e;
        for (e = row.last; e > row.first && !passes(t, e - 1); --e) {
        }
        if (e > row.first) take(e - 1);
      } else {
        EventId e = split;
        while (e < row.last && !take(e)) ++e;
        for (e = row.first; e < row.last && !passes(t, e); ++e) {
        }
        if (e < row.last) take(e);
      }
    }
  }
  if (!best) best = wrapped;
  if (!best) return false;
  goTo({best->trace, best->event});
  return true;
}

}  // namespace fusebench

#include "moc_timeline_model.cpp"
