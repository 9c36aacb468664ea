// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "tests/engine/support/random_programs.h"

namespace fusebench::test {
namespace {

const std::vector<std::string>& fragments() {
  static const std::vector<std::string> all = {"(",
                                               ")",
                                               "[",
                                               "]",
                                               ",",
                                               ".",
                                               "=",
                                               ":",
                                               "\n",
                                               "    ",
                                               "\t",
                                               "'",
                                               "\"",
                                               "\"\"\"",
                                               "#",
                                               "\\\n",
                                               "\r\n",
                                               "**",
                                               "//",
                                               "-",
                                               "~",
                                               "&",
                                               "@",
                                               ";",
                                               "*",
                                               "...",
                                               "1e999",
                                               "0x",
                                               "1_",
                                               "nan",
                                               "None",
                                               "True",
                                               "def f(x):",
                                               "return ",
                                               "import torch",
                                               "from torch import ",
                                               "with torch.no_grad():",
                                               "class A:",
                                               "lambda",
                                               "if",
                                               "x",
                                               "torch.",
                                               "F.gelu(",
                                               "alpha=",
                                               "dim=",
                                               "(0, 1)",
                                               "approximate='tanh'",
                                               "\xC3\x97",
                                               "\xFF",
                                               std::string(1, '\0'),
                                               "float('inf')",
                                               "math.sqrt(",
                                               "x.sum(",
                                               "+=",
                                               "self",
                                               "-> int",
                                               "1 / 0",
                                               "10 ** 400"};
  return all;
}

std::string mutated(std::string text, std::mt19937& random) {
  const int changes = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < changes; ++i) {
    const std::size_t at = random() % (text.size() + 1);
    const std::size_t length = std::min<std::size_t>(random() % 8, text.size() - at);
    switch (random() % 5) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, fragments()[random() % fragments().size()]);
        break;
      case 2:
        text.insert(at, text.substr(random() % (text.size() + 1), random() % 12));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(random() % 256);
        break;
      default:
        text.replace(at, length, fragments()[random() % fragments().size()]);
        break;
    }
  }
  return text;
}

/// For every text the parser returns a program, which prints and reads back, or throws a
/// ProgramError with a position within the text. FUSEBENCH_FUZZ sets the number of texts.
TEST(ParserFuzzTest, MutatedProgramsAreReadOrRefused) {
  const int texts = textsToTry(5000);
  std::mt19937 random(3);
  int read = 0;
  for (int i = 0; i < texts; ++i) {
    const std::string text =
        mutated(randomProgramText(static_cast<std::uint32_t>(random() % 1000)), random);
    try {
      const Program program = parseProgram(text);
      ++read;
      const std::string printed = toText(program);
      ASSERT_EQ(toText(parseProgram(printed)), printed) << text;
    } catch (const ProgramError& error) {
      ASSERT_GE(error.place().line, 1) << text;
      ASSERT_GE(error.place().column, 1) << text;
      ASSERT_LE(error.place().line, 1 + std::count(text.begin(), text.end(), '\n')) << text;
    }
  }
  EXPECT_GT(read, texts / 100) << "hardly anything was still a program: the mutations are too wild";
}

}  // namespace
}  // namespace fusebench::test
