// SPDX-License-Identifier: GPL-3.0-or-later
// Tests which code is inside a kernel's loops and which is outside.
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "engine/cpu/codegen/jit.h"
#include "engine/cpu/codegen/schedule.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

std::ptrdiff_t count(const std::string& text, const std::string& part) {
  std::ptrdiff_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Code of the program's only kernel for a processor, without the functions that it calls.
std::string irOf(EngineFixture& fixture, const char* executor, const std::string& program,
                 const std::vector<Tensor>& inputs, const char* processor = "x86-64-v3") {
  const auto kernels = fixture.executor(executor, program)->kernels(inputs);
  EXPECT_EQ(kernels.size(), 1u);
  const cpu::Target target =
      cpu::namedTarget("x86_64-unknown-linux-gnu", processor, "-prefer-256-bit");
  const std::string text =
      cpu::Jit(target).irText(kernels.at(0), cpu::schedule(kernels.at(0), target, 0));
  const std::size_t begin = text.find(std::string("@") + cpu::kEntryName);
  return text.substr(begin, text.find("\n}", begin) - begin);
}

/// sin(... + y), so many times: a segment each.
std::string sines(int statements, const std::string& result = "x") {
  std::string text = "def program(x, y):\n";
  for (int i = 0; i < statements; ++i) text += "    x = torch.sin(x + y)\n";
  return text + "    return " + result + "\n";
}

TEST(KernelLoops, CopyTheLastBlockOfEachTensorOnceHoweverManySegmentsReadIt) {
  EngineFixture fixture{EngineFixture::withoutDisk(8, 0, 1)};
  const std::vector<Tensor> inputs{fixture.random({9, 13}, 1), fixture.random({9, 13}, 2)};
  for (const int statements : {1, 6}) {
    const std::string text = irOf(fixture, "dynamic", sines(statements), inputs);
    EXPECT_EQ(count(text, "call void @llvm.memcpy"), 3) << statements << " statements";
  }
  const std::vector<Tensor> whole{fixture.random({64, 64}, 1), fixture.random({64, 64}, 2)};
  EXPECT_EQ(count(irOf(fixture, "static", sines(6), whole), "call void @llvm.memcpy"), 0);
}

/// Each segment is one loop that begins where the one before ends: nothing asks whether to enter.
TEST(KernelLoops, AskOnceForAllSegmentsWhetherThereIsSomethingToDo) {
  EngineFixture fixture{EngineFixture::withoutDisk(8, 0, 1)};
  const std::vector<Tensor> inputs{fixture.random({9, 13}, 1), fixture.random({9, 13}, 2)};
  const auto branches = [&](int statements) {
    return count(irOf(fixture, "dynamic", sines(statements), inputs), "br i1 ");
  };
  // A loop's own branch, and the one to the rare path of its sin.
  EXPECT_EQ(branches(6) - branches(5), 2);
}

/// Sums are flushed after a tile, not after runs of tiles.
TEST(KernelLoops, AreNoMoreForASumThanForItsTerms) {
  EngineFixture fixture{EngineFixture::withoutDisk(8, 0, 1)};
  const std::vector<Tensor> inputs{fixture.random({9, 13}, 1), fixture.random({9, 13}, 2)};
  const auto loops = [&](const char* result) {
    return count(irOf(fixture, "dynamic", sines(3, result), inputs), "\nloop");
  };
  EXPECT_EQ(loops("x"), 1 + 3);  // tiles, and each segment's blocks
  EXPECT_EQ(loops("x.sum()"), loops("x"));
}

/// With 32 registers each segment's constants are loaded ahead of it; with 16 there is no room.
TEST(KernelLoops, ReadTheConstantsOfLongChainsFromMemoryWhereRegistersAreMany) {
  EngineFixture fixture{EngineFixture::withoutDisk(8, 0, 1)};
  const std::vector<Tensor> inputs{fixture.random({64, 64}, 1), fixture.random({64, 64}, 2)};
  const auto inPlace = [&](int statements, const char* processor) {
    const std::string text = irOf(fixture, "static", sines(statements), inputs, processor);
    static const std::regex multiplication(R"(@llvm\.fma[^\n]*<float )");
    return std::distance(std::sregex_iterator(text.begin(), text.end(), multiplication), {});
  };
  EXPECT_EQ(inPlace(8, "x86-64-v4"), 0);
  EXPECT_GT(inPlace(8, "x86-64-v3"), 0);
  EXPECT_GT(inPlace(2, "x86-64-v4"), 0);
  // Once in a block, however many vectors and steps want it.
  const std::string text = irOf(fixture, "static", sines(8), inputs, "x86-64-v4");
  std::set<std::string> lines;
  const auto begin = text.find("\ncommon");  // the usual way of the first sin
  std::istringstream block(text.substr(begin, text.find("\n\n", begin) - begin));
  for (std::string line; std::getline(block, line);) {
    const auto at = line.find("ptr @number");
    if (at == std::string::npos) continue;
    EXPECT_TRUE(lines.insert(line.substr(at)).second) << line;
  }
  EXPECT_GT(lines.size(), 3u);
}

}  // namespace
}  // namespace fusebench
