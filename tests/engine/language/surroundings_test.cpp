// SPDX-License-Identifier: GPL-3.0-or-later
// Programs as people paste them: with the lines that make, call, time and print them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/language/input_shapes.h"
#include "engine/language/parser.h"
#include "engine/language/program_source.h"
#include "engine/language/surrounding_rows.h"
#include "tests/engine/support/program_lines.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using test::flat;
using test::refusal;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> notesOf(const Program& program) {
  std::vector<std::string> texts;
  for (const ProgramNote& note : program.notes)
    texts.push_back(std::to_string(note.line) + ": " + note.text);
  return texts;
}

/// "x (4, 8) float32; mask (8, 8) bool".
std::string givenTo(const Program& program) {
  std::string all;
  for (const GivenInput& each : program.given)
    all += (all.empty() ? "" : "; ") + each.name + " " + toString(each.extents) + " " +
           std::string(info(each.dtype).name);
  return all;
}

constexpr const char* kBlock = R"(
import time
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.up = nn.Linear(dim, hidden)
        self.down = nn.Linear(hidden, dim)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))

)";

TEST(Surroundings, GiveDictsAndListsOfTensors) {
  const std::string text =
      "def f(params, x, scale):\n"
      "    return (x @ params['w'] + params['b'][0]) * params['k'] * scale\n"
      "params = {'w': torch.randn(4, 3), 'b': [torch.zeros(3), 2], 'k': 5}\n"
      "f(params, torch.randn(2, 4), 0.5)\n";
  const Program program = parseProgram(text);
  EXPECT_EQ(program.inputs, (std::vector<std::string>{"params_w", "params_b_0", "x"}));
  EXPECT_EQ(givenTo(program), "params_w (4, 3) float32; params_b_0 (3,) float32; x (2, 4) float32");
  EXPECT_THAT(torchText(program),
              HasSubstr("f({'w': params_w, 'b': [params_b_0, 2, ], 'k': 5, }, x, float('0.5'))"));
}

TEST(Surroundings, GiveTensorsThatAreComputedInADict) {
  const Program program = parseProgram(
      "def step(state):\n    h, c = state['h'], state['c']\n    return h * torch.tanh(c)\n"
      "state = dict(h=torch.rand(2, 3) * 2 - 1, c=torch.ones(2, 3))\nprint(step(state))\n");
  EXPECT_EQ(program.inputs, (std::vector<std::string>{"state_h", "state_c"}));
  EXPECT_THAT(program.given.at(0).code, HasSubstr("torch.rand"));
}

TEST(Surroundings, GiveTheInputsAndAreLeftOut) {
  const Program program = parseProgram(std::string(kBlock) +
                                       "m = Block(256, 512).cuda().eval()\n"
                                       "x = torch.randn(8, 256, device=\"cuda\")\n"
                                       "start = torch.cuda.Event(enable_timing=True)\n"
                                       "start.record()\n"
                                       "with torch.no_grad():\n"
                                       "    for _ in range(100):\n"
                                       "        y = m(x)\n"
                                       "torch.cuda.synchronize()\n"
                                       "print(f\"{start.elapsed_time(start):.3f} ms\", y.shape)\n"
                                       "assert y.shape == (8, 256)\n");
  EXPECT_EQ(givenTo(program), "x (8, 256) float32");
  EXPECT_EQ(program.held.size(), 4u);
  EXPECT_THAT(notesOf(program),
              ElementsAre(HasSubstr("16: lines 16 to 25: they call the program")));
  EXPECT_THAT(torchText(program), Not(HasSubstr("Event")));
}

TEST(Surroundings, ALineAmongThoseThatCallTheProgramIsNotedOnce) {
  const Program program = parseProgram(std::string(kBlock) +
                                       "m = Block(256, 512)\n"
                                       "x = torch.randn(8, 256, requires_grad=True)\n"
                                       "m(x).sum().backward()\n"
                                       "print(x.grad.shape)\n");
  EXPECT_THAT(notesOf(program), ElementsAre(HasSubstr("they call the program")));
}

TEST(Surroundings, WhatSavesOrLoadsWeightsIsNotedOnceAsSuch) {
  const Program program = parseProgram(std::string(kBlock) +
                                       "def size_of(model):\n"
                                       "    torch.save(model.state_dict(), \"temp.p\")\n"
                                       "    print(1)\n\n"
                                       "m = Block(256, 512).eval()\n"
                                       "size_of(m)\n"
                                       "size_of(m)\n"
                                       "x = torch.randn(8, 256)\n"
                                       "y = m(x)\n");
  EXPECT_THAT(notesOf(program), Not(Contains(HasSubstr("define it in the class"))));
  EXPECT_LE(std::ranges::count_if(notesOf(program),
                                  [](const std::string& each) {
                                    return each.find("state_dict") != std::string::npos;
                                  }),
            1);
}

