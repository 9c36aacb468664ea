// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kReference =
    fusebench::test::sourcePath("/resources/references/torch_compile_2025.json");

std::string experimentText(double budget) {
  return fmt::format(R"json({{
  "fusebench": "experiment", "version": 1, "title": "A test",
  "note": "This note must be printed.",
  "program": ["x = x + 1", "x = torch.sin(x)", "return x.sum()"],
  "inputs": [{{"name": "all", "count": 20, "tensors": [{{"name": "x", "extents": ["i % 3 + 4", 16]}}]}}],
  "variants": [
    {{"name": "eager", "executor": "eager"}},
    {{"name": "static", "executor": "static"}},
    {{"name": "dynamic", "executor": "dynamic"}}
  ],
  "baseline": "eager",
  "axes": [{{"name": "statements", "values": [1, 2, 8]}}],
  "measure": {{"budgetSeconds": {}, "precision": 0.0001, "maximumSamples": 100000, "compileRepeats": 1}}
}}
)json",
                     budget);
}

class Cli : public testing::Test {
 protected:
  std::string experiment(double budget = 1) {
    const std::string path = folder.path("test.json");
    std::ofstream(path) << experimentText(budget);
    return path;
  }
  /// Waits until samples of a run that is under way were written.
  static bool samplesIn(const std::string& file, Child& child) {
    while (child.running()) {
      std::ostringstream content;
      content << std::ifstream(file).rdbuf();
      if (content.str().find("\"samples\"") != std::string::npos) return true;
      usleep(20'000);
    }
    return false;
  }
  static std::size_t lineCount(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  TemporaryFolder folder;
};

TEST_F(Cli, CodeReadsAProgramsOwnFileAndSaysWhatItChose) {
  const std::string path = folder.path("block.py");
  std::ofstream(path) << "import torch\n"
                         "def one(x):\n    return torch.exp(x) + 1\n"
                         "def two(x):\n    return torch.sin(x) + 1\n"
                         "x = torch.randn(4, 32)\n"
                         "print(one(x), two(x))\n";
  const Ended ended = runCli({"code", path, "--plan"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("x set to (4, 32)"));
  EXPECT_THAT(ended.err, HasSubstr("two is the program"));
  const Ended other = runCli({"code", path, "--plan", "--entry", "one"});
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_NE(other.out, ended.out);
  const Ended wrong = runCli({"code", path, "--entry", "tow"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'two'?"));
}

TEST_F(Cli, RunPrintsOneJsonObjectOfTheDocumentedForm) {
  const Ended ended = runCli({"run", experiment(), "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");  // no bar where there is no terminal
  const json result = json::parse(ended.out);
  EXPECT_EQ(result["fusebench"], "result");
  EXPECT_EQ(result["version"], 1);
  EXPECT_EQ(result["device"], "cpu");
  EXPECT_EQ(result["baseline"], "eager");
  EXPECT_EQ(result["axes"],
            json::parse(R"([{"name": "statements", "unit": "statements", "values": [1, 2, 8]}])"));
  ASSERT_EQ(result["cells"].size(), 9u);
  int traced = 0;
  for (const json& cell : result["cells"]) {
    for (const char* key : {"variant",
                            "at",
                            "latency_ns",
                            "ci_low_ns",
                            "ci_high_ns",
                            "samples",
                            "stop",
                            "launches",
                            "enqueue_ns",
                            "event_ns",
                            "single_ns",
                            "kernel_ns",
                            "gap_ns",
                            "peak_bytes",
                            "bytes_moved",
                            "bandwidth_gbps",
                            "bandwidth_gbps_ci",
                            "compile_first_ns",
                            "compile_disk_ns",
                            "compile_memory_ns",
                            "recompiles",
                            "eager_share",
                            "rel_error",
                            "error"})
      EXPECT_TRUE(cell.contains(key)) << key;
    EXPECT_GT(cell["latency_ns"], 0);
    if (cell["samples"] < 6) {  // as few as the budget allows on a busy machine: no interval
      EXPECT_TRUE(cell["ci_low_ns"].is_null() && cell["ci_high_ns"].is_null());
    } else {
      EXPECT_LE(cell["ci_low_ns"], cell["latency_ns"]);
      EXPECT_GE(cell["ci_high_ns"], cell["latency_ns"]);
    }
    // From the traced pass, which every run ends with: on a busy machine as far as it comes.
    if (cell["anatomy"].is_null()) {
      EXPECT_TRUE(cell["kernel_ns"].is_null() && cell["gap_ns"].is_null());
    } else {
      ++traced;
      EXPECT_GE(cell["kernel_ns"], 0);
      EXPECT_GE(cell["gap_ns"], 0);
      EXPECT_EQ(cell["anatomy"]["launches"].size(), cell["launches"]["max"]);
    }
    EXPECT_LE(cell["rel_error"], 1e-5);
    EXPECT_GT(cell["compile_first_ns"], cell["compile_memory_ns"]);
    EXPECT_TRUE(cell["enqueue_ns"].is_null());
    EXPECT_TRUE(cell["error"].is_null());
    const int statements = cell["at"][0];
    EXPECT_EQ(cell["launches"]["max"], cell["variant"] == "eager" ? statements + 1 : 1);
    EXPECT_EQ(cell["stop"], "budget");
  }
  EXPECT_GE(traced, 1);
  std::set<std::string> kinds;
  for (const json& crossing : result["crossings"]) {
    kinds.insert(crossing["kind"].get<std::string>() + " of " +
                 crossing["variant"].get<std::string>());
    for (const char* key : {"baseline", "along", "status", "at", "ci_low", "ci_high"})
      EXPECT_TRUE(crossing.contains(key)) << key;
    if (crossing["kind"] == "payback") {
      EXPECT_TRUE(crossing.contains("cell"));
    }
  }
  EXPECT_EQ(kinds.size(), 4u);
}

TEST_F(Cli, RunPrintsATableWithWhatItMeans) {
  const Ended ended = runCli({"run", experiment(20), "--quick"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("This note must be printed."), HasSubstr("statements"),
                    HasSubstr("Break-even"), HasSubstr("Compile payback"),
                    HasSubstr("Measured on: "), HasSubstr("relative error"),
                    HasSubstr("Where a call's time goes at 8 statements"), HasSubstr("untraced")));
  // Three places make no line, so none is spoken of.
  EXPECT_THAT(ended.out, testing::Not(HasSubstr("Each additional launch")));
  // A line for each place, or where wide intervals leave no room for that, one for each cell.
  const testing::Matcher<std::string> places = AllOf(HasSubstr("static x"), HasSubstr("9/1/1"));
  const testing::Matcher<std::string> cells = testing::ContainsRegex("8    eager .* 1.00x +9\n");
  EXPECT_THAT(ended.out, testing::AnyOf(places, cells));
  std::istringstream lines(ended.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST_F(Cli, RunSaysThatRandomNumbersAreTheSameInEachCall) {
  const std::string path = folder.path("dropout.json");
  const auto printed = [&](const std::string& line) {
    std::ofstream(path)
        << R"json({"fusebench": "experiment", "version": 2, "title": "t", "program": ["return )json"
        << line
        << R"json("], "inputs": [{"name": "in", "tensors": [{"name": "x", "extents": [8]}]}],
      "variants": [{"name": "eager", "executor": "eager"}], "baseline": "eager"})json";
    const Ended ended = runCli({"run", path, "--quick"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.out;
  };
  EXPECT_THAT(printed("F.dropout(x, 0.5)"), HasSubstr("draws the same numbers in each call"));
  EXPECT_THAT(printed("F.relu(x)"), testing::Not(HasSubstr("same numbers")));
}

TEST_F(Cli, RunNamesNoPlaceWhereTheExperimentHasNoAxis) {
  std::string text = experimentText(2);
  const std::string axes = R"(  "axes": [{"name": "statements", "values": [1, 2, 8]}],)";
  ASSERT_NE(text.find(axes), std::string::npos);
  text.erase(text.find(axes), axes.size());
  const std::string path = folder.path("no_axis.json");
  std::ofstream(path) << text;
  const Ended ended = runCli({"run", path, "--quick"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("Where a call's time goes (from calls"),
                    testing::Not(HasSubstr("at threads")), testing::Not(HasSubstr("threads  "))));
}

TEST_F(Cli, RunKeepsAFileThatAnalyzeReads) {
  const std::string out = folder.path("r.jsonl");
  const Ended run = runCli({"run", experiment(), "--json", "--out", out});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_FALSE(std::filesystem::exists(out + ".part"));
  const Ended analyzed = runCli({"analyze", out, "--json"});
  EXPECT_EQ(analyzed.code, 0) << analyzed.err;
  const json a = json::parse(run.out), b = json::parse(analyzed.out);
  EXPECT_EQ(a["cells"], b["cells"]);
  EXPECT_EQ(a["crossings"], b["crossings"]);
  EXPECT_THAT(runCli({"analyze", out}).out, HasSubstr("Break-even"));
  EXPECT_THAT(runCli({"analyze", "h100_fusion_study"}).out,
              AllOf(HasSubstr("NVIDIA H100"), testing::Not(HasSubstr("TF32"))));
  EXPECT_THAT(runCli({"analyze", "h200_conv_net"}).out,
              HasSubstr("PyTorch may compute convolutions in TF32"));
  EXPECT_THAT(runCli({"analyze", "h200_mlp_fusion"}).out,
              AllOf(HasSubstr("at every point measured at batch = 16"),
                    HasSubstr("at every point measured at statements = 4")));
}

TEST_F(Cli, RunWritesTheLaunchesOfEveryVariant) {
  const std::string out = folder.path("launches.json");
  const Ended ended = runCli({"run", experiment(), "--quick", "--trace", out});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("the launches of 3 variants are in "));
  std::ifstream file(out);
  const json trace = json::parse(file);
  std::map<int, int> kernels;  // by process: a variant
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == "X" && event["cat"] == "kernel") ++kernels[event["pid"]];
  // Ten calls at 8 statements: nine launches per call in eager, one in the other variants.
  EXPECT_EQ(kernels, (std::map<int, int>{{1000, 90}, {1001, 10}, {1002, 10}})) << ended.err;
  ASSERT_EQ(trace["parts"].size(), 3u);
  EXPECT_EQ(trace["parts"][0]["processes"], json({1000, 2000}));
  EXPECT_THAT(trace["note"].get<std::string>(), HasSubstr("a marker costs "));
}

TEST_F(Cli, RunTellsOfKernelsAloneWhereAskedTo) {
  const std::string out = folder.path("launches.json");
  const Ended ended =
      runCli({"run", experiment(), "--quick", "--trace", out, "--trace-level", "launches"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  std::ifstream file(out);
  const json trace = json::parse(file);
  std::map<int, int> kernels;
  std::map<std::string, int> others;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == "X") {
      if (event["cat"] == "kernel")
        ++kernels[event["pid"]];
      else
        ++others[event["name"].get<std::string>().substr(0, 4)];
    }
  EXPECT_EQ(kernels, (std::map<int, int>{{1000, 90}, {1001, 10}, {1002, 10}}));
  EXPECT_EQ(others, (std::map<std::string, int>{{"call", 30}, {"wait", 30}}));
}

TEST_F(Cli, RunWritesNothingUnasked) {
  Child child({"run", experiment(), "--quick"}, "", folder.string());
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}),
            1);  // the experiment alone
}

TEST_F(Cli, InterruptKeepsAndPrintsWhatWasMeasured) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = folder.path("cut.jsonl");
    Child child({"run", experiment(1000), "--json", "--out", out});
    ASSERT_TRUE(samplesIn(out + ".part", child)) << child.err();
    kill(child.pid(), signal);
    EXPECT_EQ(child.wait(), 1);
    const json result = json::parse(child.out());
    EXPECT_EQ(result["interrupted"], true);
    for (const json& cell : result["cells"]) {
      EXPECT_EQ(cell["stop"], "interrupted");
      EXPECT_GT(cell["samples"], 0);
    }
    EXPECT_EQ(lineCount(child.err()), 1u) << child.err();
    EXPECT_EQ(runCli({"analyze", out}).code, 0);
    std::filesystem::remove(out);
  }
}

