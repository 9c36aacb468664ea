// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions as cuDNN's, on the double of a GPU and of the library.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/cuda/library/cudnn.h"
#include "engine/device/memory_use.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/engine/cuda/library_code.h"
#include "tests/engine/support/contractions.h"

namespace fusebench::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// By the functions that take an algorithm, which serve what no graph does.
class CudaConvolutionLibrary : public CudaBackendTest {
 protected:
  CudaConvolutionLibrary() { cudaDouble().faults.noGraph = true; }
  static void expectServed(EngineFixture& fixture, const std::string& text,
                           const std::vector<Tensor>& inputs) {
    const std::uint64_t before = cudaDouble().counts.convolutions;
    expectContractsEverywhere(fixture, text, inputs);
    EXPECT_GT(cudaDouble().counts.convolutions, before) << text;
  }
  static void expectOwn(EngineFixture& fixture, const std::string& text,
                        const std::vector<Tensor>& inputs, const char* why) {
    const std::uint64_t before = cudaDouble().counts.convolutions;
    expectContractsEverywhere(fixture, text, inputs);
    EXPECT_EQ(cudaDouble().counts.convolutions, before) << text;
    EXPECT_THAT(libraryCodeOf(fixture, text, inputs),
                AllOf(HasSubstr(why), HasSubstr("__global__")));
  }
  /// Images, weights and a bias that any float type holds exactly, and what one rounding of the
  /// results may be off.
  static std::vector<Tensor> exactIn(EngineFixture& fixture, DType dtype) {
    std::vector<double> x, w;
    for (int i = 0; i < 2 * 8 * 5 * 6; ++i) x.push_back((i * 7 % 23 - 11) / 16.0);
    for (int i = 0; i < 4 * 8 * 3 * 3; ++i) w.push_back((i * 5 % 19 - 9) / 8.0);
    return {fixture.typed(dtype, {2, 8, 5, 6}, x), fixture.typed(dtype, {4, 8, 3, 3}, w),
            fixture.typed(dtype, {4}, {0.5, -1, 2, 0})};
  }
  static double oneRounding(DType dtype) {
    if (dtype == DType::float16) return 0x1p-11;
    return dtype == DType::bfloat16 ? 0x1p-8 : 1e-15;
  }
  /// The same elements with channels next to each other.
  static Tensor channelsLast(Tensor tensor) {
    const Shape& shape = tensor.shape;
    tensor.strides = {shape[1] * shape[2] * shape[3], 1, shape[3] * shape[1], shape[1]};
    tensor.contiguous = isContiguous(tensor.shape, tensor.strides);
    return tensor;
  }
};

TEST_F(CudaConvolutionLibrary, TakesEveryStridePaddingDilationAndGroup) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({2, 4, 9, 8}, 1),
                                   fixture.random({6, 4, 3, 2}, 2)};
  for (const char* arguments : {"", ", stride=2", ", padding=1", ", stride=(2, 1), padding=(0, 2)",
                                ", dilation=2, padding=2", ", padding=(2, 1), dilation=(1, 2)"})
    expectServed(fixture, fmt::format("def f(x, w):\n  return F.conv2d(x, w{})", arguments),
                 inputs);
  for (const std::int64_t groups : {2, 4})
    expectServed(
        fixture,
        fmt::format("def f(x, w, b):\n  return torch.conv2d(x, w, b, 1, 1, 1, {})", groups),
        {fixture.random({2, 4, 7, 6}, 1), fixture.random({8, 4 / groups, 3, 3}, 2),
         fixture.random({8}, 3)});
  EXPECT_THAT(
      libraryCodeOf(fixture,
                    "def f(x, w):\n  return F.conv2d(x, w, None, (2, 1), (0, 2), (1, 3), 2)",
                    {inputs[0], fixture.random({6, 2, 3, 2}, 2)}),
      AllOf(HasSubstr("// cuDNN 9.99.0 convolution forwards"),
            HasSubstr("images: operand 1, 2 x 4 x 9 x 8, row-major"),
            HasSubstr("weights: operand 2, 6 x 2 x 3 x 2, row-major"),
            HasSubstr("padding 0 x 2, stride 2 x 1, dilation 1 x 3, groups 2"),
            HasSubstr("computed in float32, no TF32, math: FMA alone"),
            HasSubstr("algorithm 1, implicit GEMM with indices made before, 48 bytes to work in"),
            Not(HasSubstr("__global__"))));
  EXPECT_EQ(cudaDouble().counts.convolutionMath, cuda::kDnnFmaMath);
}

