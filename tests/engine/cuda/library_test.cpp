// SPDX-License-Identifier: GPL-3.0-or-later
// Products as cuBLASLt's, on the double of a GPU and of the library.
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/device/memory_use.h"
#include "engine/plan/library_call.h"
#include "engine/plan/quantize.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/engine/cuda/library_code.h"
#include "tests/engine/support/contractions.h"

namespace fusebench::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CudaLibrary : public CudaBackendTest {
 protected:
  static std::string codeOf(EngineFixture& fixture, const std::string& text,
                            const std::vector<Tensor>& inputs, bool search = false) {
    return libraryCodeOf(fixture, text, inputs, search);
  }
  static void expectServed(EngineFixture& fixture, const std::string& text,
                           const std::vector<Tensor>& inputs) {
    const std::uint64_t before = cudaDouble().counts.matmuls;
    expectContractsEverywhere(fixture, text, inputs);
    EXPECT_GT(cudaDouble().counts.matmuls, before) << text;
  }
  static void expectOwn(EngineFixture& fixture, const std::string& text,
                        const std::vector<Tensor>& inputs, const char* why) {
    const std::uint64_t before = cudaDouble().counts.matmuls;
    expectContractsEverywhere(fixture, text, inputs);
    EXPECT_EQ(cudaDouble().counts.matmuls, before) << text;
    EXPECT_THAT(codeOf(fixture, text, inputs),
                testing::AllOf(HasSubstr(why), HasSubstr("__global__")));
  }
};

TEST_F(CudaLibrary, TakesMatricesInEveryLayoutAsTheyLie) {
  EngineFixture fixture;
  EXPECT_EQ(fixture.backend().libraryTraits().name, "cuBLASLt 13.99.0");
  EXPECT_EQ(fixture.backend().libraryTraits().missing, "");
  const Tensor a = fixture.random({17, 32}, 1), b = fixture.random({32, 8}, 2);
  const Tensor across = EngineFixture::transposed(fixture.random({32, 17}, 3));
  const Tensor down = EngineFixture::transposed(fixture.random({8, 32}, 4));
  for (const Tensor& first : {a, across})
    for (const Tensor& second : {b, down}) {
      expectServed(fixture, "def f(x, y):\n  return torch.mm(x, y)", {first, second});
      EXPECT_THAT(
          codeOf(fixture, "def f(x, y):\n  return torch.mm(x, y)", {first, second}),
          testing::AllOf(HasSubstr("// cuBLASLt 13.99.0 matmul, by columns: m 8, n 17, k 32"),
                         HasSubstr("computed in float32, no TF32"), Not(HasSubstr("__global__"))));
    }
  // Parts of matrices.
  expectServed(fixture, "def f(x, y):\n  return x[2:, 1:30] @ y[:29, 3:]", {a, b});
  expectServed(fixture, "def f(x, y):\n  return x[:, :16] @ y[::2]", {a, b});
}

