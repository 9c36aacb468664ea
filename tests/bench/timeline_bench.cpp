// SPDX-License-Identifier: GPL-3.0-or-later
// A frame of the timeline, offscreen, 1920 pixels wide.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <map>
#include <memory>

#include "ui/views/timeline/timeline_canvas.h"

namespace fusebench {
namespace {

/// Launches on one thread and one stream with an operator around each: three spans a launch.
std::shared_ptr<const Trace> trace(std::int64_t spans) {
  static std::map<std::int64_t, std::shared_ptr<const Trace>> kept;
  auto& made = kept[spans];
  if (made) return made;
  TraceBuilder builder("bench");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "program", "main"});
  const LaneId device = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  constexpr const char* kNames[] = {"sin", "mul", "exp", "add", "relu", "cos", "gelu", "sub"};
  for (std::int64_t i = 0; i < spans / 3; ++i) {
    const Nanoseconds at = i * 7'000;
    const char* name = kNames[static_cast<std::uint64_t>(i * i) % 8];
    builder.addSpan({host, SpanKind::op, name, at, at + 6'000 + i % 500});
    builder.addLaunch({.name = name,
                       .hostBegin = at + 2'000,
                       .hostEnd = at + 5'000,
                       .start = at + 6'500,
                       .end = at + 8'500 + i % 4'000,
                       .hostLane = host,
                       .deviceLane = device});
  }
  return made = builder.finish();
}

void frame(benchmark::State& state) {
  static int argc = 1;
  static char program[] = "bench";
  static char* argv[] = {program, nullptr};
  qputenv("QT_QPA_PLATFORM", "offscreen");
  static QApplication application(argc, argv);
  TimelineModel model;
  TimelineCanvas canvas(model);
  canvas.setTheme(darkTheme());
  canvas.resize(1920, 500);
  model.setTraces({trace(state.range(0))});
  const double share = 1 / static_cast<double>(state.range(1));
  const double length = static_cast<double>(model.length());
  QImage image(canvas.size(), QImage::Format_ARGB32_Premultiplied);
  double at = 0;
  for (auto _ : state) {
    at = at > 0.9 ? 0 : at + 0.013;  // another place each frame, as when panning
    model.setView(at * (1 - share) * length, (at * (1 - share) + share) * length);
    canvas.viewport()->render(&image);
  }
}
BENCHMARK(frame)
    ->ArgNames({"spans", "zoom"})
    ->ArgsProduct({{1'000'000, 10'000'000}, {1, 100, 10'000, 1'000'000}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fusebench
