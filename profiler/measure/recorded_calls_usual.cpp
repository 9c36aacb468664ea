// SPDX-License-Identifier: GPL-3.0-or-later
// Which of several recordings is shown, and what is said of it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

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

RecordedCalls usualOf(std::vector<RecordedCalls> recordings) {
  if (recordings.empty()) return {};
  const auto number = static_cast<int>(recordings.size());
  const auto losses = [](const RecordedCalls& calls) {
    return calls.lost + calls.zero + calls.inverted;
  };
  const std::uint64_t least = losses(*std::ranges::min_element(recordings, {}, losses));
  std::erase_if(recordings, [&](const RecordedCalls& calls) { return losses(calls) > least; });
  const auto middle = recordings.begin() + static_cast<std::ptrdiff_t>((recordings.size() - 1) / 2);
  std::ranges::nth_element(recordings, middle, {},
                           [](const RecordedCalls& calls) { return callTimeOf(calls).total; });
  RecordedCalls usual = std::move(*middle);
  usual.recordings = number;
  return usual;
}

std::string noteOf(const RecordedCalls& calls, bool alone) {
  const CallTime time = callTimeOf(calls);
  const std::string whose =
      alone ? saying("a call takes {}, {} of it for marks", wording::time(time.total),
                          wording::time(time.marks))
            : saying("a mark costs {:.1f} ns, not subtracted", calls.stampNanoseconds);
  return saying("the median of {} recordings; {}", calls.recordings, whose);
}

}  // namespace fusebench
