// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/roofline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profiler/trace/operator_costs.h"
#include "profiler/trace/recorded_tensors.h"
#include "profiler/trace/trace_builder.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

OperatorCost costOfCall(const char* op, const char* shapes, const char* types,
                        const char* values = "[]") {
  return costOf(op, recordedTensors(shapes, types), values);
}

TEST(OperatorCosts, AreThoseOfTheirShapes) {
  const char* const two = R"(["float","float"])";
  EXPECT_EQ(costOfCall("aten::mm", "[[8,16],[16,4]]", two),
            (OperatorCost{2.0 * 8 * 16 * 4, 4.0 * (8 * 16 + 16 * 4 + 8 * 4)}));
  EXPECT_EQ(costOfCall("aten::linear", "[[2,8,16],[4,16]]", two),
            (OperatorCost{2.0 * 16 * 16 * 4, 4.0 * (16 * 16 + 4 * 16 + 16 * 4)}));
  EXPECT_EQ(costOfCall("aten::bmm", "[[3,8,16],[3,16,4]]", R"(["c10::Half","c10::Half"])"),
            (OperatorCost{2.0 * 3 * 8 * 16 * 4, 2.0 * 3 * (8 * 16 + 16 * 4 + 8 * 4)}));
  EXPECT_EQ(costOfCall("aten::addmm", "[[4],[8,16],[16,4],[],[]]",
                       R"(["float","float","float","Scalar","Scalar"])"),
            (OperatorCost{2.0 * 8 * 16 * 4, 4.0 * (4 + 8 * 16 + 16 * 4 + 8 * 4)}));
  // A broadcast result.
  EXPECT_EQ(costOfCall("aten::add", "[[8,1],[16],[]]", R"(["float","float","Scalar"])"),
            (OperatorCost{128, 4.0 * (8 + 16 + 128)}));
}

TEST(OperatorCosts, OfConvolutionsNeedStridesAndPadding) {
  const char* const shapes = "[[4,3,16,16],[8,3,3,3],[8],[],[],[]]";
  const char* const types = R"(["float","float","float","ScalarList","ScalarList","ScalarList"])";
  const char* const values = R"(["","","","[2, 2]","[1, 1]","[1, 1]","1"])";
  // 8 x 8 places: (16 + 2 - 3) / 2 + 1.
  const double results = 4.0 * 8 * 8 * 8;
  EXPECT_EQ(costOfCall("aten::conv2d", shapes, types, values),
            (OperatorCost{2 * results * 27, 4.0 * (4 * 3 * 256 + 8 * 27 + 8 + results)}));
  EXPECT_EQ(costOfCall("aten::conv2d", shapes, types), OperatorCost());
  // cudnn_convolution has padding before stride.
  EXPECT_EQ(costOfCall("aten::cudnn_convolution", "[[4,3,16,16],[8,3,3,3]]", R"(["float","float"])",
                       R"(["","","[1, 1]","[2, 2]","[1, 1]"])")
                .flops,
            2 * results * 27);
  for (const char* hostile : {R"(["","","","[0]","[1]","[1]"])", R"(["","","","[1]","[-1]","[1]"])",
                              R"([1,2,3,4,5,6])", "{", R"(["","","","[1]","[1]","[99999999999]"])"})
    EXPECT_EQ(costOfCall("aten::conv2d", shapes, types, hostile), OperatorCost()) << hostile;
}

