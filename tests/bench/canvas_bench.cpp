// SPDX-License-Identifier: GPL-3.0-or-later
// A captured model of about 2,000 operations: planning it, opening it on the canvas, and frames of
// panning and zooming, offscreen, 1920 pixels wide.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <string>
#include <vector>

#include "engine/language/parser.h"
#include "engine/plan/islands.h"
#include "engine/plan/plan.h"
#include "engine/run/executor.h"
#include "ui/models/canvas/canvas_graph.h"
#include "ui/models/canvas/canvas_kernels.h"
#include "ui/models/setup/document_model.h"
#include "ui/views/canvas/canvas_island_item.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/canvas_view.h"

namespace fusebench {
namespace {

constexpr int kLayers = 250;  // each has 8 operations
constexpr std::int64_t kWidth = 64;

/// Layers of a residual block each: a matmul between elementwise operations.
Experiment deepModel() {
  Experiment experiment = DocumentModel::blank();
  CapturedModel model;
  model.sources = {"", "model.py:7: x = self.block(x)"};
  model.modules = {""};
  auto& tensors = experiment.inputSets.front().inputs;
  tensors.front().extents = {"8", std::to_string(kWidth)};
  std::string inputs = "x", lines;
  int number = 1;
  const auto add = [&](const std::string& line, int module) {
    lines += "    " + line + "\n";
    model.nodes.push_back({0, ++number, module, module > 0 ? 1 : 0});
  };
  add("h = torch.ops.aten.relu.default(x)", 0);
  for (int i = 0; i < kLayers; ++i) {
    const std::string n = std::to_string(i);
    const auto mix = static_cast<int>(model.modules.size());
    model.modules.push_back("layers." + n + ".mix");
    model.modules.push_back("layers." + n + ".act");
    inputs += ", w" + n;
    InputSpec weight = tensors.front();
    weight.name = "w" + n;
    weight.extents = {std::to_string(kWidth), std::to_string(kWidth)};
    weight.held = true;
    tensors.push_back(weight);
    add("a = torch.ops.aten.mul.Tensor(h, 0.5)", mix);
    add("a = torch.ops.aten.mm.default(a, w" + n + ")", mix);
    add("a = torch.ops.aten.add.Tensor(a, 0.1)", mix);
    for (const char* op : {"tanh", "sin", "sigmoid", "neg"})
      add(std::string("a = torch.ops.aten.") + op + ".default(a)", mix + 1);
    add("h = torch.ops.aten.add.Tensor(h, a)", mix);
  }
  experiment.programText = "def forward(" + inputs + "):\n" + lines + "    return h\n";
  experiment.capture = model;
  return experiment;
}

QApplication& application() {
  static int argc = 1;
  static char program[] = "bench";
  static char* argv[] = {program, nullptr};
  qputenv("QT_QPA_PLATFORM", "offscreen");
  static auto* const made = new QApplication(argc, argv);  // outlives what is drawn
  return *made;
}

void plan(benchmark::State& state, const char* executor) {
  const Experiment experiment = deepModel();
  const Program program = parseProgram(experiment.programText);
  std::vector<ValueType> types(program.inputs.size(), ValueType{{kWidth, kWidth}});
  types.front().shape = {8, kWidth};
  const std::vector<Form> forms = contiguousForms(types);
  std::size_t steps = 0;
  for (auto _ : state) steps = makePlan(program, forms, executorNamed(executor).plan).steps.size();
  state.counters["operations"] = static_cast<double>(program.ops.size());
  state.counters["steps"] = static_cast<double>(steps);
}
BENCHMARK_CAPTURE(plan, eager, "eager")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, compiled, "static")->Unit(benchmark::kMillisecond);

/// From the experiment to the folded boxes with their kernels.
void open(benchmark::State& state) {
  application();
  for (auto _ : state) {
    DocumentModel document;
    CanvasView view(document);
    view.resize(1920, 1080);
    view.show();
    document.load(deepModel(), {});
    while (document.reading() || view.planning())
      QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    state.counters["known"] = view.kernels().known() ? 1 : 0;
  }
}
BENCHMARK(open)->Unit(benchmark::kMillisecond)->Iterations(1);

/// Four operations per kernel, about what a compiled model has.
CanvasKernels kernelsOf(const CanvasGraph& graph) {
  constexpr std::size_t kOpsPerKernel = 4;
  CanvasKernels made;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].kind != CanvasNode::Kind::op) continue;
    if (made.kernels.empty() || made.kernels.back().nodes.size() == kOpsPerKernel)
      made.kernels.push_back({{}, "mul_mm_add_tanh", false, {}});
    made.kernels.back().nodes.push_back(static_cast<int>(i));
  }
  return made;
}

/// The whole model with every module open: more than a person ever sees at once.
CanvasSurface& opened() {
  application();
  static CanvasSurface* surface = nullptr;
  if (!surface) {
    surface = new CanvasSurface;
    surface->setTheme(darkTheme());
    surface->resize(1920, 1080);
    const Experiment experiment = deepModel();
    const Sketch read = sketch(experiment.programText);
    surface->show(canvasGraph(read, {}, {}, {}, canvasOrigins(experiment, read.program)), {}, -1);
    const CanvasKernels kernels = kernelsOf(surface->graph());
    surface->islands().setKernels(surface->graph(), kernels, kernels);
    surface->setVisible(true);
  }
  return *surface;
}

void drawInto(QImage& image, CanvasSurface& surface) {
  surface.viewport()->render(&image);
}

void pan(benchmark::State& state) {
  CanvasSurface& surface = opened();
  surface.setZoom(static_cast<double>(state.range(0)) / 100);
  QImage image(surface.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
  int step = 0;
  for (auto _ : state) {
    surface.panBy({0, ++step % 200 < 100 ? -40.0 : 40.0});
    drawInto(image, surface);
  }
  state.counters["nodes"] = surface.nodeCount();
}
BENCHMARK(pan)->ArgName("zoom_percent")->Arg(100)->Arg(30)->Unit(benchmark::kMillisecond);

void zoom(benchmark::State& state) {
  CanvasSurface& surface = opened();
  QImage image(surface.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
  int step = 0;
  for (auto _ : state) {
    surface.setZoom(0.3 + 0.01 * (++step % 70));
    drawInto(image, surface);
  }
}
BENCHMARK(zoom)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fusebench
