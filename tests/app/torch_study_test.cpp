// SPDX-License-Identifier: GPL-3.0-or-later
// Studies that measure PyTorch itself as well as our own worker, and their outcome without PyTorch.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stop_token>

#include "profiler/protocol/process.h"
#include "profiler/protocol/worker_client.h"
#include "profiler/study/study.h"
#include "profiler/study/torch_worker.h"
#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPython = "/usr/bin/python3";
constexpr const char* kNoTorch = "no torch for /usr/bin/python3: apt-get install python3-torch";

bool hasTorch() {
  return std::system("/usr/bin/python3 -c 'import torch' > /dev/null 2>&1") == 0;
}
bool hasCompile() {
  return std::system("/usr/bin/python3 -c 'import torch; torch.compile' > /dev/null 2>&1") == 0;
}

/// Two inputs, one of them not contiguous, on shapes that change from call to call.
std::string experimentText(const std::string& variants, const std::string& body) {
  return fmt::format(R"json({{
  "fusebench": "experiment", "version": 1, "title": "Compared with PyTorch",
  "program": [{}],
  "inputs": [{{"name": "all", "count": 6, "tensors": [
    {{"name": "x", "extents": ["i % 3 + 2", 16]}},
    {{"name": "y", "extents": ["i % 3 + 2", 16], "layout": "transposed", "fill": "uniform"}}]}}],
  "variants": [{}],
  "baseline": "eager",
  "axes": [{{"name": "statements", "values": [1, 3]}}],
  "measure": {{"budgetSeconds": 40, "minimumSamples": 7, "maximumSamples": 9, "compileRepeats": 1}}
}})json",
                     body, variants);
}

constexpr const char* kProgram =
    R"json("z = torch.exp(x * 0.5) + y", "w = torch.sigmoid(z) - y", "v = w * z", "return v.sum(1)")json";
constexpr const char* kBoth =
    R"({"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"},
       {"name": "torch", "executor": "torch", "threads": 2})";

class Losses final : public StudyObserver {
 public:
  void workerLost(const std::string& what) override { lost.push_back(what); }
  std::vector<std::string> lost;
};

class TorchStudy : public testing::Test {
 protected:
  TorchStudy() { setenv("XDG_CACHE_HOME", folder.path().c_str(), 1); }
  StudyOutcome study(const std::string& text, const GuestWorker& guest) {
    StudyOptions options;
    options.workerCommand = {fusebench::test::cliPath(), "worker"};
    options.guests = {guest};
    options.replySeconds = 60;
    return runStudy(parseExperiment(text, "test"), options, watcher, {});
  }
  /// A file of the test's own; its path.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path(name)) << text;
    return folder.path(name);
  }
  TemporaryFolder folder;
  Losses watcher;
};

TEST_F(TorchStudy, MeasuresAndChecksBothOnTheSameInputs) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const StudyOutcome outcome = study(experimentText(kBoth, kProgram), torchWorker(kPython, "cpu"));
  EXPECT_FALSE(outcome.failed) << outcome.message;
  EXPECT_TRUE(watcher.lost.empty());
  EXPECT_FALSE(outcome.run.environment["torch"]["torch"].get<std::string>().empty());
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_FALSE(cell.samples.empty());
    EXPECT_FALSE(cell.error) << *cell.error;
    // Each worker's result is compared with the reference: the inputs are the same to the last bit.
    EXPECT_GT(cell.relativeError.value_or(0), 0);
    EXPECT_LT(cell.relativeError.value_or(1), 1e-6);
    ASSERT_TRUE(cell.accuracy);
    EXPECT_GT(cell.accuracy->relative, 0);
    EXPECT_LT(cell.accuracy->relative, 1e-6);
    EXPECT_EQ(cell.inputsUsed, 6);
    EXPECT_THAT(cell.checkNote, HasSubstr("3 of 6 inputs"));
    const bool ours = cell.key.variant < 2;
    EXPECT_EQ(cell.torchDifference.has_value(), ours);
    if (ours) {
      EXPECT_LT(*cell.torchDifference, 1e-6);
    } else {
      EXPECT_EQ(cell.recompiles, 0);
      ASSERT_EQ(cell.firstCompiles.size(), 1U);  // eager mode compiles nothing, which is known
      EXPECT_EQ(cell.firstCompiles[0].total(), 0);
    }
  }
}

