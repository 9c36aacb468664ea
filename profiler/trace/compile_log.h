// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// A function of the user's program, as torch.compile names it.
struct CompiledFunction {
  std::string name, file;
  int line = 0;  ///< 0: not known
  bool operator==(const CompiledFunction&) const = default;
  auto operator<=>(const CompiledFunction&) const = default;
};
/// "forward at model.py:8".
std::string placeOf(const CompiledFunction& function);

/// One compilation of a frame.
struct FrameCompile {
  std::string id;  ///< "1/0": the frame and which of its compilations
  CompiledFunction function;
  double total = 0, backend = 0;  ///< seconds
  std::int64_t guards = -1, operations = -1;
  std::string failure;  ///< empty: it did not fail
};

struct GraphBreak {
  std::string id;
  std::string file;  ///< for the user's line
  int line = 0;
  std::string reason, explanation;
  std::string hint;  ///< what to do, by PyTorch
};

struct Recompile {
  std::string id;
  CompiledFunction function;
  std::vector<std::string> guards;  ///< that failed, the last compilation's first
};

/// A phase of compilation: "entire_frame_compile", "backend_compile", "bytecode_tracing".
struct CompilePhase {
  std::string name;
  std::uint64_t count = 0;
  double total = 0, self = 0;  ///< seconds; self: without the phases inside
};

/// One run of a phase.
struct PhaseRun {
  std::string phase;
  std::string id;             ///< the compilation
  double start = 0, end = 0;  ///< seconds, on the clock of the log
  bool outermost = false;
};

/// What became of the lookups in a cache of compiled code: "fx_graph", "aotautograd".
struct CompileCache {
  std::string name;
  std::uint64_t hits = 0, misses = 0, bypasses = 0;
};

/// A size that a compilation keeps as a symbol, or no longer does.
struct DynamicShape {
  std::string id;
  std::string source;          ///< "L['x'].size()[0]"
  std::string symbol;          ///< "s77"
  std::string value, range;    ///< of the first call; "[2, int_oo]"
  std::string specialization;  ///< why it was made a constant; empty: it stayed dynamic
};

/// Code that Inductor wrote for a graph.
struct LoggedCode {
  std::string id;
  std::string file;  ///< where PyTorch left it
  std::string text;  ///< empty if the log has too much of it
  std::uint64_t lines = 0;
};

/// The log that torch.compile wrote: the structured log of TORCH_TRACE, or the text of
/// TORCH_LOGS with graph_breaks and recompiles.
struct CompileLog {
  std::string title;
  bool structured = false;
  std::vector<FrameCompile> frames;
  std::vector<GraphBreak> breaks;
  std::vector<Recompile> recompiles;
  std::vector<CompilePhase> phases;  ///< the longest by itself first
  std::vector<PhaseRun> runs;        ///< in order of their ends
  std::vector<CompileCache> caches;
  std::vector<DynamicShape> shapes;
  std::vector<LoggedCode> code;
  double covered = 0;           ///< seconds from the first line to the last
  double compiling = 0;         ///< seconds of these in which frames were compiled
  std::uint64_t malformed = 0;  ///< lines that make no sense
  std::string partial;          ///< why there is more than was read; empty: there is not
};

/// Whether the file is, by its begin, such a log; plain or packed by gzip. A directory is one if
/// TORCH_TRACE wrote a log into it.
bool looksLikeCompileLog(const std::string& path);
/// The logs of a file, or of all ranks in a directory. Throws InputError.
std::vector<CompileLog> readCompileLogs(const std::string& path,
                                        const TraceProgress& progress = {});

/// Advice in sentences: recompilations with what changed, graph breaks with their
/// lines, the share of compiling. The most costly first.
std::vector<std::string> findingsOf(const CompileLog& log);

/// "Cache fx_graph: hits 3, misses 1, bypasses 0."
std::vector<std::string> cacheSentences(const CompileLog& log);

/// The phases of all logs as slices, on one clock; null: no log has times of phases.
std::shared_ptr<const Trace> compileLogTrace(const std::vector<CompileLog>& logs);

std::string breaksCsv(const std::vector<CompileLog>& logs);
std::string recompilesCsv(const std::vector<CompileLog>& logs);
std::string framesCsv(const std::vector<CompileLog>& logs);
std::string phasesCsv(const std::vector<CompileLog>& logs);
std::string shapesCsv(const std::vector<CompileLog>& logs);
nlohmann::ordered_json compileLogsJson(const std::vector<CompileLog>& logs);

}  // namespace fusebench
