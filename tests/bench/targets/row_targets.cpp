// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that go over a row several times, or once over several tensors: one launch each.
#include <cstring>

#include <fmt/format.h>

#include "engine/language/parser.h"
#include "engine/plan/storages.h"
#include "engine/run/executor.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

struct Extents {
  std::int64_t rows, length;
};
constexpr Extents kSizes[] = {{8, 64},     {8, 512},   {8, 4096},   {256, 64},   {256, 512},
                              {256, 4096}, {8192, 64}, {8192, 512}, {8192, 4096}};
/// Beyond what caches hold.
constexpr std::int64_t kLargeElements = 1 << 24;
constexpr std::int64_t kBuiltElements = 4096;
/// Beyond what a second-level cache holds.
constexpr std::int64_t kMemoryElements = 1 << 20;
constexpr const char* kMemoryBound =
    "Tensors that no second-level cache holds: both take what memory gives. Results are stored "
    "past the caches, which saves fetching them first, only where all tensors together fill 64 "
    "MiB: of smaller ones (adam step of (256, 4096): 28 MiB, 0.61 of the time) what reads them "
    "next would find nothing in the last cache.";

/// A program of tensors of (rows, n), and of weights of n.
struct RowProgram {
  const char* name;
  const char* parameters;  ///< "x", or with weights "x, w, b"
  int wholes;              ///< how many of them are (rows, n); then come weights
  bool classes;            ///< the last is of (rows,) and names classes
  const char* body;        ///< with {n}
};
constexpr RowProgram kPrograms[] = {
    {"softmax", "x", 1, false, "return torch.softmax(x, -1)"},
    {"layer norm", "x, w, b", 1, false, "return F.layer_norm(x, ({n},), w, b)"},
    {"RMS norm", "x, w", 1, false, "return F.rms_norm(x, ({n},), w, 1e-6)"},
    {"cross entropy", "x, t", 1, true, "return F.cross_entropy(x, t)"},
    {"group norm", "x, w, b", 1, false, "return F.group_norm(x, 8, w, b)"},
    {"adam step", "p, g, m, v", 4, false,
     "a = m * 0.9 + g * 0.1\n    s = v * v * 0.999 + g * g * 0.001\n    return p - 0.001 * a / "
     "(torch.sqrt(s) + 1e-8), a, s"},
    {"SwiGLU", "x, y", 2, false, "return F.silu(x) * y"},
};

Peers::PeerProgram written(const RowProgram& program, const Extents& size) {
  std::string body = program.body;
  if (const std::size_t at = body.find("{n}"); at != std::string::npos)
    body.replace(at, 3, std::to_string(size.length));
  std::string name = fmt::format("{}/{}/{}", program.name, size.rows, size.length);
  std::replace(name.begin(), name.end(), ' ', '_');
  Peers::PeerProgram made{
      name, fmt::format("def program({}):\n    {}\n", program.parameters, body), {}, size.length};
  const std::string parameters = program.parameters;
  const auto count = 1 + std::count(parameters.begin(), parameters.end(), ',');
  for (int i = 0; i < count; ++i) {
    const bool last = i + 1 == count;
    if (i < program.wholes)
      made.inputs.push_back({{size.rows, size.length}, false});
    else if (last && program.classes)
      made.inputs.push_back({{size.rows}, true});
    else
      made.inputs.push_back({{size.length}, false});
  }
  return made;
}

/// As peers.py has them.
Tensor classesOf(Backend& backend, std::int64_t count, std::int64_t classes) {
  Tensor tensor = makeTensor(backend.allocator(), DType::int64, {count});
  auto* values = static_cast<std::int64_t*>(tensor.data());
  for (std::int64_t i = 0; i < count; ++i) values[i] = i * 7 % classes;
  return tensor;
}

std::vector<Tensor> inputsOf(Backend& backend, const Peers::PeerProgram& program) {
  std::vector<Tensor> inputs;
  for (const Peers::Input& input : program.inputs) {
    Shape shape;
    for (const std::int64_t extent : input.shape) shape.push(extent);
    inputs.push_back(input.classes ? classesOf(backend, shape[0], program.classes)
                                   : filled(backend, shape));
  }
  return inputs;
}

/// One program at one size.
class RowTargets {
 public:
  RowTargets(Bench& bench, const RowProgram& said, const Extents& size)
      : bench_(bench),
        size_(size),
        what_(fmt::format("{} ({}, {})", said.name, size.rows, size.length)),
        written_(written(said, size)),
        inputs_(inputsOf(bench.backend, written_)) {
    ProgramHints hints;
    std::string names = said.parameters;
    std::size_t at = 0;
    for (const Tensor& input : inputs_) {
      const std::size_t end = std::min(names.find(',', at), names.size());
      hints[names.substr(at, end - at)] = {input.shape, input.dtype};
      at = end + 2;
    }
    program_ = parseProgram(written_.text, hints);
  }

