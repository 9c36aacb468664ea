// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/readers.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/base/sha256.h"
#include "engine/device/object_cache.h"
#include "engine/language/parser.h"
#include "profiler/doctor/device_list.h"
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/weights_file.h"
#include "profiler/files/bundle.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/measure/recorded_calls.h"
#include "profiler/protocol/protocol.h"
#include "profiler/run/cell_json.h"
#include "profiler/run/run.h"
#include "profiler/trace/compile_log.h"
#include "profiler/trace/execution_trace.h"
#include "profiler/trace/memory_use.h"
#include "profiler/trace/traced_experiment.h"
#include "tests/fuzz/execution.h"
#include "tests/fuzz/trace_reader.h"
#include "tests/support/built_paths.h"

namespace fusebench::fuzz {
namespace {

namespace fs = std::filesystem;

using Text = std::optional<std::string>;

RecordedCalls sampleCalls() {
  RecordedCalls calls;
  calls.kernels.push_back("kernel");
  calls.statements = {{0, 1}, {-1}};
  for (int i = 0; i < 8; ++i) {
    CallSpan span;
    span.start = i * 10;
    span.end = i * 10 + 5;
    span.kernel = 1;
    calls.spans.push_back(span);
  }
  return calls;
}

Tried objects() {
  const fs::path folder = fs::current_path() / "cache";
  auto cache = std::make_shared<ObjectCache>(folder);
  const std::string file = (folder / (sha256("key") + ".o")).string();
  cache->store("key", std::string(500, 'x'));
  const std::string stored = readFile(file);
  return {[=](const std::string& text) -> Text {
            writeFile(file, text);
            Text taken = cache->find("key");
            if (taken && text != stored) throw std::logic_error("a changed object was taken");
            return taken;
          },
          {stored}};
}

Tried programs() {
  std::vector<std::string> corpus;
  for (const std::string& text : filesIn("resources/experiments", 1 << 14))
    corpus.push_back(parseExperiment(text, "f").programText);
  return {[](const std::string& text) -> Text {
            const Program program = parseProgram(text);
            if (program.ops.empty()) return std::nullopt;
            return std::to_string(program.ops.size());
          },
          corpus};
}

Tried runs() {
  return {[](const std::string& text) -> Text {
            std::string again = runText(parseRun(text, "f"));
            parseRun(again, "again");
            return again;
          },
          {sampleRun()}};
}

Tried bundles() {
  Bundle bundle;
  bundle.experiment = R"({"fusebench": "experiment"})";
  bundle.run = sampleRun();
  bundle.notes = "notes";
  bundle.view = R"({"shown": ["chart"]})";
  return {[](const std::string& text) -> Text {
            const std::string again = toText(parseBundle(text, "f"));
            parseBundle(again, "again");
            return again;
          },
          {toText(bundle)}};
}

Tried references() {
  return {[](const std::string& text) -> Text {
            const Reference reference = parseReference(text, "f");
            if (reference.curves.empty()) return std::nullopt;
            return reference.title + std::to_string(reference.curves.back().nanoseconds.back());
          },
          filesIn("resources/references", 1 << 16)};
}

Tried requests() {
  return {[](const std::string& text) -> Text { return std::to_string(parseRequest(text).id); },
          {R"({"id": 3, "do": "sample", "variant": 1, "at": [2, 5], "passes": 10})",
           R"({"id": 4, "do": "load", "experiment": "{}", "record": true})"}};
}

Tried replies() {
  return {[](const std::string& text) -> Text {
            const Reply reply = parseReply(text);
            if (!reply.ok) return std::nullopt;
            return std::to_string(takenSample(reply.result).sample.nanoseconds);
          },
          {R"({"id": 3, "ok": {"ns": 12.5, "passes": 4, "clock_mhz": 1980}})",
           R"({"id": 3, "error": {"kind": "failed", "message": "no", "last": true}})"}};
}

Tried deviceLists() {
  return {[](const std::string& text) -> Text {
            try {
              std::string names;
              for (const ListedDevice& device : readDevices(text)) names += device.name + ' ';
              return names;
            } catch (const std::runtime_error& error) {
              throw InputError(error.what());
            }
          },
          {R"({"fusebench": "devices", "devices": [{"name": "cpu", "description": "a, b",
               "memory_bytes": 1000, "vector_units": ["AVX2"]}],
               "unavailable": [{"name": "cuda", "reason": "no driver", "remedy": "get it"}]})"}};
}

