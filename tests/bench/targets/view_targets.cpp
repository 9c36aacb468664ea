// SPDX-License-Identifier: GPL-3.0-or-later
// Views of tensors larger than the caches: a transposed copy, element-wise ops that read through a
// view, and images normalized with a number per channel.
#include <cstring>

#include <fmt/format.h>

#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

constexpr std::int64_t kSide = 4096;

class ViewTargets {
 public:
  explicit ViewTargets(Bench& bench) : bench_(bench) {}

  /// Measures in the same rounds: a program on inputs of these shapes, the program `usual` on the
  /// same inputs, a copy of the first input, and PyTorch's compiler.
  Rounds measure(const std::string& name, const char* text,
                 const std::vector<std::vector<std::int64_t>>& shapes,
                 const char* usual = nullptr) {
    std::vector<Tensor> inputs;
    std::vector<Peers::Input> peersInputs;
    for (const std::vector<std::int64_t>& extents : shapes) {
      Shape shape;
      for (const std::int64_t extent : extents) shape.push(extent);
      inputs.push_back(filled(bench_.backend, shape));
      peersInputs.push_back({extents, false});
    }
    const Program program = parseProgram(text);
    std::vector<Contender> contenders{
        executing("static", bench_.backend, "static", program, inputs)};
    if (usual)
      contenders.push_back(
          executing("contiguous", bench_.backend, "static", parseProgram(usual), inputs));
    const Tensor& x = inputs.front();
    const Tensor copied = makeTensor(bench_.backend.allocator(), DType::float32, x.shape);
    const auto bytes = static_cast<std::size_t>(elementCount(x.shape)) * sizeof(float);
    contenders.push_back(calling(
        "copy", [to = copied.data(), from = x.data(), bytes] { std::memcpy(to, from, bytes); }));
    auto peer = bench_.peers.program("torch-static", {"views/" + name, text, peersInputs},
                                     resultOf(bench_.backend, program, inputs));
    hasPeer_ = peer.has_value();
    if (peer) contenders.push_back(std::move(*peer));
    return Rounds(std::move(contenders), bench_.seconds, 0.05);
  }

  void add(std::string what, Want want, double limit, const Estimate& found, std::string why = "") {
    bench_.targets.push_back({.group = "15 views, beyond caches",
                              .what = std::move(what),
                              .want = want,
                              .limit = limit,
                              .found = found,
                              .why = std::move(why)});
  }
  void addPeer(const std::string& what, const Rounds& rounds) {
    add(what + ": static / torch.compile", Want::atMost, 1,
        hasPeer_ ? rounds.ratio("static", "torch-static") : Estimate{});
    if (!hasPeer_) bench_.targets.back().note = bench_.peers.about("torch");
  }

 private:
  Bench& bench_;
  bool hasPeer_ = false;
};

}  // namespace

void views(Bench& bench) {
  ViewTargets targets(bench);
  const std::vector<std::int64_t> square{kSide, kSide};
  {
    const std::string what = "transposed copy, (4096, 4096)";
    const Rounds rounds =
        targets.measure("copied", "def program(x):\n    return x.t().contiguous()\n", {square});
    targets.add(what + ": share of copy bandwidth", Want::atLeast, 0.6,
                rounds.ratio("copy", "static"));
    targets.addPeer(what, rounds);
  }
  const auto besideContiguous = [&](const std::string& what, const std::string& name,
                                    const char* text, const char* usual, std::size_t inputs) {
    const Rounds rounds =
        targets.measure(name, text, std::vector<std::vector<std::int64_t>>(inputs, square), usual);
    targets.add(what + " / contiguous", Want::atMost, 1.3, rounds.ratio("static", "contiguous"),
                inputs > 1 ? "It was 3.2. Stores past the caches, and 32 panels one below the "
                             "other before those of the next columns, made 2.3 to 2.9 of it. y and "
                             "the result are gone through in rows of 512 bytes, each on another "
                             "page; what that costs was not counted."
                           : "");
    targets.addPeer(what, rounds);
  };
  besideContiguous("relu(x.t() * 1.5)", "one",
                   "def program(x):\n    return torch.relu(x.t() * 1.5)\n",
                   "def program(x):\n    return torch.relu(x * 1.5)\n", 1);
  besideContiguous("x.t() + y", "two", "def program(x, y):\n    return x.t() + y\n",
                   "def program(x, y):\n    return x + y\n", 2);
  {
    const std::string what = "normalise, (64, 3, 256, 256)";
    const Rounds rounds =
        targets.measure("normalized", "def program(x, mean, std):\n    return (x - mean) / std\n",
                        {{64, 3, 256, 256}, {3, 1, 1}, {3, 1, 1}});
    targets.add(what + ": share of copy bandwidth", Want::atLeast, 0.9,
                rounds.ratio("copy", "static"),
                "The division of each element takes time in addition to memory.");
    targets.addPeer(what, rounds);
  }
}

}  // namespace fusebench::targets
