// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses which of several recordings is shown, and writes its note.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/wording.h"
#include "profiler/measure/recorded_calls.h"

namespace fusebench {

CallTime callTimeOf(const RecordedCalls& calls) {
  CallTime time;
  double marks = 0;
  std::set<std::uint16_t> made;
  for (const CallSpan& span : calls.spans) {
    if (span.thread != 0) continue;
    time.total += static_cast<double>(span.end - span.start);
    ++marks;
    made.insert(span.call);
  }
  if (made.empty()) return {};
  const auto number = static_cast<double>(made.size());
  return {time.total / number, calls.stampNanoseconds * marks / number};
}

std::size_t usualPlace(std::span<const RecordedCalls> recordings) {
  const auto losses = [](const RecordedCalls& calls) {
    return calls.lost + calls.zero + calls.inverted;
  };
  const std::uint64_t least = losses(*std::ranges::min_element(recordings, {}, losses));
  std::vector<std::pair<double, std::size_t>> whole;
  for (std::size_t i = 0; i < recordings.size(); ++i)
    if (losses(recordings[i]) == least) whole.emplace_back(callTimeOf(recordings[i]).total, i);
  const auto middle = whole.begin() + static_cast<std::ptrdiff_t>((whole.size() - 1) / 2);
  std::ranges::nth_element(whole, middle);
  return middle->second;
}

RecordedCalls usualOf(std::vector<RecordedCalls> recordings) {
  if (recordings.empty()) return {};
  RecordedCalls usual = std::move(recordings[usualPlace(recordings)]);
  usual.recordings = static_cast<int>(recordings.size());
  return usual;
}

std::string noteOf(const RecordedCalls& calls, bool alone) {
  const CallTime time = callTimeOf(calls);
  const std::string whose =
      alone ? saying("a call takes {}, {} of it for markers", wording::time(time.total),
                     wording::time(time.marks))
            : saying("a marker costs {:.1f} ns, not subtracted", calls.stampNanoseconds);
  return saying("the median of {} recordings; {}", calls.recordings, whose);
}

std::string sentenceOfClocks(std::span<const RecordedCalls* const> ranks) {
  if (ranks.size() < 2) return {};
  std::int64_t error = 0;
  for (const RecordedCalls* const calls : ranks) error = std::max(error, calls->place.error);
  return saying("{} ranks, their clocks compared by exchanges of messages: within {}", ranks.size(),
                wording::time(static_cast<double>(error)));
}

}  // namespace fusebench