TEST_F(CudaLibrary, TakesEveryNumberOfDimensions) {
  EngineFixture fixture;
  const auto random = [&](const Shape& shape) { return fixture.random(shape, 7); };
  const std::string text = "def f(x, y):\n  return torch.matmul(x, y)";
  expectServed(fixture, text, {random({12}), random({12})});
  expectServed(fixture, text, {random({5, 12}), random({12})});
  expectServed(fixture, text, {random({12}), random({12, 7})});
  expectServed(fixture, text, {random({3, 5, 12}), random({12, 7})});
  expectServed(fixture, text, {random({3, 5, 12}), random({3, 12, 7})});
  expectServed(fixture, text, {random({3, 1, 5, 12}), random({4, 12, 7})});
  expectServed(fixture, text, {random({5, 12}), random({2, 3, 12, 7})});
  expectServed(fixture, text, {random({2, 5, 12}), random({12})});
  expectServed(fixture, "def f(x, y):\n  return torch.bmm(x, y.transpose(1, 2))",
               {random({3, 5, 12}), random({3, 6, 12})});
  // Attention heads, which are parts of the rows: batches with two strides.
  expectServed(fixture,
               "def f(x, y):\n  q = x.view(2, 6, 3, 4).transpose(1, 2)\n"
               "  k = y.view(2, 6, 3, 4).transpose(1, 2)\n  return q @ k.transpose(2, 3)",
               {random({2, 6, 12}), random({2, 6, 12})});
  expectServed(fixture, "def f(x, y):\n  return torch.outer(x, y), x.dot(x)",
               {random({9}), random({4})});
  // Nothing, and one element.
  expectContractsEverywhere(fixture, "def f(x, y):\n  return x @ y",
                            {random({4, 0}), random({0, 3})});
  expectContractsEverywhere(fixture, "def f(x, y):\n  return x @ y",
                            {random({0, 5}), random({5, 3})});
  expectServed(fixture, "def f(x, y):\n  return x @ y", {random({1, 1}), random({1, 1})});
  expectServed(fixture, "def f(x, y):\n  return x @ y", {random({6, 1}), random({1, 5})});
}

TEST_F(CudaLibrary, TakesAddendsAsBiasOrAsMatrix) {
  EngineFixture fixture;
  const Tensor a = fixture.random({6, 10}, 1), b = fixture.random({10, 8}, 2);
  const std::string plain = "def f(c, x, y):\n  return torch.addmm(c, x, y)";
  expectServed(fixture, plain, {fixture.random({8}, 3), a, b});
  EXPECT_THAT(codeOf(fixture, plain, {fixture.random({8}, 3), a, b}),
              HasSubstr("the addend is the epilogue's bias"));
  expectServed(fixture, plain, {fixture.random({6, 8}, 3), a, b});
  EXPECT_THAT(codeOf(fixture, plain, {fixture.random({6, 8}, 3), a, b}),
              HasSubstr("C is the addend"));
  for (const char* scaled : {"beta=0.5", "alpha=-2.0", "beta=2.0, alpha=0.25", "beta=0.0"})
    expectServed(fixture, fmt::format("def f(c, x, y):\n  return torch.addmm(c, x, y, {})", scaled),
                 {fixture.random({6, 8}, 3), a, b});
  expectServed(fixture, "def f(c, x, y):\n  return torch.addmm(c, x, y, alpha=-2.0)",
               {fixture.random({8}, 3), a, b});
  expectServed(fixture, "def f(x, w, b):\n  return F.linear(x, w, b)",
               {fixture.random({2, 3, 12}), fixture.random({8, 12}, 2), fixture.random({8}, 3)});
  // An addend that is neither a bias of columns nor a matrix is added by a kernel of ours.
  const char* const why = "the addend is neither";
  expectOwn(fixture, plain, {fixture.random({6, 1}, 3), a, b}, why);
  expectOwn(fixture, "def f(c, x, y):\n  return torch.addmm(c, x, y, beta=0.5)",
            {fixture.random({8}, 3), a, b}, why);
  expectOwn(fixture, plain, {EngineFixture::transposed(fixture.random({8, 6}, 4)), a, b}, why);
}

TEST_F(CudaLibrary, LeavesWhatItCannotTakeToOurKernels) {
  EngineFixture fixture;
  const Tensor gaps = EngineFixture::everySecond(fixture.random({6, 20}, 5));
  expectOwn(fixture, "def f(x, y):\n  return x @ y", {gaps, fixture.random({10, 4})},
            "operand 1 has no step of 1");
  expectContractsEverywhere(fixture, "def f(x):\n  return F.avg_pool2d(x, 2)",
                            {fixture.random({1, 2, 6, 6})});
}