/// The children of a process once there is one alone: between sessions the next worker begins
/// before the last one has gone.
std::vector<pid_t> theOneWorkerOf(pid_t pid) {
  std::vector<pid_t> workers;
  for (int i = 0; i < 500; ++i) {
    workers = childrenOf(pid);
    if (workers.size() == 1) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return workers;
}

TEST_F(Cli, AKilledWorkerCostsNothingButItself) {
  const std::string out = folder.path("r.jsonl");
  Child child({"run", experiment(12), "--json", "--out", out});
  ASSERT_TRUE(samplesIn(out + ".part", child)) << child.err();
  const auto workers = theOneWorkerOf(child.pid());
  ASSERT_EQ(workers.size(), 1u);
  kill(workers[0], SIGKILL);
  EXPECT_EQ(child.wait(), 0) << child.err();
  EXPECT_THAT(child.err(), HasSubstr("the worker was killed by signal 9"));
  const json result = json::parse(child.out());
  for (const json& cell : result["cells"]) EXPECT_EQ(cell["stop"], "budget");
}

TEST_F(Cli, AWorkerGoesWithItsDriver) {
  Child child({"run", experiment(1000), "--out", folder.path("r.jsonl")});
  ASSERT_TRUE(samplesIn(folder.path("r.jsonl.part"), child)) << child.err();
  const auto workers = theOneWorkerOf(child.pid());
  ASSERT_EQ(workers.size(), 1u);
  kill(child.pid(), SIGKILL);
  child.wait();
  // An orphan in a container may stay a zombie; its command line is empty then.
  const std::string commandLine = fmt::format("/proc/{}/cmdline", workers[0]);
  std::string content = "x";
  for (int i = 0; i < 500 && !content.empty(); ++i) {
    usleep(20'000);
    std::ostringstream read;
    read << std::ifstream(commandLine).rdbuf();
    content = read.str();
  }
  EXPECT_EQ(content, "");
}

TEST_F(Cli, AnalyzeFindsThePublishedBreakEvens) {
  const Ended ended = runCli({"analyze", kReference, "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  ASSERT_EQ(result["crossings"].size(), 2u);
  EXPECT_NEAR(result["crossings"][0]["at"], 4.98, 0.005);
  EXPECT_NEAR(result["crossings"][1]["at"], 7.48, 0.005);
  EXPECT_EQ(result["stated_break_even"], 10);
  EXPECT_EQ(result["metric"], "E");
  EXPECT_EQ(result["cells"].size(), 21u);
  EXPECT_THAT(runCli({"analyze", kReference}).out,
              AllOf(HasSubstr("4.98 or more statements"), HasSubstr("7.48 or more statements"),
                    HasSubstr("about 10 statements"), HasSubstr("Source: ")));
}

TEST_F(Cli, AnalyzeTakesTheNameOfAShippedReference) {
  EXPECT_EQ(runCli({"analyze", "torch_compile_2025"}).out, runCli({"analyze", kReference}).out);
}

TEST_F(Cli, ListsCanBeReadByPeopleAndPrograms) {
  for (const char* command : {"ops", "devices", "doctor"}) {
    const Ended text = runCli({command}), object = runCli({command, "--json"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_FALSE(text.out.empty());
    EXPECT_EQ(object.code, 0);
    EXPECT_EQ(json::parse(object.out)["fusebench"], command);
  }
  EXPECT_GE(json::parse(runCli({"ops", "--json"}).out)["ops"].size(), 60u);
  const json aten = json::parse(runCli({"ops", "--aten", "--json"}).out);
  EXPECT_EQ(aten["aten"].size(), aten["all"]["overloads"].get<std::size_t>());
  for (const json& row : aten["aten"])
    EXPECT_EQ(row["supported"].get<bool>(), row["missing"].is_null()) << row;
  EXPECT_EQ(json::parse(runCli({"devices", "--json"}).out)["devices"][0]["name"], "cpu");
}

TEST_F(Cli, HelpIsThereForEachCommand) {
  EXPECT_EQ(runCli({"--help"}).code, 0);
  for (const char* command : {"run", "analyze", "worker", "ops", "devices", "doctor"}) {
    const Ended ended = runCli({command, "--help"});
    EXPECT_EQ(ended.code, 0);
    EXPECT_THAT(ended.out, HasSubstr(command));
    EXPECT_EQ(ended.err, "");
  }
  EXPECT_THAT(runCli({"--version"}).out, StartsWith("fusebench-cli "));
}

struct Wrong {
  std::vector<std::string> arguments;  ///< EXPERIMENT and FOLDER are replaced
  const char* message;
};
/// Else the test's name would hold the raw bytes of the struct, pointers included.
void PrintTo(const Wrong& wrong, std::ostream* out) {
  *out << wrong.message;
}

class WrongArguments : public Cli, public testing::WithParamInterface<Wrong> {};
TEST_P(WrongArguments, ExitWith2AndOneLine) {
  std::vector<std::string> arguments = GetParam().arguments;
  for (std::string& argument : arguments) {
    if (argument == "EXPERIMENT") argument = experiment();
    if (argument.starts_with("FOLDER")) argument = folder.string() + argument.substr(6);
  }
  std::ofstream(folder.path("wrong.json"))
      << "{\n  \"fusebench\": \"experiment\",\n  \"titel\": \"x\"\n}\n";
  std::ofstream(folder.path("integers.json")) << R"json({"fusebench": "experiment", "version": 2,
  "title": "t", "program": ["def f(x):", "    return x + 1"], "inputs": [{"name": "in", "tensors": [
  {"name": "x", "extents": [4], "dtype": "int64", "fill": {"integers": [5, 2]}}]}],
  "variants": [{"name": "eager", "executor": "eager"}], "baseline": "eager"})json";
  std::ofstream(folder.path("damaged.jsonl")) << "what is this\n";
  const Ended ended = runCli(arguments);
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr(GetParam().message));
  EXPECT_EQ(lineCount(ended.err), 1u) << ended.err;
}
INSTANTIATE_TEST_SUITE_P(
    Table, WrongArguments,
    testing::Values(
        Wrong{{}, "subcommand"},
        Wrong{{"annalyze"}, "there is no command \"annalyze\"; did you mean \"analyze\"?"},
        Wrong{{"run"}, "EXPERIMENT"}, Wrong{{"run", "EXPERIMENT", "--fast"}, "--fast"},
        Wrong{{"run", "EXPERIMENT", "--trace-level", "all"}, "--trace-level"},
        Wrong{{"run", "EXPERIMENT", "--reset", "never"}, "--reset"},
        Wrong{{"run", "nothing_like_it"}, "shipped experiments: allreduce_cost, attention_length"},
        Wrong{{"run", "FOLDER/absent.json"}, "absent.json: no such file"},
        Wrong{{"run", "FOLDER/wrong.json"},
              "wrong.json:3:3: titel: this key is unknown; did you mean \"title\"?"},
        Wrong{{"run", "FOLDER/integers.json"},
              "integers.json:3:72: inputs[0].tensors[0].fill.integers: no integer is at least 5 "
              "and below 2; write the lower end first"},
        Wrong{{"run", "FOLDER"}, "this is a folder"},
        Wrong{{"run", "EXPERIMENT", "--device", "cuda:99"}, "--device cuda:99: no "},
        Wrong{{"run", "EXPERIMENT", "--device", "abacus"}, "--device abacus: unknown device"},
        Wrong{{"run", "EXPERIMENT", "--trace", "/nowhere/t.json"},
              "/nowhere/t.json: cannot be written"},
        Wrong{{"run", "EXPERIMENT", "--out", "t.json", "--trace", "t.json"},
              "--trace and --out name the same file"},
        Wrong{{"run", "EXPERIMENT", "--out", "/nowhere/r.jsonl"},
              "/nowhere/r.jsonl: cannot be written"},
        Wrong{{"run", "EXPERIMENT", "--out", "FOLDER"}, "this is a folder"},
        Wrong{{"analyze"}, "FILE"},
        Wrong{{"analyze", "FOLDER/absent.jsonl"}, "absent.jsonl: cannot be opened"},
        Wrong{{"analyze", "FOLDER/damaged.jsonl"}, "damaged.jsonl:1:1: "},
        Wrong{{"analyze", "EXPERIMENT"}, "measure it with: fusebench-cli run"},
        Wrong{{"ops", "extra"}, "extra"}));

TEST_F(Cli, TheWorkerAnswersEveryLineAndEndsWithItsInput) {
  const json text = experimentText(1);
  const std::string input = "{\"id\":1,\"do\":\"hello\"}\n" +
                            json{{"id", 2}, {"do", "load"}, {"experiment", text}}.dump() + "\n" +
                            R"({"id":3,"do":"prepare","variant":1,"at":[2],"compile_repeats":2}
{"id":4,"do":"sample","variant":1,"at":[2]}
{"id":5,"do":"check","variant":1,"at":[2]}
{"id":6,"do":"trace","variant":1,"at":[2]}
{"id":7,"do":"sample","variant":0,"at":[2]}
{"id":8,"do":"sample","variant":9,"at":[2]}
{"id":9,"do":"load","experiment":"{}"}
{"id":10,"do":"dance"}
{"id":11
)" + std::string((1 << 20) + 5, 'x') +
                            "\n" + R"({"id":12,"do":"sample","variant":1,"at":[2]})" + "\n";
  const Ended ended = runCli({"worker"}, input);
  EXPECT_EQ(ended.code, 0);
  std::map<int, json> replies;
  int anonymous = 0;
  std::istringstream lines(ended.out);
  for (std::string line; std::getline(lines, line);) {
    const json reply = json::parse(line);
    if (reply["id"].is_null())
      ++anonymous;
    else
      replies[reply["id"]] = reply;
  }
  EXPECT_EQ(anonymous, 2);  // the cut-off line and the oversized one
  ASSERT_EQ(replies.size(), 11u);
  EXPECT_EQ(replies[1]["ok"]["protocol"], 1);
  EXPECT_EQ(replies[1]["ok"]["device"], "cpu");
  EXPECT_TRUE(replies[1]["ok"]["environment"].contains("cpu"));
  EXPECT_EQ(replies[2]["ok"]["cells"], 9);
  EXPECT_EQ(replies[3]["ok"]["compile_first"].size(), 2u);
  EXPECT_EQ(replies[3]["ok"]["launches"]["max"], 1);
  EXPECT_GT(replies[4]["ok"]["ns"], 0);
  EXPECT_GE(replies[4]["ok"]["passes"], 1);
  EXPECT_LE(replies[5]["ok"]["rel_error"], 1e-5);
  EXPECT_EQ(replies[6]["ok"]["anatomy"]["launches"].size(), 1u);
  EXPECT_EQ(replies[7]["error"]["kind"], "request");  // not prepared
  EXPECT_EQ(replies[8]["error"]["kind"], "request");
  EXPECT_EQ(replies[9]["error"]["kind"], "input");
  EXPECT_EQ(replies[10]["error"]["kind"], "request");
  EXPECT_GT(replies[12]["ok"]["ns"], 0);  // a wrong load leaves the loaded experiment be
}

TEST_F(Cli, TheWorkerNeedsNoHello) {
  EXPECT_EQ(runCli({"worker"}, "").code, 0);
  EXPECT_THAT(runCli({"worker"}, "{\"id\":1,\"do\":\"sample\",\"variant\":0,\"at\":[1]}\n").out,
              HasSubstr("no experiment is loaded"));
  EXPECT_THAT(runCli({"worker"}, "{\"id\":1,\"do\":\"quit\"}\n{\"id\":2,\"do\":\"hello\"}\n").out,
              EndsWith("\"ok\":{}}\n"));
}

}  // namespace
}  // namespace fusebench