/// An experiment with one program in our eager executor and in PyTorch; x and y have shape (4, 8).
std::string besideTorch(const std::vector<std::string>& lines, const std::string& more = "") {
  json program = lines;
  return fmt::format(R"json({{
  "fusebench": "experiment", "version": 1, "title": "Compared with PyTorch", "program": {},
  "inputs": [{{"name": "all", "count": 3, "tensors": [
    {{"name": "x", "extents": [4, 8]}}, {{"name": "y", "extents": [4, 8]}}]}}],
  "variants": [{{"name": "eager", "executor": "eager"{}}}, {{"name": "torch", "executor": "torch"{}}}],
  "baseline": "eager", "axes": [{{"name": "threads", "values": [1]}}],
  "measure": {{"budgetSeconds": 20, "minimumSamples": 7, "maximumSamples": 7, "compileRepeats": 1}}
}})json",
                     program.dump(), more, more);
}

/// Programs with state between calls, and programs that call library functions.
const std::vector<std::pair<const char*, std::vector<std::string>>>& keptAndCalled() {
  static const std::vector<std::pair<const char*, std::vector<std::string>>> programs = {
      {"in place", {"def f(x, y):", "    x.add_(y)", "    return x"}},
      {"buffer",
       {"class Sum(nn.Module):", "    def __init__(self):", "        super().__init__()",
        "        self.register_buffer('s', torch.zeros(4, 8))",
        "    def forward(self, x, y):", "        self.s += x * y", "        return self.s * 2"}},
      {"cache",
       {"class Cache(nn.Module):", "    def __init__(self):", "        super().__init__()",
        "        self.key = nn.Linear(8, 8)",
        "        self.register_buffer('kept', torch.zeros(64, 8))",
        "        self.register_buffer('at', torch.zeros(1, dtype=torch.int64))",
        "    def forward(self, x, y):",
        "        self.kept.index_copy_(0, self.at % 64, self.key(x)[:1])", "        self.at += 1",
        "        return torch.softmax(y @ self.kept.t(), -1) @ self.kept"}},
      {"training",
       {"model = nn.Linear(8, 8)",
        "opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)",
        "def step(x, y):", "    opt.zero_grad()", "    loss = F.mse_loss(model(x), y)",
        "    loss.backward()", "    opt.step()", "    return loss"}},
      {"module",
       {"class Block(nn.Module):", "    def __init__(self, width=8):", "        super().__init__()",
        "        self.norm = nn.LayerNorm(width)", "        self.lstm = nn.LSTM(width, 8)",
        "        self.layers = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8))",
        "    def forward(self, x, y):", "        h, _ = self.lstm(self.norm(x))",
        "        return F.log_softmax(self.layers(h + y), dim=-1)", "block = Block()"}},
      {"library",
       {"def f(x, y):", "    a = torch.cat([F.layer_norm(x, (8,)), y], dim=-1)",
        "    return torch.stack([a, a.roll(1, 0)]).flatten(1)"}},
  };
  return programs;
}

TEST_F(TorchStudy, ComparesOneCallFromEqualState) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  for (const auto& [name, lines] : keptAndCalled()) {
    const StudyOutcome outcome = study(besideTorch(lines), torchWorker(kPython, "cpu"));
    EXPECT_FALSE(outcome.failed) << name << ": " << outcome.message;
    for (const Cell& cell : outcome.run.cells) {
      EXPECT_FALSE(cell.error) << name << ": " << *cell.error;
      EXPECT_LT(cell.relativeError.value_or(1), 1e-5) << name;
      EXPECT_FALSE(cell.samples.empty()) << name;
    }
    EXPECT_LT(outcome.run.cells[0].torchDifference.value_or(1), 1e-5) << name;
  }
}

TEST_F(TorchStudy, IndexesWithTheSameIntegersOnBothSides) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const std::string second = R"("name": "y", "extents": [4, 8])";
  for (const char* stated : {"", R"(, "fill": {"integers": [1, 4]})"}) {
    SCOPED_TRACE(stated);
    std::string text = besideTorch({"def f(x, y):", "    return F.embedding(y, x) + y[:, None]"});
    text.replace(text.find(second), second.size(),
                 R"("name": "y", "extents": [6], "dtype": "int64")" + std::string(stated));
    const StudyOutcome outcome = study(text, torchWorker(kPython, "cpu"));
    EXPECT_FALSE(outcome.failed) << outcome.message;
    for (const Cell& cell : outcome.run.cells) {
      EXPECT_FALSE(cell.error) << *cell.error;
      EXPECT_LT(cell.relativeError.value_or(1), 1e-6);
    }
    EXPECT_LT(outcome.run.cells[0].torchDifference.value_or(1), 1e-6);
  }
}

