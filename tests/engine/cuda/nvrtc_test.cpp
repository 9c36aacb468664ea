// SPDX-License-Identifier: GPL-3.0-or-later
// The real NVRTC, where it is installed: it needs no GPU.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cuda/codegen/code_text.h"
#include "engine/cuda/codegen/codegen.h"
#include "engine/cuda/runtime/cubin_cache.h"
#include "engine/language/parser.h"
#include "tests/engine/cuda/kernels.h"
#include "tests/engine/cuda/nvrtc_fixture.h"
#include "tests/temporary_folder.h"

namespace fusebench::cuda {
namespace {

namespace fs = std::filesystem;
using test::CudaKernels;
using ::testing::HasSubstr;
using ::testing::Not;

class RealNvrtc : public NvrtcTest {
 protected:
  void SetUp() override {
    NvrtcTest::SetUp();
    if (nvrtc_) architecture_ = nvrtc_->architectures().front();
  }
  CompiledCode compile(const Kernel& kernel, bool ptx = false, CompileFlags flags = {}) {
    return nvrtc_->compile(generate(kernel).text, kernel.name, {ptx, architecture_},
                           compileOptions(flags));
  }
  int architecture_ = 0;
};

TEST_F(RealNvrtc, TellsItsVersionPathAndArchitectures) {
  EXPECT_GE(nvrtc_->major(), 12);
  EXPECT_THAT(nvrtc_->path(), HasSubstr("/libnvrtc"));
  EXPECT_TRUE(std::is_sorted(nvrtc_->architectures().begin(), nvrtc_->architectures().end()));
}

TEST_F(RealNvrtc, MakesACubinWithItsResources) {
  const Source source = generate(CudaKernels::one("eager", "return x.sum()", {{{64}}}));
  const CompiledCode code = compile(CudaKernels::one("eager", "return x.sum()", {{{64}}}));
  EXPECT_EQ(code.bytes.substr(1, 3), "ELF");
  ASSERT_EQ(code.resources.size(), 1u);
  for (const EntryResources& entry : code.resources) {
    EXPECT_GT(entry.registers, 0);
    EXPECT_GT(entry.sharedBytes, 0);
    EXPECT_TRUE(std::any_of(source.entries.begin(), source.entries.end(),
                            [&](const Entry& each) { return each.name == entry.entry; }));
  }
}

TEST_F(RealNvrtc, ReadsAndWritesFourAtATime) {
  const std::string ptx =
      compile(CudaKernels::one("dynamic", "return x + y", {{{64}}, {{64}}}), true).bytes;
  // .f32 or .b32 by version.
  EXPECT_THAT(ptx, ::testing::ContainsRegex("ld\\.global\\.nc\\.v4\\.[fb]32"));
  EXPECT_THAT(ptx, ::testing::ContainsRegex("st\\.global\\.v4\\.[fb]32"));
}

TEST_F(RealNvrtc, ContractsOnlyWhereAskedFor) {
  const Kernel kernel = CudaKernels::one("static", "return x * y + z", {{{64}}, {{64}}, {{64}}});
  EXPECT_THAT(compile(kernel, true).bytes, Not(HasSubstr("fma.rn.f32")));
  EXPECT_THAT(compile(kernel, true, {.contract = true}).bytes, HasSubstr("fma.rn.f32"));
}

TEST_F(RealNvrtc, DividesAsIeeeDoesUnlessFastMathIsAskedFor) {
  const Kernel kernel = CudaKernels::one("static", "return x / y", {{{64}}, {{64}}});
  EXPECT_THAT(compile(kernel, true).bytes, HasSubstr("div.rn.f32"));
  EXPECT_THAT(compile(kernel, true, {.fastMath = true}).bytes, Not(HasSubstr("div.rn.f32")));
}

TEST_F(RealNvrtc, AnErrorNamesTheKernelAndTheFirstErrorOfTheLog) {
  try {
    nvrtc_->compile("extern \"C\" __global__ void k() { nothing(); }", "my_kernel",
                    {false, architecture_}, compileOptions({}));
    FAIL() << "it compiled";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("my_kernel"));
    EXPECT_THAT(error.what(), HasSubstr("\"nothing\" is undefined"));
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
  }
}

TEST_F(RealNvrtc, AnUnknownArchitectureIsAnError) {
  EXPECT_THROW(nvrtc_->compile("extern \"C\" __global__ void k() {}", "k", {false, 7}, {}),
               std::runtime_error);
}

TEST_F(RealNvrtc, ChoosesMachineCodeForDevicesItKnowsAndPtxForNewerOnes) {
  const int newest = nvrtc_->architectures().back();
  EXPECT_EQ(nvrtc_->targetFor(newest / 10, newest % 10), (CodeTarget{false, newest}));
  EXPECT_EQ(nvrtc_->targetFor(newest / 10 + 1, 0), (CodeTarget{true, newest}));
  EXPECT_EQ(nvrtc_->targetFor(3, 0), std::nullopt);
  EXPECT_EQ((CodeTarget{true, 90}).text(), "compute_90");
  EXPECT_EQ((CodeTarget{false, 120}).text(), "sm_120");
}

TEST_F(RealNvrtc, CompilesOnTwoThreadsAtOnce) {
  const Kernel kernels[] = {CudaKernels::one("eager", "return torch.sin(x)", {{{64}}}),
                            CudaKernels::one("eager", "return torch.tan(x)", {{{64}}})};
  CompiledCode together[2];
  std::thread other([&] { together[1] = compile(kernels[1]); });
  together[0] = compile(kernels[0]);
  other.join();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(together[i].bytes, compile(kernels[i]).bytes);
}

TEST_F(RealNvrtc, PtxLinesKnowTheirOps) {
  const Program program = parseProgram("x = torch.exp(x)\nreturn torch.sqrt(x)");
  const Kernel kernel = CudaKernels::of("static", program, {{{64}}}).front();
  const auto code = codeText(kernel, &program, nvrtc_.get(), architecture_);
  ASSERT_EQ(code.size(), 2u);
  EXPECT_EQ(code[0].language, "cuda");
  EXPECT_EQ(code[1].language, "ptx");
  EXPECT_THAT(code[1].text, Not(HasSubstr(".loc")));
  EXPECT_THAT(code[1].text, Not(HasSubstr(".debug")));
  std::istringstream in(code[1].text);
  std::size_t number = 0;
  int roots = 0, exponentials = 0;
  for (std::string line; std::getline(in, line); ++number) {
    if (line.find("sqrt.rn.f32") != std::string::npos) {
      ++roots;
      EXPECT_EQ(code[1].lineOps.at(number), 1) << line;
    }
    if (line.find("ex2.approx") != std::string::npos) {
      ++exponentials;
      EXPECT_EQ(code[1].lineOps.at(number), 0) << line;
    }
  }
  EXPECT_EQ(code[1].lineOps.size(), number);
  EXPECT_GT(roots, 0);
  EXPECT_GT(exponentials, 0);
}

TEST_F(RealNvrtc, LineInformationChangesNoInstruction) {
  const Kernel kernel = CudaKernels::one("static", "return torch.exp(x) + torch.sin(x)", {{{64}}});
  const auto instructions = [&](CompileFlags flags) {
    std::istringstream in(compile(kernel, true, flags).bytes);
    std::string text;
    for (std::string line; std::getline(in, line);)
      if (line.starts_with('\t') && line.find('.') != std::string::npos && line[1] != '.' &&
          line.find("0x") == std::string::npos)
        text += line + "\n";
    return text;
  };
  EXPECT_EQ(instructions({}), instructions({.lineInfo = true}));
}

TEST(CodeText, IsCudaAloneWithoutACompiler) {
  const Kernel kernel = CudaKernels::one("static", "return torch.exp(x)", {{{64}}});
  const auto code = codeText(kernel, nullptr, nullptr, 0);
  ASSERT_EQ(code.size(), 1u);
  EXPECT_EQ(code[0].language, "cuda");
}

class Cubins : public ::testing::Test {
 protected:
  static CompiledCode code() {
    CompiledCode made;
    made.target = {true, 90};
    made.bytes = std::string("c\0de\n\n", 6);
    made.log =
        "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
        "ptxas info    : Used 12 registers, used 0 barriers";
    return made;
  }
  test::TemporaryFolder folder_;
};

TEST_F(Cubins, FindWhatWasStoredByAnotherProcess) {
  const std::string key = CubinCache::key("source", {"--a"}, {true, 90}, "13.0");
  CubinCache(folder_).store(key, code());
  const auto found = CubinCache(folder_).find(key);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->target, (CodeTarget{true, 90}));
  EXPECT_EQ(found->bytes, code().bytes);
  EXPECT_EQ(found->log, code().log);
  ASSERT_EQ(found->resources.size(), 1u);
  EXPECT_EQ(found->resources[0].registers, 12);
}

