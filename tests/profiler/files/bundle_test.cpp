// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profiler/experiment/experiment.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/resources.h"
#include "profiler/run/run.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

std::string shippedExperiment(const char* name) {
  return readFile(resourcePath(name));
}

Bundle wholeBundle() {
  Bundle bundle;
  bundle.experiment = shippedExperiment("experiments/fusion_study.json");
  bundle.run = shippedExperiment("recordings/h100_fusion_study.jsonl");
  bundle.notes = "two lines,\nand \"quotes\"";
  bundle.view = R"({"shown":["map"]})";
  return bundle;
}

std::string problemOfBundle(const std::string& text) {
  try {
    parseBundle(text, "a.fusebench");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Bundle, IsReadBackAsItWasWritten) {
  const Bundle whole = wholeBundle();
  const std::string text = toText(whole);
  EXPECT_TRUE(isBundleText(text));
  EXPECT_FALSE(isBundleText(whole.run));
  EXPECT_FALSE(isBundleText(whole.experiment));
  const Bundle again = parseBundle(text, "a.fusebench");
  EXPECT_EQ(again.run, whole.run);
  EXPECT_EQ(again.notes, whole.notes);
  EXPECT_EQ(toJson(parseExperiment(again.experiment, "f")),
            toJson(parseExperiment(whole.experiment, "f")));
  EXPECT_EQ(toText(again), toText(parseBundle(toText(again), "b")));
}

TEST(Bundle, IsKnownByItsNameInAnyCapitals) {
  EXPECT_TRUE(isBundleName("a/b.FuseBench"));
  EXPECT_FALSE(isBundleName("fusebench"));
  EXPECT_FALSE(isBundleName("a.fusebench.json"));
}

TEST(Bundle, OpensWhereARunOrAnExperimentIsOpened) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() / "shared.fusebench";
  writeFile(path, toText(wholeBundle()));
  EXPECT_FALSE(loadRun(path).cells.empty());
  EXPECT_EQ(loadExperiment(path).title, loadRun(path).experiment.title);
  Bundle none = wholeBundle();
  none.run.clear();
  writeFile(path, toText(none));
  EXPECT_THROW(loadRun(path), InputError);
  none = wholeBundle();
  none.experiment.clear();
  writeFile(path, toText(none));
  EXPECT_THROW(loadExperiment(path), InputError);
}

TEST(Bundle, HostileOnesAreRefusedInOneLine) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "a.fusebench"},
      {"{", "a.fusebench:1:"},
      {"[]", "not a .fusebench file"},
      {R"({"fusebench": 3, "version": 1})", "not a .fusebench file"},
      {R"({"fusebench": "run", "version": 1})", "not a .fusebench file"},
      {R"({"fusebench": "bundle"})", "version"},
      {R"({"fusebench": "bundle", "version": 2, "run": "x"})", "1:36"},
      {R"({"fusebench": "bundle", "version": 1})", "neither an experiment nor a run"},
      {R"({"fusebench": "bundle", "version": 1, "run": 7})", "run"},
      {R"({"fusebench": "bundle", "version": 1, "run": "x", "view": []})", "object"},
      {R"({"fusebench": "bundle", "version": 1, "experiment": "text"})", "object"},
      {R"({"fusebench": "bundle", "version": 1, "run": "x", "extra": 1})", "extra"},
      {R"({"fusebench": "bundle", "version": 1, "run": ")" + std::string(3, '\xff') + "\"}", ""},
      {std::string(200'000, '['), ""},
  };
  for (const auto& [text, part] : wrong) {
    const std::string problem = problemOfBundle(text);
    EXPECT_FALSE(problem.empty()) << text.substr(0, 80);
    EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
    EXPECT_THAT(problem, testing::HasSubstr(part)) << text.substr(0, 80);
  }
}

}  // namespace
}  // namespace fusebench
