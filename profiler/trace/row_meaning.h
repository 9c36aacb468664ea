// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include "profiler/trace/trace.h"

namespace fusebench {

/// The meaning of a row of a Chrome trace, for events without a category. It follows from the names
/// of the row's process and thread, as tools set them.
struct RowMeaning {
  enum class Kind : std::uint8_t {
    unknown,
    work,        ///< work of a device
    repeats,     ///< work of a device that another row shows already
    runtime,     ///< calls of a host that start device work
    op,          ///< operators as a host schedules them
    annotation,  ///< ranges that a program named
  };
  Kind kind = Kind::unknown;
  bool operator==(const RowMeaning&) const = default;
};

/// The known properties of the other rows of a file.
struct RowsAround {
  bool streams = false;     ///< the process has rows of streams
  bool allStreams = false;  ///< there is a process of all streams together
  bool eachStream = false;  ///< and there are some of single ones
};

/// Supported are JAX and XLA (/device:GPU:0 with "Stream #14(Compute)" next to "XLA Ops"),
/// TensorFlow's timeline (/device:GPU:0/stream:all), rocprof (GPU0, COPY, CPU HIP API), and the
/// tools that make Chrome traces from nvprof's data ([0:1] Overview) and Nsight Systems' databases
/// (Device 0, Stream 7).
RowMeaning meaningOfRow(std::string_view process, std::string_view thread,
                        const RowsAround& around);
bool isStreamRow(std::string_view thread);

/// Kernel, copy or fill, by the name of the event and of the process that it is in.
SpanKind kindOfWork(std::string_view process, std::string_view event);

}  // namespace fusebench