TEST(Surroundings, OfAMainBlockAndItsFunctionGiveInputsToo) {
  const Program program = parseProgram(
      "import torch\n"
      "def naive(q, k):\n  return torch.softmax(q @ k.transpose(-2, -1), dim=-1)\n"
      "def fast(q, k):\n  return (q @ k.mT).softmax(-1)\n"
      "def main():\n"
      "  device = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
      "  q, k = (torch.randn(2, 64, 32, device=device) for _ in range(2))\n"
      "  torch.testing.assert_close(naive(q, k), fast(q, k))\n"
      "if __name__ == '__main__':\n  main()\n");
  EXPECT_EQ(program.entry, "fast");
  EXPECT_THAT(program.entries, ElementsAre("naive", "fast"));
  EXPECT_EQ(givenTo(program), "q (2, 64, 32) float32; k (2, 64, 32) float32");
}

TEST(Surroundings, SayWhichPartIsTheProgram) {
  const std::string text =
      "def one(x):\n  return x + 1\ndef two(x):\n  return x + 2\none(torch.ones(3))\n"
      "two(torch.ones(4))\n";
  EXPECT_EQ(flat(text), "return x + 2");
  EXPECT_EQ(flat("# entry: one\n" + text), "return x + 1");
  EXPECT_THROW(readPasted(text, "three"), ProgramError);
  EXPECT_EQ(readPasted(text, "one").inputs.at(0).shown(), "x set to (3,)");
}

TEST(Surroundings, GiveNumbersAndAnyNumberOfTensors) {
  const Program program = parseProgram(
      "def f(x, n, *rest, **more):\n"
      "  for _ in range(n):\n    x = x * 2\n"
      "  for r in rest:\n    x = x + r\n"
      "  return x\n"
      "def bench(fn, *args):\n"
      "  t = time.perf_counter()\n"
      "  fn(*args)\n"
      "  return time.perf_counter() - t\n"
      "bench(f, torch.ones(4, 8), 2, torch.rand(8))\n");
  EXPECT_EQ(program.inputs, (std::vector<std::string>{"x", "rest_0"}));
  EXPECT_EQ(program.ops.size(), 3u);
  EXPECT_THAT(torchText(program), HasSubstr("return f(x, 2, rest_0)"));
  EXPECT_THAT(refusal("def f(*xs):\n  return xs[0] + 1"), HasSubstr("*xs takes is not known"));
}

TEST(Surroundings, PrepareTheModule) {
  const Program program = parseProgram(
      "import torch\n"
      "class Cache(torch.nn.Module):\n"
      "  def setup(self, n):\n    self.register_buffer('mask', torch.tril(torch.ones(n, n)))\n"
      "  def forward(self, x):\n    return x.masked_fill(self.mask == 0, 0.0)\n"
      "model = Cache()\nmodel.setup(8)\nmodel(torch.randn(8, 8))\n");
  EXPECT_EQ(program.inputs.front(), "x");
  EXPECT_THAT(torchText(program), HasSubstr("model.setup(8)"));
}

TEST(Surroundings, LeaveOutWhatChangesNoValue) {
  const Program program = parseProgram(
      "import time\n"
      "def f(x):\n"
      "  print('shape', x.sum())\n"
      "  start = time.time()\n"
      "  with torch.profiler.record_function('step'):\n    x = x + 1\n"
      "  print(time.time() - start)\n"
      "  return x");
  EXPECT_EQ(program.ops.size(), 1u);
  EXPECT_THAT(notesOf(program), Contains("3: print is left out"));
  const std::string text = torchText(program);
  EXPECT_THAT(text, Not(HasSubstr("print")));
  EXPECT_THAT(text, Not(HasSubstr("record_function")));
  EXPECT_THAT(text, Not(HasSubstr("_not_reached")));  // PyTorch would stop there
  EXPECT_THAT(refusal("import time\ndef f(x):\n  if time.time() > 3: x = x + 1\n  return x"),
              HasSubstr("depends on a call that is left out"));
}