TEST_F(CudaConvolutionLibrary, TakesOneDimensionAsOneRowAndImagesWithoutABatch) {
  EngineFixture fixture;
  const std::string one = "def f(x, w, b):\n  return F.conv1d(x, w, b, 2, 1, 2)";
  const std::vector<Tensor> inputs{fixture.random({2, 3, 15}, 1), fixture.random({4, 3, 3}, 2),
                                   fixture.random({4}, 3)};
  expectServed(fixture, one, inputs);
  EXPECT_THAT(libraryCodeOf(fixture, one, inputs),
              AllOf(HasSubstr("images: operand 1, 2 x 3 x 1 x 15, row-major"),
                    HasSubstr("padding 0 x 1, stride 1 x 2, dilation 1 x 2, groups 1")));
  expectServed(fixture, one, {fixture.random({3, 15}, 1), inputs[1], inputs[2]});
  expectServed(fixture, "def f(x, w):\n  return F.conv2d(x, w)",
               {fixture.random({3, 6, 7}, 1), fixture.random({4, 3, 2, 3}, 2)});
  expectServed(fixture, "def f(x, w):\n  return F.conv2d(x, w)",
               {fixture.random({1, 1, 6, 1}, 1), fixture.random({1, 1, 2, 1}, 2)});
}

TEST_F(CudaConvolutionLibrary, TakesChannelsLastAndPartsByTheirSteps) {
  EngineFixture fixture;
  const Tensor x = fixture.random({2, 4, 6, 5}, 1), w = fixture.random({6, 4, 3, 3}, 2);
  const Tensor b = fixture.random({6}, 3);
  const std::string text = "def f(x, w, b):\n  return F.conv2d(x, w, b, padding=1)";
  expectServed(fixture, text, {channelsLast(x), channelsLast(w), b});
  EXPECT_EQ(cudaDouble().counts.convolutionAlgorithm, cuda::kDnnImplicitPrecompGemm);
  EXPECT_THAT(libraryCodeOf(fixture, text, {channelsLast(x), channelsLast(w), b}),
              AllOf(HasSubstr("operand 1, 2 x 4 x 6 x 5, channels last"),
                    HasSubstr("operand 2, 6 x 4 x 3 x 3, channels last"),
                    HasSubstr("convolved: the result, 2 x 6 x 6 x 5, channels last")));
  // The weights have another layout than the images; 1 x 1 weights have both layouts at once.
  expectServed(fixture, text, {channelsLast(x), w, b});
  expectServed(fixture, "def f(x, w):\n  return F.conv2d(x, w)",
               {channelsLast(x), fixture.random({6, 4, 1, 1}, 2)});
  EXPECT_THAT(libraryCodeOf(fixture, "def f(x, w):\n  return F.conv2d(x, w)",
                            {channelsLast(x), fixture.random({6, 4, 1, 1}, 2)}),
              HasSubstr("algorithm 1,"));
  // Parts of images, with gaps between their rows and planes.
  for (const char* part : {"x[:, :, 1:, 2:]", "x[:, 1:3]", "x[1:]", "x[:, :, :, ::2]"}) {
    const std::int64_t channels = std::string(part) == "x[:, 1:3]" ? 2 : 4;
    expectServed(fixture, fmt::format("def f(x, w):\n  return F.conv2d({}, w)", part),
                 {x, fixture.random({6, channels, 3, 3}, 2)});
  }
}

TEST_F(CudaConvolutionLibrary, AddsABiasInTheEpilogueOrBehind) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({2, 4, 6, 5}, 1), fixture.random({6, 4, 3, 3}, 2),
                                   fixture.random({6}, 3)};
  const std::string text = "def f(x, w, b):\n  return F.conv2d(x, w, b)";
  expectServed(fixture, text, inputs);
  EXPECT_GT(cudaDouble().counts.epilogues, 0u);
  EXPECT_EQ(cudaDouble().counts.additions, 0u);
  EXPECT_THAT(libraryCodeOf(fixture, text, inputs), HasSubstr("the addend is the epilogue's bias"));
  // By an algorithm without an epilogue, for a part of the images.
  const std::string part = "def f(x, w, b):\n  return F.conv2d(x[:, :, 1:], w, b)";
  const std::uint64_t before = cudaDouble().counts.epilogues;
  expectServed(fixture, part, inputs);
  EXPECT_EQ(cudaDouble().counts.epilogues, before);
  EXPECT_GT(cudaDouble().counts.additions, 0u);
  EXPECT_THAT(libraryCodeOf(fixture, part, inputs),
              HasSubstr("the addend is added by cudnnAddTensor"));
}

