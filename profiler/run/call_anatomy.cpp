// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/run/call_anatomy.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/device/backend.h"

namespace fusebench {
namespace {

std::size_t indexOf(CallPart part) {
  return static_cast<std::size_t>(part);
}

std::uint64_t ticksOf(const RecordedCall& call) {
  return call.marks.back().ticks - call.marks.front().ticks;
}

/// Stretches of a part in the call.
std::size_t countOf(const RecordedCall& call, CallPart part) {
  return static_cast<std::size_t>(
      std::count_if(call.marks.begin(), call.marks.end(),
                    [part](const Mark& mark) { return mark.part == part; }));
}

/// With which part a launch is done: where the host runs no kernel, with handing it over.
CallPart doneWith(std::span<const RecordedCall> calls) {
  const bool runs = std::any_of(calls.begin(), calls.end(), [](const RecordedCall& call) {
    return countOf(call, CallPart::kernel) > 0;
  });
  return runs ? CallPart::kernel : CallPart::launch;
}

/// The calls of the middle half by duration; one or two are taken as they are.
std::vector<const RecordedCall*> usual(std::vector<const RecordedCall*> calls) {
  std::sort(calls.begin(), calls.end(),
            [](const RecordedCall* a, const RecordedCall* b) { return ticksOf(*a) < ticksOf(*b); });
  const std::size_t off = calls.size() / 4;
  return {calls.begin() + static_cast<std::ptrdiff_t>(off),
          calls.end() - static_cast<std::ptrdiff_t>(off)};
}

/// Sums the parts of calls, whole and by launch, each call with a weight.
class Sums {
 public:
  Sums(double ticksPerNanosecond, double stampNanoseconds, CallPart done, std::size_t launches)
      : ticks_(ticksPerNanosecond), stamp_(stampNanoseconds), done_(done) {
    anatomy_.launches.resize(launches);
  }

  void add(const RecordedCall& call, double weight) {
    std::size_t launch = 0;
    bool ran = false;  // the present launch's kernel did, or was handed over
    for (std::size_t i = 0; i + 1 < call.marks.size(); ++i) {
      const Mark& mark = call.marks[i];
      // Time after a kernel belongs to it until the next one is looked up.
      if (ran && mark.part == CallPart::dispatch) {
        ++launch;
        ran = false;
      }
      ran |= mark.part == done_;
      const auto ticks = static_cast<double>(call.marks[i + 1].ticks - mark.ticks);
      const double time = weight * (ticks / ticks_ - stamp_);
      anatomy_.nanoseconds[indexOf(mark.part)] += time;
      anatomy_.stampsPerCall += weight;
      // Behind the last kernel nothing belongs to one any more.
      if (launch >= anatomy_.launches.size() || mark.part == CallPart::guard) continue;
      LaunchAnatomy& around = anatomy_.launches[launch];
      around.nanoseconds[indexOf(mark.part)] += time;
      if (mark.executable) around.kernel = mark.executable->name();
    }
  }

  CallAnatomy take() {
    anatomy_.stampNanoseconds = stamp_;
    // A part shorter than the uncertainty of the marks' cost may come out below nothing.
    const auto clamp = [](PartTimes& times) {
      for (double& time : times) time = std::max(time, 0.0);
    };
    clamp(anatomy_.nanoseconds);
    for (LaunchAnatomy& launch : anatomy_.launches) clamp(launch.nanoseconds);
    return std::move(anatomy_);
  }

 private:
  double ticks_, stamp_;
  CallPart done_;
  CallAnatomy anatomy_;
};

}  // namespace

double CallAnatomy::total() const {
  return std::accumulate(nanoseconds.begin(), nanoseconds.end(), 0.0);
}

std::vector<CallPart> notableParts(std::span<const CallAnatomy* const> calls) {
  constexpr double kNotableShare = 0.005;
  std::vector<CallPart> parts;
  for (std::size_t i = 0; i < kCallParts; ++i) {
    const auto part = static_cast<CallPart>(i);
    if (std::any_of(calls.begin(), calls.end(), [part](const CallAnatomy* call) {
          return call->of(part) > 0 && call->of(part) >= kNotableShare * call->total();
        }))
      parts.push_back(part);
  }
  return parts;
}

std::vector<RecordedCall> callsIn(std::span<const Mark> marks, std::size_t inputs) {
  std::vector<RecordedCall> calls;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].part != CallPart::outside) continue;
    if (i > begin) {
      const std::size_t input = inputs == 0 ? 0 : calls.size() % inputs;
      calls.push_back({marks.subspan(begin, i - begin + 1), input});
    }
    begin = i + 1;
  }
  return calls;
}

CallAnatomy anatomyOf(std::span<const RecordedCall> calls, double ticksPerNanosecond,
                      double stampNanoseconds, std::span<const std::vector<int>> statements) {
  if (calls.empty()) return {};
  const CallPart done = doneWith(calls);
  const std::size_t launches = countOf(calls.front(), done);
  const bool alike = std::all_of(calls.begin(), calls.end(), [&](const RecordedCall& call) {
    return countOf(call, done) == launches;
  });
  std::map<std::size_t, std::vector<const RecordedCall*>> byInput;
  for (const RecordedCall& call : calls) byInput[call.input].push_back(&call);
  Sums sums(ticksPerNanosecond, stampNanoseconds, done, alike ? launches : 0);
  for (const auto& [input, all] : byInput) {
    const auto chosen = usual(all);
    for (const RecordedCall* call : chosen)
      sums.add(*call, 1.0 / static_cast<double>(chosen.size() * byInput.size()));
  }
  CallAnatomy anatomy = sums.take();
  anatomy.calls = static_cast<int>(calls.size());
  anatomy.inputs = static_cast<int>(byInput.size());
  if (statements.size() == anatomy.launches.size())
    for (std::size_t i = 0; i < statements.size(); ++i)
      anatomy.launches[i].statements = statements[i];
  return anatomy;
}

}  // namespace fusebench
