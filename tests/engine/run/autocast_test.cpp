// SPDX-License-Identifier: GPL-3.0-or-later
// torch.autocast: what it makes of ops, its casts as ops of plans, programs that train in it.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string>

#include "engine/language/program_autocast.h"
#include "engine/language/program_gradients.h"
#include "tests/engine/support/expect_reference.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

std::vector<std::string> recordedLines() {
  std::ifstream file(fusebench::test::sourcePath("/tests/engine/values/autocast.txt"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string within(const std::string& body, const std::string& how = "\"cpu\"") {
  return "def f(x, y, c):\n    with torch.autocast(" + how + "):\n        return " + body;
}

/// The dtype of an expression's result within autocast, or "error".
std::string dtypeOf(const std::string& text, DType dtype) {
  const std::vector<ValueType> inputs{{{3, 3}, dtype}, {{3, 3}, dtype}, {{3}, DType::int64}};
  try {
    const Program program =
        parseProgram(text, {{"x", inputs[0]}, {"y", inputs[1]}, {"c", inputs[2]}});
    const std::vector<ValueType> given(inputs.begin(), inputs.begin() + std::ssize(program.inputs));
    const auto types = inferTypes(program, given);
    return std::string(info(types[static_cast<std::size_t>(program.outputs[0])].dtype).name);
  } catch (const ProgramError& error) {
    return std::string("error: ") + error.what();
  }
}

TEST(Autocast, GivesTheTypesThatPyTorchGivesOnTheCpu) {
  const std::vector<std::string> lines = recordedLines();
  int checked = 0;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if (!lines[i].starts_with("= ")) continue;
    const std::string expression = lines[i].substr(2);
    std::istringstream words(lines[i + 1]);
    for (const DType dtype : {DType::float32, DType::bfloat16, DType::float64}) {
      std::string wanted;
      words >> wanted;
      EXPECT_EQ(dtypeOf(within(expression), dtype), wanted)
          << expression << " of " << info(dtype).name;
      ++checked;
    }
  }
  EXPECT_GT(checked, 120);
}

TEST(Autocast, KnowsTheOpsThatPyTorchKnows) {
  std::map<std::string, Autocast, std::less<>> cuda;
  std::set<std::string, std::less<>> cpu;
  const std::map<std::string, Autocast> kinds{
      {"lower", Autocast::lower}, {"single", Autocast::single}, {"widest", Autocast::widest}};
  for (const std::string& line : recordedLines()) {
    std::istringstream words(line);
    std::string list, kind, name;
    words >> list;
    if (list == "cuda")
      for (words >> kind; words >> name;) cuda[name] = kinds.at(kind);
    if (list == "cpu")
      while (words >> name) cpu.insert(name);
  }
  ASSERT_GT(cuda.size(), 80u);
  ASSERT_GT(cpu.size(), 80u);
  // What PyTorch makes of others: x.norm() of vector norms, einsum of products.
  for (const char* name : {"norm", "square", "cube", "linear_bias"}) cuda[name] = Autocast::single;
  cuda["linear_bias"] = Autocast::lower;
  cpu.insert("einsum");
  for (const OpRow& row : opRows()) {
    std::string name(row.name);
    if (name.starts_with("norm_")) name = "norm";
    if (name.ends_with("_bias")) name.resize(name.size() - 5);
    const auto found = cuda.find(name);
    EXPECT_EQ(row.autocast.cuda, found == cuda.end() ? Autocast::none : found->second) << name;
    EXPECT_EQ(row.autocast.cpu != Autocast::none, cpu.contains(name)) << name;
  }
}

TEST(Autocast, CastsByTheListOfItsDevice) {
  EXPECT_EQ(dtypeOf(within("torch.exp(x @ y)"), DType::float32), "bfloat16");
  EXPECT_EQ(dtypeOf(within("torch.exp(x @ y)", "'cuda', torch.bfloat16"), DType::float32),
            "float32");
  EXPECT_EQ(dtypeOf(within("x @ y", "'cuda'"), DType::float32), "float16");
  EXPECT_EQ(dtypeOf(within("torch.softmax(x @ y, 0)", "'cuda'"), DType::float32), "float32");
  EXPECT_EQ(dtypeOf(within("torch.lgamma(x @ y)", "'cuda'"), DType::float32), "float16");
  EXPECT_EQ(dtypeOf(within("torch.erfinv(x @ y)"), DType::float32), "bfloat16");
  EXPECT_EQ(dtypeOf(within("F.batch_norm(x, y[0], y[1])", "'cuda'"), DType::float16), "float16");
}

TEST(Autocast, EndsWhereItsBlockEnds) {
  const std::string program =
      "def f(x, y, c):\n    with torch.autocast('cpu', dtype=torch.float16):\n        a = x @ y\n"
      "        with torch.autocast('cpu', enabled=False):\n            b = x @ y\n"
      "        with torch.no_grad(), torch.autocast('cpu'):\n            d = x @ y\n"
      "        e = x @ y\n    g = x @ y\n    return a, b, d, e, g";
  const Program read = parseProgram(program);
  const std::vector<ValueType> inputs{
      {{3, 3}, DType::float32}, {{3, 3}, DType::float32}, {{3}, DType::int64}};
  const auto types = inferTypes(read, inputs);
  std::vector<DType> made;
  for (const ValueId output : read.outputs)
    made.push_back(types[static_cast<std::size_t>(output)].dtype);
  EXPECT_THAT(made, testing::ElementsAre(DType::float16, DType::float32, DType::bfloat16,
                                         DType::float16, DType::float32));
}

TEST(Autocast, MistakesAreSaid) {
  EXPECT_THAT(dtypeOf(within("x", ""), DType::float32), HasSubstr("device type"));
  EXPECT_THAT(dtypeOf(within("x", "'tpu'"), DType::float32), HasSubstr("\"cpu\" or \"cuda\""));
  EXPECT_THAT(dtypeOf(within("x", "'cpu', dtype=torch.float64"), DType::float32),
              HasSubstr("torch.bfloat16 or torch.float16"));
  EXPECT_THAT(dtypeOf(within("x", "'cpu', precision=2"), DType::float32), HasSubstr("'precision'"));
}

TEST(Autocast, IsWrittenAsItsUserWould) {
  Program program = parseProgram(
      "def f(x, y, t):\n    h = torch.relu(x @ y)\n    loss = F.mse_loss(h @ y, t)\n"
      "    return torch.autograd.grad(loss, (x, y))");
  setAutocast(program, DType::bfloat16, AutocastMode::List::cpu);
  const std::string text = toText(program);
  EXPECT_THAT(text, HasSubstr("    with torch.autocast(\"cpu\", dtype=torch.bfloat16):\n"
                              "        h = torch.relu(torch.matmul(x, y))\n"
                              "        t1 = torch.matmul(h, y)\n"
                              "    loss = "));
  EXPECT_THAT(text, HasSubstr("t1.float() - t.float()"));
  // Read again it is the same.
  EXPECT_EQ(toText(parseProgram(text)), text);
}

class AutocastRuns : public testing::Test {
 protected:
  /// How many casts a plan has.
  int castsOf(const char* executor, const Program& program, std::span<const Tensor> inputs) {
    const auto made = makeExecutor(executor, fixture_.backend(), program);
    const Plan plan = made->plan(inputs);
    return static_cast<int>(std::ranges::count_if(plan.program->ops, [](const Op& op) {
      return op.row->result == ResultType::cast && op.derivativeOf < 0;
    }));
  }
  EngineFixture fixture_;
};

TEST_F(AutocastRuns, ParametersAreCastOnceAndOthersAtEachUse) {
  const std::string text =
      "def f(x, w):\n    with torch.autocast('cpu'%s):\n        a = x @ w\n"
      "        b = x @ w\n    loss = (a + b).float().sum()\n    ";
  const auto program = [&](const std::string& more, const std::string& result) {
    std::string whole = text;
    whole.replace(whole.find("%s"), 2, more);
    return parseProgram(whole + "return " + result);
  };
  const std::vector<Tensor> inputs{fixture_.random({4, 4}, 1), fixture_.random({4, 4}, 2)};
  const std::string by = "torch.autograd.grad(loss, w)[0]";
  EXPECT_EQ(castsOf("eager", program("", by), inputs), 3 + 1);
  EXPECT_EQ(castsOf("eager", program(", cache_enabled=False", by), inputs), 4 + 1);
  EXPECT_EQ(castsOf("eager", program("", "loss"), inputs), 4 + 1);
  EXPECT_EQ(castsOf("static", program("", "loss"), inputs), 2 + 1);
}

TEST_F(AutocastRuns, EveryExecutorGivesTheReferences) {
  const std::vector<Tensor> inputs{fixture_.random({6, 6}, 1), fixture_.random({6, 6}, 2)};
  for (const char* how : {"'cpu'", "'cpu', torch.float16", "'cuda', torch.bfloat16"})
    expectAsReference(fixture_,
                      "def f(x, y):\n    with torch.autocast(" + std::string(how) +
                          "):\n        h = torch.exp(torch.tanh(x * 0.5)) + x\n"
                          "        return torch.relu(h) * y, h.prod(dim=1), F.l1_loss(h, y)",
                      inputs);
}

std::vector<float> wavesOf(int count, double f, float factor = 1) {
  std::vector<float> values;
  for (int i = 1; i <= count; ++i) values.push_back(static_cast<float>(std::sin(f * i)) * factor);
  return values;
}

// PyTorch 2.15's losses of the same network in autocast, with weights and gradients in float32.
TEST_F(AutocastRuns, TrainANetworkToPyTorchsLosses) {
  const Program program = parseProgram(
      "def f(x, t, w1, b1, w2):\n    with torch.autocast('cpu', dtype=torch.bfloat16):\n"
      "        h = F.relu(F.linear(x, w1, b1))\n        loss = F.mse_loss(F.linear(h, w2), t)\n"
      "    g1, g2, g3 = torch.autograd.grad(loss, (w1, b1, w2))\n"
      "    return loss, w1 - 0.1 * g1, b1 - 0.1 * g2, w2 - 0.1 * g3");
  const std::map<int, double> recorded{
      {0, 0x1.061c32p-1}, {1, 0x1.cd7d22p-2}, {10, 0x1.54ef2ep-3}, {50, 0x1.36ee28p-8}};
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    SCOPED_TRACE(info.name);
    std::vector<Tensor> inputs{fixture_.tensor({8, 16}, wavesOf(128, 1.0)),
                               fixture_.tensor({8, 4}, wavesOf(32, 0.7)),
                               fixture_.tensor({32, 16}, wavesOf(512, 1.3, 0.3F)),
                               fixture_.tensor({32}, wavesOf(32, 2.1, 0.1F)),
                               fixture_.tensor({4, 32}, wavesOf(128, 0.9, 0.3F))};
    const auto executor = makeExecutor(info.name, fixture_.backend(), program);
    for (int step = 0; step <= 50; ++step) {
      const auto results = executor->call(inputs);
      ASSERT_EQ(results[1].dtype, DType::float32);
      if (const auto found = recorded.find(step); found != recorded.end()) {
        const double loss = EngineFixture::values(results[0])[0];
        // Eight bits of precision in each product, of 8 * 4 independent errors.
        EXPECT_NEAR(loss, found->second, 0x1p-8 * found->second) << "step " << step;
      }
      for (std::size_t i = 2; i < inputs.size(); ++i) {
        const std::vector<double> updated = EngineFixture::values(results[i - 1]);
        inputs[i] = fixture_.tensor(inputs[i].shape, {updated.begin(), updated.end()});
      }
    }
  }
}

}  // namespace
}  // namespace fusebench
