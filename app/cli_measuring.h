// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli_progress.h"
#include "profiler/machine/pace.h"
#include "profiler/run/run.h"
#include "profiler/study/study.h"

namespace fusebench::cli {

/// Draws the bar, reports lost workers, and keeps the run file up to date, but rarely, because
/// writing must not disturb the measurement. In the meantime it measures the machine's own pace.
class RunObserver final : public StudyObserver {
 public:
  /// Throws InputError unless the results can be saved there. `progress`: see ProgressBar.
  explicit RunObserver(const std::string& out, bool progress = false);

  void started(const Run& header) override;
  void cellChanged(int index, const Cell& cell) override;
  void progressed(const StudyProgress& progress) override;
  void overBudget(const BudgetNeed& need) override;
  void workerLost(const std::string& what) override;

  /// Adds the pace to the run and finishes its file. Returns the reason why the results were not
  /// saved; empty: none.
  std::string finish(Run& run);

 private:
  std::optional<RunWriter> writer_;
  std::vector<std::int64_t> lastWrite_;
  ProgressBar bar_;
  PaceMeter pace_;
  bool measuring_ = false;
};

struct Measured {
  StudyOutcome outcome;
  std::string unkept;  ///< why the run is not in its file; empty: it is, or no file was requested
  bool failed() const;
};

/// Measures, and keeps the run in the file `out` unless that is empty.
Measured measureOnce(const Experiment& experiment, const StudyOptions& study,
                     const std::string& out, const std::stop_token& stop, bool progress = false);
void complainOf(const Measured& measured);

/// RUN.jsonl, RUN-2.jsonl, RUN-3.jsonl, ...
std::string numbered(const std::string& out, int repeat);

}  // namespace fusebench::cli