TEST_F(CudaLibrary, TakesCopiesOfOperandsThatHaveNoStepOfOne) {
  EngineFixture fixture;
  const auto gaps = [&](const Shape& shape, unsigned seed) {
    return EngineFixture::everySecond(fixture.random(shape, seed));
  };
  const std::string text = "def f(x, y):\n  return torch.relu(x @ y)";
  const Tensor a = gaps({64, 160}, 1), b = fixture.random({80, 64}, 2);
  expectServed(fixture, text, {a, b});
  EXPECT_THAT(
      codeOf(fixture, text, {a, b}),
      testing::AllOf(HasSubstr("operand 1 has no step of 1 and is copied first"),
                     HasSubstr("cuBLASLt 13.99.0 matmul"), HasSubstr("relu is the"),
                     Not(HasSubstr("operand 2 has no step of 1")), Not(HasSubstr("__global__"))));
  expectServed(fixture, text, {a, gaps({80, 128}, 2)});
  expectServed(fixture, text, {fixture.random({64, 80}, 1), gaps({80, 128}, 2)});
  expectServed(fixture, "def f(c, x, y):\n  return torch.addmm(c, x, y, beta=0.5)",
               {fixture.random({64, 64}, 3), a, b});
  expectServed(fixture, "def f(x, y):\n  return torch.bmm(x, y)",
               {gaps({3, 40, 128}, 1), fixture.random({3, 64, 40}, 2)});
  // The addend is not copied, nor is what is there several times.
  expectOwn(fixture, "def f(c, x, y):\n  return torch.addmm(c, x, y)",
            {gaps({64, 128}, 3), fixture.random({64, 80}, 1), b}, "the addend is neither");
  expectOwn(fixture, "def f(x, y):\n  return x.expand(64, 80) @ y", {gaps({1, 160}, 1), b},
            "it is no product of matrices");
  // Few multiplications are not worth another launch.
  expectOwn(fixture, "def f(x, y):\n  return x @ y", {gaps({16, 160}, 1), b},
            "operand 1 has no step of 1");
}

TEST_F(CudaLibrary, CopiesOfOperandsAreInTheWorkspaceAndInGraphs) {
  EngineFixture fixture;
  const std::string text = "def f(x, y):\n  return x @ y";
  const std::vector<Tensor> inputs{EngineFixture::everySecond(fixture.random({64, 160}, 1)),
                                   fixture.random({80, 64}, 2)};
  const auto eager = EngineFixture::values(fixture.run("eager", text, inputs)[0]);
  const auto replay = fixture.executor("static+replay", text);
  replay->call(inputs);
  const std::uint64_t before = cudaDouble().counts.matmuls;
  for (int call = 0; call < 3; ++call)
    EXPECT_EQ(EngineFixture::values(replay->call(inputs)[0]), eager);
  EXPECT_EQ(cudaDouble().counts.matmuls, before) << "replays call no library";
  // A call takes the planned memory, which includes the copy and the library's workspace.
  Backend& backend = fixture.backend();
  const std::size_t held = backend.allocator().statistics().currentBytes;
  const auto executor = fixture.executor("static", text);
  executor->call(inputs);
  backend.allocator().resetPeak();
  executor->call(inputs);
  const Plan plan = executor->plan(inputs);
  const std::size_t planned = memoryUseOf(plan, symbolsOf(plan, inputs), &backend).peakBytes;
  EXPECT_EQ(backend.allocator().statistics().peakBytes - held, planned);
  EXPECT_GE(planned, memoryUseOf(plan, symbolsOf(plan, inputs), nullptr).peakBytes + 64 * 80 * 4);
  // A search, too, has its way; and what the library refuses after all is our kernel's.
  ExecutorOptions searching;
  searching.search = true;
  EXPECT_EQ(EngineFixture::values(fixture.executor("static", text, searching)->call(inputs)[0]),
            eager);
  EXPECT_EQ(cudaDouble().counts.algorithm, 3) << "the fastest";
  EngineFixture refusing;
  cudaDouble().faults.matmul = 1;
  const std::uint64_t until = cudaDouble().counts.matmuls;
  const auto own = EngineFixture::values(refusing.run("eager", text, inputs)[0]);
  EXPECT_EQ(cudaDouble().counts.matmuls, until);
  for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(own[i], eager[i], 1e-4);
}

