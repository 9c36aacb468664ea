// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_measuring.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "engine/base/saying.h"
#include "profiler/files/input_error.h"
#include "profiler/files/output_file.h"
#include "profiler/machine/clock.h"

namespace fusebench::cli {

RunObserver::RunObserver(const std::string& out, bool progress) : bar_(progress) {
  if (out.empty()) return;
  if (const std::string aside = recoverPart(out); !aside.empty())
    complain(
        saying("an earlier run to this file was never finished; what it measured is in "
               "{}: fusebench-cli analyze prints it",
               aside));
  writer_.emplace(out);
}

void RunObserver::started(const Run& header) {
  if (!writer_) return;
  try {
    writer_->begin(header);
  } catch (const InputError& error) {
    complain(saying("{}; the results are printed, and kept only if there is room when the run ends",
                    error.what()));
  }
}

void RunObserver::cellChanged(int index, const Cell& cell) {
  if (measuring_) pace_.tick(static_cast<double>(nowNanoseconds()) * 1e-9);
  if (!writer_) return;
  if (index >= static_cast<int>(lastWrite_.size()))
    lastWrite_.resize(static_cast<std::size_t>(index) + 1);
  std::int64_t& last = lastWrite_[static_cast<std::size_t>(index)];
  const std::int64_t now = nowNanoseconds();
  if (cell.stop == Stop::running && !cell.samples.empty() && now - last < 3'000'000'000) return;
  last = now;
  writer_->cell(cell);
}

void RunObserver::progressed(const StudyProgress& progress) {
  measuring_ = progress.phase == "measuring";
  bar_.show(progress);
}

void RunObserver::overBudget(const BudgetNeed& need) {
  bar_.clear();
  complain(sentence(need) + saying("; Ctrl+C stops it early and keeps what was measured"));
}

void RunObserver::workerLost(const std::string& what) {
  bar_.clear();
  complain(what);
}

std::string RunObserver::finish(Run& run) {
  bar_.clear();
  if (nlohmann::json pace = pace_.described(); !pace.is_null() && run.environment.is_object())
    run.environment["pace"] = std::move(pace);
  try {
    if (writer_) writer_->finish(run);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

bool Measured::failed() const {
  const std::vector<Cell>& cells = outcome.run.cells;
  // An unavailable variant next to finished ones is fine; a failed one is not.
  const bool someFailed = std::any_of(cells.begin(), cells.end(),
                                      [](const Cell& cell) { return cell.stop == Stop::failed; });
  const bool nothing = std::all_of(cells.begin(), cells.end(),
                                   [](const Cell& cell) { return cell.samples.empty(); });
  return outcome.failed || outcome.run.interrupted || someFailed || nothing || !unkept.empty();
}

Measured measureOnce(const Experiment& experiment, const StudyOptions& study,
                     const std::string& out, const std::stop_token& stop, bool progress) {
  RunObserver observer(out, progress);
  Measured measured;
  measured.outcome = runStudy(experiment, study, observer, stop);
  measured.unkept = observer.finish(measured.outcome.run);
  return measured;
}

void complainOf(const Measured& measured) {
  if (!measured.outcome.message.empty()) complain(measured.outcome.message);
  if (!measured.unkept.empty()) complain(saying("the run is not kept: {}", measured.unkept));
}

std::string numbered(const std::string& out, int repeat) {
  if (out.empty() || repeat == 0) return out;
  const std::filesystem::path path(out);
  return (path.parent_path() /
          fmt::format("{}-{}{}", path.stem().string(), repeat + 1, path.extension().string()))
      .string();
}

}  // namespace fusebench::cli