TEST(Surroundings, MayHavePartsThatNothingReaches) {
  EXPECT_EQ(flat("async def g(x):\n  await x\ndef f(x):\n  return x + 1"), "return x + 1");
  EXPECT_THAT(refusal("async def g(x):\n  await x\ndef f(x):\n  return g(x)"), HasSubstr("async"));
  EXPECT_EQ(flat("try:\n  import flash_attn\n  FAST = True\nexcept ImportError:\n  FAST = False\n"
                 "def f(x):\n  return flash_attn.run(x) if FAST else x + 1"),
            "return x + 1");
}

TEST(Statements, OfPythonAreReadWhereTheyAreKnown) {
  const std::string text =
      "def f(x, n=2):\n  match n:\n    case 1:\n      x = x + 1\n    case 2 | 3:\n      x = x + 2\n"
      "    case _:\n      x = x + 3\n  return x";
  EXPECT_EQ(flat(text), "x = x + 2 | return x");
  EXPECT_EQ(flat("try:\n  x = x + 1\nexcept ValueError:\n  x = x + 2\nfinally:\n  x = x * 3\n"
                 "return x"),
            "x = x + 1 | x = x * 3 | return x");
}

TEST(SurroundingRows, AreListedInTheDocs) {
  std::string passed, replaced;
  for (const SurroundingRow& row : surroundingRows()) {
    const std::string name = "- `" + std::string(row.path) + (row.path.ends_with('.') ? "*`" : "`");
    if (row.how == SurroundingRow::How::passedOver)
      passed += name + "\n";
    else
      replaced += name + ": " + (*row.note ? row.note : "its first argument") + "\n";
  }
  std::ifstream file(test::sourcePath("/docs/pytorch-support.md"));
  std::stringstream docs;
  docs << file.rdbuf();
  EXPECT_THAT(docs.str(), HasSubstr("\n\n" + passed + "\n"));
  EXPECT_THAT(docs.str(), HasSubstr("\n\n" + replaced));
}

/// The inputs that a text is given where it says nothing of them, and what they are.
std::string chosenFor(const std::string& text) {
  std::string all;
  for (const ChosenInput& each : readPasted(text).inputs)
    all += (all.empty() ? "" : "; ") + each.shown();
  return all;
}

TEST(InputShapes, FollowFromWhatTheProgramDoes) {
  EXPECT_EQ(chosenFor(kBlock + std::string("m = Block(256, 512)")), "x set to (8, 256)");
  EXPECT_EQ(chosenFor("class N(nn.Module):\n  def __init__(self):\n"
                      "    self.c = nn.Conv2d(3, 6, 3)\n    self.fc = nn.Linear(6 * 30 * 30, 10)\n"
                      "  def forward(self, x):\n"
                      "    x = self.c(x)\n    return self.fc(x.view(x.size(0), -1))"),
            "x set to (8, 3, 32, 32)");
  EXPECT_EQ(chosenFor("class L(nn.Module):\n  def __init__(self):\n"
                      "    self.e = nn.Embedding(100, 32)\n"
                      "  def forward(self, tokens):\n    b, t = tokens.shape\n"
                      "    return self.e(tokens).view(b * t, -1)"),
            "tokens set to (8, 16) int64 from 0 to 99");
  EXPECT_EQ(chosenFor("def f(logits, target):\n  return F.cross_entropy(logits, target)"),
            "logits set to (8, 16); target set to (8,) int64 from 0 to 15");
  EXPECT_EQ(chosenFor("def f(x, w):\n  return x @ w"), "x set to (8, 16); w set to (16, 16)");
}

TEST(InputShapes, AreWhatAnnotationsAndCommentsSay) {
  EXPECT_EQ(chosenFor("def f(x):  # x: (4, 8, 12)\n  return x.sum(-1)"), "x set to (4, 8, 12)");
  EXPECT_EQ(chosenFor("def f(x: Float[Tensor, \"batch 12\"]):\n  return x + 1"),
            "x set to (8, 12)");
  EXPECT_EQ(chosenFor("def f(x: \"bf16[8, 32]\"):\n  return x + 1"), "x set to (8, 32) bfloat16");
  EXPECT_EQ(chosenFor("def f(q, k):\n  \"\"\"q: (B, T, D)\"\"\"\n  return q @ k.mT"),
            "q set to (8, 16, 16); k set to (8, 16, 16)");
  EXPECT_EQ(chosenFor("def f(x, mask=None):\n  return x if mask is None else x * mask"),
            "x set to (8, 16)");
}

std::string allNotes(const PastedProgram& pasted) {
  std::string all;
  for (const ProgramNote& each : pasted.notes) all += each.text + "\n";
  return all;
}