TEST_F(CudaLibrary, TakesAddressesThatAreHardlyAligned) {
  EngineFixture fixture;
  // By their steps all are multiples of 16 bytes; by where they begin the first one is not.
  const std::string text = "def f(x, y):\n  return x[1:, 1:17] @ y[1:, 4:]";
  expectServed(fixture, text, {fixture.random({9, 20}, 1), fixture.random({17, 12}, 2)});
  EXPECT_EQ(cudaDouble().counts.algorithm, 3) << "which reads single elements";
  expectServed(fixture, "def f(x, y):\n  return x[1:, 4:] @ y[1:, 4:]",
               {fixture.random({9, 20}, 1), fixture.random({17, 12}, 2)});
  EXPECT_NE(cudaDouble().counts.algorithm, 3);
  // By an odd leading dimension.
  expectServed(fixture, "def f(x, y):\n  return x @ y",
               {fixture.random({9, 17}, 1), fixture.random({17, 9}, 2)});
  EXPECT_EQ(cudaDouble().counts.algorithm, 3);
}

TEST_F(CudaLibrary, TakesTheTailThatAloneReadsAProduct) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({6, 12}, 1), fixture.random({8, 12}, 2),
                                   fixture.random({8}, 3)};
  struct Tailed {
    const char* body;
    const char* says;
    std::size_t steps;
  };
  for (const Tailed& one : {
           Tailed{"torch.relu(F.linear(x, w, b))", "relu is the epilogue's", 1},
           Tailed{"F.gelu(F.linear(x, w, b), approximate='tanh')", "gelu is the epilogue's", 1},
           Tailed{"torch.relu(x @ w.t())", "relu is the epilogue's", 1},
           // With more behind it, it is a fused kernel's; by erf no library has gelu.
           Tailed{"torch.relu(F.linear(x, w, b)) * 2 + 1", "epilogue's bias", 2},
           Tailed{"F.gelu(F.linear(x, w, b))", "epilogue's bias", 2},
       }) {
    const std::string text = fmt::format("def f(x, w, b):\n  return {}", one.body);
    SCOPED_TRACE(text);
    expectServed(fixture, text, inputs);
    EXPECT_EQ(fixture.executor("static", text)->plan(inputs).steps.size(), one.steps);
    EXPECT_THAT(codeOf(fixture, text, inputs), HasSubstr(one.says));
  }
  // The product itself is wanted, too.
  const std::string both = "def f(x, w, b):\n  y = F.linear(x, w, b)\n  return torch.relu(y), y";
  EXPECT_EQ(fixture.executor("static", both)->plan(inputs).steps.size(), 2u);
  expectServed(fixture, both, inputs);
  // So is what is written into it: relu follows the write.
  for (const char* write : {"y[:, 0] = 0", "y[0] = 5", "y[1:].fill_(1)", "y += 1"})
    expectServed(fixture,
                 fmt::format("def f(x, w, b):\n  y = F.linear(x, w, b)\n  {}\n"
                             "  return torch.relu(y)",
                             write),
                 inputs);
  // A gradient goes back through relu by its result, and through gelu by what it was given.
  for (const char* loss :
       {"torch.relu(F.linear(x, w, b))", "F.gelu(F.linear(x, w, b), approximate='tanh')"})
    expectServed(fixture,
                 fmt::format("def f(x, w, b):\n  loss = torch.square({}).sum()\n"
                             "  return torch.autograd.grad(loss, [x, w, b])",
                             loss),
                 inputs);
}

