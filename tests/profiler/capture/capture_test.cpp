// SPDX-License-Identifier: GPL-3.0-or-later
// Captures, with a stub in place of the user's Python.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>

#include "profiler/capture/capture.h"
#include "profiler/experiment/experiment.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kExperiment = R"json({"fusebench": "experiment", "version": 2, "title": "m",
  "program": ["def forward(x):", "    return x + 1"],
  "inputs": [{"name": "captured", "tensors": [{"name": "x", "extents": [2]}]}],
  "variants": [{"name": "eager", "executor": "eager"}], "baseline": "eager",
  "capture": {"modules": [""], "sources": [""], "nodes": []}})json";

/// Says these lines, then is gone.
class StubPython final : public WorkerConnection {
 public:
  StubPython(std::deque<std::string> lines, bool* killed)
      : lines_(std::move(lines)), killed_(killed) {}
  bool send(const std::string&) override { return true; }
  Received receive(double) override {
    if (lines_.empty()) return {Event::ended, ""};
    const std::string line = lines_.front();
    if (line == "hang") return {Event::timeout, ""};
    lines_.pop_front();
    return {Event::line, line};
  }
  void kill() override { *killed_ = true; }
  std::string epitaph() override { return "was killed by signal 11 (Segmentation fault)"; }

 private:
  std::deque<std::string> lines_;
  bool* killed_;
};

class ModelCapture : public testing::Test {
 protected:
  ModelCapture() {
    options_.file = (folder_.path() / "model.py").string();
    writeFile(options_.file, "def make(): pass\n");
    options_.python = "python-of-mine";
    options_.out = (folder_.path() / "m.json").string();
  }
  /// The error of a capture whose process sends these lines.
  std::string refusalOf(std::deque<std::string> lines) {
    try {
      capture(std::move(lines));
    } catch (const InputError& error) {
      return error.what();
    }
    return "captured";
  }
  CaptureResult capture(std::deque<std::string> lines, const std::string& written = "") {
    options_.connect = [=, this](const std::vector<std::string>& command) {
      command_ = command;
      if (!written.empty()) writeFile(options_.out, written);
      return std::make_unique<StubPython>(lines, &killed_);
    };
    return captureModel(
        options_, [&](const std::string& phase) { phases_.push_back(phase); }, stop_.get_token());
  }

  test::TemporaryFolder folder_;
  CaptureOptions options_;
  std::vector<std::string> command_, phases_;
  std::stop_source stop_;
  bool killed_ = false;
};

TEST_F(ModelCapture, TellsWhatTheProcessFound) {
  const CaptureResult result = capture(
      {R"({"progress": "exporting"})", "no JSON",
       R"({"done": {"title": "m", "how": "torch.export", "parts": 1, "nodes": 7, "modules": 3,
           "difference": 1e-7, "notes": ["a note"]}})"},
      kExperiment);
  EXPECT_THAT(phases_, ElementsAre("exporting"));
  EXPECT_EQ(result.nodes, 7);
  EXPECT_EQ(result.modules, 3);
  EXPECT_EQ(result.difference, 1e-7);
  EXPECT_THAT(result.notes, ElementsAre("a note"));
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(readFile(options_.out), toJson(parseExperiment(kExperiment, "m.json")));
}

TEST_F(ModelCapture, PassesItsOptionsOn) {
  options_.name = "make";
  options_.weights = options_.core = options_.train = true;
  options_.inputs = {"x=1,3:float32", "-y=2"};
  options_.dynamic = {"batch=0"};
  refusalOf({});
  ASSERT_GT(command_.size(), 3u);
  EXPECT_EQ(command_[0], "python-of-mine");
  EXPECT_THAT(command_[2], testing::EndsWith("fusebench_capture.py"));
  EXPECT_THAT(
      std::vector(command_.begin() + 3, command_.end()),
      ElementsAre(options_.file, "make", "--out", options_.out, "--weights", "--decompose", "core",
                  "--train", "--input=x=1,3:float32", "--input=-y=2", "--dynamic=batch=0"));
}

TEST_F(ModelCapture, SaysTheProcessErrorInOneLine) {
  EXPECT_EQ(refusalOf({R"({"error": {"kind": "input", "message": "model.py:3: y: no; fix it"}})"}),
            "model.py:3: y: no; fix it");
}

TEST_F(ModelCapture, WhoseProcessDiesCostsThatCaptureOnly) {
  writeFile(options_.out + ".part", "half");
  const std::string refusal = refusalOf({R"({"progress": "exporting"})"});
  EXPECT_THAT(refusal, testing::AllOf(HasSubstr("model.py: python-of-mine was killed by signal 11"),
                                      HasSubstr("run the file with Python to see why")));
  EXPECT_FALSE(fs::exists(options_.out + ".part"));
  EXPECT_FALSE(fs::exists(options_.out));
}

TEST_F(ModelCapture, ThatIsStoppedLeavesNothing) {
  writeFile(options_.out + ".part", "half");
  stop_.request_stop();
  EXPECT_THROW(capture({"hang"}), std::runtime_error);
  EXPECT_TRUE(killed_);
  EXPECT_FALSE(fs::exists(options_.out + ".part"));
}

TEST_F(ModelCapture, KeepsAProgramThatCannotRunYetAndSaysWhy) {
  std::string text = kExperiment;
  text.replace(text.find("x + 1"), 5, "torch.nothing_of_this_name(x)");
  const CaptureResult result = capture({R"({"done": {"nodes": 1}})"}, text);
  EXPECT_THAT(result.problem, HasSubstr("nothing_of_this_name"));
  EXPECT_THAT(readFile(options_.out), HasSubstr("nothing_of_this_name"));
}

TEST_F(ModelCapture, RefusesAFileThatIsMissing) {
  options_.file = (folder_.path() / "other.py").string();
  EXPECT_THAT(refusalOf({}), HasSubstr("other.py: no such file"));
}

TEST_F(ModelCapture, WritesExperimentsAlone) {
  options_.out = options_.file;
  EXPECT_THAT(refusalOf({}), HasSubstr("must end in .json"));
  EXPECT_EQ(readFile(options_.file), "def make(): pass\n");
}

}  // namespace
}  // namespace fusebench