TEST_F(CudaConvolutionLibrary, ARefusedEpilogueIsAskedForOnce) {
  EngineFixture fixture;
  cudaDouble().faults.noEpilogue = true;
  const std::vector<Tensor> inputs{fixture.random({2, 4, 6, 5}, 1), fixture.random({6, 4, 3, 3}, 2),
                                   fixture.random({6}, 3)};
  expectServed(fixture, "def f(x, w, b):\n  return F.conv2d(x, w, b)", inputs);
  EXPECT_EQ(cudaDouble().counts.epilogues, 0u);
  EXPECT_EQ(cudaDouble().counts.additions, cudaDouble().counts.convolutions);
  // Where nothing adds the bias, our kernel does it all.
  cudaDouble().faults.noAddition = true;
  EngineFixture other;
  expectContractsEverywhere(other, "def f(x, w, b):\n  return F.conv2d(x, w, b)", inputs);
}

TEST_F(CudaConvolutionLibrary, DoesReluBehindAndKeepsWhatIsNoNumber) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({2, 4, 6, 5}, 1), fixture.random({6, 4, 3, 3}, 2),
                                   fixture.random({6}, 3)};
  for (const char* body : {"torch.relu(F.conv2d(x, w, b))", "torch.relu(F.conv2d(x, w))"}) {
    const std::string text = fmt::format("def f(x, w, b):\n  return {}", body);
    const std::uint64_t before = cudaDouble().counts.activations;
    expectServed(fixture, text, inputs);
    EXPECT_GT(cudaDouble().counts.activations, before);
    EXPECT_EQ(fixture.executor("static", text)->plan(inputs).steps.size(), 1u);
    EXPECT_THAT(libraryCodeOf(fixture, text, inputs),
                HasSubstr("relu is done by cudnnActivationForward, which keeps NaN"));
  }
  std::vector<float> values(2 * 4 * 6 * 5, -1.0F);
  values[0] = std::numeric_limits<float>::quiet_NaN();
  const Tensor spoilt = fixture.tensor({2, 4, 6, 5}, values);
  const std::string text = "def f(x, w, b):\n  return torch.relu(F.conv2d(x, w, b))";
  for (const char* name : {"eager", "static", "static+replay"}) {
    const auto got =
        EngineFixture::values(fixture.run(name, text, {spoilt, inputs[1], inputs[2]})[0]);
    EXPECT_TRUE(std::isnan(got[0])) << name;
    EXPECT_FALSE(std::isnan(got[1])) << name;
  }
  // gelu is a kernel of ours behind the library's convolution.
  const std::string gelu =
      "def f(x, w, b):\n  return F.gelu(F.conv2d(x, w, b), approximate='tanh')";
  EXPECT_EQ(fixture.executor("static", gelu)->plan(inputs).steps.size(), 2u);
  // Far below 0 gelu's value is a small rest, in which every rounding shows.
  expectServed(fixture, gelu,
               {fixture.random({2, 4, 6, 5}, 1, 0.2F), fixture.random({6, 4, 3, 3}, 2, 0.2F),
                fixture.random({6}, 3, 0.2F)});
}

