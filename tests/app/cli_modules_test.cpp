// SPDX-License-Identifier: GPL-3.0-or-later
// The modules of a captured model in a run, by their time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "profiler/files/files.h"
#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(CliModules, AreListedByTimeWithLaunchesBytesAndArithmetic) {
  const TemporaryFolder folder;
  const std::string model = folder.path("model.json"), out = folder.path("run.jsonl");
  json experiment = json::parse(
      readFile(fusebench::test::sourcePath("/tests/zoo/captured/torch_transformer.json")));
  const auto variants = experiment["variants"];
  experiment["variants"] = json::array();
  for (const json& variant : variants)
    if (variant["executor"] == "eager" || variant["executor"] == "static")
      experiment["variants"].push_back(variant);
  experiment["measure"] = {{"budgetSeconds", 1}, {"minimumSamples", 5}, {"maximumSamples", 5}};
  writeFile(model, experiment.dump());
  const Ended run = runCli({"run", model, "--quick", "--out", out});
  ASSERT_EQ(run.code, 0) << run.err;

  const Ended ended = runCli({"analyze", out, "--modules", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json listed = json::parse(ended.out);
  ASSERT_EQ(listed["variants"].size(), 2u);
  for (const json& variant : listed["variants"]) {
    const json& modules = variant["modules"];
    EXPECT_EQ(modules[0]["module"], "");
    EXPECT_EQ(modules[0]["share"], 1.0);
    for (std::size_t i = 1; i < modules.size(); ++i) {
      EXPECT_LE(modules[i]["time_ns"], modules[i - 1]["time_ns"]);
      EXPECT_LE(modules[i]["bytes"], modules[0]["bytes"]);
      EXPECT_LE(modules[i]["flops"], modules[0]["flops"]);
    }
    EXPECT_GT(modules[0]["flops"], 0);
  }
  const auto launches = [&](int variant) {
    return listed["variants"][variant]["modules"][0]["launches"].get<double>();
  };
  EXPECT_GT(launches(0), launches(1)) << "static fuses";
  const Ended text = runCli({"analyze", out, "--modules"});
  EXPECT_THAT(text.out, HasSubstr("Modules in a recorded call of eager"));
  EXPECT_THAT(text.out, HasSubstr("(the model)  100.0%"));
  EXPECT_THAT(text.out, HasSubstr("layers.0.self_attn"));
}

TEST(CliModules, AreRefusedWhereThereAreNone) {
  const Ended none = runCli({"analyze", "h100_every_way", "--modules"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no recorded call has modules; measure a captured model"));
  const Ended published = runCli({"analyze", "torch_compile_2025", "--modules"});
  EXPECT_EQ(published.code, 2);
  EXPECT_THAT(published.err, HasSubstr("published times have no modules"));
  const Ended trace =
      runCli({"analyze", fusebench::test::sourcePath("/tests/profiler/traces/kineto_cpu.json"),
              "--modules"});
  EXPECT_EQ(trace.code, 2);
  EXPECT_THAT(trace.err, HasSubstr("for a trace use --operators --by module"));
}

}  // namespace
}  // namespace fusebench