TEST_F(CudaLibrary, OurKernelsTakeTailsToo) {
  CudaOptions options = onDouble();
  options.cublasLt = "/nowhere/libcublasLt.so.13";
  EngineFixture fixture(makeCudaBackend(options));
  const std::vector<Tensor> inputs{fixture.random({6, 12}, 1), fixture.random({8, 12}, 2),
                                   fixture.random({8}, 3)};
  for (const char* body :
       {"torch.relu(F.linear(x, w, b))", "F.gelu(F.linear(x, w, b), approximate='tanh')"}) {
    const std::string text = fmt::format("def f(x, w, b):\n  return {}", body);
    EXPECT_EQ(fixture.executor("static", text)->plan(inputs).steps.size(), 1u);
    expectOwn(fixture, text, inputs, "a kernel of Fusebench's own");
  }
}

TEST_F(CudaLibrary, GradientsAreItsToo) {
  EngineFixture fixture;
  expectServed(fixture, gradientsOf("linear(x, w, b)", "x, w, b"),
               {fixture.random({5, 8}, 1), fixture.random({4, 8}, 2), fixture.random({4}, 3)});
}

TEST_F(CudaLibrary, NarrowFloatsAreRoundedOnceAndFloat64IsWhole) {
  EngineFixture fixture;
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float64}) {
    std::vector<double> x, y;
    for (int i = 0; i < 4 * 96; ++i) x.push_back((i * 7 % 23 - 11) / 16.0);
    for (int i = 0; i < 96 * 8; ++i) y.push_back((i * 5 % 19 - 9) / 8.0);
    const std::vector<Tensor> inputs{fixture.typed(dtype, {4, 96}, x),
                                     fixture.typed(dtype, {96, 8}, y)};
    const Program program = parseProgram("def f(x, y):\n  return x @ y");
    const auto expected = evaluateReference(
        program,
        std::vector{EngineFixture::reference(inputs[0]), EngineFixture::reference(inputs[1])});
    const std::uint64_t before = cudaDouble().counts.matmuls;
    for (const char* name : {"eager", "static", "replay"}) {
      const auto got = fixture.run(name, "def f(x, y):\n  return x @ y", inputs);
      EXPECT_EQ(got[0].dtype, dtype);
      EXPECT_LE(relativeError(expected[0], EngineFixture::values(got[0])),
                dtype == DType::float16    ? 0x1p-11
                : dtype == DType::bfloat16 ? 0x1p-8
                                           : 1e-15);
    }
    EXPECT_GE(cudaDouble().counts.matmuls - before, 3u);
  }
}

TEST_F(CudaLibrary, BytesAreExactWhereBothLieAlongTheDepth) {
  EngineFixture fixture;
  const std::string text = "def f(x, y):\n  return torch._int_mm(x, y)";
  const Tensor x = fixture.typed(DType::int8, {3, 400}, std::vector<double>(3 * 400, 127));
  const Tensor w = fixture.typed(DType::int8, {8, 400}, std::vector<double>(8 * 400, -128));
  const std::vector<double> sums(24, -128.0 * 127 * 400);
  const std::uint64_t before = cudaDouble().counts.matmuls;
  EXPECT_EQ(EngineFixture::values(fixture.run("eager", text, {x, EngineFixture::transposed(w)})[0]),
            sums);
  EXPECT_EQ(cudaDouble().counts.matmuls, before + 1);
  // Otherwise, and where there are no fours, by a kernel of ours.
  const Tensor across = fixture.typed(DType::int8, {400, 8}, std::vector<double>(8 * 400, -128));
  EXPECT_EQ(EngineFixture::values(fixture.run("eager", text, {x, across})[0]), sums);
  const Tensor three = fixture.typed(DType::int8, {3, 400}, std::vector<double>(3 * 400, -128));
  EXPECT_EQ(
      EngineFixture::values(fixture.run("eager", text, {x, EngineFixture::transposed(three)})[0]),
      std::vector<double>(9, -128.0 * 127 * 400));
  EXPECT_EQ(cudaDouble().counts.matmuls, before + 1);
}