  void measure() {
    const auto fused = makeExecutor("static", bench_.backend, program_);
    const Plan plan = fused->plan(inputs_);
    const auto launches = static_cast<double>(plan.steps.size());
    add("launches", Want::atMost, 1, {launches, launches, launches, Estimate::Kind::range});
    const double ours = resultOf(bench_.backend, program_, inputs_);
    std::vector<Contender> contenders;
    for (const char* executor : {"static", "eager", "instant"})
      contenders.push_back(executing(executor, bench_.backend, executor, program_, inputs_));
    bool peer = false;
    if (auto made = bench_.peers.program("torch-static", written_, ours)) {
      contenders.push_back(std::move(*made));
      peer = true;
    }
    const bool large = size_.rows * size_.length >= kLargeElements;
    if (large) addCopy(contenders);
    const Rounds rounds(std::move(contenders), bench_.seconds, large ? 0.05 : 0.002);
    add("static / eager", Want::nothing, 0, rounds.ratio("static", "eager"));
    add("static / torch.compile", Want::atMost, size_.rows <= 256 ? 0.5 : 0.9,
        peer ? rounds.ratio("static", "torch-static") : Estimate{});
    if (!peer) bench_.targets.back().note = bench_.peers.about("torch");
    if (size_.rows * size_.length >= kMemoryElements) bench_.targets.back().why = kMemoryBound;
    add("instant / eager", Want::atMost, 1.03, rounds.ratio("instant", "eager"));
    if (size_.rows * size_.length > kBuiltElements) addInstantOverStatic(rounds);
    if (!large) return;
    double bytes = 0;
    for (const StepCost& cost : costsOf(plan, symbolsOf(plan, inputs_)))
      bytes += static_cast<double>(cost.bytes.read + cost.bytes.written);
    const double copied = 2.0 * static_cast<double>(size_.rows * size_.length) * sizeof(float);
    add("share of copy bandwidth", Want::atLeast, 0.85,
        scaled(rounds.ratio("copy", "static"), bytes / copied));
    bench_.targets.back().why =
        "Arithmetic on the row comes on top of memory: exponentials take some 0.25 ns an "
        "element by themselves, nine multiply-adds of a vector, and a copy 0.36; a variance "
        "goes through the row once more.";
  }

 private:
  void add(const std::string& measured, Want want, double limit, const Estimate& found) {
    bench_.targets.push_back({.group = "11 rows",
                              .what = fmt::format("{}: {}", what_, measured),
                              .want = want,
                              .limit = limit,
                              .found = found});
  }

  void addInstantOverStatic(const Rounds& rounds) {
    add("instant / static", Want::atMost, 1.3, rounds.ratio("instant", "static"));
    bench_.targets.back().why =
        "Prebuilt pieces keep no row between two ops: ops along rows are launches of their own, as "
        "many passes as eager's.";
  }

  void addCopy(std::vector<Contender>& contenders) {
    const Tensor from = inputs_.front();
    const Tensor to = makeTensor(bench_.backend.allocator(), DType::float32, from.shape);
    contenders.push_back(calling("copy", [from, to] {
      std::memcpy(to.data(), from.data(),
                  static_cast<std::size_t>(elementCount(from.shape)) * sizeof(float));
    }));
  }

  Bench& bench_;
  Extents size_;
  std::string what_;
  Peers::PeerProgram written_;
  std::vector<Tensor> inputs_;
  Program program_;
};

/// Rows of unknown length that are short when they come.
void shortRows(Bench& bench) {
  for (const std::int64_t length : {16, 48}) {
    const std::vector<Tensor> inputs{filled(bench.backend, {256, length})};
    const Program program = parseProgram("return torch.softmax(x, -1)");
    const Rounds rounds({executing("static", bench.backend, "static", program, inputs),
                         executing("dynamic", bench.backend, "dynamic", program, inputs)},
                        0.25 * bench.seconds);
    bench.targets.push_back({.group = "11 rows",
                             .what = fmt::format("softmax (256, {}): dynamic / static", length),
                             .limit = 1.5,
                             .found = rounds.ratio("dynamic", "static")});
  }
}

}  // namespace

void rows(Bench& bench) {
  for (const RowProgram& program : kPrograms)
    for (const Extents& size : kSizes) RowTargets(bench, program, size).measure();
  shortRows(bench);
}

}  // namespace fusebench::targets
