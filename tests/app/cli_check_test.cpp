// SPDX-License-Identifier: GPL-3.0-or-later
// The check against a baseline, from outside. On a simulated device times are known: they are a
// model's, the same in every run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/app/child.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string textOfFile(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class CliCheck : public testing::Test {
 protected:
  CliCheck() : baseline(folder.path("baseline.jsonl")) {
    const Ended ended =
        runCli({"run", experiment("same.json", 8), "--device", "sim:h100", "--out", baseline});
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
  /// Its program launches so many kernels for each call.
  std::string experiment(const std::string& name, int statements, int sessions = 3) {
    json program = json::array();
    for (int i = 0; i < statements; ++i) program.push_back("x = torch.sin(x)");
    program.push_back("return x");
    const json object = {
        {"fusebench", "experiment"},
        {"version", 1},
        {"title", "Checked"},
        {"program", program},
        {"inputs", {{{"name", "all"}, {"tensors", {{{"name", "x"}, {"extents", {"elements"}}}}}}}},
        {"variants", {{{"name", "op by op"}, {"executor", "eager"}}}},
        {"baseline", "op by op"},
        {"axes", {{{"name", "elements"}, {"values", {64, 128}}}}},
        {"measure",
         {{"budgetSeconds", 5},
          {"compileRepeats", 1},
          {"minimumSamples", 9},
          {"maximumSamples", 9},
          {"sessions", sessions}}}};
    std::ofstream(folder.path(name)) << object;
    return folder.path(name);
  }
  Ended check(const std::string& given, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"check", given, "--against", baseline};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runCli(arguments);
  }
  /// The baseline with `change` made to each line's JSON.
  template <typename Change>
  std::string changedBaseline(const std::string& name, Change change) {
    std::ifstream file(baseline);
    std::ofstream out(folder.path(name));
    for (std::string line; std::getline(file, line);) {
      json record = json::parse(line);
      change(record);
      out << record << "\n";
    }
    return folder.path(name);
  }
  TemporaryFolder folder;
  std::string baseline;
};

TEST_F(CliCheck, PassesWhatIsAsFastAsTheBaseline) {
  const Ended ended = check(folder.path("same.json"));
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("Passed"));
}

TEST_F(CliCheck, EndsWithOneForASlowdownAndWritesEveryForm) {
  const std::string markdown = folder.path("c.md"), junit = folder.path("c.xml"),
                    run = folder.path("new.jsonl");
  const Ended ended =
      check(experiment("slower.json", 10),
            {"--markdown", markdown, "--junit", junit, "--github", "--out", run, "--progress"});
  EXPECT_EQ(ended.code, 1) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("slower"));
  EXPECT_THAT(ended.out, HasSubstr("::error title=Fusebench"));
  EXPECT_THAT(ended.err, HasSubstr("{\"phase\": \"measuring\", \"fraction\": "));
  EXPECT_THAT(textOfFile(markdown), HasSubstr("| slower |"));
  EXPECT_THAT(textOfFile(junit), HasSubstr("<failure"));
  // The runs that it kept say the same, without measuring.
  const Ended again =
      runCli({"check", run, folder.path("new-2.jsonl"), "--against", baseline, "--json"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_EQ(json::parse(again.out)["verdict"], "slower");
}

TEST_F(CliCheck, MeasuresAgainWithinItsBudget) {
  const Ended ended = check(experiment("slower.json", 10), {"--budget", "600"});
  EXPECT_EQ(ended.code, 1) << ended.out << ended.err;
}

TEST_F(CliCheck, EndsWithThreeWhereNoiseIsTooLarge) {
  // A model without noise takes one sample; this one is as of a model with noise.
  const std::string noisy = changedBaseline("noisy.jsonl", [&](json& record) {
    if (record.contains("environment")) record["environment"]["model_exact"] = false;
    if (record["record"] != "samples") return;
    for (const char* times : {"ns", "enqueue_ns", "event_ns", "single_ns", "device_ns"})
      record[times] = json::array_t(9, record[times][0]);
    record["rounds"] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    for (std::size_t i = 0; i < 9; ++i)
      record["ns"][i] = record["ns"][i].get<double>() * (0.6 + 0.2 * static_cast<double>(i % 5));
  });
  const Ended ended = check(noisy, {"--json"});
  EXPECT_EQ(ended.code, 3) << ended.out << ended.err;
  EXPECT_GT(json::parse(ended.out)["cells"][0]["samples_needed"].get<int>(), 9);
}

TEST_F(CliCheck, RefusesABaselineOfAnotherMachineAndNamesWhatDiffers) {
  const std::string other = changedBaseline("other.jsonl", [](json& record) {
    if (record.contains("environment")) record["environment"]["cpu"]["model"] = "Another processor";
  });
  const Ended refused = runCli({"check", baseline, "--against", other});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("instead of Another processor"));
  EXPECT_THAT(refused.err, HasSubstr("--any-machine"));
  EXPECT_EQ(runCli({"check", baseline, "--against", other, "--any-machine"}).code, 0);
}

TEST_F(CliCheck, RefusesWhatCannotBeCompared) {
  const std::string quick = changedBaseline("quick.jsonl", [](json& record) {
    if (record.contains("device")) record["device"] = "cpu";
  });
  for (const auto& [arguments, message] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"check", baseline, "--against", quick}, "within one process"},
           {{"check", baseline}, "--against is required"},
           {{"check", baseline, "--against", folder.path("absent")}, "absent"},
           {{"check", baseline, "--against", baseline, "--max-slowdown", "much"}, "--max-slowdown"},
           {{"check", baseline, "--against", baseline, "--confidence", "200%"}, "--confidence"},
           {{"check", baseline, "--against", baseline, "--budget", "soon"}, "--budget"},
           {{"check", experiment("one.json", 8, 1), "--against", baseline}, "sessions"},
           {{"check", baseline, "--against", folder.path("same.json")}, "same.json"}}) {
    const Ended ended = runCli(arguments);
    EXPECT_EQ(ended.code, 2) << message << ": " << ended.out << ended.err;
    EXPECT_THAT(ended.err, HasSubstr(message));
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  }
}

}  // namespace
}  // namespace fusebench