TEST_F(CudaConvolutionLibrary, NarrowFloatsAreRoundedOnceAndFloat64IsWhole) {
  EngineFixture fixture;
  const std::string text = "def f(x, w, b):\n  return F.conv2d(x, w, b)";
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float64}) {
    const std::vector<Tensor> inputs = exactIn(fixture, dtype);
    std::vector<ReferenceTensor> plain;
    for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
    const auto expected = evaluateReference(parseProgram(text), plain);
    const std::uint64_t before = cudaDouble().counts.convolutions;
    for (const char* name : {"eager", "static", "replay"}) {
      const auto got = fixture.run(name, text, inputs);
      EXPECT_EQ(got[0].dtype, dtype);
      EXPECT_LE(relativeError(expected[0], EngineFixture::values(got[0])), oneRounding(dtype));
    }
    EXPECT_GE(cudaDouble().counts.convolutions - before, 3u);
    EXPECT_EQ(cudaDouble().counts.convolutionMath,
              dtype == DType::float64 ? cuda::kDnnDefaultMath : cuda::kDnnTensorMath);
    EXPECT_THAT(libraryCodeOf(fixture, text, inputs),
                HasSubstr(dtype == DType::float64 ? "computed in float64"
                                                  : "no TF32, math: tensor cores allowed"));
  }
}

TEST_F(CudaConvolutionLibrary, GradientsAreItsToo) {
  EngineFixture fixture;
  const auto expectBack = [&](const std::string& call, const std::string& names,
                              const std::vector<Tensor>& inputs) {
    const std::uint64_t before = cudaDouble().counts.convolutionGradients;
    expectServed(fixture, gradientsOf(call, names), inputs);
    EXPECT_GE(cudaDouble().counts.convolutionGradients - before, 2u) << call;
    EXPECT_EQ(cudaDouble().counts.convolutionAlgorithm, 1) << "which adds in one order";
  };
  const Tensor x = fixture.random({2, 4, 7, 9}, 1), w = fixture.random({6, 2, 3, 3}, 2);
  const Tensor b = fixture.random({6}, 3);
  expectBack("conv2d(x, w, b, (2, 1), (1, 2), (1, 2), 2)", "x, w, b", {x, w, b});
  expectBack("conv2d(x, w, b, 3, 0, 1, 2)", "x, w, b", {x, w, b});
  expectBack("conv2d(x, w, b, 1, 1, 1, 2)", "x, w, b", {channelsLast(x), channelsLast(w), b});
  expectBack("conv1d(x, w, stride=2)", "x, w",
             {fixture.random({2, 3, 9}, 1), fixture.random({4, 3, 2}, 2)});
  expectBack("conv2d(x, w)", "x, w",
             {fixture.random({3, 6, 7}, 1), fixture.random({4, 3, 2, 3}, 2)});
  // The gradients of pools use our own kernels.
  const std::uint64_t before = cudaDouble().counts.convolutionGradients;
  expectContractsEverywhere(fixture, gradientsOf("avg_pool2d(x, 2)", "x"), {x});
  EXPECT_EQ(cudaDouble().counts.convolutionGradients, before);
}

TEST_F(CudaConvolutionLibrary, LeavesWhatItCannotTakeToOurKernels) {
  EngineFixture fixture;
  const Tensor x = fixture.random({2, 4, 6, 5}, 1), w = fixture.random({6, 4, 3, 3}, 2);
  const std::string text = "def f(x, w):\n  return F.conv2d(x, w)";
  expectOwn(fixture, text, {x, EngineFixture::transposed(w)},
            "the weights are neither row-major nor channels last without gaps");
  expectOwn(fixture, "def f(x, w):\n  return F.conv2d(x.expand(2, 4, 6, 5), w)",
            {fixture.random({2, 4, 1, 5}, 1), w}, "operand 1 repeats its elements");
  expectOwn(fixture, "def f(x, w, b):\n  return F.conv2d(x, w, b)",
            {x, w, EngineFixture::everySecond(fixture.random({12}, 3))}, "the bias has gaps");
  cudaDouble().faults.noAlgorithm = true;
  expectOwn(fixture, text, {x, w},
            "cudnnGetConvolutionForwardAlgorithm_v7 says CUDNN_STATUS_NOT_SUPPORTED");
  cudaDouble().faults.noAlgorithm = false;
  // Pooling does not use the library's convolutions.
  const std::uint64_t before = cudaDouble().counts.convolutions;
  expectContractsEverywhere(fixture, "def f(x):\n  return F.max_pool2d(x, 2), F.avg_pool2d(x, 2)",
                            {x});
  EXPECT_EQ(cudaDouble().counts.convolutions, before);
}