/// A cache whose position grows with every call.
std::string growingCache() {
  return besideTorch(
      {"class Cache(nn.Module):", "    def __init__(self):", "        super().__init__()",
       "        self.register_buffer('kept', torch.zeros(64, 8))",
       "        self.register_buffer('at', torch.zeros(1, dtype=torch.int64))",
       "    def forward(self, x, y):", "        self.kept.index_copy_(0, self.at, x[:1])",
       "        self.at += 1", "        return torch.softmax(y @ self.kept.t(), -1) @ self.kept"});
}

TEST_F(TorchStudy, ResetsStateBeforeEachCallWhereItIsAsked) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  std::string text = growingCache();
  const std::string measure = "\"measure\": {";
  text.insert(text.find(measure) + measure.size(), "\"reset\": \"each call\", ");
  const StudyOutcome outcome = study(text, torchWorker(kPython, "cpu"));
  EXPECT_FALSE(outcome.failed) << outcome.message;
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_FALSE(cell.error) << *cell.error;
    EXPECT_FALSE(cell.samples.empty());
    EXPECT_LT(cell.relativeError.value_or(1), 1e-5);
  }
  EXPECT_LT(outcome.run.cells[0].torchDifference.value_or(1), 1e-5);
}

TEST_F(TorchStudy, SaysAfterHowManyCallsStateHasRunAway) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const StudyOutcome outcome = study(growingCache(), torchWorker(kPython, "cpu"));
  for (const Cell& cell : outcome.run.cells) {
    ASSERT_TRUE(cell.error);
    EXPECT_THAT(*cell.error, HasSubstr("after 64 calls: "));
    EXPECT_THAT(*cell.error, HasSubstr("`at`"));
    EXPECT_THAT(*cell.error, HasSubstr("; calls keep the values of `"));
    EXPECT_THAT(*cell.error, HasSubstr("before each call, use --reset each-call, or \"reset\""));
  }
}

TEST_F(TorchStudy, ComparesOneCallFromTheInitialListsAndSaysThatLaterCallsDiffer) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const std::string text = besideTorch({"seen = []", "def f(x, y):", "    seen.append(x)",
                                        "    return torch.stack(seen).sum(0) + y"});
  const StudyOutcome outcome = study(text, torchWorker(kPython, "cpu"));
  EXPECT_FALSE(outcome.failed) << outcome.message;
  const Cell& theirs = outcome.run.cells[1];
  EXPECT_FALSE(theirs.error) << *theirs.error;
  EXPECT_LT(theirs.relativeError.value_or(1), 1e-5);
  EXPECT_THAT(theirs.checkNote,
              HasSubstr("PyTorch's calls after the first return different results"));

  std::string resetting = text;
  const std::string measure = "\"measure\": {";
  resetting.insert(resetting.find(measure) + measure.size(), "\"reset\": \"each call\", ");
  const StudyOutcome same = study(resetting, torchWorker(kPython, "cpu"));
  EXPECT_THAT(same.run.cells[1].checkNote, Not(HasSubstr("PyTorch")));
  EXPECT_LT(same.run.cells[1].relativeError.value_or(1), 1e-5);
}

TEST_F(TorchStudy, SaysNothingOfListsAndDictsThatChangeNoResult) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const StudyOutcome outcome = study(
      besideTorch({"seen, made = [], {}", "def f(x, y):", "    seen.append(x)",
                   "    if 'mask' not in made:", "        made['mask'] = torch.ones(4, 8).tril()",
                   "    return x * made['mask'] + y"}),
      torchWorker(kPython, "cpu"));
  EXPECT_FALSE(outcome.failed) << outcome.message;
  EXPECT_THAT(outcome.run.cells[1].checkNote, Not(HasSubstr("PyTorch")));
  EXPECT_LT(outcome.run.cells[1].relativeError.value_or(1), 1e-5);
}

