// SPDX-License-Identifier: GPL-3.0-or-later
// exec and eval of texts that a program builds from strings: read like the text around them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/language/input_shapes.h"
#include "engine/language/parser.h"
#include "engine/language/program_source.h"
#include "tests/engine/support/program_lines.h"

namespace fusebench {
namespace {

using test::flat;
using test::refusal;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kLoop = R"(import torch
n = 3
lines = ["def f(x):"]
for i in range(n):
    lines.append(f"    x = x * {i + 1}")
lines.append("    return x")
code = "\n".join(lines)
namespace = {"torch": torch}
exec(code, namespace)
f = namespace["f"]
x = torch.randn(8, 16)
print(f(x))
)";

TEST(Exec, ReadsALoopThatJoinsLines) {
  const PastedProgram pasted = readPasted(kLoop);
  EXPECT_EQ(pasted.entry, "f");
  EXPECT_EQ(pasted.inputs.at(0).shown(), "x set to (8, 16)");
  EXPECT_EQ(pasted.notes.front().text, "exec: the string that it gets is read in its place");
  EXPECT_EQ(pasted.notes.front().line, 9);
  const Program program = parseProgram(kLoop);
  EXPECT_EQ(program.ops.size(), 3u);
  const std::string text = torchText(program);
  EXPECT_THAT(text, HasSubstr("x = x * 3"));
  EXPECT_THAT(text, Not(HasSubstr("exec")));
}

TEST(Exec, ReadsFunctionsThatBuildAModel) {
  const std::string text =
      "import torch\n"
      "def build(n, kind):\n"
      "  code = f'def model_{kind}(x, y):\\n'\n"
      "  for i in range(n):\n    code += f'  x = torch.{kind}(x) * y\\n'\n"
      "  code += '  return x\\n'\n"
      "  scope = {}\n"
      "  exec(compile(code, '<model>', 'exec'), globals(), scope)\n"
      "  return scope[f'model_{kind}']\n"
      "if __name__ == '__main__':\n"
      "  for n in (4, 10):\n"
      "    model = build(n, 'tanh')\n"
      "    print(model(torch.randn(8, 16), torch.randn(16)))\n";
  const PastedProgram pasted = readPasted(text);
  EXPECT_EQ(pasted.entry, "model_tanh");
  EXPECT_EQ(pasted.inputs.at(1).shown(), "y set to (16,)");
  EXPECT_EQ(parseProgram(text).ops.size(), 8u);
}

TEST(Exec, BindsGlobals) {
  EXPECT_EQ(flat("exec('def g(x):\\n  return x + 1')\ndef f(x):\n  return g(x) * 2"),
            flat("def g(x):\n  return x + 1\ndef f(x):\n  return g(x) * 2"));
}

TEST(Exec, NamesTheLineInsideTheText) {
  const auto place = [](const std::string& text) {
    try {
      readPasted(text);
    } catch (const ProgramError& error) {
      return std::to_string(error.place().line) + ": " + error.what();
    }
    return std::string("accepted");
  };
  EXPECT_THAT(place("import torch\n\nexec('def f(x):\\n  return x.foo()')\nf(torch.ones(3))\n"),
              HasSubstr("3: in line 2 of the string that exec gets: there is no .foo"));
  EXPECT_THAT(place("exec('def f(x):\\n  return x +\\n')\n"),
              HasSubstr("1: in line 2 of the string that exec gets: expected a value"));
  EXPECT_THAT(place("exec('def g(x):\\n  return x')\ndef f(x):\n  return x.foo()\n"),
              HasSubstr("3: there is no .foo"));
}

TEST(Exec, NeedsAKnownText) {
  EXPECT_THAT(refusal("exec(open('model.py').read())\ndef f(x):\n  return g(x)"),
              HasSubstr("there is no g"));
  EXPECT_THAT(refusal("def f(x):\n  exec('y = 1')\n  return x"),
              HasSubstr("exec is read outside of functions"));
  EXPECT_THAT(refusal("def f(x, y):\n  return eval(y)"),
              HasSubstr("eval is given a string that is"));
}

TEST(Exec, ThatIsLeftOutIsNamedWhereItsNamesAreMissing) {
  const std::string unknown = "code = open('model.txt').read()\n";
  EXPECT_EQ(refusal("g = {}\n" + unknown +
                    "exec(code, g)\nf = g['g']\ndef run(x):\n  return f(x)\nrun(torch.ones(3))"),
            "there is no 'g' in this dict; line 3, which may put it there, is left out, because "
            "exec is given a string that is not known while the program is read; build it from "
            "strings and numbers, or write the lines out");
  EXPECT_THAT(
      refusal(unknown + "exec(code)\ndef f(x):\n  return model(x)"),
      HasSubstr("there is no model; line 2, which may define it, is left out, because exec "));
  EXPECT_THAT(refusal(unknown + "exec(code)\ndef f(x):\n  return x * scale"),
              HasSubstr("there is no 'scale' here; line 2, which may define it, is left out, "));
  // Another call that may fill a dict.
  EXPECT_THAT(
      refusal("d = {}\nload(d)\nk = d['k']\ndef f(x):\n  return x * k"),
      HasSubstr("there is no 'k' in this dict; line 2, which may put it there, is left out"));
  EXPECT_EQ(refusal("d = {}\nprint(d)\nk = d['k']\ndef f(x):\n  return x * k"),
            "there is no 'k' in this dict");
}

TEST(Exec, EndsWithinTheLimits) {
  EXPECT_THAT(refusal("code = 'def f(x):\\n'\nfor i in range(30000):\n  code += '  x = x + 1\\n'\n"
                      "code += '  return x\\n'\nexec(code)\n"),
              HasSubstr("steps to work out"));
  const Program program = parseProgram(
      "code = '# x\\n'\nfor i in range(40):\n  code = code + code\nexec(code)\n"
      "def f(x):\n  return x + 1");
  EXPECT_THAT(program.notes.front().text, HasSubstr("longer than any program needs"));
  // A text that builds itself ends, too.
  EXPECT_NO_THROW(flat("code = 'exec(code)'\nexec(code)\ndef f(x):\n  return x + 1"));
}

TEST(Eval, IsReadInPlace) {
  EXPECT_EQ(flat("def f(x, op='relu'):\n  g = eval('torch.' + op)\n  return g(x) * eval('2 + 3')"),
            "return torch.relu(x) * 5");
  const std::string text =
      torchText(parseProgram("import torch\ndef half(x):\n  return x / 2\n"
                             "def f(x, op='half'):\n  g = eval(op)\n  return g(x)"));
  EXPECT_THAT(text, HasSubstr("def half(x)"));
  EXPECT_THAT(text, HasSubstr("g = (half)"));
  EXPECT_THAT(refusal("def f(x):\n  return eval('x +')"), HasSubstr("expected a value"));
}

}  // namespace
}  // namespace fusebench