TEST_F(CudaConvolutionLibrary, RefusingSingleCallsLeavesTheseToOurKernels) {
  const std::string text = "def f(x, w):\n  return F.conv2d(x, w)";
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({2, 4, 6, 5}, 1),
                                   fixture.random({6, 4, 3, 3}, 2)};
  const auto expected = EngineFixture::values(fixture.run("eager", text, inputs)[0]);
  EngineFixture later;
  cudaDouble().faults.convolution = 1;
  for (int call = 0; call < 2; ++call) {
    const std::uint64_t before = cudaDouble().counts.convolutions;
    const auto got = EngineFixture::values(later.run("eager", text, inputs)[0]);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-5);
    EXPECT_EQ(cudaDouble().counts.convolutions, before)
        << "it refused once, and is not asked again";
  }
  // The error reports the failure.
  EngineFixture failing;
  cudaDouble().faults.convolution = 1;
  cudaDouble().faults.convolutionResult = cuda::kDnnExecutionFailed;
  EXPECT_THAT(messageOf<std::runtime_error>([&] { failing.run("eager", text, inputs); }),
              HasSubstr("cuDNN 9.99.0 could not run conv2d: CUDNN_STATUS_EXECUTION_FAILED"));
}

TEST_F(CudaConvolutionLibrary, AbsentOldNewOrRefusingLeavesConvolutionsToOurKernels) {
  const std::string text = "def f(x, w):\n  return F.conv2d(x, w)";
  const auto expectWithout = [&](CudaOptions options, const char* why) {
    SCOPED_TRACE(why);
    EngineFixture fixture(makeCudaBackend(options));
    const std::vector<Tensor> inputs{fixture.random({1, 2, 5, 6}, 1),
                                     fixture.random({3, 2, 3, 3}, 2)};
    const std::uint64_t before = cudaDouble().counts.convolutions;
    expectContractsEverywhere(fixture, text, inputs);
    EXPECT_EQ(cudaDouble().counts.convolutions, before);
    EXPECT_THAT(libraryCodeOf(fixture, text, inputs),
                AllOf(HasSubstr("// a kernel of Fusebench's own: "), HasSubstr(why)));
    EXPECT_EQ(fixture.backend().libraryTraits().missing, "") << "products have theirs";
  };
  CudaOptions options = onDouble();
  options.cudnn = "/nowhere/libcudnn.so.9";
  expectWithout(options, "/nowhere/libcudnn.so.9 (as requested): ");
  options = onDouble();
  const auto with = [&](const char* variable, const char* version, const char* why) {
    ::setenv(variable, version, 1);
    options.cudnn = unopenedDouble();
    expectWithout(options, why);
    ::unsetenv(variable);
  };
  with("FUSEBENCH_DOUBLE_CUDNN", "8907", "it is version 8.9.7; 9 is needed");
  with("FUSEBENCH_DOUBLE_CUDNN", "100100", "it is version 10.1.0; 9 is needed");
  with("FUSEBENCH_DOUBLE_CUDNN_CUDA", "14010",
       "it is built for CUDA 14.1, newer than the driver's CUDA 13.99");
  // A library of the system's works on the system's driver, and the double is none.
  options = onDouble();
  options.cudnn.clear();
  expectWithout(options, "cuDNN uses the driver that the system finds");
  options = onDouble();
  cudaDouble().faults.dnnCreate = cuda::kDnnNotInitialized;
  expectWithout(options, "cudnnCreate returned CUDNN_STATUS_NOT_INITIALIZED");
  cudaDouble().reset();
}

TEST_F(CudaConvolutionLibrary, IsRecordedInGraphsWithItsWorkspace) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({2, 4, 6, 5}, 1), fixture.random({4, 4, 3, 3}, 2),
                                   fixture.random({4}, 3)};
  const std::string text =
      "def f(x, w, b):\n  y = torch.relu(F.conv2d(x, w, b, padding=1))\n"
      "  return F.conv2d(y * 2, w, b)";
  const auto eager = EngineFixture::values(fixture.run("eager", text, inputs)[0]);
  for (const char* name : {"replay", "static+replay"}) {
    const auto replay = fixture.executor(name, text);
    replay->call(inputs);
    const std::uint64_t before = cudaDouble().counts.convolutions;
    for (int call = 0; call < 3; ++call)
      EXPECT_EQ(EngineFixture::values(replay->call(inputs)[0]), eager);
    EXPECT_EQ(cudaDouble().counts.convolutions, before) << "replays call no library";
    EXPECT_EQ(cudaDouble().counts.convolutionAlgorithm, cuda::kDnnImplicitPrecompGemm)
        << "which works in memory";
  }
}