/// Both products of both kinds of layers in bytes, in what the backend asks for; what has no fours
/// is our own kernel's, which takes four products at a time as well.
TEST_F(CudaLibrary, ServesLayersOfBytes) {
  EngineFixture fixture;
  const ByteProducts asked = fixture.backend().libraryTraits().byteProducts;
  EXPECT_EQ(asked.given, DType::int8);
  const auto served = [&](std::int64_t depth, std::int64_t channels, Quantizing how,
                          const ByteProducts& bytes) {
    const Program program = parseProgram(
        fmt::format("class Net(nn.Module):\n  def __init__(self):\n    super().__init__()\n"
                    "    self.fc1 = nn.Linear({}, 32)\n    self.fc2 = nn.Linear(32, {})\n"
                    "  def forward(self, x):\n    return self.fc2(F.relu(self.fc1(x)))",
                    depth, channels));
    std::vector<Tensor> inputs{fixture.random({5, depth}, 1)};
    std::vector<ValueType> types{{inputs[0].shape, DType::float32}};
    for (const HeldInput& held : program.held) {
      inputs.push_back(fixture.random(held.initial.extents, 3, 0.3F));
      types.push_back({inputs.back().shape, DType::float32});
    }
    const std::vector<LayerRange> ranges{{-4, 4}, {0, 8}};
    const auto executor = makePreparedExecutor("static", fixture.backend(),
                                               quantized(program, types, how, ranges, bytes));
    executor->call(inputs);
    const std::uint64_t before = cudaDouble().counts.matmuls;
    const std::uint64_t launches = fixture.backend().launches();
    executor->call(inputs);
    // Filling a depth up is a launch, and its line of places another; channels cost none.
    const std::uint64_t filling = depth % bytes.depths == 0 ? 0 : 2;
    EXPECT_LE(fixture.backend().launches() - launches,
              (how == Quantizing::staticInt8 ? 5u : 7u) + filling);
    return cudaDouble().counts.matmuls - before;
  };
  for (const Quantizing how : {Quantizing::dynamicInt8, Quantizing::staticInt8}) {
    EXPECT_EQ(served(48, 16, how, asked), 2u);
    EXPECT_EQ(served(50, 10, how, asked), 2u) << "what is no fours is filled up";
    const ByteProducts asTheyAre{.given = DType::int8, .alongDepth = true};
    EXPECT_EQ(served(50, 16, how, asTheyAre), 1u);
    EXPECT_EQ(served(48, 10, how, asTheyAre), 1u);
    EXPECT_EQ(served(48, 16, how, {}), 0u) << "as uint8 they are not the library's";
  }
}

TEST_F(CudaLibrary, IsRecordedInGraphsWithItsWorkspace) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({16, 64}, 1), fixture.random({64, 16}, 2)};
  const std::string text = "def f(x, y):\n  return torch.relu(x @ y) @ x";
  const auto eager = EngineFixture::values(fixture.run("eager", text, inputs)[0]);
  const auto replay = fixture.executor("static+replay", text);
  replay->call(inputs);
  const std::uint64_t before = cudaDouble().counts.matmuls;
  for (int call = 0; call < 3; ++call)
    EXPECT_EQ(EngineFixture::values(replay->call(inputs)[0]), eager);
  EXPECT_EQ(cudaDouble().counts.matmuls, before) << "replays call no library";
  EXPECT_EQ(cudaDouble().counts.algorithm, 1) << "which works in memory";

  // A recorded call keeps its arguments.
  Backend& backend = fixture.backend();
  const auto planned = fixture.executor("static", text);
  const Plan plan = planned->plan(inputs);
  CompileTimes times;
  const LoweredCall lowered = lowerCall(plan, plan.steps[0]);
  std::vector<std::int64_t> integers;
  for (const SymbolicSize& size : lowered.integers) integers.push_back(size.evaluate({}));
  const auto executable = backend.library(lowered.call, times);
  const Tensor result = fixture.tensor({16, 16}, {});
  void* pointers[] = {inputs[0].data(), inputs[1].data(), result.data()};
  backend.beginCapture();
  backend.launch(*executable, {pointers, integers.data(), nullptr});
  const auto capture = backend.endCapture();
  EXPECT_EQ(capture->launches(), 1);
  EXPECT_THAT(messageOf<std::logic_error>([&] {
                capture->setArguments(0, {pointers, integers.data(), nullptr});
              }),
              HasSubstr("is a library's"));
}

