// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profiler/trace/trace.h"

namespace fusebench {

/// The fields of one Chrome trace event that are used. Texts live until the parser reads the next
/// one.
struct ChromeFields {
  char phase = 0;
  std::string_view name, category, process, thread, time, duration;
  std::string_view track;  ///< the thread as the file has it, though its spans may go elsewhere
  std::string_view id, bindingPoint;  ///< of a flow event
  int row = -1;                       ///< of a flow event; see FlowPoint::row
  std::string_view argsName, argsLabels, stream, ownThread;
  std::uint64_t shared = 0;
  bool sums = false;  ///< a compiler's total of many spans, not a span
  Launch launch;
  RecordedArguments arguments;
  /// The allocator's totals in bytes, on the instants that PyTorch writes for each allocation.
  std::int64_t allocated = -1, reserved = -1;
  std::int64_t allocation = 0;  ///< bytes of the allocation; negative where memory is freed
  std::int32_t deviceType = -1, deviceId = -1;
  std::vector<std::pair<std::string_view, double>> counts = {};  ///< the values of a counter
};

/// Takes the JSON text of events apart.
class ChromeParser {
 public:
  ChromeParser();
  ~ChromeParser();

  /// False if the text is not an event. It is followed by TraceScanner::kPadding readable bytes.
  /// Bytes that are not valid UTF-8 are replaced; see replaced().
  bool parse(std::string_view text, ChromeFields& fields);
  /// Whether the last event had such bytes.
  bool replaced() const { return replaced_; }

 private:
  struct Json;
  bool parseText(std::string_view text, ChromeFields& fields);
  void readOperatorArgument(std::string_view key, std::string_view json,
                            RecordedArguments& arguments);
  std::unique_ptr<Json> json_;
  std::string repaired_;  ///< the last event, where bytes had to be replaced
  bool replaced_ = false;
  std::string shapes_, types_, values_, strides_;  ///< for the last event, without spaces
};

}  // namespace fusebench