TEST_F(CudaConvolutionLibrary, APlanSaysWhatItWorksIn) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({2, 4, 9, 8}, 1), fixture.random({8, 4, 3, 3}, 2),
                                   fixture.random({8}, 3)};
  const std::string text = "def f(x, w, b):\n  return torch.relu(F.conv2d(x, w, b)) + 1";
  Backend& backend = fixture.backend();
  for (const char* name : {"eager", "static", "dynamic", "replay", "static+replay"}) {
    SCOPED_TRACE(name);
    const std::size_t before = backend.allocator().statistics().currentBytes;
    const auto executor = makeExecutor(name, backend, parseProgram(text));
    executor->call(inputs);
    const Plan plan = executor->plan(inputs);
    backend.allocator().resetPeak();
    const std::uint64_t allocations = backend.allocator().statistics().allocations;
    executor->call(inputs);
    const MemoryUse planned = memoryUseOf(plan, symbolsOf(plan, inputs), &backend);
    EXPECT_EQ(backend.allocator().statistics().peakBytes - before, planned.peakBytes);
    EXPECT_EQ(backend.allocator().statistics().allocations - allocations, planned.allocations);
  }
  const auto executor = makeExecutor("static", backend, parseProgram(text));
  const Plan plan = executor->plan(inputs);
  EXPECT_EQ(memoryUseOf(plan, symbolsOf(plan, inputs), &backend).allocations,
            memoryUseOf(plan, symbolsOf(plan, inputs), nullptr).allocations + 1);
}

TEST_F(CudaConvolutionLibrary, SearchTimesEveryWayAndIsRemembered) {
  CudaOptions options = onDouble();
  options.diskCache = true;
  options.cacheDirectory =
      (std::filesystem::path(testing::TempDir()) / fmt::format("convolved-{}", ::getpid()))
          .string();
  std::filesystem::remove_all(options.cacheDirectory);
  std::filesystem::create_directories(options.cacheDirectory);
  const std::string text = "def f(x, w, b):\n  return F.conv2d(x, w, b)";
  ExecutorOptions searching;
  searching.search = true;
  std::vector<double> usual;
  for (const bool first : {true, false}) {
    EngineFixture fixture(makeCudaBackend(options));
    const std::vector<Tensor> inputs{fixture.random({2, 4, 6, 5}, 1),
                                     fixture.random({6, 4, 3, 3}, 2), fixture.random({6}, 3)};
    if (first) {
      usual = EngineFixture::values(fixture.run("static", text, inputs)[0]);
      EXPECT_EQ(cudaDouble().counts.convolutionAlgorithm, 1) << "the library's own choice";
    }
    const std::uint64_t before = cudaDouble().counts.convolutions;
    const auto executor = fixture.executor("static", text, searching);
    const auto got = EngineFixture::values(executor->call(inputs)[0]);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], usual[i], 1e-5);
    EXPECT_EQ(cudaDouble().counts.convolutionAlgorithm, 2) << "the fastest, and a bias behind it";
    if (first)
      EXPECT_GE(cudaDouble().counts.convolutions - before, 3u * 4 + 1);
    else
      EXPECT_EQ(cudaDouble().counts.convolutions - before, 1u) << "it was found before";
    const std::uint64_t again = cudaDouble().counts.convolutions;
    executor->call(inputs);
    EXPECT_EQ(cudaDouble().counts.convolutions - again, 1u);
    EXPECT_THAT(libraryCodeOf(fixture, text, inputs, /*search=*/true),
                AllOf(HasSubstr("the fastest way, as found before"), HasSubstr("algorithm 2, GEMM"),
                      HasSubstr("added by cudnnAddTensor")));
    // While launches are recorded nothing can be timed; what was found before serves.
    EXPECT_EQ(
        EngineFixture::values(fixture.executor("static+replay", text, searching)->call(inputs)[0]),
        got);
  }
  std::filesystem::remove_all(options.cacheDirectory);
}

