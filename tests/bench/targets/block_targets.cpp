// SPDX-License-Identifier: GPL-3.0-or-later
// Attention and whole blocks of models, with PyTorch as its users call it in the same rounds.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "engine/device/memory_use.h"
#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

struct Block {
  std::string name;
  std::string text;  ///< a function `program`, or a class Net
  std::vector<std::vector<std::int64_t>> inputs;
  int launches = 1;  ///< that the fused program is to take
};

Block attention(std::int64_t length, bool causal) {
  const std::vector<std::int64_t> shape{1, 4, length, 64};
  return {
      fmt::format("attention {}{}", length, causal ? ", causal" : ""),
      fmt::format("def program(q, k, v):\n    return F.scaled_dot_product_attention(q, k, v{})\n",
                  causal ? ", is_causal=True" : ""),
      {shape, shape, shape}};
}

std::vector<Block> blocks() {
  std::vector<Block> all;
  for (const std::int64_t length : {16, 128, 512, 1024, 4096})
    for (const bool causal : {false, true}) all.push_back(attention(length, causal));
  all.push_back({"transformer block",
                 R"(class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1 = nn.LayerNorm(256)
        self.n2 = nn.LayerNorm(256)
        self.qkv = nn.Linear(256, 768)
        self.out = nn.Linear(256, 256)
        self.up = nn.Linear(256, 1024)
        self.down = nn.Linear(1024, 256)
    def forward(self, x):
        q, k, v = self.qkv(self.n1(x)).split(256, dim=2)
        q = q.view(1, 128, 4, 64).transpose(1, 2)
        k = k.view(1, 128, 4, 64).transpose(1, 2)
        v = v.view(1, 128, 4, 64).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(1, 128, 256))
        return x + self.down(F.gelu(self.up(self.n2(x))))
)",
                 {{1, 128, 256}},
                 7});
  all.push_back({"ResNet block",
                 R"(class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(64, 64, 3, padding=1, bias=False)
        self.b1 = nn.BatchNorm2d(64)
        self.c2 = nn.Conv2d(64, 64, 3, padding=1, bias=False)
        self.b2 = nn.BatchNorm2d(64)
    def forward(self, x):
        y = F.relu(self.b1(self.c1(x)))
        return F.relu(self.b2(self.c2(y)) + x)
)",
                 {{1, 64, 56, 56}},
                 2});
  all.push_back({"SwiGLU",
                 R"(class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.RMSNorm(256)
        self.gate = nn.Linear(256, 688, bias=False)
        self.up = nn.Linear(256, 688, bias=False)
        self.down = nn.Linear(688, 256, bias=False)
    def forward(self, x):
        h = self.norm(x)
        return self.down(F.silu(self.gate(h)) * self.up(h))
)",
                 {{1, 128, 256}},
                 4});
  all.push_back({"hue shift",
                 R"(def program(x):
    high, low = x.amax(1), x.amin(1)
    r, g, b = x.unbind(1)
    span = torch.where(high == low, torch.ones_like(high), high - low)
    rc, gc, bc = (high - r) / span, (high - g) / span, (high - b) / span
    h = torch.where(high == r, bc - gc, torch.where(high == g, 2 + rc - bc, 4 + gc - rc))
    return torch.stack(((h / 6 + 0.1) % 1, span, high), dim=1)
)",
                 {{4, 3, 224, 224}},
                 1});
  all.push_back({"rotary embedding",
                 R"(def program(x, cos, sin):
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)
)",
                 {{2, 8, 256, 64}, {256, 32}, {256, 32}},
                 1});
  all.push_back({"image normalization",
                 R"(def program(x, mean, std):
    return (x - mean) / std
)",
                 {{256, 256, 3}, {3}, {3}},
                 1});
  return all;
}

Shape shapeOf(const std::vector<std::int64_t>& extents) {
  Shape shape;
  for (const std::int64_t extent : extents) shape.push(extent);
  return shape;
}

