// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// One process of a group that ran together, and its own trace.
struct TraceRank {
  int number = 0;
  std::string file;  ///< its name in the directory
  std::shared_ptr<const Trace> trace;
  /// Offset of the common clock from its times; the common clock begins at 0.
  Nanoseconds shift = 0;
  /// For the collectives that all ranks have: the mean delay of its arrival after the first rank.
  double lateness = 0;
  std::uint64_t last = 0;  ///< collectives in which all others waited for this one
};

/// A directory of traces, one of each rank, as PyTorch's tensorboard_trace_handler leaves it.
struct TraceRanks {
  std::vector<TraceRank> ranks;   ///< by number
  std::string aligned;            ///< how their clocks were aligned, in one sentence
  std::uint64_t collectives = 0;  ///< collectives that all ranks have
  /// Whether the files are ranks of one run: each has its own rank number, in the file or in its
  /// name, or all have the same collectives. If not, numbers, clocks and collectives have no
  /// meaning.
  bool related = true;
  std::vector<std::string>
      skipped;  ///< "name: why", for files that are traces and could not be read
};

/// Whether the path is a directory that contains traces.
bool looksLikeRanks(const std::string& path);
/// The same, or a trace.
bool opensAsTrace(const std::string& path);
/// The traces to show for a file, part by part, or for a directory: ranks of one run all in one,
/// other traces one by one.
std::vector<std::shared_ptr<const Trace>> openTraces(const std::string& path,
                                                     const TraceProgress& progress = {});

/// Reads all traces of a directory, several at a time. Ranks are numbered by the data in the files,
/// otherwise by their names, otherwise, if they have the same collectives, by the order of these.
/// Clocks are aligned by collectives, which end on all ranks together, otherwise by the times of
/// their origins. Throws InputError if there is none, and `Canceled`.
TraceRanks importRanks(const std::string& directory, const TraceProgress& progress = {});

/// All of them on one clock, in one trace, with separate processes and devices for each rank.
std::shared_ptr<const Trace> joinedRanks(const TraceRanks& ranks, const std::string& title,
                                         const TraceProgress& progress = {});

}  // namespace fusebench