/// As graphs of operations, as they are asked for first.
class CudaConvolutionGraphs : public CudaConvolutionLibrary {
 protected:
  CudaConvolutionGraphs() { cudaDouble().faults.noGraph = false; }
  static void expectGraphs(EngineFixture& fixture, const std::string& text,
                           const std::vector<Tensor>& inputs, int engine) {
    const std::uint64_t before = cudaDouble().counts.dnnGraphs;
    const std::uint64_t all =
        cudaDouble().counts.convolutions + cudaDouble().counts.convolutionGradients;
    const std::uint64_t behind = cudaDouble().counts.additions + cudaDouble().counts.activations;
    expectServed(fixture, text, inputs);
    const std::uint64_t graphs = cudaDouble().counts.dnnGraphs - before;
    EXPECT_GT(graphs, 0u) << text;
    EXPECT_EQ(graphs,
              cudaDouble().counts.convolutions + cudaDouble().counts.convolutionGradients - all)
        << text;
    EXPECT_EQ(cudaDouble().counts.additions + cudaDouble().counts.activations, behind) << text;
    EXPECT_EQ(cudaDouble().counts.convolutionAlgorithm, engine) << text;
  }
  static constexpr int kInMemory = 44, kAnywhere = 70;  ///< engines of the double's
};

TEST_F(CudaConvolutionGraphs, ConvolveWithWhatIsBehindInOneKernel) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({2, 4, 9, 8}, 1), fixture.random({6, 4, 3, 2}, 2),
                                   fixture.random({6}, 3)};
  for (const char* arguments : {"", ", stride=2", ", padding=(0, 2)", ", dilation=(1, 2)"})
    for (const char* body : {"F.conv2d(x, w{})", "F.conv2d(x, w, b{})",
                             "torch.relu(F.conv2d(x, w{}))", "torch.relu(F.conv2d(x, w, b{}))"})
      expectGraphs(fixture,
                   "def f(x, w, b):\n  return " + fmt::format(fmt::runtime(body), arguments),
                   inputs, kInMemory);
  const std::string text = "def f(x, w, b):\n  return torch.relu(F.conv2d(x, w, b))";
  EXPECT_EQ(fixture.executor("static", text)->plan(inputs).steps.size(), 1u);
  EXPECT_THAT(libraryCodeOf(fixture, text, inputs),
              AllOf(HasSubstr("the addend is added in the same kernel"),
                    HasSubstr("relu is done in the same kernel, and keeps NaN"),
                    HasSubstr("computed in float32, no TF32"),
                    HasSubstr("a graph of cuDNN's: engine 44, 96 bytes to work in"),
                    Not(HasSubstr("__global__"))));
}

TEST_F(CudaConvolutionGraphs, TakeTensorsAsTheyLie) {
  EngineFixture fixture;
  const Tensor x = fixture.random({2, 4, 6, 5}, 1), w = fixture.random({6, 4, 3, 3}, 2);
  const Tensor b = fixture.random({6}, 3);
  const std::string text = "def f(x, w, b):\n  return F.conv2d(x, w, b)";
  expectGraphs(fixture, text, {channelsLast(x), channelsLast(w), b}, kInMemory);
  // Parts begin where no vector does.
  expectGraphs(fixture, "def f(x, w, b):\n  return F.conv2d(x[:, :, 1:, 1:], w, b)", {x, w, b},
               kAnywhere);
  expectGraphs(fixture, "def f(x, w):\n  return F.conv1d(x, w, stride=2)",
               {fixture.random({2, 3, 9}, 1), fixture.random({4, 3, 2}, 2)}, kInMemory);
  expectGraphs(fixture, "def f(x, w):\n  return F.conv2d(x, w, groups=2)",
               {x, fixture.random({6, 2, 3, 3}, 2)}, kInMemory);
}

TEST_F(CudaConvolutionGraphs, GoBackToImagesAndWeights) {
  EngineFixture fixture;
  const Tensor x = fixture.random({2, 4, 7, 9}, 1), w = fixture.random({6, 2, 3, 3}, 2);
  const std::uint64_t before = cudaDouble().counts.convolutionGradients;
  expectGraphs(fixture, gradientsOf("conv2d(x, w, b, (2, 1), (1, 2), (1, 2), 2)", "x, w, b"),
               {x, w, fixture.random({6}, 3)}, kInMemory);
  EXPECT_GE(cudaDouble().counts.convolutionGradients - before, 2u);
}