/// A class, and lines that train it.
constexpr std::string_view kTrained =
    "import torch\n"
    "import torch.nn as nn\n"
    "class Net(nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.fc = nn.Linear(16, 10)\n"
    "    def forward(self, x):\n"
    "        return torch.relu(self.fc(x))\n"
    "model = Net()\n"
    "opt = torch.optim.SGD(model.parameters(), lr=0.1)\n"
    "for i in range(3):\n"
    "    x = torch.randn(8, 16)\n"
    "    opt.zero_grad()\n"
    "    loss = model(x).sum()\n"
    "    loss.backward()\n"
    "    opt.step()\n"
    "    print(loss.item())\n";

TEST(Surroundings, OfferTheLinesThatTrainAsTheProgram) {
  const PastedProgram forward = readPasted(kTrained);
  EXPECT_THAT(allNotes(forward), HasSubstr("to measure a training step, begin the text with the "
                                           "line \"# entry: script\""));
  EXPECT_FALSE(parseProgram(forward.text).asksGradients);

  const PastedProgram trains = readPasted(kTrained, "script");
  EXPECT_THAT(allNotes(trains), HasSubstr("the program is one iteration of the loop"));
  EXPECT_THAT(allNotes(trains), Not(HasSubstr("to measure a training step")));
  const Program step = parseProgram(trains.text);
  EXPECT_TRUE(step.asksGradients);
  EXPECT_TRUE(step.writesInto);
  EXPECT_EQ(step.inputs.front(), "x");
}

TEST(Surroundings, OfferTheTrainingOfAFunctionThatRunsEverything) {
  std::string within(kTrained);
  const std::size_t from = within.find("model = Net()");
  std::string lines;
  std::istringstream rest(within.substr(from));
  for (std::string line; std::getline(rest, line);) lines += "    " + line + "\n";
  within =
      within.substr(0, from) + "def main():\n" + lines + "if __name__ == '__main__':\n    main()\n";
  EXPECT_TRUE(parseProgram(readPasted(within, "script").text).asksGradients);
}

TEST(Surroundings, AreTheProgramWhereACallHasNoNameForItsResult) {
  const std::string made =
      "from torch.profiler import profile, record_function\n"
      "model = nn.Sequential(nn.Linear(16, 8), nn.ReLU())\nx = torch.randn(4, 16)\n";
  for (const char* const lines :
       {"with torch.no_grad():\n    model(x)\n",
        "with profile(record_shapes=True) as prof:\n    with record_function('run'):\n"
        "        model(x)\nprint(prof.key_averages())\n",
        "for _ in range(3):\n    with torch.no_grad():\n        model(x)\n"}) {
    const PastedProgram pasted = readPasted(made + lines);
    EXPECT_EQ(parseProgram(pasted.text).outputs.size(), 1u) << lines;
    EXPECT_THAT(allNotes(pasted), Not(HasSubstr("left out, because")));
  }
  const Program step = parseProgram(readPasted(made + "model(x).sum().backward()\n").text);
  EXPECT_TRUE(step.asksGradients);
  EXPECT_EQ(step.outputs.size(), 1u);
}

TEST(Surroundings, AreTheProgramWhereATextIsTimed) {
  const std::string made = "model = nn.Linear(16, 8).eval()\nx = torch.randn(4, 16)\n";
  for (const char* const line :
       {"print(timeit.Timer(stmt='model(x)', globals={'model': model, 'x': x}).timeit(9))\n",
        "with torch.no_grad():\n    t = timeit.timeit('model(x)', globals=globals(), "
        "number=9)\n"}) {
    const Program program = parseProgram(readPasted("import timeit\n" + made + line).text);
    EXPECT_EQ(program.inputs.front(), "x") << line;
    EXPECT_EQ(program.outputs.size(), 1u) << line;
  }
}

TEST(Surroundings, LeaveOutContextsOfTheTextsOwn) {
  const std::string timer =
      "class Timer:\n    def __init__(self, name):\n        self.name = name\n"
      "    def __enter__(self):\n        self.begin = time.perf_counter()\n        return self\n"
      "    def __exit__(self, *rest):\n        print(time.perf_counter() - self.begin)\n";
  SourceRecord record;
  const Program program = parseProgram(
      timer + "def f(x):\n    with Timer('all') as t:\n        y = x * 2\n    return y + 1\n", {},
      &record);
  EXPECT_THAT(notesOf(program), Contains(HasSubstr("the start and the end of this context")));
  EXPECT_EQ(program.ops.size(), 2u);
}

}  // namespace
}  // namespace fusebench
