// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/stamp_cost.h"

#include <algorithm>
#include <vector>

#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "profiler/machine/clock.h"

namespace fusebench {
namespace {

constexpr int kBlocks = 41;
constexpr int kCallsPerBlock = 200;

}  // namespace

double stampNanoseconds(Backend& backend) {
  const auto executor = makeExecutor("eager", backend, parseProgram("return -x\n"));
  const std::vector<Tensor> inputs{makeTensor(backend.allocator(), DType::float32, Shape{1})};
  const float one = 1;
  backend.copyIn(inputs.front(), &one, sizeof one);
  executor->call(inputs);  // compiles
  constexpr std::size_t kRoom = 32 * kCallsPerBlock;
  Recorder recorder(Recorder::Level::split, backend.threads(), kRoom);
  const auto timed = [&](Recorder* to) {
    const RecorderScope scope(backend, to);
    const std::int64_t start = nowNanoseconds();
    for (int call = 0; call < kCallsPerBlock; ++call) {
      executor->call(inputs);
      mark(to, CallPart::outside);
    }
    backend.synchronize();
    return static_cast<double>(nowNanoseconds() - start);
  };
  std::vector<double> costs;
  for (int block = 0; block < kBlocks; ++block) {
    recorder.clear();
    const double marked = timed(&recorder);
    const double plain = timed(nullptr);
    const auto marks = static_cast<double>(recorder.marks(0).size());
    if (marks > 0) costs.push_back((marked - plain) / marks);
  }
  const auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
  std::nth_element(costs.begin(), middle, costs.end());
  return std::max(*middle, 0.0);
}

}  // namespace fusebench