TEST_F(CudaConvolutionGraphs, RoundNarrowFloatsOnceWithTheirBias) {
  EngineFixture fixture;
  const std::string text = "def f(x, w, b):\n  return F.conv2d(x, w, b)";
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float64}) {
    const std::vector<Tensor> inputs = exactIn(fixture, dtype);
    std::vector<ReferenceTensor> plain;
    for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
    const auto expected = evaluateReference(parseProgram(text), plain);
    const std::uint64_t before = cudaDouble().counts.dnnGraphs;
    const auto got = fixture.run("static", text, inputs);
    EXPECT_GT(cudaDouble().counts.dnnGraphs, before);
    EXPECT_LE(relativeError(expected[0], EngineFixture::values(got[0])), oneRounding(dtype));
    // Tensor cores are TF32 for float32 alone.
    EXPECT_EQ(cudaDouble().counts.convolutionAlgorithm, 11);
  }
}

TEST_F(CudaConvolutionGraphs, AreRecordedAndRunAgainWhereTensorsAreOthers) {
  EngineFixture fixture;
  const std::string text =
      "def f(x, w, b):\n  y = torch.relu(F.conv2d(x, w, b, padding=1))\n"
      "  return F.conv2d(y * 2, w, b)";
  const Tensor w = fixture.random({4, 4, 3, 3}, 2), b = fixture.random({4}, 3);
  std::vector<Tensor> images;
  for (int i = 0; i < 3; ++i) images.push_back(fixture.random({2, 4, 6, 5}, 10 + i));
  const auto eager = fixture.executor("eager", text);
  for (const char* name : {"static", "replay", "static+replay"}) {
    const auto executor = fixture.executor(name, text);
    for (int round = 0; round < 2; ++round)
      for (const Tensor& x : images)
        EXPECT_EQ(EngineFixture::values(executor->call(std::vector{x, w, b})[0]),
                  EngineFixture::values(eager->call(std::vector{x, w, b})[0]))
            << name;
  }
}

TEST_F(CudaConvolutionGraphs, ThatAreRefusedAtLastGoToOurKernels) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({2, 4, 6, 5}, 1),
                                   fixture.random({6, 4, 3, 3}, 2)};
  const std::string text = "def f(x, w):\n  return F.conv2d(x, w)";
  cudaDouble().faults.convolution = 1;
  cudaDouble().faults.lasting = true;
  expectContractsEverywhere(fixture, text, inputs);
  EXPECT_EQ(cudaDouble().counts.dnnGraphs, 0u);
}

TEST_F(CudaConvolutionGraphs, SearchTimesWaysAndIsRemembered) {
  CudaOptions options = onDouble();
  options.diskCache = true;
  options.cacheDirectory =
      (std::filesystem::path(testing::TempDir()) / fmt::format("graphs-{}", ::getpid())).string();
  std::filesystem::remove_all(options.cacheDirectory);
  std::filesystem::create_directories(options.cacheDirectory);
  const std::string text = "def f(x, w, b):\n  return F.conv2d(x, w, b)";
  ExecutorOptions searching;
  searching.search = true;
  for (const bool first : {true, false}) {
    EngineFixture fixture(makeCudaBackend(options));
    const std::vector<Tensor> inputs{fixture.random({2, 4, 6, 5}, 1),
                                     fixture.random({6, 4, 3, 3}, 2), fixture.random({6}, 3)};
    const std::uint64_t before = cudaDouble().counts.dnnGraphs;
    fixture.executor("static", text, searching)->call(inputs);
    EXPECT_EQ(cudaDouble().counts.convolutionAlgorithm, kInMemory) << "the fastest";
    if (first)
      EXPECT_GE(cudaDouble().counts.dnnGraphs - before, 2u * 4 + 1) << "both that may be had";
    else
      EXPECT_EQ(cudaDouble().counts.dnnGraphs - before, 1u) << "it was found before";
    EXPECT_THAT(libraryCodeOf(fixture, text, inputs, /*search=*/true),
                AllOf(HasSubstr("the fastest way, as found before"), HasSubstr("engine 44")));
  }
  std::filesystem::remove_all(options.cacheDirectory);
}

}  // namespace
}  // namespace fusebench::test
