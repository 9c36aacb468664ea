// SPDX-License-Identifier: GPL-3.0-or-later
// Random chains, single functions, and reads that are not contiguous.
#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "tests/bench/targets/hand_written.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

/// The memory layout of the second input of a random chain.
enum class Layout : std::uint8_t { contiguous, row, column, transposed };

struct RandomChain {
  std::string text;
  std::string size;
  std::vector<Tensor> inputs;
};

Tensor transposed(Tensor tensor) {
  std::swap(tensor.shape[0], tensor.shape[1]);
  std::swap(tensor.strides[0], tensor.strides[1]);
  tensor.contiguous = false;
  return tensor;
}

/// 1 to 40 ops on 1 to 16 Mi elements, all drawn evenly (sizes on a logarithmic scale).
RandomChain randomChain(Backend& backend, std::mt19937& random) {
  static const std::vector<std::string> kOps = {"x + 0.1",
                                                "x * 0.9",
                                                "x - 0.2",
                                                "torch.relu(x)",
                                                "torch.sin(x)",
                                                "torch.cos(x)",
                                                "torch.tanh(x)",
                                                "torch.sigmoid(x)",
                                                "torch.exp(-x*x)",
                                                "torch.abs(x)",
                                                "x * x",
                                                "torch.sqrt(torch.abs(x))",
                                                "x + y",
                                                "x * y",
                                                "torch.minimum(x, y)",
                                                "torch.erf(x)",
                                                "torch.log1p(torch.abs(x))",
                                                "torch.clamp(x, -1.0, 1.0)",
                                                "torch.floor(x)",
                                                "x / 1.5"};
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  RandomChain chain;
  const std::size_t ops = 1 + below(40);
  chain.text = "def program(x, y):\n";
  for (std::size_t i = 0; i < ops; ++i) chain.text += "    x = " + kOps[below(kOps.size())] + "\n";
  chain.text += below(2) == 0 ? "    return x\n" : "    return x.sum()\n";
  const double size = std::exp2(std::uniform_real_distribution<double>(0, 24)(random));
  const auto columns = std::max<std::int64_t>(1, std::llround(std::sqrt(size)));
  const auto rows = std::max<std::int64_t>(1, std::llround(size / static_cast<double>(columns)));
  chain.inputs.push_back(filled(backend, {rows, columns}));
  const auto layout = static_cast<Layout>(below(4));
  switch (layout) {
    case Layout::contiguous:
      chain.inputs.push_back(filled(backend, {rows, columns}));
      break;
    case Layout::row:
      chain.inputs.push_back(filled(backend, {1, columns}));
      break;
    case Layout::column:
      chain.inputs.push_back(filled(backend, {rows, 1}));
      break;
    case Layout::transposed:
      chain.inputs.push_back(transposed(filled(backend, {columns, rows})));
      break;
  }
  static const char* const kNames[] = {"contiguous", "a row", "a column", "transposed"};
  chain.size = fmt::format("({}, {}), y {}", rows, columns, kNames[static_cast<int>(layout)]);
  return chain;
}

}  // namespace

void randomChains(Bench& bench) {
  std::mt19937 random(2025);
  int fast = 0;
  std::string rest;
  for (int i = 0; i < bench.chains; ++i) {
    const RandomChain chain = randomChain(bench.backend, random);
    const Program program = parseProgram(chain.text);
    const Rounds rounds({executing("fused", bench.backend, "static", program, chain.inputs),
                         executing("eager", bench.backend, "eager", program, chain.inputs)},
                        0.1 * bench.seconds);
    const Estimate ratio = rounds.ratio("fused", "eager");
    bench.backend.forgetKernels();
    if (ratio.high <= 1.03) {
      ++fast;
      continue;
    }
    const auto statements = std::count(chain.text.begin(), chain.text.end(), '\n') - 2;
    rest += fmt::format(" #{} ({} statements on {}): {:.3f} ({:.3f} to {:.3f}).", i, statements,
                        chain.size, ratio.value, ratio.low, ratio.high);
  }
  const double share = static_cast<double>(fast) / std::max(1, bench.chains);
  bench.targets.push_back(
      {.group = "7 never slower",
       .what = fmt::format("share of {} random chains where fused / eager ends at <= 1.03",
                           bench.chains),
       .want = Want::atLeast,
       .limit = 0.99,
       .found = {share, share, share, Estimate::Kind::interval},
       .note = rest.empty() ? "" : "The rest:" + rest});
}