Tried recordedCalls() {
  writeRecordedCalls(sampleCalls(), inputFile());
  return {[](const std::string& text) -> Text {
            writeFile(inputFile(), text);
            const RecordedCalls calls = readRecordedCalls(inputFile());
            return std::to_string(calls.kernels.size()) + ' ' + std::to_string(calls.spans.size());
          },
          {readFile(inputFile())}};
}

Tried experiments() {
  std::vector<std::string> corpus = filesIn("resources/experiments", 1 << 14);
  for (std::string& captured : filesIn("tests/zoo/captured", 1 << 13, "m.json"))
    corpus.push_back(std::move(captured));
  return {[](const std::string& text) -> Text {
            parseDraft(text, "f");
            return toJson(parseExperiment(text, "f"));
          },
          std::move(corpus)};
}

Tried weights() {
  std::string text(8, '\0');
  const std::string header =
      R"({"l.w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"n":{"dtype":"I64","shape":[],"data_offsets":[8,16]}})";
  text[0] = static_cast<char>(header.size());
  return {[](const std::string& given) -> Text {
            const WeightsFile file(given, "f");
            if (file.size() == 0) return std::nullopt;
            return std::to_string(file.tensor("l.w", Shape({2})).at(1));
          },
          {text + header + std::string(16, '\1')}};
}

/// Functions and modules as people write them.
Tried modules() {
  const auto read = [](const std::string& text) -> Text {
    return std::to_string(parseProgram(text).ops.size());
  };
  std::vector<std::string> corpus = filesIn("tests/corpus", 1 << 14);
  std::erase_if(corpus, [&](const std::string& text) {
    return !readOrRefuse({read, {}}, text);  // needs its inputs' sizes, or waits for an op
  });
  return {read, corpus};
}

/// Traces in files whose names end so.
Tried traces(const std::vector<std::string>& endings) {
  std::vector<std::string> corpus;
  for (const std::string& ending : endings)
    for (std::string& text : filesIn("tests/fuzz/corpus", 1 << 18, ending))
      corpus.push_back(std::move(text));
  return {[](const std::string& text) -> Text {
            writeFile(inputFile(), text);
            return traceAndBack(inputFile());
          },
          std::move(corpus)};
}

/// Logs of torch.compile, with all that is shown of them.
Tried compileLogs() {
  std::vector<std::string> corpus = filesIn("tests/fuzz/corpus", 1 << 17, ".log");
  for (std::string& text : filesIn("tests/fuzz/corpus", 1 << 17, "_logs.txt"))
    corpus.push_back(std::move(text));
  return {[](const std::string& text) -> Text {
            writeFile(inputFile(), text);
            if (!looksLikeCompileLog(inputFile())) return std::nullopt;
            const std::vector<CompileLog> logs = readCompileLogs(inputFile());
            std::string all = compileLogsJson(logs).dump() + breaksCsv(logs) + recompilesCsv(logs) +
                              framesCsv(logs) + phasesCsv(logs);
            for (const CompileLog& log : logs)
              if (log.compiling < 0 || log.covered < 0)
                throw std::logic_error("a log covers less than no time");
            return all;
          },
          std::move(corpus)};
}

/// Execution traces, with the program of all their operators.
Tried executionTraces() {
  return {[](const std::string& text) -> Text {
            writeFile(inputFile(), text);
            if (!looksLikeExecutionTrace(inputFile())) return std::nullopt;
            const ExecutionTrace trace = readExecutionTrace(inputFile());
            return toJson(tracedExperiment(trace, wholeTrace(trace), "all"));
          },
          filesIn("tests/fuzz/corpus", 1 << 17, "_execution.json")};
}

