// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "engine/base/saying.h"

namespace fusebench {
namespace {

constexpr std::array<std::string_view, kSpanKinds> kKindNames = {
    "guard",  "dispatch",   "allocate", "launch", "wait",    "kernel",
    "cpu op", "annotation", "runtime",  "driver", "copy",    "fill",
    "sync",   "overhead",   "other",    "graph",  "profiler"};

/// Details of two traces, whose names have other numbers.
bool sameDetails(const Trace& one, const LaunchDetails* a, const Trace& other,
                 const LaunchDetails* b) {
  if (!a || !b) return a == b;
  LaunchDetails copy = *b;
  copy.op = a->op;
  return *a == copy && one.nameText(a->op) == other.nameText(b->op);
}

/// Finds an event in a sorted list of pairs; null: it is not there.
template <typename Arguments>
const Arguments* argumentsAt(const std::vector<std::pair<EventId, Arguments>>& all, EventId event) {
  const auto found =
      std::ranges::lower_bound(all, event, {}, [](const auto& one) { return one.first; });
  return found == all.end() || found->first != event ? nullptr : &found->second;
}

}  // namespace

const OperatorArguments* Trace::operatorArguments(EventId event) const {
  return argumentsAt(operatorArguments_, event);
}

const CollectiveArguments* Trace::collectiveArguments(EventId event) const {
  return argumentsAt(collectiveArguments_, event);
}

RecordedArguments Trace::recordedArguments(EventId event) const {
  RecordedArguments arguments;
  if (const OperatorArguments* const known = operatorArguments(event)) {
    arguments.shapes = nameText(known->shapes);
    arguments.types = nameText(known->types);
    arguments.values = nameText(known->values);
    arguments.strides = nameText(known->strides);
    arguments.sequence = known->sequence;
    arguments.forwardThread = known->forwardThread;
  }
  if (const CollectiveArguments* const known = collectiveArguments(event)) {
    arguments.collective = nameText(known->name);
    arguments.dtype = nameText(known->dtype);
    arguments.group = nameText(known->group);
    arguments.elementsIn = known->elementsIn;
    arguments.elementsOut = known->elementsOut;
    arguments.ranks = known->ranks;
  }
  return arguments;
}

namespace {

/// Arguments of two traces, whose texts have other numbers.
bool sameArguments(const Trace& one, const Trace& other, EventId event) {
  const OperatorArguments *a = one.operatorArguments(event), *b = other.operatorArguments(event);
  if (!a != !b) return false;
  const auto same = [&](NameId left, NameId right) {
    return one.nameText(left) == other.nameText(right);
  };
  if (a && (!same(a->shapes, b->shapes) || !same(a->types, b->types) ||
            !same(a->values, b->values) || !same(a->strides, b->strides) ||
            a->sequence != b->sequence || a->forwardThread != b->forwardThread))
    return false;
  const CollectiveArguments *c = one.collectiveArguments(event),
                            *d = other.collectiveArguments(event);
  if (!c || !d) return !c == !d;
  return same(c->name, d->name) && same(c->dtype, d->dtype) && same(c->group, d->group) &&
         c->elementsIn == d->elementsIn && c->elementsOut == d->elementsOut && c->ranks == d->ranks;
}

}  // namespace

std::string_view nameOf(SpanKind kind) {
  return kKindNames[std::min(static_cast<std::size_t>(kind), kSpanKinds - 1)];
}

bool isDeviceWork(SpanKind kind) {
  return kind == SpanKind::kernel || kind == SpanKind::copy || kind == SpanKind::set ||
         kind == SpanKind::graph;
}

TraceLosses& TraceLosses::operator+=(const TraceLosses& other) {
  dropped += other.dropped;
  zero += other.zero;
  inverted += other.inverted;
  malformed += other.malformed;
  unpaired += other.unpaired;
  otherKinds += other.otherKinds;
  return *this;
}

std::string sentenceOf(const TraceLosses& losses) {
  const std::tuple<std::uint64_t, const char*> parts[] = {
      {losses.dropped, toBeSaid("dropped by the collector")},
      {losses.zero, toBeSaid("without a time")},
      {losses.inverted, toBeSaid("with their end before their start")},
      {losses.malformed, toBeSaid("malformed")},
      {losses.unpaired, toBeSaid("with a missing begin or end")},
      {losses.otherKinds, toBeSaid("asynchronous ranges or objects")}};
  std::string text;
  for (const auto& [count, what] : parts)
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : said(", "), count, said(what));
  return text;
}

TraceRemarks& TraceRemarks::operator+=(const TraceRemarks& other) {
  marks += other.marks;
  replaced += other.replaced;
  outOfOrder += other.outOfOrder;
  repeats += other.repeats;
  foreignRows += other.foreignRows;
  return *this;
}

