// SPDX-License-Identifier: GPL-3.0-or-later
// The code shown for a kernel is the code that is compiled, and each line is assigned to its op.
#include "engine/cpu/runtime/code_text.h"

#include <set>
#include <sstream>

#include "engine/cpu/codegen/jit.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench::cpu {
namespace {

struct Shown {
  Kernel kernel;
  Program program;
  std::vector<GeneratedCode> languages;
};

Shown show(const char* executor, const char* text, const Shape& shape, std::size_t kernel = 0) {
  EngineFixture fixture;
  Shown shown;
  shown.program = parseProgram(text);
  const auto made = makeExecutor(executor, fixture.backend(), shown.program);
  shown.kernel = made->kernels(std::vector{fixture.random(shape)}).at(kernel);
  const Target target = hostTarget();
  shown.languages = codeText(shown.kernel, schedule(shown.kernel, target, 0), target);
  return shown;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Instructions of an assembly text, without labels and directives.
std::vector<std::string> instructionsOf(const std::string& text) {
  std::vector<std::string> instructions;
  for (const std::string& line : linesOf(text)) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos || start == 0 || line[start] == '.' || line[start] == '#')
      continue;
    instructions.push_back(line.substr(start, line.find_first_of(" \t", start) - start));
  }
  return instructions;
}

constexpr const char* kChain =
    "x = x + 0.1\nx = torch.sin(x)\nx = torch.exp(x * 0.5)\nreturn x.sum()";

TEST(CodeText, ShowsTheInstructionsThatAreCompiled) {
  for (const char* executor : {"static", "dynamic"}) {
    const Shown shown = show(executor, kChain, {8, 16});
    const Target target = hostTarget();
    const std::string compiled =
        Jit(target).assemblyText(shown.kernel, schedule(shown.kernel, target, 0));
    EXPECT_EQ(instructionsOf(shown.languages.at(1).text), instructionsOf(compiled)) << executor;
  }
}

TEST(CodeText, KnowsTheOpOfEveryLineInEveryLanguage) {
  const Shown shown = show("dynamic", kChain, {8, 16});
  const std::set<int> all = {0, 1, 2, 3, 4};
  for (const GeneratedCode& code : shown.languages) {
    EXPECT_EQ(linesOf(code.text).size(), code.lineOps.size()) << code.language;
    const std::set<int> ops(code.lineOps.begin(), code.lineOps.end());
    for (const int op : all) EXPECT_TRUE(ops.contains(op)) << code.language << " op " << op;
    for (const int op : ops) EXPECT_TRUE(op == -1 || all.contains(op)) << code.language;
  }
}

TEST(CodeText, MarksTheInstructionOfAnOpAndNotItsNeighbours) {
  const Shown shown = show("static", "x = torch.sqrt(x)\nx = x / 3\nreturn x", {64});
  for (const GeneratedCode& code : shown.languages) {
    const auto lines = linesOf(code.text);
    int roots = 0, quotients = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].find("declare") == 0 || lines[i].find("sqrt_div") != std::string::npos) continue;
      if (lines[i].find("sqrt") != std::string::npos) {
        EXPECT_EQ(code.lineOps[i], 0) << lines[i];
        ++roots;
      }
      if (lines[i].find("fdiv") != std::string::npos ||
          lines[i].find("divps") != std::string::npos) {
        EXPECT_EQ(code.lineOps[i], 1) << lines[i];
        ++quotients;
      }
    }
    EXPECT_GT(roots, 0) << code.language;
    EXPECT_GT(quotients, 0) << code.language;
  }
}

TEST(CodeText, HasNoTraceOfTheMarks) {
  const Shown shown = show("static", kChain, {8, 16});
  for (const GeneratedCode& code : shown.languages)
    for (const char* trace : {"!dbg", "!DI", ";@", "\t.loc", "\t.file", ".debug", ".cfi"})
      EXPECT_EQ(code.text.find(trace), std::string::npos) << code.language << ": " << trace;
}

TEST(CodeText, WritesRepeatedConstantsOnce) {
  const Shown shown = show("static", "x = x + 0.5\nreturn x", {64});
  const std::string& text = shown.languages[0].text;
  EXPECT_NE(text.find("splat (float 5.000000e-01)"), std::string::npos) << text;
  EXPECT_EQ(text.find("float 5.000000e-01, float 5.000000e-01"), std::string::npos) << text;
}

TEST(ReadableCode, CarriesTheStatementsAsComments) {
  const Shown shown = show("static", kChain, {8, 16});
  std::vector<std::string> comments;
  std::set<int> ops;
  for (const KernelLine& line : readableLines(shown.kernel, &shown.program)) {
    if (const std::size_t at = line.text.find("# "); at != std::string::npos)
      comments.push_back(line.text.substr(at));
    ops.insert(line.op);
  }
  EXPECT_EQ(comments,
            (std::vector<std::string>{"# 1: x = x + 0.1", "# 2: x = torch.sin(x)",
                                      "# 3: x = torch.exp(x * 0.5)", "# return x.sum()"}));
  EXPECT_EQ(ops, (std::set<int>{-1, 0, 1, 2, 3, 4}));
}

TEST(ReadableCode, OfAnEagerKernelNamesItsOwnOp) {
  const Shown shown = show("eager", kChain, {8, 16}, 2);  // the product in the third statement
  EXPECT_EQ(shown.kernel.ops, std::vector{2});
  const auto lines = readableLines(shown.kernel, &shown.program);
  EXPECT_EQ(lines.back().op, 2);
  EXPECT_NE(readableText(shown.kernel).find("mul"), std::string::npos);
}

}  // namespace
}  // namespace fusebench::cpu
