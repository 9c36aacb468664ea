// SPDX-License-Identifier: GPL-3.0-or-later
// The command cut: one module of a captured model, or operators of a trace, as an experiment.
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

const std::string kTrace =
    fusebench::test::sourcePath("/tests/profiler/execution_traces/torch_2_15_block.json.gz");

TEST(CliCutTrace, ListsRangesAndOperators) {
  const Ended ended = runCli({"cut", kTrace, "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto listed = nlohmann::json::parse(ended.out);
  EXPECT_EQ(listed["ranges"][1]["range"], "mlp");
  EXPECT_EQ(listed["ranges"][1]["operations"], 5);
  EXPECT_EQ(listed["operators"][0]["name"], "aten::layer_norm");
  EXPECT_EQ(listed["operators"][0]["shapes"], "(2, 4, 16) (16) (16)");
  EXPECT_THAT(runCli({"cut", kTrace}).out, HasSubstr("aten::scaled_dot_product_attention"));
  const Ended analyzed = runCli({"analyze", kTrace});
  EXPECT_EQ(analyzed.code, 0) << analyzed.err;
  EXPECT_THAT(analyzed.out, HasSubstr("PyTorch execution trace, 15 operations"));
}

TEST(CliCutTrace, WritesAnExperimentThatRuns) {
  const TemporaryFolder folder;
  const std::string out = folder.path("part.json");
  const Ended cut = runCli({"cut", kTrace, "mlp", "--out", out});
  EXPECT_EQ(cut.code, 0) << cut.err;
  EXPECT_THAT(cut.out, HasSubstr("5 operations, 7 inputs"));
  auto part = nlohmann::json::parse(readFile(out));
  part["variants"] = nlohmann::json::array({part["variants"][0], part["variants"][2]});
  writeFile(out, part.dump());
  const Ended run = runCli({"run", out, "--quick", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST(CliCutTrace, RefusesWhatCannotBe) {
  const Ended both = runCli({"cut", kTrace, "mlp", "--operator", "3"});
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("give one of them"));
  const Ended none = runCli({"cut", kTrace, "encoder"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("its ranges are attention, mlp"));
  const Ended model = runCli({"cut", kModel, "--operators", "1..2"});
  EXPECT_EQ(model.code, 2);
  EXPECT_THAT(model.err, HasSubstr("are for traces"));
  const Ended options = runCli({"analyze", kTrace, "--roofline"});
  EXPECT_EQ(options.code, 2);
  EXPECT_THAT(options.err, HasSubstr("has no times"));
}

TEST(CliCutTrace, TakesAnOperatorOfTheProfilersTrace) {
  const TemporaryFolder folder;
  const std::string trace = fusebench::test::sourcePath(
                        "/tests/profiler/execution_traces/torch_2_15_shapes.json.gz"),
                    out = folder.path("part.json");
  EXPECT_THAT(runCli({"cut", trace}).out, HasSubstr("aten::conv2d"));
  const Ended cut = runCli({"cut", trace, "--operator", "aten::conv2d", "--out", out});
  EXPECT_EQ(cut.code, 0) << cut.err;
  EXPECT_THAT(cut.out, HasSubstr("1 operations, 2 inputs"));
  const Ended several = runCli({"cut", trace, "residual"});
  EXPECT_EQ(several.code, 2);
  EXPECT_THAT(several.err, HasSubstr("does not have the data flow"));
}

}  // namespace
}  // namespace fusebench
