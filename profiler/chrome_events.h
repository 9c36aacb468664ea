// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiler/trace_builder.h"

namespace fusebench {

/// Turns Chrome trace events, one JSON object after the other, into spans and launches. Names and
/// meanings of the fields: the "Trace Event Format" document of Chromium and what Kineto's
/// ChromeTraceLogger writes.
class ChromeEvents {
 public:
  explicit ChromeEvents(TraceBuilder& builder);
  ~ChromeEvents();

  /// `text` is followed by TraceScanner::kPadding readable bytes. What makes no sense is counted.
  void add(std::string_view text);
  /// To be called after the last: names lanes, counts what was begun and not ended. `ours`: the
  /// names of processes are as they are to be; Kineto's are all "python".
  void end(bool ours);

 private:
  struct Fields;
  struct Open {
    Nanoseconds start;
    std::string name, category;
    std::uint64_t correlation;
  };
  struct Place {
    LaneId lane = 0;
    bool device = false;
    std::string process, thread;
    std::vector<Open> open;
  };
  class Parser;

  Place& place(std::string_view process, std::string_view thread, bool device);
  void addComplete(const Fields& fields, Nanoseconds start, Nanoseconds end);
  void addDeviceWork(const Fields& fields, Nanoseconds start, Nanoseconds end);
  void addMetadata(const Fields& fields);
  void begin(const Fields& fields, Nanoseconds time);
  void finish(const Fields& fields, Nanoseconds time);

  TraceBuilder& builder_;
  std::unique_ptr<Parser> parser_;
  std::unordered_map<std::string, Place> places_;
  std::string lastKey_;
  Place* last_ = nullptr;
  std::map<std::string, std::string> processNames_, processLabels_, threadNames_;
  std::map<std::string, std::int64_t> numbers_;  ///< for processes and threads that have none
};

}  // namespace fusebench