/// Snapshots of memory, with all that is computed of them.
Tried memorySnapshots() {
  return {[](const std::string& text) -> Text {
            writeFile(inputFile(), text);
            if (!looksLikeMemorySnapshot(inputFile())) return std::nullopt;
            const MemorySnapshot snapshot = readMemorySnapshot(inputFile());
            std::vector<MemoryUse> uses;
            for (const MemoryDevice& device : snapshot.devices)
              uses.push_back(memoryUseOf(snapshot, device, TimeRange{100'000, 300'000}));
            return memoryJson(snapshot, uses).dump() + heldMemoryCsv(snapshot, uses) +
                   std::to_string(memoryTrace(snapshot)->size());
          },
          filesIn("tests/profiler/memory_snapshots", 1 << 17, ".json")};
}

/// Folders of two ranks, of which one is right.
Tried ranks() {
  const fs::path folder = fs::current_path() / "ranks";
  fs::create_directories(folder);
  std::vector<std::string> corpus = filesIn("tests/fuzz/corpus/ranks", 1 << 15);
  writeFile((folder / "rank_0.json").string(), corpus.front());
  return {[folder](const std::string& text) -> Text {
            writeFile((folder / "rank_1.json").string(), text);
            return ranksOf(folder.string());
          },
          std::move(corpus)};
}

}  // namespace

std::vector<std::string> filesIn(const std::string& folder, std::size_t longest,
                                 const std::string& ending) {
  std::vector<std::string> texts;
  for (const auto& entry : fs::directory_iterator(fusebench::test::sourcePath("/") + folder))
    if (entry.is_regular_file() && entry.file_size() <= longest &&
        entry.path().filename().string().ends_with(ending))
      texts.push_back(readFile(entry.path().string()));
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::string sampleRun() {
  Run run;
  run.experiment = parseExperiment(filesIn("resources/experiments", 1 << 14).front(), "experiment");
  run.environment = {{"cpu", {{"model", "one"}, {"threads", 2}}}};
  std::size_t number = 0;
  for (const CellKey& key : cells(run.experiment)) {
    Cell& cell = run.cells.emplace_back();
    cell.key = key;
    cell.stop = Stop::converged;
    cell.launches = LaunchCounts{1, 1.5, 2};
    for (int i = 0; i < 5; ++i) cell.samples.push_back({i, 100.0 + i, std::nullopt, 0});
    if (++number == 12) break;
  }
  return runText(run);
}

std::string inputFile() {
  static const std::string kFile = (fs::current_path() / "input").string();
  return kFile;
}

void addProfilerReaders(Readers& readers) {
  readers["experiment"] = experiments;
  readers["program"] = programs;
  readers["execution"] = executions;
  readers["weights"] = weights;
  readers["run"] = runs;
  readers["bundle"] = bundles;
  readers["reference"] = references;
  readers["request"] = requests;
  readers["reply"] = replies;
  readers["devices"] = deviceLists;
  readers["calls"] = recordedCalls;
  readers["object"] = objects;
  readers["module"] = modules;
  readers["chrome"] = [] {
    return traces({"begin_end.json", "flows.json", "kineto.json", "kineto.json.gz"});
  };
  readers["tools"] = [] {
    return traces({"jax.json", "tensorflow.json", "rocprof.json", "nvprof.json", "nsys_events.json",
                   "onnxruntime.json"});
  };
  readers["perfetto"] = [] { return traces({".pftrace", ".pftrace.gz"}); };
  readers["nsys"] = [] { return traces({".sqlite"}); };
  readers["compilelog"] = compileLogs;
  readers["memory"] = memorySnapshots;
  readers["execution"] = executionTraces;
  readers["ranks"] = ranks;
}

Readers allReaders() {
  Readers readers;
  addProfilerReaders(readers);
#ifdef FUSEBENCH_FUZZ_WINDOW
  addWindowReaders(readers);
#endif
  return readers;
}

std::optional<std::string> readOrRefuse(const Tried& tried, const std::string& text) {
  try {
    return tried.read(text);
  } catch (const InputError&) {
  } catch (const ProgramError&) {
  } catch (const ProtocolError&) {
  }
  return std::nullopt;
}

}  // namespace fusebench::fuzz