TEST_F(TorchStudy, TakesGradientsByWhatTheSourceHolds) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const StudyOutcome outcome = study(
      besideTorch({"class Net(nn.Module):", "    def __init__(self):", "        super().__init__()",
                   "        self.fc = nn.Linear(8, 8)", "    def forward(self, x, y):",
                   "        return F.cross_entropy(self.fc(x), F.softmax(y, 1))"},
                  R"(, "gradients": true)"),
      torchWorker(kPython, "cpu"));
  EXPECT_FALSE(outcome.failed) << outcome.message;
  for (const Cell& cell : outcome.run.cells) {
    EXPECT_FALSE(cell.error) << *cell.error;
    EXPECT_LT(cell.relativeError.value_or(1), 1e-5);
  }
  EXPECT_LT(outcome.run.cells[0].torchDifference.value_or(1), 1e-5);
}

TEST_F(TorchStudy, ComparesNothingThatIsDrawnAtRandom) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const StudyOutcome outcome =
      study(besideTorch({"def f(x, y):", "    return F.dropout(x, 0.5) + torch.randn(4, 8)"}),
            torchWorker(kPython, "cpu"));
  EXPECT_FALSE(outcome.failed) << outcome.message;
  const Cell& ours = outcome.run.cells[0];
  const Cell& theirs = outcome.run.cells[1];
  EXPECT_LT(ours.relativeError.value_or(1), 1e-5);
  EXPECT_FALSE(ours.torchDifference);
  EXPECT_THAT(ours.checkNote, HasSubstr("each call draws the same random numbers"));
  EXPECT_FALSE(theirs.relativeError);
  EXPECT_EQ(theirs.checkNote, "not comparable: draws random numbers");
  EXPECT_FALSE(theirs.samples.empty());
}

TEST_F(TorchStudy, ComparesNothingThatDependsOnUnsetElements) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const StudyOutcome unset = study(
      besideTorch({"def f(x, y):", "    out = torch.empty(3, 4, 8) * 0 + torch.empty(3, 4, 8)",
                   "    out[:2] = x", "    return out * 1e30 + torch.empty_like(y)"}),
      torchWorker(kPython, "cpu"));
  EXPECT_FALSE(unset.failed) << unset.message;
  const Cell& theirs = unset.run.cells[1];
  if (theirs.relativeError) {
    EXPECT_LT(*theirs.relativeError, 1e-5);  // the memory happened to be 0
  } else {
    EXPECT_THAT(theirs.checkNote, HasSubstr("elements that torch.empty leaves unset"));
  }

  const StudyOutcome set =
      study(besideTorch({"def f(x, y):", "    out = torch.empty(4, 8)", "    out[:2] = x[:2]",
                         "    out[2:] = y[2:]", "    return out"}),
            torchWorker(kPython, "cpu"));
  EXPECT_THAT(set.run.cells[1].checkNote, Not(HasSubstr("PyTorch")));
  EXPECT_LT(set.run.cells[1].relativeError.value_or(1), 1e-5);
}

TEST_F(TorchStudy, RunsNothingThatPyTorchWouldComputeWithoutItsAutocast) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const StudyOutcome outcome =
      study(besideTorch({"def f(x, y):", "    with torch.autocast('cuda', dtype=torch.float16):",
                         "        return x @ y.t()"}),
            torchWorker(kPython, "cpu"));
  const Cell& theirs = outcome.run.cells[1];
  EXPECT_EQ(theirs.stop, Stop::unavailable);
  EXPECT_THAT(theirs.error.value_or(""), HasSubstr("uses autocast for a GPU (cuda)"));
}

TEST_F(TorchStudy, SaysInOneLineWhyASourceCannotRun) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  for (const std::vector<std::string>& lines :
       {std::vector<std::string>{"def f(x, y):", "    return (x.to('cuda') + y.cuda()).cpu()"},
        std::vector<std::string>{"model = nn.Linear(8, 8).to('cuda')",
                                 "def f(x, y):", "    return model(x) + y"}}) {
    const StudyOutcome outcome = study(besideTorch(lines), torchWorker(kPython, "cpu"));
    const Cell& theirs = outcome.run.cells[1];
    EXPECT_EQ(theirs.stop, Stop::unavailable);
    ASSERT_TRUE(theirs.error);
    EXPECT_THAT(*theirs.error, HasSubstr("places tensors on a GPU (cuda)"));
    EXPECT_EQ(theirs.error->find('\n'), std::string::npos);
    EXPECT_FALSE(outcome.run.cells[0].samples.empty());
  }
}

