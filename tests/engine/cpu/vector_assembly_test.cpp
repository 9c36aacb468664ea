// SPDX-License-Identifier: GPL-3.0-or-later
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include "engine/cpu/math/slow_paths.h"
#include "tests/engine/support/jit_primitive.h"

namespace fusebench::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Functions called in the text, other than ours.
std::set<std::string> callsInAssembly(const std::string& text) {
  static const std::regex call(R"(^\s+(?:callq?|bl|jmp|b)\s+([A-Za-z_][\w.]*))");
  std::set<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, call) && match[1].str().rfind("fusebench", 0) != 0)
      found.insert(match[1]);
  }
  return found;
}

void expectNoForeignCalls(const cpu::Target& target) {
  for (int p = static_cast<int>(Primitive::add); p <= static_cast<int>(Primitive::toTruth); ++p) {
    const auto primitive = static_cast<Primitive>(p);
    EXPECT_THAT(callsInAssembly(assembly(primitive, target, 2)), IsEmpty())
        << info(primitive).name << " for " << target.cpu;
  }
}

bool hostIsX86() {
  return llvm::Triple(llvm::sys::getProcessTriple()).isX86();
}

TEST(VectorAssembly, CallsNoLibmOnX86WithoutFma) {
  if (!hostIsX86()) GTEST_SKIP() << "needs the x86 target";
  expectNoForeignCalls(cpu::namedTarget("x86_64-unknown-linux-gnu", "x86-64-v2", ""));
}

TEST(VectorAssembly, CallsNoLibmOnX86WithoutSse41) {
  if (!hostIsX86()) GTEST_SKIP() << "needs the x86 target";
  cpu::Target target = cpu::namedTarget("x86_64-unknown-linux-gnu", "x86-64", "");
  target.vector.roundInstruction = false;
  expectNoForeignCalls(target);
}

TEST(VectorAssembly, CallsNoLibmAndUses512BitsOnSkylakeServer) {
  if (!hostIsX86()) GTEST_SKIP() << "needs the x86 target";
  const cpu::Target target =
      cpu::namedTarget("x86_64-unknown-linux-gnu", "skylake-avx512", "-prefer-256-bit");
  expectNoForeignCalls(target);
  EXPECT_THAT(assembly(Primitive::exp, target, 2), HasSubstr("zmm"));
}

TEST(VectorAssembly, CallsNoLibmOnArm) {
#ifdef LLVM_HAS_AARCH64_TARGET
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
  expectNoForeignCalls(cpu::namedTarget("aarch64-unknown-linux-gnu", "cortex-a76", ""));
#else
  GTEST_SKIP() << "LLVM was built without AArch64";
#endif
}

/// Instructions of the loop that match.
int countOf(const std::string& text, const std::string& pattern) {
  const std::regex wanted(pattern);
  return static_cast<int>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), wanted), {}));
}

TEST(VectorAssembly, MultiplyAddsAreFusedWhereTheMachineCan) {
  if (!hostIsX86()) GTEST_SKIP() << "needs the x86 target";
  const cpu::Target with = cpu::namedTarget("x86_64-unknown-linux-gnu", "x86-64-v3", "");
  const cpu::Target without = cpu::namedTarget("x86_64-unknown-linux-gnu", "x86-64-v2", "");
  EXPECT_GE(countOf(assembly(Primitive::exp, with, 1), "vfn?madd"), 7);
  EXPECT_THAT(assembly(Primitive::exp, without, 1), Not(HasSubstr("fmadd")));
}

TEST(VectorAssembly, MaxWithAConstantIsOneInstructionAVector) {
  if (!hostIsX86()) GTEST_SKIP() << "needs the x86 target";
  const cpu::Target target = cpu::namedTarget("x86_64-unknown-linux-gnu", "x86-64-v3", "");
  for (double constant : {0.0, 6.0}) {
    const std::string text = assembly(Primitive::max, target, 4, constant);
    EXPECT_EQ(countOf(text, "vmaxps"), 4) << text;
    EXPECT_THAT(text, Not(HasSubstr("blend"))) << text;
  }
  const std::string text = assembly(Primitive::min, target, 4, 6);
  EXPECT_EQ(countOf(text, "vminps"), 4) << text;
  EXPECT_THAT(text, Not(HasSubstr("blend"))) << text;
}

}  // namespace
}  // namespace fusebench::test
