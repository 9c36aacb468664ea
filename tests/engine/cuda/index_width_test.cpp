// SPDX-License-Identifier: GPL-3.0-or-later
// Where 32-bit indices suffice, and that a kernel of unknown sizes has a form for where they do
// not.
#include "engine/cuda/codegen/index_width.h"
#include "engine/cuda/runtime/cuda_executable.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/engine/cuda/kernels.h"

namespace fusebench::test {
namespace {

using cuda::IndexWidth;
constexpr std::int64_t kLimit = cuda::kNarrowElements;

bool narrow(const Kernel& kernel, std::vector<std::int64_t> integers) {
  return IndexWidth(kernel).narrow(integers.data());
}

TEST(IndexWidth, OfAContiguousKernelDependsOnItsElements) {
  const Kernel kernel = CudaKernels::one("eager", "return torch.sin(x)", {{{64}}});
  EXPECT_TRUE(IndexWidth(kernel).dependsOnLaunch());
  EXPECT_TRUE(IndexWidth(kernel).narrow(nullptr));
  EXPECT_TRUE(narrow(kernel, {0}));
  EXPECT_TRUE(narrow(kernel, {kLimit}));
  EXPECT_FALSE(narrow(kernel, {kLimit + 1}));
  EXPECT_FALSE(narrow(kernel, {std::int64_t{1} << 62}));
  EXPECT_FALSE(
      IndexWidth(CudaKernels::one("static", "return torch.sin(x)", {{{64}}})).dependsOnLaunch());
}

TEST(IndexWidth, OfAStridedKernelDependsOnHowFarItReaches) {
  // Extents n0, n1; then the input's steps.
  Kernel kernel;
  kernel.extents = Dims{kAtLaunch, kAtLaunch};
  kernel.inputs = {{DType::float32, Strides{kAtLaunch, kAtLaunch}}};
  kernel.outputs.emplace_back().tensor = {DType::float32, Strides{kAtLaunch, 1}};
  EXPECT_TRUE(narrow(kernel, {8, 16, 16, 1, 16}));
  EXPECT_FALSE(narrow(kernel, {1 << 16, 1 << 15, 0, 0, 1})) << "elements";
  EXPECT_FALSE(narrow(kernel, {1 << 20, 1 << 20, 0, 0, 0})) << "elements that overflow 32 bits";
  EXPECT_TRUE(narrow(kernel, {3, 1, kLimit / 2, 1, 1}));
  EXPECT_FALSE(narrow(kernel, {3, 2, kLimit / 2, 1, 1})) << "one further";
  EXPECT_FALSE(narrow(kernel, {3, 2, -kLimit / 2, 1, 1})) << "backwards";
  EXPECT_FALSE(narrow(kernel, {2, 2, 2, 1, kLimit})) << "the output";
  EXPECT_FALSE(narrow(kernel, {1, 1, kLimit + 1, 1, 1})) << "a step that 32 bits may not hold";
  EXPECT_TRUE(narrow(kernel, {0, 16, 16, 1, 16})) << "nothing to do";
}

using CudaIndexWidth = CudaBackendTest;

TEST_F(CudaIndexWidth, LaunchesThatAreTooLargeGetAnotherFormWhichIsMadeOnce) {
  struct Case {
    const char* program;
    std::vector<std::int64_t> integers;  // 12 rows of 31 at a stride of 40; then the output's
  };
  for (const Case& tried : {Case{"return torch.sin(x) * 2", {12, 31, 40, 31}},
                            Case{"return (x + 1).sum(dim=1)", {12, 31, 40}},
                            Case{"return x.argmax(dim=0)", {12, 31, 40}}}) {
    SCOPED_TRACE(tried.program);
    EngineFixture fixture;
    Backend& backend = fixture.backend();
    Tensor x = fixture.random({12, 40});
    x.shape = Shape{12, 31};
    x.contiguous = false;
    const auto executor = fixture.executor("dynamic", tried.program);
    const Tensor expected = executor->call(std::vector{x})[0];
    const auto kernels = executor->kernels(std::vector{x});
    ASSERT_EQ(kernels.size(), 1u);
    ASSERT_EQ(launchForm(kernels[0]).integers, static_cast<int>(tried.integers.size()));
    CompileTimes times;
    const auto made = backend.compile(kernels[0], times);
    const auto& narrow = static_cast<const cuda::CudaExecutable&>(*made);
    EXPECT_EQ(&narrow.serving(tried.integers.data()), &narrow);

    const std::uint64_t before = cudaDouble().counts.compilations;
    std::vector<std::int64_t> large = tried.integers;
    large[0] = kLimit + 1;
    const cuda::CudaExecutable& wide = narrow.serving(large.data());
    EXPECT_NE(&wide, &narrow);
    EXPECT_EQ(wide.name(), narrow.name());
    EXPECT_EQ(&narrow.serving(large.data()), &wide);
    EXPECT_EQ(&wide.serving(tried.integers.data()), &wide);
    EXPECT_EQ(cudaDouble().counts.compilations - before, 1u);

    const Tensor result = makeTensor(backend.allocator(), expected.dtype, expected.shape);
    void* pointers[] = {x.data(), result.data()};
    const std::vector<Scalar> scalars(static_cast<std::size_t>(launchForm(kernels[0]).scalars));
    backend.launch(wide, {pointers, tried.integers.data(), scalars.data()});
    backend.synchronize();
    EXPECT_EQ(EngineFixture::values(result), EngineFixture::values(expected));
  }
}

}  // namespace
}  // namespace fusebench::test
