// SPDX-License-Identifier: GPL-3.0-or-later
// The variant `torch` of a study compared with the same call made directly.
#include <fmt/format.h>

#include <limits>

#include "engine/language/parser.h"
#include "engine/language/program_source.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {
namespace {

struct DirectCall {
  const char* name;
  const char* text;                ///< the program of an experiment
  const char* direct;              ///< the same as plain PyTorch
  std::vector<const char*> names;  ///< of the inputs
  std::vector<Peers::Input> inputs;
  std::int64_t classes = 0;
};

const std::vector<DirectCall>& directCalls() {
  static const std::vector<DirectCall> calls = {
      {"GroupNorm(8,32)",
       "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
       "        self.norm = nn.GroupNorm(8, 32)\n    def forward(self, x):\n"
       "        return self.norm(x)\n",
       "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
       "        self.norm = torch.nn.GroupNorm(8, 32)\n    def forward(self, x):\n"
       "        return self.norm(x)\nprogram = Net().eval()\n",
       {"x"},
       {{.shape = {4, 32, 24, 24}}}},
      {"layer_norm",
       "def f(x):\n    return F.layer_norm(x, (256,))\n",
       "def program(x):\n    return F.layer_norm(x, (256,))\n",
       {"x"},
       {{.shape = {256, 256}}}},
      {"cross_entropy",
       "def f(x, t):\n    return F.cross_entropy(x, t)\n",
       "def program(x, t):\n    return F.cross_entropy(x, t)\n",
       {"x", "t"},
       {{.shape = {256, 1000}}, {.shape = {256}, .classes = true}},
       1000},
      {"rotary",
       "def f(x, cos, sin):\n    a, b = x[..., 0::2], x[..., 1::2]\n"
       "    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)\n",
       "def program(x, cos, sin):\n    a, b = x[..., 0::2], x[..., 1::2]\n"
       "    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)\n",
       {"x", "cos", "sin"},
       {{.shape = {1, 8, 64, 64}}, {.shape = {64, 32}}, {.shape = {64, 32}}}},
      {"hue",
       "def f(x):\n    high, low = x.amax(1), x.amin(1)\n    r, g, b = x.unbind(1)\n"
       "    span = torch.where(high == low, torch.ones_like(high), high - low)\n"
       "    rc, gc, bc = (high - r) / span, (high - g) / span, (high - b) / span\n"
       "    h = torch.where(high == r, bc - gc, torch.where(high == g, 2 + rc - bc, 4 + gc - rc))\n"
       "    return torch.stack(((h / 6 + 0.1) % 1, span, high), dim=1)\n",
       "def program(x):\n    high, low = x.amax(1), x.amin(1)\n    r, g, b = x.unbind(1)\n"
       "    span = torch.where(high == low, torch.ones_like(high), high - low)\n"
       "    rc, gc, bc = (high - r) / span, (high - g) / span, (high - b) / span\n"
       "    h = torch.where(high == r, bc - gc, torch.where(high == g, 2 + rc - bc, 4 + gc - rc))\n"
       "    return torch.stack(((h / 6 + 0.1) % 1, span, high), dim=1)\n",
       {"x"},
       {{.shape = {8, 3, 128, 128}}}},
      {"LSTM",
       "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
       "        self.lstm = nn.LSTM(32, 32, batch_first=True)\n    def forward(self, x):\n"
       "        return self.lstm(x)[0]\n",
       "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
       "        self.lstm = torch.nn.LSTM(32, 32, batch_first=True)\n    def forward(self, x):\n"
       "        return self.lstm(x)[0]\nprogram = Net().eval()\n",
       {"x"},
       {{.shape = {4, 16, 32}}}},
  };
  return calls;
}

}  // namespace

void direct(Bench& bench) {
  constexpr double kAnyResult = std::numeric_limits<double>::infinity();
  for (const DirectCall& call : directCalls()) {
    Target target{.group = "16 variant torch against the direct call",
                  .what = fmt::format("{}: variant / direct", call.name),
                  .limit = 1.05,
                  .found = {}};
    Peers::PeerProgram written{.name = fmt::format("direct-{}", call.name),
                               .text = call.direct,
                               .inputs = call.inputs,
                               .classes = call.classes};
    // What a process makes first is placed better in memory: its LSTM takes 120 us where the same
    // module, made again, takes 134. So the first one is made and kept, and is not measured.
    written.name = fmt::format("first-{}", call.name);
    const auto first = bench.peers.program("torch", written, 1, kAnyResult);
    written.name = fmt::format("direct-{}", call.name);
    auto plain = bench.peers.program("torch", written, 1, kAnyResult);
    ProgramHints hints;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      ValueType& type = hints[call.names.at(i)];
      for (const std::int64_t extent : call.inputs[i].shape) type.shape.push(extent);
      type.dtype = call.inputs[i].classes ? DType::int64 : DType::float32;
    }
    const Program names = parseProgram(call.text, hints);
    written.like = fmt::format("torch/{}", written.name);
    written.name = fmt::format("variant-{}", call.name);
    written.text = torchText(names);
    written.source = true;
    auto variant = bench.peers.program("torch", written, 1, kAnyResult);
    if (plain && variant) {
      plain->name = "direct";
      variant->name = "variant";
      std::vector<Contender> both;
      both.push_back(std::move(*plain));
      both.push_back(std::move(*variant));
      target.found = Rounds(std::move(both), bench.seconds).ratio("variant", "direct");
    } else {
      target.note = bench.peers.about("torch");
    }
    bench.targets.push_back(std::move(target));
  }
}

}  // namespace fusebench::targets
