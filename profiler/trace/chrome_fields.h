// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "profiler/trace/trace.h"

namespace fusebench {

/// What is read of one Chrome trace event. Texts live until the parser reads the next one.
struct ChromeFields {
  char phase = 0;
  std::string_view name, category, process, thread, time, duration;
  std::string_view track;  ///< the thread as the file has it, though its spans may go elsewhere
  std::string_view id, bindingPoint;  ///< of a flow
  int row = -1;                       ///< likewise; see FlowPoint::row
  std::string_view argsName, argsLabels, stream, ownThread;
  std::uint64_t shared = 0;
  Launch launch;
};

/// Takes the JSON text of events apart.
class ChromeParser {
 public:
  ChromeParser();
  ~ChromeParser();

  /// False if the text is no event. It is followed by TraceScanner::kPadding readable bytes.
  bool parse(std::string_view text, ChromeFields& fields);

 private:
  struct Json;
  std::unique_ptr<Json> json_;
};

}  // namespace fusebench