TEST_F(CudaLibrary, APlanSaysWhatItWorksIn) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({24, 32}), fixture.random({32, 16}, 2),
                                   fixture.random({16}, 3)};
  const std::string text =
      "def f(x, w, b):\n  y = torch.addmm(b, x, w)\n  z = torch.relu(y)\n  return z.t() @ z";
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
    EXPECT_GT(planned.peakBytes, memoryUseOf(plan, symbolsOf(plan, inputs), nullptr).peakBytes);
  }
}

TEST_F(CudaLibrary, SearchTimesEveryWayAndIsRemembered) {
  CudaOptions options = onDouble();
  options.diskCache = true;
  options.cacheDirectory =
      (std::filesystem::path(testing::TempDir()) / fmt::format("found-{}", ::getpid())).string();
  std::filesystem::remove_all(options.cacheDirectory);
  std::filesystem::create_directories(options.cacheDirectory);
  const std::string text = "def f(x, y):\n  return x @ y";
  ExecutorOptions searching;
  searching.search = true;
  std::vector<double> usual;
  for (const bool first : {true, false}) {
    EngineFixture fixture(makeCudaBackend(options));
    const std::vector<Tensor> inputs{fixture.random({16, 64}, 1), fixture.random({64, 16}, 2)};
    if (first) {
      usual = EngineFixture::values(fixture.run("static", text, inputs)[0]);
      EXPECT_EQ(cudaDouble().counts.algorithm, 1) << "the library's own choice";
    }
    const std::uint64_t before = cudaDouble().counts.matmuls;
    const auto executor = fixture.executor("static", text, searching);
    EXPECT_EQ(EngineFixture::values(executor->call(inputs)[0]), usual);
    EXPECT_EQ(cudaDouble().counts.algorithm, 3) << "the fastest";
    if (first)
      EXPECT_GE(cudaDouble().counts.matmuls - before, 3u * 4 + 1);
    else
      EXPECT_EQ(cudaDouble().counts.matmuls - before, 1u) << "it was found before";
    const std::uint64_t again = cudaDouble().counts.matmuls;
    executor->call(inputs);
    EXPECT_EQ(cudaDouble().counts.matmuls - again, 1u);
    EXPECT_THAT(codeOf(fixture, text, inputs, /*search=*/true),
                HasSubstr("the fastest way, as found before"));
    // While launches are recorded nothing can be timed; what was found before serves.
    EXPECT_EQ(
        EngineFixture::values(fixture.executor("static+replay", text, searching)->call(inputs)[0]),
        usual);
  }
  std::filesystem::remove_all(options.cacheDirectory);
}

/// The library works on the host for longer than on the device, and most for the way that is
/// fastest on the device.
TEST_F(CudaLibrary, SearchComparesTheDevicesTimesAndNotTheHosts) {
  EngineFixture fixture;
  cudaDouble().costs.matmulHost[2] = 20'000;
  ExecutorOptions searching;
  searching.search = true;
  const std::vector<Tensor> inputs{fixture.random({16, 64}, 1), fixture.random({64, 16}, 2)};
  fixture.executor("static", "def f(x, y):\n  return x @ y", searching)->call(inputs);
  EXPECT_EQ(cudaDouble().counts.algorithm, 3);
}