/// The program as this engine reads it. A class is followed by the calls that give its inputs.
Program readBlock(const Block& block) {
  ProgramHints hints;
  if (block.text.starts_with("class")) {
    std::string shape;
    for (const std::int64_t extent : block.inputs.front()) shape += fmt::format("{}, ", extent);
    hints["x"] = {shapeOf(block.inputs.front()), DType::float32};
    const std::string call = "program = Net().eval()\nprogram(torch.randn(" + shape + "))\n";
    return parseProgram(block.text + call, hints);
  }
  std::size_t at = block.text.find('(') + 1;
  for (const auto& extents : block.inputs) {
    const std::size_t end = block.text.find_first_of(",)", at);
    hints[block.text.substr(at, end - at)] = {shapeOf(extents), DType::float32};
    at = end + 2;
  }
  return parseProgram(block.text, hints);
}

/// Weights as layers are made with them: one number, or numbers around zero.
std::vector<Tensor> inputsOf(Backend& backend, const Block& block, const Program& program) {
  std::vector<Tensor> inputs;
  for (const auto& shape : block.inputs) inputs.push_back(filled(backend, shapeOf(shape)));
  for (const HeldInput& held : program.held) {
    Tensor tensor = filled(backend, held.initial.extents);
    if (held.initial.kind == InitialValues::Kind::numbers)
      std::fill_n(static_cast<float*>(tensor.data()), elementCount(tensor.shape),
                  static_cast<float>(held.initial.numbers.front()));
    inputs.push_back(tensor);
  }
  return inputs;
}

double peakOf(Backend& backend, const char* executor, const Program& program,
              std::span<const Tensor> inputs) {
  const auto made = makeExecutor(executor, backend, program);
  const Plan plan = made->plan(inputs);
  const std::vector<Form> forms = made->formsOfPlan(inputs);
  return static_cast<double>(memoryUseOf(plan, symbolsOf(plan, forms), &backend).peakBytes);
}

void measureBlock(Bench& bench, const Block& block) {
  constexpr double kAnyResult = std::numeric_limits<double>::infinity();
  const Program program = readBlock(block);
  const std::vector<Tensor> inputs = inputsOf(bench.backend, block, program);
  const auto add = [&](const std::string& measured, Want want, double limit,
                       const Estimate& found) {
    bench.targets.push_back({.group = "17 attention and blocks",
                             .what = fmt::format("{}: {}", block.name, measured),
                             .want = want,
                             .limit = limit,
                             .found = found});
  };
  const auto exactly = [](double value) {
    return Estimate{value, value, value, Estimate::Kind::range};
  };
  const Plan plan = makeExecutor("static", bench.backend, program)->plan(inputs);
  add("launches", Want::atMost, block.launches, exactly(static_cast<double>(plan.steps.size())));
  add("peak bytes, static / eager", Want::atMost, 1,
      exactly(peakOf(bench.backend, "static", program, inputs) /
              peakOf(bench.backend, "eager", program, inputs)));
  std::vector<Contender> contenders;
  for (const char* executor : {"static", "eager", "instant"})
    contenders.push_back(executing(executor, bench.backend, executor, program, inputs));
  Peers::PeerProgram written;
  written.name = block.name;
  std::ranges::replace(written.name, ' ', '_');
  written.text = "import torch.nn as nn\nimport torch.nn.functional as F\n" + block.text;
  if (block.text.starts_with("class")) written.text += "program = Net().eval()\n";
  for (const auto& shape : block.inputs) written.inputs.push_back({.shape = shape});
  bool peers = true;
  for (const char* peer : {"torch", "torch-static"}) {
    auto made = bench.peers.program(peer, written, 1, kAnyResult);
    peers &= made.has_value();
    if (made) contenders.push_back(std::move(*made));
  }
  const Rounds rounds(std::move(contenders), bench.seconds, 0.01);
  const auto against = [&](const char* ours, const char* peer, const char* name) {
    add(fmt::format("{} / {}", ours, name), Want::atMost, 1,
        peers ? rounds.ratio(ours, peer) : Estimate{});
    if (!peers) bench.targets.back().note = bench.peers.about("torch");
  };
  against("static", "torch-static", "torch.compile");
  against("static", "torch", "PyTorch");
  against("eager", "torch", "PyTorch");
  add("instant / eager", Want::atMost, 1.03, rounds.ratio("instant", "eager"));
}

}  // namespace

void wholeBlocks(Bench& bench) {
  for (const Block& block : blocks()) measureBlock(bench, block);
}

}  // namespace fusebench::targets
