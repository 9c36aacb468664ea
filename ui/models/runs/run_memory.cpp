// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_memory.h"

#include <algorithm>

#include "ui/models/results/comparison.h"
#include "ui/models/results/same_measurement.h"

namespace fusebench {
namespace {
constexpr std::size_t kMostRuns = 16;
constexpr std::size_t kMostSamples = 2'000'000;  ///< in all runs together: tens of megabytes
}  // namespace

void RunMemory::remember(std::shared_ptr<const Run> run, const QString& path) {
  if (!run || run->interrupted || sampleCount(*run) == 0) return;
  std::erase_if(entries_, [&](const Entry& entry) {
    return entry.run->startedAt == run->startedAt && entry.run->device == run->device &&
           entry.run->explored == run->explored &&
           sameMeasurement(entry.run->experiment, run->experiment);
  });
  entries_.push_front({std::move(run), path});
  std::size_t samples = 0, kept = 0;
  for (const Entry& entry : entries_) {
    samples += sampleCount(*entry.run);
    if (kept > 0 && (samples > kMostSamples || kept == kMostRuns)) break;
    ++kept;
  }
  entries_.resize(kept);
}

void RunMemory::setPath(const Run* run, const QString& path) {
  for (Entry& entry : entries_)
    if (entry.run.get() == run) entry.path = path;
}

const RunMemory::Entry* RunMemory::find(const Experiment& experiment,
                                        const std::function<bool(const Run&)>& fits) const {
  for (const bool explored : {false, true})
    for (const Entry& entry : entries_)
      if (entry.run->explored == explored && fits(*entry.run) &&
          sameMeasurement(entry.run->experiment, experiment))
        return &entry;
  return nullptr;
}

}  // namespace fusebench