TEST_F(TorchStudy, SaysWhyWhatThisPyTorchCannotDoIsMissing) {
  if (!hasTorch() || hasCompile()) GTEST_SKIP() << "needs a torch before 2.0";
  const StudyOutcome outcome = study(experimentText(R"({"name": "eager", "executor": "eager"},
                              {"name": "compiled", "executor": "torch-static"},
                              {"name": "graphs", "executor": "torch-replay"})",
                                                    kProgram),
                                     torchWorker(kPython, "cpu"));
  EXPECT_FALSE(outcome.failed) << outcome.message;
  EXPECT_FALSE(outcome.run.cells[0].samples.empty());
  for (const std::size_t missing : {1, 2}) {
    EXPECT_EQ(outcome.run.cells[missing].stop, Stop::unavailable);
    EXPECT_THAT(*outcome.run.cells[missing].error, HasSubstr("has no torch.compile"));
    EXPECT_THAT(*outcome.run.cells[missing].error, HasSubstr("--python"));
  }
}

TEST_F(TorchStudy, LeavesTheRestAloneWhereThereIsNoTorch) {
  write("torch.py", "raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')\n");
  const std::string python = write(
      "python", fmt::format("#!/bin/sh\nPYTHONPATH={} exec python3 \"$@\"\n", folder.string()));
  ASSERT_EQ(chmod(python.c_str(), 0755), 0);
  const StudyOutcome outcome = study(experimentText(kBoth, kProgram), torchWorker(python, "cpu"));
  EXPECT_FALSE(outcome.failed) << outcome.message;
  for (const Cell& cell : outcome.run.cells) {
    if (cell.key.variant < 2) {
      EXPECT_FALSE(cell.samples.empty());
      continue;
    }
    EXPECT_EQ(cell.stop, Stop::unavailable);
    EXPECT_THAT(*cell.error, HasSubstr("has no PyTorch; install it there"));
    EXPECT_THAT(*cell.error, HasSubstr("FUSEBENCH_PYTHON"));
  }
}

TEST_F(TorchStudy, SaysWhatIsWrongWithATorchThatCannotBeUsed) {
  write("torch.py", "raise OSError('libgomp.so.1: cannot open shared object file')\n");
  setenv("PYTHONPATH", folder.path().c_str(), 1);
  const DoctorCheck check = checkTorch("python3");
  unsetenv("PYTHONPATH");
  EXPECT_EQ(check.status, DoctorCheck::Status::note);
  EXPECT_THAT(check.found, HasSubstr("OSError: libgomp.so.1: cannot open shared object file"));
  EXPECT_THAT(check.remedy, HasSubstr("pip install torch"));
}

TEST_F(TorchStudy, CostsOnlyTheGuestThatCrashesOrTalksNonsense) {
  for (const char* script : {"read line; kill -SEGV $$", "echo 'Segmentation fault'; sleep 60",
                             "head -c 2000000 /dev/zero", "exit 3"}) {
    GuestWorker guest = torchWorker(kPython, "cpu");
    guest.command = {"/bin/sh", "-c", script};
    const StudyOutcome outcome = study(experimentText(kBoth, kProgram), guest);
    EXPECT_TRUE(outcome.failed) << script;
    for (const Cell& cell : outcome.run.cells) {
      EXPECT_EQ(cell.samples.empty(), cell.key.variant == 2) << script;
      if (cell.key.variant == 2) {
        EXPECT_THAT(*cell.error, HasSubstr("could not start a worker process"));
      }
    }
  }
}

/// One request after the other to the worker itself.
class TorchWorkerProcess : public testing::Test {
 protected:
  Reply ask(Verb verb, const json& body = json::object()) { return client().ask(verb, body, 60); }
  WorkerClient& client() {
    if (!client_)
      client_ = std::make_unique<WorkerClient>(startWorker(torchWorker(kPython, "cpu").command),
                                               std::stop_token());
    return *client_;
  }
  std::unique_ptr<WorkerClient> client_;
};

TEST_F(TorchWorkerProcess, AnswersWrongRequestsWithAReason) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const auto refused = [&](Verb verb, const json& body, ErrorKind kind, const char* why) {
    const Reply reply = ask(verb, body);
    EXPECT_FALSE(reply.ok);
    EXPECT_EQ(reply.kind, kind) << reply.message;
    EXPECT_THAT(reply.message, HasSubstr(why));
  };
  const json cell = {{"variant", 0}, {"at", {1}}};
  refused(Verb::sample, cell, ErrorKind::request, "not prepared");
  refused(Verb::sample, json::object(), ErrorKind::request, "names no cell");
  refused(Verb::prepare, cell, ErrorKind::request, "\"program\" is missing");
  refused(Verb::code, cell, ErrorKind::unsupported, "not shown");
  refused(Verb::trace, cell, ErrorKind::unsupported, "not recorded");
  json prepare = cell;
  prepare.update({{"executor", "torch"},
                  {"program", "def program(x):\n    return torch.nosuch(x)\n"},
                  {"inputs", "/nowhere/at/all"}});
  refused(Verb::prepare, prepare, ErrorKind::failed, "/nowhere/at/all");
  prepare["executor"] = "lazy";
  refused(Verb::prepare, prepare, ErrorKind::unavailable, "there are torch, torch-static");
  EXPECT_TRUE(ask(Verb::hello).ok);  // and lives on
}

