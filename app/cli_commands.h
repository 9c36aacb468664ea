// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "profiler/experiment/experiment.h"

namespace fusebench::cli {

/// Exit codes: see the documentation of the command line.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;      ///< the run failed or was interrupted partway
inline constexpr int kWrongInput = 2;  ///< the user's input or arguments are wrong
inline constexpr int kCannotTell = 3;  ///< a check that needs more samples

struct RunOptions {
  std::string experiment;  ///< a path, or the name of a shipped experiment
  std::string entry;       ///< of a program's own file: which of its functions or classes
  bool json = false;
  bool quick = false;
  std::string reset;  ///< "each-sample", "each-call"; empty: as the experiment states
  std::string out;
  std::string device = "cpu";
  std::string trace;
  std::string traceLevel = "split";
  int repeat = 1;      ///< number of runs; if 2 or more, their interval coverage is reported
  std::string python;  ///< the interpreter in which PyTorch is searched for; empty: the default
  std::vector<std::string> targets;  ///< where to measure, one after another; empty: here
  int ranks = 0;                     ///< the experiment with at most this many ranks; 0: unchanged
  std::vector<std::string> columns;  ///< of the table: see columnKeys(); empty: the default
  bool install = false;   ///< whether this program is copied to targets that lack it without asking
  bool progress = false;  ///< see ProgressBar
  bool runModule = false;  ///< PyTorch's variants execute the captured model's file
};
int runCommand(const RunOptions& options);

struct AnalyzeOptions {
  std::vector<std::string> paths;  ///< one run or reference, or any number of traces
  bool json = false;
  std::string csv;                   ///< a directory for tables of traces
  std::string metric = "latency";    ///< of runs: or "bandwidth"
  std::vector<std::string> columns;  ///< of runs: see RunOptions
  bool operators = false;            ///< for traces: operators in place of kernels
  bool roofline = false;             ///< for traces: rates of operators
  std::string range;                 ///< for traces: only events inside ranges of this name
  bool modules = false;              ///< of runs: the modules of the program
  std::string by;                    ///< groupings of operators, or "tree"; empty: by operator
};
int analyzeCommand(const AnalyzeOptions& options);
struct FitOptions {
  std::vector<std::string> runs;  ///< paths, or names of recordings that ship
  std::string
      begin;  ///< device whose other parameters are kept; empty: derived from the kind of the runs
  std::string name, out;
  int ranks = 0;  ///< extend the first run with ranks to this number of ranks; 0: do not extend
  std::string continued;  ///< file for the extended experiment's run
  bool json = false;
};
int fitCommand(const FitOptions& options);
int opsCommand(bool json);
/// ops --aten: the table of ATen's operations, with what is missing.
int atenCommand(bool json);
int devicesCommand(bool json);
/// How often intervals contain the true value in simulated studies: `studies` of each kind.
int checkStatisticsCommand(int studies);
int doctorCommand(bool json, const std::string& python);

/// The shipped file that `given` names, with or without extension, if `shipped` has it.
std::optional<std::string> shippedFile(const std::string& given, const std::string& folder,
                                       const std::vector<std::string>& shipped);

/// The experiment given by path or shipped name, or one that runs a program's own file on inputs
/// that fit it, whose notes go to standard error. `entry`: the function or class of that file.
/// Throws InputError, naming what there is.
Experiment findExperiment(const std::string& given, const std::string& entry = {});

/// Throws InputError unless a device of this name can be measured here, saying what is missing.
void demandDevice(const std::string& device);

/// Path of the running program, to start it again as a worker.
std::string ownPath();

/// Writes results to standard output; throws std::runtime_error if not everything can be written.
/// Control characters in names and notes of files are shown as text.
void printOut(const std::string& text);
void printJson(const nlohmann::ordered_json& object);

/// Writes one line to standard error, shown in the same way, after the program's name.
void complain(const std::string& message) noexcept;

}  // namespace fusebench::cli