void functions(Bench& bench) {
  constexpr std::int64_t kElements = 4096;
  for (const char* name : {"exp", "log", "sin", "cos", "tan", "tanh", "atan", "erf", "expm1",
                           "log1p", "sinh", "asinh"}) {
    const VectorFunction function = libraryFunction(name);
    Tensor x = filled(bench.backend, {kElements});
    auto* values = static_cast<float*>(x.data());
    // Where all of them are defined.
    for (std::int64_t i = 0; i < kElements; ++i) values[i] = std::abs(values[i]) + 0.01f;
    Tensor out = makeTensor(bench.backend.allocator(), DType::float32, {kElements});
    const Program program = parseProgram(fmt::format("return torch.{}(x)", name));
    const Rounds rounds({executing("ours", bench.backend, "static", program, {x}),
                         calling("C library",
                                 [&] {
                                   function(static_cast<const float*>(x.data()),
                                            static_cast<float*>(out.data()), kElements);
                                 })},
                        0.25 * bench.seconds);
    bench.targets.push_back({.group = "8 functions, 4,096 elements",
                             .what = fmt::format("{} / the C library's", name),
                             .limit = 1,
                             .found = rounds.ratio("ours", "C library")});
  }
  bench.targets.back().note =
      "The C library's vector functions are good to 4 ULP, ours to 2 (exp, log, sin, cos, tanh) or "
      "4; its call has no checks and no memory to take, ours has.";
}

void layouts(Bench& bench) {
  // Small enough for the second-level cache, so that memory does not decide.
  constexpr std::int64_t kRows = 256, kColumns = 128;
  Backend& backend = bench.backend;
  const Tensor x = filled(backend, {kRows, kColumns});
  const auto one = [&](const char* text, std::vector<Tensor> inputs, const char* usual,
                       std::vector<Tensor> usualInputs, const std::string& what) {
    const Rounds rounds(
        {executing("this", backend, "static", parseProgram(text), std::move(inputs)),
         executing("contiguous", backend, "static", parseProgram(usual), std::move(usualInputs))},
        0.25 * bench.seconds);
    bench.targets.push_back({.group = "9 layouts, (256, 128)",
                             .what = what + " / contiguous",
                             .limit = 1.5,
                             .found = rounds.ratio("this", "contiguous"),
                             .why = what == "y transposed"
                                        ? "it is bound by instructions, not by memory: a shuffle "
                                          "for every three or so elements that are transposed, "
                                          "beside a sine."
                                        : ""});
  };
  const char* add = "def program(x, y):\n    return torch.sin(x + y)";
  const Tensor y = filled(backend, {kRows, kColumns});
  one("return torch.sin(x).sum(dim=0)", {x}, "return torch.sin(x).sum()", {x}, "sum over dim 0");
  one("return torch.sin(x).sum(dim=1)", {x}, "return torch.sin(x).sum()", {x}, "sum over dim 1");
  one("return torch.sin(x).amax(dim=0)", {x}, "return torch.sin(x).amax()", {x}, "amax over dim 0");
  one("return torch.sin(x).amax(dim=1)", {x}, "return torch.sin(x).amax()", {x}, "amax over dim 1");
  one(add, {x, filled(backend, {1, kColumns})}, add, {x, y}, "a row broadcast");
  one(add, {x, filled(backend, {kRows, 1})}, add, {x, y}, "a column broadcast");
  one(add, {x, transposed(filled(backend, {kColumns, kRows}))}, add, {x, y}, "y transposed");
  one(add,
      {transposed(filled(backend, {kColumns, kRows})),
       transposed(filled(backend, {kColumns, kRows}))},
      add, {x, y}, "both transposed");
}

}  // namespace fusebench::targets
