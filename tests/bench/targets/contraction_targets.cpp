// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls and convolutions compared with direct calls of the library.
#include <fmt/format.h>

#ifdef FUSEBENCH_ONEDNN_LINKED
#include <oneapi/dnnl/dnnl.hpp>

#include <unordered_map>
#endif

#include "engine/language/parser.h"
#include "tests/bench/targets/measure.h"

namespace fusebench::targets {

#ifdef FUSEBENCH_ONEDNN_LINKED

namespace {

using Want = Target::Want;
using dnnl::memory;

/// What a person who calls the library writes: one primitive, its memories, executed again and
/// again.
class DirectProduct {
 public:
  DirectProduct(std::int64_t rows, std::int64_t depth, std::int64_t columns, const Tensor& a,
                const Tensor& b, const Tensor& to)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    const memory::desc first({rows, depth}, memory::data_type::f32, memory::format_tag::ab);
    const memory::desc second({depth, columns}, memory::data_type::f32, memory::format_tag::ab);
    const memory::desc result({rows, columns}, memory::data_type::f32, memory::format_tag::ab);
    primitive_ = dnnl::matmul({dnnl::matmul::desc(first, second, result), engine_});
    arguments_ = {{DNNL_ARG_SRC, memory(first, engine_, a.data())},
                  {DNNL_ARG_WEIGHTS, memory(second, engine_, b.data())},
                  {DNNL_ARG_DST, memory(result, engine_, to.data())}};
  }
  void call() { primitive_.execute(stream_, arguments_); }

 private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::matmul primitive_;
  std::unordered_map<int, memory> arguments_;
};

/// A convolution of NHWC images, computed in this layout. Each call reorders the weights into the
/// library's own layout, as is necessary where they may change between calls.
class DirectConvolution {
 public:
  DirectConvolution(std::int64_t images, std::int64_t channels, std::int64_t size, std::int64_t out,
                    const Tensor& x, const Tensor& w, const Tensor& to)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    const memory::data_type f32 = memory::data_type::f32;
    const memory::desc source({images, channels, size, size}, f32, memory::format_tag::nhwc);
    const memory::desc weights({out, channels, 3, 3}, f32, memory::format_tag::oihw);
    const memory::desc any({out, channels, 3, 3}, f32, memory::format_tag::any);
    const memory::desc result({images, out, size, size}, f32, memory::format_tag::nhwc);
    const dnnl::convolution_forward::primitive_desc chosen({dnnl::prop_kind::forward_inference,
                                                            dnnl::algorithm::convolution_auto,
                                                            source,
                                                            any,
                                                            result,
                                                            {1, 1},
                                                            {1, 1},
                                                            {1, 1}},
                                                           engine_);
    given_ = memory(weights, engine_, w.data());
    moved_ = memory(chosen.weights_desc(), engine_);
    move_ = dnnl::reorder(given_, moved_);
    primitive_ = dnnl::convolution_forward(chosen);
    arguments_ = {{DNNL_ARG_SRC, memory(source, engine_, x.data())},
                  {DNNL_ARG_WEIGHTS, moved_},
                  {DNNL_ARG_DST, memory(result, engine_, to.data())}};
  }
  void call() {
    move_.execute(stream_, given_, moved_);
    primitive_.execute(stream_, arguments_);
  }

 private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  memory given_, moved_;
  dnnl::reorder move_;
  dnnl::convolution_forward primitive_;
  std::unordered_map<int, memory> arguments_;
};

constexpr const char* kGroup = "10 library calls";

void product(Bench& bench, std::int64_t n) {
  const Tensor a = filled(bench.backend, {n, n}), b = filled(bench.backend, {n, n});
  const Tensor to = makeTensor(bench.backend.allocator(), DType::float32, {n, n});
  DirectProduct direct(n, n, n, a, b, to);
  const Program program = parseProgram("def f(x, y):\n  return x @ y");
  const Program tail = parseProgram("def f(x, y):\n  return torch.relu(x @ y)");
  const Rounds rounds({executing("static", bench.backend, "static", program, {a, b}),
                       executing("eager", bench.backend, "eager", program, {a, b}),
                       executing("tail", bench.backend, "static", tail, {a, b}),
                       calling("direct", [&] { direct.call(); })},
                      bench.seconds);
  const std::string what = fmt::format("({0}, {0}) @ ({0}, {0})", n);
  const char* const why =
      "A call allocates its result and looks its form up: some 0.08 us beside a library's call of "
      "0.35 us.";
  for (const char* ours : {"static", "eager"})
    bench.targets.push_back({.group = kGroup,
                             .what = fmt::format("{} / oneDNN called directly, {}", ours, what),
                             .limit = 1.05,
                             .found = rounds.ratio(ours, "direct"),
                             .why = why});
  bench.targets.push_back(
      {.group = kGroup,
       .what = fmt::format("with relu after it / alone, {}", what),
       .limit = 1.05,
       .found = rounds.ratio("tail", "static"),
       .why = "The tail is a kernel of our own, since the library's may lose a NaN: one "
              "pass over the result, and a launch."});
}

void convolution(Bench& bench, std::int64_t images) {
  constexpr std::int64_t kChannels = 16, kSize = 32, kOut = 32;
  Tensor x = filled(bench.backend, {images, kChannels, kSize, kSize});
  x.strides = {kChannels * kSize * kSize, 1, kSize * kChannels, kChannels};
  x.contiguous = false;
  const Tensor w = filled(bench.backend, {kOut, kChannels, 3, 3});
  const Tensor to =
      makeTensor(bench.backend.allocator(), DType::float32, {images, kOut, kSize, kSize});
  DirectConvolution direct(images, kChannels, kSize, kOut, x, w, to);
  const Rounds rounds(
      {executing("static", bench.backend, "static",
                 parseProgram("def f(x, w):\n  return F.conv2d(x, w, padding=1)"), {x, w}),
       calling("direct", [&] { direct.call(); })},
      bench.seconds);
  bench.targets.push_back(
      {.group = kGroup,
       .what =
           fmt::format("convolution of {} images, channels last / oneDNN called directly", images),
       .limit = 1.05,
       .found = rounds.ratio("static", "direct")});
}

}  // namespace

void contractions(Bench& bench) {
  for (const std::int64_t n : {16, 64, 256, 1024}) product(bench, n);
  for (const std::int64_t images : {1, 16}) convolution(bench, images);
}

#else

void contractions(Bench& bench) {
  bench.targets.push_back({.group = "10 library calls",
                           .what = "ours / oneDNN called directly",
                           .found = {},
                           .note = "built without libdnnl-dev"});
}

#endif

}  // namespace fusebench::targets
