// SPDX-License-Identifier: GPL-3.0-or-later
// The command cut: one module of a captured model as an experiment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "profiler/files/files.h"
#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

const std::string kModel =
    fusebench::test::sourcePath("/tests/zoo/captured/torch_transformer.json");

TEST(CliCut, ListsTheModules) {
  const Ended ended = runCli({"cut", kModel, "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto modules = nlohmann::json::parse(ended.out)["modules"];
  EXPECT_EQ(modules[1]["module"], "layers.0");
  EXPECT_EQ(modules[1]["operations"], 35);
  EXPECT_THAT(runCli({"cut", kModel}).out, HasSubstr("layers.1.self_attn"));
}

TEST(CliCut, WritesAnExperimentThatRuns) {
  const TemporaryFolder folder;
  const std::string out = folder.path("part.json");
  const Ended cut = runCli({"cut", kModel, "layers.0.norm1", "--out", out});
  EXPECT_EQ(cut.code, 0) << cut.err;
  EXPECT_THAT(cut.out, HasSubstr("1 operations, 3 inputs"));
  auto part = nlohmann::json::parse(readFile(out));
  part["variants"] = nlohmann::json::array({part["variants"][0]});
  writeFile(out, part.dump());
  const Ended run = runCli({"run", out, "--quick", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "") << "no file of the model is there to be executed";
}

TEST(CliCut, ReplacesWhatItWroteBefore) {
  const TemporaryFolder folder;
  const std::string out = folder.path("part.json");
  for (const char* part : {"layers.0.norm1", "layers.0"})
    EXPECT_EQ(runCli({"cut", kModel, part, "--out", out}).code, 0) << part;
}

TEST(CliCut, RefusesWhatCannotBe) {
  const TemporaryFolder folder;
  const Ended unknown = runCli({"cut", kModel, "layers.9"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no module layers.9; its modules are layers"));
  const Ended written = runCli({"cut", "fusion_study", "layers.0"});
  EXPECT_EQ(written.code, 2);
  EXPECT_THAT(written.err, HasSubstr("only captured models"));
  const Ended ending = runCli({"cut", kModel, "layers.0", "--out", folder.path("part.txt")});
  EXPECT_EQ(ending.code, 2);
  EXPECT_THAT(ending.err, HasSubstr("ends in .json"));
  const std::string copy = folder.path("model.json");
  writeFile(copy, readFile(kModel));
  const Ended itself = runCli({"cut", copy, "layers.0", "--out", copy});
  EXPECT_EQ(itself.code, 2);
  EXPECT_THAT(itself.err, HasSubstr("the model itself"));
}

}  // namespace
}  // namespace fusebench