TEST_F(CudaLibrary, AbsentOldNewOrRefusingLeavesProductsToOurKernels) {
  const std::string text = "def f(x, y):\n  return x @ y";
  const auto expectWithout = [&](CudaOptions options, const char* why) {
    SCOPED_TRACE(why);
    EngineFixture fixture(makeCudaBackend(options));
    const std::vector<Tensor> inputs{fixture.random({5, 6}, 1), fixture.random({6, 7}, 2)};
    const std::uint64_t before = cudaDouble().counts.matmuls;
    expectContractsEverywhere(fixture, text, inputs);
    EXPECT_EQ(cudaDouble().counts.matmuls, before);
    EXPECT_EQ(fixture.backend().libraryTraits().name, "");
    EXPECT_THAT(fixture.backend().libraryTraits().missing, HasSubstr(why));
    EXPECT_THAT(codeOf(fixture, text, inputs),
                testing::AllOf(HasSubstr("// a kernel of Fusebench's own: "), HasSubstr(why)));
  };
  CudaOptions options = onDouble();
  options.cublasLt = "/nowhere/libcublasLt.so.13";
  expectWithout(options, "/nowhere/libcublasLt.so.13 (as requested): ");
  options = onDouble();
  const auto ofVersion = [&](const char* version) {
    ::setenv("FUSEBENCH_DOUBLE_CUBLASLT", version, 1);
    options.cublasLt = unopenedDouble();
  };
  ofVersion("110900");
  expectWithout(options, "it is version 11.9.0; 12 or newer is needed");
  ofVersion("140100");
  expectWithout(options, "it is 14.1.0, newer than the driver's CUDA 13.99");
  ::unsetenv("FUSEBENCH_DOUBLE_CUBLASLT");
  // A library of the system's works on the system's driver, and the double is none.
  options = onDouble();
  options.cublasLt.clear();
  expectWithout(options, "cuBLASLt uses the driver that the system finds");
  options = onDouble();
  cudaDouble().faults.ltCreate = 1;
  expectWithout(options, "cublasLtCreate returned CUBLAS_STATUS_NOT_INITIALIZED");
  cudaDouble().reset();
  // By an option: then nothing is missing.
  options.libraries = false;
  EngineFixture fixture(makeCudaBackend(options));
  expectContractsEverywhere(fixture, text, {fixture.random({5, 6}), fixture.random({6, 7})});
  EXPECT_EQ(fixture.backend().libraryTraits().missing, "");
}

TEST_F(CudaLibrary, RefusingSingleCallsLeavesTheseToOurKernels) {
  const std::string text = "def f(x, y):\n  return x @ y";
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({5, 6}, 1), fixture.random({6, 7}, 2)};
  cudaDouble().faults.noHeuristic = 1;
  expectOwn(fixture, text, inputs,
            "cublasLtMatmulAlgoGetHeuristic says CUBLAS_STATUS_NOT_SUPPORTED");
  cudaDouble().faults.noHeuristic = 0;

  EngineFixture later;
  const auto expected = EngineFixture::values(fixture.run("eager", text, inputs)[0]);
  cudaDouble().faults.matmul = 1;
  for (int call = 0; call < 2; ++call) {
    const std::uint64_t before = cudaDouble().counts.matmuls;
    const auto got = EngineFixture::values(later.run("eager", text, inputs)[0]);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-5);
    EXPECT_EQ(cudaDouble().counts.matmuls, before) << "it refused once, and is not asked again";
  }
  // The error reports the failure.
  EngineFixture failing;
  cudaDouble().faults.matmul = 1;
  cudaDouble().faults.matmulResult = 13;
  EXPECT_THAT(messageOf<std::runtime_error>([&] { failing.run("eager", text, inputs); }),
              HasSubstr("cuBLASLt 13.99.0 could not run matmul: CUBLAS_STATUS_EXECUTION_FAILED"));
}

}  // namespace
}  // namespace fusebench::test