TEST_F(Cubins, MissWhateverDiffers) {
  CubinCache cache(folder_);
  cache.store(CubinCache::key("source", {"--a"}, {false, 90}, "13.0"), code());
  EXPECT_TRUE(cache.find(CubinCache::key("source", {"--a"}, {false, 90}, "13.0")));
  EXPECT_FALSE(cache.find(CubinCache::key("other", {"--a"}, {false, 90}, "13.0")));
  EXPECT_FALSE(cache.find(CubinCache::key("source", {"--b"}, {false, 90}, "13.0")));
  EXPECT_FALSE(cache.find(CubinCache::key("source", {"--a"}, {true, 90}, "13.0")));
  EXPECT_FALSE(cache.find(CubinCache::key("source", {"--a"}, {false, 80}, "13.0")));
  EXPECT_FALSE(cache.find(CubinCache::key("source", {"--a"}, {false, 90}, "12.9")));
}

TEST_F(Cubins, AnEntryOfAnotherFormIsAMiss) {
  for (const char* text : {"", "x", "cubin", "cubin \n", "cubin 90\n", "cubin 90 999\nshort",
                           "cubin 90 0\n", "object code of another kind"}) {
    ObjectCache(folder_).store("key", text);
    EXPECT_FALSE(CubinCache(folder_).find("key")) << text;
  }
}

}  // namespace
}  // namespace fusebench::cuda
