// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include "profiler/trace/trace.h"

namespace fusebench {

/// What the events of a row of a Chrome trace are that have no category of their own. Told by the
/// names of the row's process and thread, as tools give them.
struct RowMeaning {
  enum class Kind : std::uint8_t {
    unknown,
    work,        ///< of a device
    repeats,     ///< of a device, that another row shows already
    runtime,     ///< calls of a host that set work off
    op,          ///< operators as a host schedules them
    annotation,  ///< ranges that a program named
  };
  Kind kind = Kind::unknown;
  bool operator==(const RowMeaning&) const = default;
};

/// What is known of the other rows of a file.
struct RowsAround {
  bool streams = false;     ///< the process has rows of streams
  bool allStreams = false;  ///< there is a process of all streams together
  bool eachStream = false;  ///< and there are some of single ones
};

/// Known are JAX and XLA (/device:GPU:0 with "Stream #14(Compute)" beside "XLA Ops"), TensorFlow's
/// timeline (/device:GPU:0/stream:all), rocprof (GPU0, COPY, CPU HIP API), and what makes Chrome
/// traces of nvprof's ([0:1] Overview) and Nsight Systems' databases (Device 0, Stream 7).
RowMeaning meaningOfRow(std::string_view process, std::string_view thread,
                        const RowsAround& around);
bool isStreamRow(std::string_view thread);

/// Kernel, copy or fill, by the name of the event and of the process it stands in.
SpanKind kindOfWork(std::string_view process, std::string_view event);

}  // namespace fusebench