std::string sentenceOf(const TraceRemarks& remarks) {
  const std::tuple<std::uint64_t, const char*, const char*> parts[] = {
      {remarks.marks, toBeSaid("mark without a duration"), toBeSaid("marks without a duration")},
      {remarks.replaced, toBeSaid("string with bytes that are not UTF-8"),
       toBeSaid("strings with bytes that are not UTF-8")},
      {remarks.outOfOrder, toBeSaid("begin or end out of order, sorted"),
       toBeSaid("begins or ends out of order, sorted")},
      {remarks.repeats, toBeSaid("slice that repeats another row"),
       toBeSaid("slices that repeat other rows")},
      {remarks.foreignRows, toBeSaid("unrelated row"), toBeSaid("unrelated rows")}};
  std::string text;
  for (const auto& [count, one, many] : parts)
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : said(", "), count,
                          said(one, many, static_cast<std::int64_t>(count)));
  return text;
}

std::size_t Trace::rowOf(EventId event) const {
  const auto after = std::upper_bound(rows_.begin(), rows_.end(), event,
                                      [](EventId e, const TraceRow& row) { return e < row.last; });
  return static_cast<std::size_t>(after - rows_.begin());
}

EventId Trace::firstEndingAfter(const TraceRow& row, Nanoseconds time) const {
  // Events of a row do not overlap: the last one that starts before `time` may last beyond it.
  EventId event = firstStartingAt(row, time);
  if (event > row.first && end(event - 1) > time) --event;
  return event;
}

EventId Trace::firstStartingAt(const TraceRow& row, Nanoseconds time) const {
  const auto begin = start_.begin();
  return static_cast<EventId>(std::lower_bound(begin + row.first, begin + row.last, time) - begin);
}

std::span<const TraceRow> Trace::rowsOf(LaneId lane) const {
  return std::span(rows_).subspan(laneRows_[lane], laneRows_[lane + 1] - laneRows_[lane]);
}

std::string differenceOf(const Trace& one, const Trace& other) {
  if (one.size() != other.size()) return saying("{} events and {}", one.size(), other.size());
  if (one.origin() != other.origin())
    return saying("they begin at {} and {}", one.origin(), other.origin());
  if (one.device() != other.device())
    return saying("device \"{}\" and \"{}\"", one.device(), other.device());
  if (one.limits() != other.limits()) return saying("limits of their devices differ");
  if (!std::ranges::equal(one.lanes(), other.lanes())) return saying("tracks differ");
  const auto sameRow = [](const TraceRow& a, const TraceRow& b) {
    return a.first == b.first && a.last == b.last && a.lane == b.lane;
  };
  if (!std::ranges::equal(one.rows(), other.rows(), sameRow)) return saying("rows differ");
  if (!std::ranges::equal(one.counters(), other.counters())) return saying("counters differ");
  for (EventId e = 0; e < one.size(); ++e) {
    const auto differs = [&](const char* what) {
      return saying("event {} (\"{}\" and \"{}\"): {} differs", e, one.name(e), other.name(e),
                    what);
    };
    if (one.start(e) != other.start(e)) return differs("start");
    if (one.duration(e) != other.duration(e)) return differs("duration");
    if (one.kind(e) != other.kind(e)) return differs("kind");
    if (one.name(e) != other.name(e)) return differs("name");
    if (one.link(e) != other.link(e)) return differs("link");
    if (!sameDetails(one, one.details(e), other, other.details(e))) return differs("details");
    if (!sameArguments(one, other, e)) return differs("arguments");
  }
  return {};
}

bool sameTrace(const Trace& one, const Trace& other) {
  return differenceOf(one, other).empty();
}

std::optional<Occupancy> occupancyOf(const Trace& trace, EventId event) {
  const LaunchDetails* details = trace.details(event);
  if (!details || trace.kind(event) != SpanKind::kernel) return std::nullopt;
  const auto limits = std::ranges::find(trace.limits(), details->device, &DeviceLimits::device);
  if (limits == trace.limits().end()) return std::nullopt;
  const auto [x, y, z] = details->block;
  constexpr std::uint32_t kMost = 1024;  // along an axis; beyond it products could overflow
  if (x > kMost || y > kMost || z > kMost) return std::nullopt;
  return theoreticalOccupancy(*limits, std::uint64_t{x} * y * z, details->registers,
                              std::uint64_t{details->staticShared} + details->dynamicShared);
}

std::string labelOf(const Trace& trace, EventId event) {
  std::string text(trace.name(event));
  const LaunchDetails* details = trace.details(event);
  if (!details || details->firstStatement < 0) return text;
  // A call stands for all that it sets off.
  std::int32_t first = details->firstStatement, last = details->lastStatement;
  if (!isDeviceWork(trace.kind(event)))
    for (EventId e = trace.link(event); e != kNoEvent; e = trace.details(e)->sibling) {
      first = std::min(first, trace.details(e)->firstStatement);
      last = std::max(last, trace.details(e)->lastStatement);
    }
  if (last <= first)
    return text + (first == 0 ? saying(", return") : saying(", statement {}", first));
  return text + saying(", statements {}–{}", first, last);
}

}  // namespace fusebench