TEST(OperatorCosts, OfAConvolutionsGradientsAreOneProductForEach) {
  const char* const shapes = "[[4,8,8,8],[4,3,16,16],[8,3,3,3],[],[],[],[],[],[],[],[]]";
  const char* const types = R"(["float","float","float","ScalarList"])";
  const auto values = [](const char* transposed, const char* mask) {
    return std::string(R"(["","","","[0]","[2, 2]","[1, 1]","[1, 1]",")") + transposed +
           R"(","[0, 0]","1",")" + mask + R"("])";
  };
  const auto costWith = [&](const char* transposed, const char* mask) {
    return costOfCall("aten::convolution_backward", shapes, types,
                      values(transposed, mask).c_str());
  };
  const double results = 4.0 * 8 * 8 * 8, inputs = 4.0 * 3 * 256, weights = 8.0 * 27;
  EXPECT_EQ(costWith("False", "[True, True, False]"),
            (OperatorCost{2 * 2 * results * 27, 4 * (results + 2 * inputs + 2 * weights)}));
  EXPECT_EQ(costWith("False", "[False, True, True]"),
            (OperatorCost{2 * results * 27, 4 * (results + inputs + 2 * weights)}));
  EXPECT_EQ(costWith("True", "[True, False, False]").flops, 2 * inputs * 27);
  for (const char* hostile : {"[False, False, True]", "", "x"})
    EXPECT_EQ(costWith("False", hostile), OperatorCost()) << hostile;
  EXPECT_EQ(costOfCall("aten::convolution_backward", shapes, types), OperatorCost());
}

TEST(OperatorCosts, OfAttentionFollowTheOrderOfHeadsAndRows) {
  const char* const types = R"(["c10::Half","c10::Half","c10::Half"])";
  const OperatorCost above = costOfCall("aten::_scaled_dot_product_flash_attention",
                                        "[[2,12,77,64],[2,12,77,64],[2,12,77,64]]", types);
  EXPECT_EQ(above.flops, 4.0 * 2 * 12 * 77 * 77 * 64);
  EXPECT_EQ(costOfCall("aten::_flash_attention_forward", "[[2,77,12,64],[2,77,12,64],[2,77,12,64]]",
                       types),
            above);
}

TEST(OperatorCosts, OfWritesIntoAnArgumentAreThoseOfTheOperator) {
  const char* const two = R"(["float","float"])";
  for (const auto& [into, op] :
       {std::pair("aten::clamp_min_", "aten::clamp_min"),
        std::pair("aten::addcmul_", "aten::addcmul"), std::pair("aten::add_", "aten::add")}) {
    EXPECT_GT(costOfCall(op, "[[8,16],[8,16]]", two).flops, 0) << op;
    EXPECT_EQ(costOfCall(into, "[[8,16],[8,16]]", two), costOfCall(op, "[[8,16],[8,16]]", two));
  }
}

TEST(OperatorCosts, OfWhatIsNotKnownAreNothing) {
  EXPECT_EQ(costOfCall("aten::mm", "[]", "[]"), OperatorCost());
  EXPECT_EQ(costOfCall("aten::mm", "[[8,16],[17,4]]", R"(["float","float"])"), OperatorCost());
  EXPECT_EQ(costOfCall("aten::mm", "[[8,0],[0,4]]", R"(["float","float"])"), OperatorCost());
  EXPECT_EQ(costOfCall("my::op", "[[8]]", R"(["float"])"), OperatorCost());
}

TEST(DevicePeaks, AreFoundByTheDriversNames) {
  EXPECT_EQ(peakOf("NVIDIA H100 80GB HBM3")->bandwidth, 3350);
  EXPECT_EQ(peakOf("NVIDIA H100 PCIe")->bandwidth, 2000);
  EXPECT_EQ(peakOf("NVIDIA A100-SXM4-80GB")->bandwidth, 2039);
  EXPECT_EQ(peakOf("NVIDIA A100-SXM4-40GB")->bandwidth, 1555);
  EXPECT_EQ(peakOf("NVIDIA A100 80GB PCIe")->bandwidth, 1935);
  EXPECT_EQ(peakOf("NVIDIA L4")->bandwidth, 300);
  for (const char* another : {"NVIDIA L40", "NVIDIA RTX A4000", "NVIDIA T400", "NVIDIA A10G",
                              "NVIDIA GeForce RTX 4090 Laptop GPU"})
    EXPECT_EQ(peakOf(another), nullptr) << another;
  EXPECT_EQ(peakOf("Tesla V100-PCIE-16GB")->half, 112);
  EXPECT_EQ(peakOf("Tesla V100-SXM2-16GB")->half, 125);
  EXPECT_EQ(peakOf("NVIDIA L40S")->bandwidth, 864);
  EXPECT_EQ(peakOf("AMD Instinct MI300X")->bandwidth, 5300);
  EXPECT_EQ(peakOf("a card"), nullptr);
  EXPECT_EQ(peakOf(""), nullptr);
  for (const DevicePeak& peak : devicePeaks()) {
    EXPECT_FALSE(peak.source.empty()) << peak.model;
    // No row is hidden by an earlier one.
    EXPECT_EQ(peakOf(std::string(peak.model) + " " + std::string(peak.also)), &peak) << peak.model;
  }
}