TEST_F(TorchWorkerProcess, TakesNoNonsenseAndEndsWithItsInput) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const auto worker = startWorker(torchWorker(kPython, "cpu").command);
  ASSERT_TRUE(
      worker->send("rubbish\n[1, 2]\n{\"do\": \"hello\"}\n{\"id\": 1, \"do\": \"dance\"}\n"
                   "{\"id\": 2, \"do\": \"stop\"}\n"));
  for (const char* expected :
       {"not a JSON object", "not a JSON object", "has no number", "no request"}) {
    const auto received = worker->receive(60);
    ASSERT_EQ(received.event, WorkerConnection::Event::line);
    const Reply reply = parseReply(received.line);
    EXPECT_FALSE(reply.ok);
    EXPECT_EQ(reply.kind, ErrorKind::request);
    EXPECT_THAT(reply.message, HasSubstr(expected));
  }
  EXPECT_TRUE(parseReply(worker->receive(60).line).ok);
  worker->send("{\"id\": 3, \"do\": \"quit\"}\n");
  EXPECT_TRUE(parseReply(worker->receive(60).line).ok);
  EXPECT_EQ(worker->receive(60).event, WorkerConnection::Event::ended);
  EXPECT_EQ(worker->epitaph(), "exited with code 0");
}

TEST_F(TorchStudy, ByTheCommandLineSaysInOneLineWhatIsMissing) {
  const std::string file = write("study.json", experimentText(kBoth, kProgram));
  const Ended ended = runCli({"run", file, "--python", "/nowhere/python3"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("torch at 1, torch at 3: unavailable: /nowhere/python3: cannot "
                                   "be started"));
  const Ended doctor = runCli({"doctor", "--json", "--python", "/nowhere/python3"});
  EXPECT_EQ(doctor.code, 0) << doctor.err;
  const json last = json::parse(doctor.out)["checks"].back();
  EXPECT_EQ(last["name"], "PyTorch");
  EXPECT_EQ(last["status"], "note");
  EXPECT_THAT(last["remedy"].get<std::string>(), HasSubstr("pip install torch"));
}

TEST_F(TorchStudy, HasNoGeneratedCodeAndSaysSo) {
  const Ended ended = runCli({"code", "fusion_study_torch", "--variant", "torch-static"});
  EXPECT_EQ(ended.code, 2) << ended.out;
  EXPECT_THAT(ended.err, HasSubstr("PyTorch runs this variant"));
  EXPECT_EQ(runCli({"code", "fusion_study_torch", "--at", "1"}).code, 0);
}

TEST_F(TorchStudy, ByTheCommandLineHasPyTorchsCurvesInTableAndJson) {
  if (!hasTorch()) GTEST_SKIP() << kNoTorch;
  const std::string file = write("study.json", experimentText(kBoth, kProgram));
  const Ended ended = runCli({"run", file, "--json", "--python", kPython});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  for (const json& cell : result["cells"]) {
    ASSERT_TRUE(cell.contains("latency_ns") && cell.contains("torch_difference")) << cell.dump();
    EXPECT_GT(cell["latency_ns"], 0);
    EXPECT_EQ(cell["torch_difference"].is_null(), cell["variant"] == "torch");
  }
  const Ended table = runCli({"run", file, "--python", kPython});
  // A column of its own or, where the times are too far apart for that, a row.
  EXPECT_THAT(table.out, ContainsRegex(" torch (ns|us|ms| +[0-9.]+)"));
  EXPECT_THAT(table.out, HasSubstr("Largest relative difference from PyTorch's results"));
  EXPECT_THAT(table.out, HasSubstr("; PyTorch "));
  EXPECT_THAT(table.out, HasSubstr(" in Python "));
}

}  // namespace
}  // namespace fusebench
