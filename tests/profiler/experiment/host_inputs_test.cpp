// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs in host memory: how experiments declare them, where they are, and the finding on them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/sim/sim_backend.h"
#include "profiler/analysis/crossings.h"
#include "profiler/analysis/findings.h"
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/inputs.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

std::string experimentText(const std::string& place, const std::string& variant = "",
                           const std::string& program = "return x.to('cuda') + 1") {
  return R"({"fusebench": "experiment", "version": 2, "title": "t",
    "program": [")" +
         program + R"("],
    "inputs": [{"name": "set", "tensors": [{"name": "x", "extents": ["n", 4])" +
         place + R"(}]}],
    "variants": [{"name": "a", "executor": "eager")" +
         variant + R"(}], "baseline": "a", "axes": [{"name": "n", "values": [2, 3]}]})";
}

std::string refusal(const std::string& text) {
  try {
    parseExperiment(text, "f.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(HostInputs, AreReadAndWrittenBack) {
  const Experiment e =
      parseExperiment(experimentText(R"(, "device": "host", "pinned": true)",
                                     R"(, "overlap": true, "from": "pinned", "batches": "gather")"),
                      "f.json");
  EXPECT_TRUE(e.inputSets[0].inputs[0].onHost && e.inputSets[0].inputs[0].pinned);
  EXPECT_TRUE(e.variants[0].options.overlap && e.variants[0].options.delivery.gathers);
  EXPECT_EQ(toJson(parseExperiment(toJson(e), "again.json")), toJson(e));
  for (const char* key :
       {"\"device\": \"host\"", "\"pinned\": true", "\"overlap\": true", "\"batches\": \"gather\""})
    EXPECT_THAT(toJson(e), HasSubstr(key));
}

TEST(Inputs, OfIntegersHaveARange) {
  const Experiment e =
      parseExperiment(experimentText(R"(, "dtype": "int64", "range": [3, 6])", ""), "f.json");
  EXPECT_EQ(toJson(parseExperiment(toJson(e), "again.json")), toJson(e));
  const InputSpec& spec = e.inputSets[0].inputs[0];
  std::set<double> seen;
  for (int i = 0; i < 200; ++i) seen.insert(elementOf(spec, 1, 0, 0, i));
  EXPECT_THAT(seen, testing::ElementsAre(3, 4, 5, 6));
}

TEST(HostInputs, WhatCannotBeIsRefused) {
  EXPECT_THAT(refusal(experimentText(R"(, "pinned": true)")),
              HasSubstr("add \"device\": \"host\""));
  EXPECT_THAT(refusal(experimentText(R"(, "device": "gpu")")),
              HasSubstr("known: \"device\", \"host\""));
  EXPECT_THAT(refusal(experimentText("", R"(, "batches": "gather")")),
              HasSubstr("add \"from\": \"pinned\""));
  EXPECT_THAT(
      refusal(experimentText("", R"(, "from": "pinned", "batches": "gather", "workers": 2)")),
      HasSubstr("workers gather rows ahead"));
  EXPECT_THAT(refusal(experimentText("", R"(, "from": "pinned", "prefetch": 1, "workers": 2)")),
              HasSubstr("workers gather rows ahead"));
  const Experiment loaded = parseExperiment(
      experimentText("", R"(, "from": "pinned", "batches": "gather", "prefetch": 1, "workers": 2)"),
      "loader.json");
  EXPECT_EQ(loaded.variants[0].options.delivery.workers, 2);
  EXPECT_THAT(toJson(loaded), HasSubstr("\"workers\": 2"));
  EXPECT_THAT(refusal(experimentText("", R"(, "from": "pinned", "batches": "heap")")),
              HasSubstr("\"slice\""));
  EXPECT_THAT(refusal(experimentText("", R"(, "overlap": true)")), HasSubstr("accepted"));
}

TEST(HostInputs, WhatAnExperimentShowsFirstIsReadAndWrittenBack) {
  const auto text = [](const std::string& metric) {
    std::string made = experimentText("");
    return made.replace(made.find("\"title\""), 0, "\"metric\": \"" + metric + "\", ");
  };
  const Experiment e = parseExperiment(text("bandwidth"), "f.json");
  EXPECT_EQ(e.shown, Experiment::Shown::bandwidth);
  EXPECT_THAT(toJson(e), HasSubstr("\"metric\": \"bandwidth\""));
  EXPECT_EQ(toJson(parseExperiment(toJson(e), "again.json")), toJson(e));
  EXPECT_EQ(toJson(parseExperiment(text("latency"), "f.json")).find("metric"), std::string::npos);
  EXPECT_THAT(refusal(text("speed")),
              HasSubstr("\"speed\" is not one of \"latency\", \"peak_bytes\", \"bandwidth\""));
}

TEST(HostInputs, PagesOfMemoryAreReadWrittenBackAndRefusedWhereNoneCanBeChosen) {
  const auto text = [](const char* executor, const char* pages) {
    std::string made = experimentText("", std::string(R"(, "pages": ")") + pages + "\"");
    const std::string eager = "\"executor\": \"eager\"";
    return made.replace(made.find(eager), eager.size(),
                        std::string("\"executor\": \"") + executor + "\"");
  };
  const Experiment e = parseExperiment(text("static", "fresh huge"), "f.json");
  EXPECT_EQ(e.variants[0].options.pages, Pages::freshHuge);
  EXPECT_THAT(toJson(e), HasSubstr("\"pages\": \"fresh huge\""));
  EXPECT_EQ(toJson(parseExperiment(toJson(e), "again.json")), toJson(e));
  EXPECT_EQ(toJson(parseExperiment(text("static", "kept"), "f.json")).find("pages"),
            std::string::npos);
  EXPECT_THAT(refusal(text("static", "new")), HasSubstr("\"fresh\""));
  EXPECT_THAT(refusal(text("torch", "fresh")), HasSubstr("PyTorch's allocator"));
  EXPECT_THAT(refusal(text("replay", "fresh")), HasSubstr("only \"huge\" is possible"));
  EXPECT_EQ(refusal(text("replay", "huge")), "accepted");
}

TEST(HostInputs, LieWhereTheDeviceHasThem) {
  const Experiment e =
      parseExperiment(experimentText(R"(, "device": "host", "pinned": true)"), "f.json");
  const auto cpu = makeCpuBackend(CpuOptions{});
  SimOptions options;
  options.parameters.memoryBytes = 1 << 30;
  const auto sim = makeSimBackend(options, makeCpuBackend(CpuOptions{}));
  InputStore here(*cpu, e, 1u << 30), there(*sim, e, 1u << 30);
  const auto one = here.get({0, {3}}), other = there.get({0, {3}});
  EXPECT_EQ(one->entries[0][0].memory, Memory::device) << "there is one memory";
  EXPECT_EQ(other->entries[0][0].memory, Memory::pinned);
  EXPECT_EQ(valuesOf(*cpu, one->entries[0][0]), valuesOf(*sim, other->entries[0][0]));
}

TEST(HostInputs, OneMemoryIsSaid) {
  const auto says = [](const std::string& device, const std::string& place,
                       const std::string& program) {
    fusebench::Run run;
    run.device = device;
    run.experiment = parseExperiment(experimentText(place, "", program), "f.json");
    const auto all = findingsOf(run, findCrossings(run));
    return std::ranges::any_of(all,
                               [](const Finding& each) { return each.headline == "One memory"; });
  };
  EXPECT_TRUE(says("cpu", "", "return x.to('cuda') + 1"));
  EXPECT_TRUE(says("cpu", R"(, "device": "host")", "return x + 1"));
  EXPECT_FALSE(says("cpu", "", "return torch.tensor(x) + 1")) << "that is copied there, too";
  EXPECT_FALSE(says("sim:h100", "", "return x.to('cuda') + 1"));
}

}  // namespace
}  // namespace fusebench