/// An operator with these shapes whose kernel takes so many nanoseconds, its call 2,000.
std::shared_ptr<const Trace> callOf(const char* op, const char* shapes, Nanoseconds duration,
                                    const char* types = R"(["c10::Half","c10::Half"])",
                                    const char* device = "NVIDIA H100 80GB HBM3") {
  TraceBuilder builder("t");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  const RecordedArguments arguments{.shapes = shapes, .types = types};
  builder.addSpan({host, SpanKind::op, op, 0, 5'000, 0, &arguments});
  builder.addLaunch({.name = "k",
                     .hostBegin = 1'000,
                     .hostEnd = 3'000,
                     .start = 10'000,
                     .end = 10'000 + duration,
                     .hostLane = host,
                     .deviceLane = stream});
  builder.setDevice(device);
  return builder.finish();
}

RooflinePoint pointOf(const Trace& trace) {
  const Roofline roofline = rooflineOf(trace, operatorFrames(trace, recordedOf(trace)));
  EXPECT_EQ(roofline.points.size(), 1u);
  return roofline.points.at(0);
}

TEST(Roofline, SaysWhatBoundsAnOperator) {
  const RooflinePoint large = pointOf(*callOf("aten::mm", "[[4096,4096],[4096,4096]]", 200'000));
  EXPECT_EQ(large.bound, Bound::compute);
  EXPECT_NEAR(large.tflops, 2.0 * 4096 * 4096 * 4096 / 200'000 / 1'000, 1e-6);
  EXPECT_NEAR(large.reached, large.tflops / 989.4, 1e-9);
  const RooflinePoint add = pointOf(*callOf("aten::add", "[[4096,4096],[4096,4096]]", 50'000));
  EXPECT_EQ(add.bound, Bound::memory);
  EXPECT_NEAR(add.bandwidth, 3.0 * 2 * 4096 * 4096 / 50'000, 1e-9);
  EXPECT_NEAR(add.reached, add.bandwidth / 3350, 1e-9);
  EXPECT_EQ(pointOf(*callOf("aten::add", "[[8],[8]]", 1'500)).bound, Bound::launch);
}

TEST(Roofline, DoesNotCompareCopiesFromTheHostWithTheMemoryOfTheDevice) {
  const auto copyOf = [](const char* name) {
    TraceBuilder builder("t");
    const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
    const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
    const RecordedArguments arguments{.shapes = "[[4096,4096],[4096,4096]]",
                                      .types = R"(["c10::Half","c10::Half"])"};
    builder.addSpan({host, SpanKind::op, "aten::copy_", 0, 5'000, 0, &arguments});
    builder.addLaunch({.kind = SpanKind::copy,
                       .name = name,
                       .hostBegin = 1'000,
                       .hostEnd = 900'000,  // the call waits for the copy
                       .start = 10'000,
                       .end = 510'000,
                       .hostLane = host,
                       .deviceLane = stream});
    builder.setDevice("NVIDIA H100 80GB HBM3");
    return pointOf(*builder.finish());
  };
  const RooflinePoint fromHost = copyOf("Memcpy HtoD (Pageable -> Device)");
  EXPECT_EQ(fromHost.bound, Bound::unknown);
  EXPECT_EQ(fromHost.reached, 0);
  EXPECT_GT(fromHost.bandwidth, 0);
  EXPECT_EQ(copyOf("Memcpy DtoD (Device -> Device)").bound, Bound::launch);
}

TEST(Roofline, OfARangeHasThePartOfTheTimeAndTheRatesOfWholeCalls) {
  const auto trace = callOf("aten::mm", "[[4096,4096],[4096,4096]]", 200'000);
  const RooflinePoint whole = pointOf(*trace);
  // The first 500 ns of the kernel, which is less than the call that launched it.
  const Roofline part = rooflineOf(*trace, operatorFrames(*trace, {10'000, 10'500}));
  ASSERT_EQ(part.points.size(), 1u);
  EXPECT_EQ(part.points[0].time, 500);
  EXPECT_EQ(part.points[0].whole, 200'000);
  EXPECT_EQ(part.points[0].tflops, whole.tflops);
  EXPECT_EQ(part.points[0].reached, whole.reached);
  EXPECT_EQ(part.points[0].bound, Bound::compute);
}

TEST(Roofline, OfAHostTakesTheInnermostOperatorThatComputes) {
  TraceBuilder builder("t");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const RecordedArguments arguments{.shapes = "[[8,16],[16,4]]", .types = R"(["float","float"])"};
  const auto span = [&](const char* name, Nanoseconds from, Nanoseconds to,
                        const RecordedArguments* known) {
    builder.addSpan({host, SpanKind::op, name, from, to, 0, known});
  };
  span("aten::matmul", 0, 1'000, &arguments);
  span("aten::mm", 100, 900, &arguments);
  span("aten::empty", 200, 300, nullptr);
  const auto trace = builder.finish();
  const Roofline roofline = rooflineOf(*trace, operatorFrames(*trace, recordedOf(*trace)));
  ASSERT_EQ(roofline.points.size(), 2u);
  EXPECT_EQ(roofline.points[0].op, "aten::mm");
  EXPECT_EQ(roofline.points[0].time, 700);
  EXPECT_EQ(roofline.points[0].flops, 2.0 * 8 * 16 * 4);
  EXPECT_EQ(roofline.points[0].bound, Bound::unknown);
  EXPECT_EQ(roofline.points[1].op, "aten::empty");
}

TEST(Roofline, SaysNothingOfWhatIsNotKnown) {
  EXPECT_EQ(pointOf(*callOf("aten::mm", "[[4096,4096],[4096,4096]]", 200'000,
                            R"(["c10::Half","c10::Half"])", "a card"))
                .bound,
            Bound::unknown);
  EXPECT_EQ(pointOf(*callOf("my::op", "[[4096]]", 200'000)).bound, Bound::unknown);
}

TEST(Roofline, OfFloat32MayReachTheRateOfTf32) {
  const char* const types = R"(["float","float"])";
  EXPECT_EQ(pointOf(*callOf("aten::mm", "[[4096,4096],[4096,4096]]", 4'000'000, types)).peak, 67);
  EXPECT_EQ(pointOf(*callOf("aten::mm", "[[4096,4096],[4096,4096]]", 400'000, types)).peak, 494.7);
}

TEST(Roofline, IsWrittenAsTablesAndAsAnObject) {
  const auto trace = callOf("aten::mm", "[[4096,4096],[4096,4096]]", 200'000);
  const RooflineReport reports[] = {
      {"t", trace->device(), rooflineOf(*trace, operatorFrames(*trace, recordedOf(*trace)))}};
  EXPECT_THAT(rooflineCsv(reports),
              HasSubstr("t,aten::mm,\"(4096, 4096) (4096, 4096)\",float16,1,1,"
                        "200000,1.37439e+11,1.00663e+08,687.195,"));
  const auto object = rooflineJson(reports);
  EXPECT_EQ(object["traces"][0]["points"][0]["bound"], "compute");
  EXPECT_EQ(object["traces"][0]["points"][0]["class"], "matmul");
  EXPECT_EQ(object["traces"][0]["peak_gb_per_s"], 3350);
}

}  // namespace
}  // namespace fusebench
