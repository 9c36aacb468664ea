// SPDX-License-Identifier: GPL-3.0-or-later
// Gives a reader inputs that are nearly right: fusebench-mutate READER COUNT SEED. Each is made of
// one of the corpus by a few changes, the same for the same seed. Prints one line of JSON with what
// came of them. What a reader may do is take an input or refuse it by the exception that it
// documents; anything else ends the program, which leaves the input in the file "last-input" of its
// folder.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <random>

#include "engine/base/sha256.h"
#include "engine/device/object_cache.h"
#include "engine/language/parser.h"
#include "profiler/doctor/device_list.h"
#include "profiler/experiment/experiment.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/measure/recorded_calls.h"
#include "profiler/protocol/protocol.h"
#include "profiler/run/cell_json.h"
#include "profiler/run/run.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongest = 1 << 18;
constexpr double kTooSlowSeconds = 20;

/// Takes an input or throws; true if it was taken.
using Reader = std::function<bool(const std::string&)>;

struct Tried {
  Reader read;
  std::vector<std::string> corpus;
};

std::vector<std::string> filesIn(const std::string& folder, std::size_t longest) {
  std::vector<std::string> texts;
  for (const auto& entry : fs::directory_iterator(FUSEBENCH_SOURCE_DIR "/" + folder))
    if (entry.is_regular_file() && entry.file_size() <= longest)
      texts.push_back(readFile(entry.path().string()));
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::string sampleRun() {
  const Experiment experiment =
      parseExperiment(filesIn("resources/experiments", 1 << 14).front(), "experiment");
  Run run;
  run.experiment = experiment;
  run.environment = {{"cpu", {{"model", "one"}, {"threads", 2}}}};
  std::size_t number = 0;
  for (const CellKey& key : cells(experiment)) {
    Cell& cell = run.cells.emplace_back();
    cell.key = key;
    cell.stop = Stop::converged;
    cell.launches = LaunchCounts{1, 1.5, 2};
    for (int i = 0; i < 5; ++i) cell.samples.push_back({i, 100.0 + i, std::nullopt, 0});
    if (++number == 12) break;
  }
  return runText(run);
}

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

/// Where readers of files find theirs.
std::string inputFile() {
  return (fs::current_path() / "input").string();
}

template <typename Work>
Reader throughFile(Work work) {
  return [work](const std::string& text) {
    writeFile(inputFile(), text);
    return work(inputFile());
  };
}

Tried objects() {
  const fs::path folder = fs::current_path() / "cache";
  auto cache = std::make_shared<ObjectCache>(folder);
  const std::string file = (folder / (sha256("key") + ".o")).string();
  cache->store("key", std::string(500, 'x'));
  const std::string stored = readFile(file);
  return {[=](const std::string& text) {
            writeFile(file, text);
            const bool taken = cache->find("key").has_value();
            if (taken && text != stored) throw std::logic_error("a changed object was taken");
            return taken;
          },
          {stored}};
}

Tried traces(std::vector<std::string> corpus) {
  return {throughFile([](const std::string& path) {
            const auto trace = importTrace(path);
            if (trace->size() > 2'000) return true;
            exportTrace(*trace, path + ".json");
            const auto back = importTrace(path + ".json");
            if (back->size() != trace->size())
              throw std::logic_error("an event was lost on the way out and in");
            // Until something is joined that was not before, links stay.
            for (EventId e = 0; e < trace->size(); ++e)
              if (trace->link(e) != kNoEvent && back->link(e) == kNoEvent)
                throw std::logic_error("a link was lost on the way out and in");
            return true;
          }),
          std::move(corpus)};
}

std::map<std::string, std::function<Tried()>> readers() {
  return {
      {"experiment",
       [] {
         return Tried{[](const std::string& text) {
                        parseDraft(text, "f");
                        return toJson(parseExperiment(text, "f")).size() > 0;
                      },
                      filesIn("resources/experiments", 1 << 14)};
       }},
      {"program",
       [] {
         std::vector<std::string> programs;
         for (const std::string& text : filesIn("resources/experiments", 1 << 14))
           programs.push_back(parseExperiment(text, "f").programText);
         return Tried{[](const std::string& text) { return !parseProgram(text).ops.empty(); },
                      programs};
       }},
      {"run",
       [] {
         return Tried{[](const std::string& text) {
                        const Run run = parseRun(text, "f");
                        parseRun(runText(run), "again");
                        return true;
                      },
                      {sampleRun()}};
       }},
      {"reference",
       [] {
         return Tried{
             [](const std::string& text) { return !parseReference(text, "f").curves.empty(); },
             filesIn("resources/references", 1 << 16)};
       }},
      {"request",
       [] {
         return Tried{[](const std::string& text) { return parseRequest(text).id != -1; },
                      {R"({"id": 3, "do": "sample", "variant": 1, "at": [2, 5], "passes": 10})",
                       R"({"id": 4, "do": "load", "experiment": "{}", "record": true})"}};
       }},
      {"reply",
       [] {
         return Tried{[](const std::string& text) {
                        const Reply reply = parseReply(text);
                        if (reply.ok) takenSample(reply.result);
                        return reply.ok;
                      },
                      {R"({"id": 3, "ok": {"ns": 12.5, "passes": 4, "clock_mhz": 1980}})",
                       R"({"id": 3, "error": {"kind": "failed", "message": "no", "last": true}})"}};
       }},
      {"devices",
       [] {
         return Tried{
             [](const std::string& text) {
               try {
                 return !readDevices(text).empty();
               } catch (const std::runtime_error& error) {
                 throw InputError(error.what());
               }
             },
             {R"({"fusebench": "devices", "devices": [{"name": "cpu", "description": "a, b",
                        "memory_bytes": 1000, "vector_units": ["AVX2"]}],
                        "unavailable": [{"name": "cuda", "reason": "no driver", "remedy": "get it"}]})"}};
       }},
      {"calls",
       [] {
         writeRecordedCalls(sampleCalls(), inputFile());
         return Tried{throughFile([](const std::string& path) {
                        return !readRecordedCalls(path).kernels.empty();
                      }),
                      {readFile(inputFile())}};
       }},
      {"object", objects},
      {"chrome",
       [] {
         return traces([] {
           auto all = filesIn("tests/fuzz/corpus", 1 << 15);
           std::erase_if(all, [](const std::string& text) { return text.starts_with("SQLite"); });
           return all;
         }());
       }},
      {"nsys",
       [] {
         return traces([] {
           auto all = filesIn("tests/fuzz/corpus", 1 << 18);
           std::erase_if(all, [](const std::string& text) { return !text.starts_with("SQLite"); });
           return all;
         }());
       }},
  };
}

