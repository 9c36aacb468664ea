// SPDX-License-Identifier: GPL-3.0-or-later
// What the code generator writes, read as assembly: for machines that this one is not, too.
#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "engine/cpu/codegen/jit.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/temporary_folder.h"

namespace fusebench::cpu {
namespace {

Kernel studyKernel(const char* executor) {
  EngineFixture fixture;
  const auto made =
      makeExecutor(executor, fixture.backend(), firstStatements(parseProgram(studyProgram()), 30));
  return made->kernels(std::vector{fixture.random({8, 16})}).front();
}

std::string assembly(const Kernel& kernel, const Target& target) {
  return Jit(target).assemblyText(kernel, schedule(kernel, target, 0));
}

/// Functions called, without our own slow paths.
std::set<std::string> foreignCalls(const std::string& text) {
  std::set<std::string> calls;
  for (std::size_t at = 0; (at = text.find("\tcall", at)) != std::string::npos; ++at) {
    const std::size_t end = text.find('\n', at);
    const std::size_t name = text.find_first_not_of("\t *", text.find_first_of("\t ", at + 1));
    const std::string called = text.substr(name, end - name);
    if (called.rfind("fusebench", 0) != 0 && called.front() != '%') calls.insert(called);
  }
  return calls;
}

bool uses(const std::string& text, const char* what) {
  return text.find(what) != std::string::npos;
}

class OnX86 : public testing::Test {
 protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "not an x86-64 machine";
#endif
  }
  static Target target(const char* cpu) {
    return namedTarget("x86_64-pc-linux-gnu", cpu, "");
  }
};

TEST_F(OnX86, TheWidestUnitIsChosenFromTheFeatures) {
  EXPECT_EQ(target("x86-64").vector.width, 4);
  EXPECT_EQ(target("x86-64-v2").vector.width, 4);
  EXPECT_EQ(target("x86-64-v3").vector.width, 8);
  EXPECT_EQ(target("skylake-avx512").vector.width, 16);
  EXPECT_FALSE(target("x86-64-v2").vector.fma);
  EXPECT_TRUE(target("x86-64-v3").vector.fma);
}

TEST_F(OnX86, Avx512KernelsWorkOn512BitsAndCallNoLibrary) {
  const std::string text = assembly(studyKernel("static"), target("skylake-avx512"));
  EXPECT_TRUE(uses(text, "%zmm"));
  EXPECT_EQ(foreignCalls(text), std::set<std::string>{});
}

TEST_F(OnX86, SseKernelsCallNoLibrary) {
  const std::string text = assembly(studyKernel("static"), target("x86-64-v2"));
  EXPECT_FALSE(uses(text, "%ymm"));
  EXPECT_EQ(foreignCalls(text), std::set<std::string>{});
}

TEST_F(OnX86, ADynamicKernelCopiesOnlyItsTail) {
  const std::string text = assembly(studyKernel("dynamic"), target("x86-64-v3"));
  EXPECT_EQ(foreignCalls(text), std::set<std::string>{"memcpy@PLT"});
}

TEST(CodeGenerator, ContractionIsOnlyWhereAskedFor) {
  EngineFixture fixture;
  const auto count = [&](bool contract) {
    const auto made = fixture.executor("static", "return x * y + z", {.contract = contract});
    const std::vector<Tensor> inputs{fixture.random({64}), fixture.random({64}),
                                     fixture.random({64})};
    const Kernel kernel = made->kernels(inputs).front();
    const Target target = hostTarget();
    const std::string text = assembly(kernel, target);
    return uses(text, "fmadd") || uses(text, "fmla");
  };
  if (!hostTarget().vector.fma) GTEST_SKIP() << "no fused multiply-add here";
  EXPECT_FALSE(count(false));
  EXPECT_TRUE(count(true));
}

TEST(CodeGenerator, KernelsWithTheSameTextAreOneInTheCache) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({8, 16})};
  const auto kernelOf = [&](const char* text) {
    return canonicalText(fixture.executor("static", text)->kernels(inputs).front());
  };
  EXPECT_EQ(kernelOf("y = x + 1\nreturn y * 2"),
            kernelOf("z = x + 1\nunused = z - 3\nreturn z * 2"));
  EXPECT_NE(kernelOf("return x + 1"), kernelOf("return x + 1.0000001"));
  EXPECT_NE(kernelOf("return x * 0.0"), kernelOf("return x * -0.0"));
  EXPECT_NE(kernelOf("return x.var()"), kernelOf("return x.var(correction=0)"));
}

TEST(DiskCache, ASecondBackendFindsWhatTheFirstCompiled) {
  const test::TemporaryFolder folder;
  const auto compile = [&] {
    CpuOptions options;
    options.cacheDirectory = folder.string();
    EngineFixture fixture(options);
    const auto executor = fixture.executor("static", "return torch.exp(x) + x");
    const auto value =
        EngineFixture::values(executor->call(std::vector{fixture.tensor({1}, {2})})[0]);
    return std::pair(value, executor->statistics().compiles[0].times);
  };
  const auto [firstValue, first] = compile();
  const auto [secondValue, second] = compile();
  EXPECT_EQ(first.fromDisk, 0);
  EXPECT_GT(first.compiler, 0);
  EXPECT_EQ(second.fromDisk, 1);
  EXPECT_EQ(second.compiler, 0);
  EXPECT_EQ(firstValue, secondValue);
  // A damaged file is compiled again.
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    std::filesystem::resize_file(entry.path(), 100);
  const auto [thirdValue, third] = compile();
  EXPECT_EQ(third.fromDisk, 0);
  EXPECT_EQ(thirdValue, firstValue);
}

}  // namespace
}  // namespace fusebench::cpu