class Mutator {
 public:
  Mutator(const std::vector<std::string>& corpus, std::uint64_t seed)
      : corpus_(corpus), random_(seed) {}

  std::string next() {
    std::string text = corpus_[below(corpus_.size())];
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) change(text);
    if (text.size() > kLongest) text.resize(kLongest);
    return text;
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

  void change(std::string& text) {
    static const std::array<std::string, 24> kPieces = {
        "[",    "]",       "{",    "}",       "\"",       ",",
        ":",    "null",    "-1",   "1e999",   "0.0",      "9223372036854775808",
        "true", "\\u0000", "\xff", "\x1b[2J", "\xc2\x9b", "\n",
        "'",    "(",       ")",    "=",       "torch.",   std::string(300, '[')};
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(below(below(4) ? 8 : 400), text.size() - at);
    switch (below(8)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 2:
        text.insert(at, kPieces[below(kPieces.size())]);
        break;
      case 3:
        text.erase(at, length);
        break;
      case 4:
        text.insert(below(text.size() + 1), text.substr(at, length));
        break;
      case 5:
        text.replace(at, length, kPieces[below(kPieces.size())]);
        break;
      case 6: {
        const std::string& other = corpus_[below(corpus_.size())];
        text.insert(at, other.substr(below(other.size() + 1), below(200)));
        break;
      }
      default:
        if (below(10) == 0) text.resize(at);
    }
  }

  const std::vector<std::string>& corpus_;
  std::mt19937_64 random_;
};

/// The input under way, in a file that outlives this process without a write for each.
class LastInput {
 public:
  LastInput() {
    const int file = open("last-input", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, kLongest) != 0) std::abort();
    void* made = mmap(nullptr, kLongest, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (made == MAP_FAILED) std::abort();
    bytes_ = static_cast<char*>(made);
  }
  void note(const std::string& text) {
    std::memcpy(bytes_, text.data(), std::min(text.size() + 1, kLongest));
  }

 private:
  char* bytes_;
};

int mutate(const std::string& name, std::uint64_t count, std::uint64_t seed) {
  const auto all = readers();
  const auto found = all.find(name);
  if (found == all.end()) {
    fmt::print(stderr, "there is no reader {}; known:", name);
    for (const auto& [known, ignored] : all) fmt::print(stderr, " {}", known);
    fmt::print(stderr, "\n");
    return 2;
  }
  const Tried tried = found->second();
  if (tried.corpus.empty()) {
    fmt::print(stderr, "{}: the corpus is empty\n", name);
    return 2;
  }
  for (const std::string& text : tried.corpus) tried.read(text);  // right before it is changed
  Mutator mutator(tried.corpus, seed);
  LastInput last;
  std::uint64_t taken = 0, refused = 0;
  double slowest = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string text = mutator.next();
    last.note(text);
    const auto begin = std::chrono::steady_clock::now();
    try {
      tried.read(text) ? ++taken : ++refused;
    } catch (const InputError&) {
      ++refused;
    } catch (const ProgramError&) {
      ++refused;
    } catch (const ProtocolError&) {
      ++refused;
    }
    slowest = std::max(
        slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (slowest > kTooSlowSeconds) throw std::logic_error("an input took too long");
  }
  fmt::print(
      "{{\"reader\": \"{}\", \"inputs\": {}, \"taken\": {}, \"refused\": {}, "
      "\"slowest_ms\": {:.1f}}}\n",
      name, count, taken, refused, slowest * 1e3);
  return 0;
}

}  // namespace
}  // namespace fusebench

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: fusebench-mutate READER COUNT SEED, in a folder of its own\n");
    return 2;
  }
  try {
    return fusebench::mutate(argv[1], std::strtoull(argv[2], nullptr, 10),
                             std::strtoull(argv[3], nullptr, 10));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}; see last-input\n", argv[1], error.what());
    return 1;
  }
}
