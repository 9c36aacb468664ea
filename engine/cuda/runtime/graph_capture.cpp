// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/graph_capture.h"

#include <fmt/format.h>

#include <stdexcept>

#include "engine/base/saying.h"

namespace fusebench::cuda {

GraphCapture::GraphCapture(std::shared_ptr<const Device> device, Stream stream, Allocator& parent)
    : device_(std::move(device)), stream_(stream), pool_(new PrivatePool(parent)) {
  device_->use();
  // Relaxed: the private pool allocates meanwhile, which stricter modes forbid.
  device_->driver().streamBeginCapture(stream_, kCaptureRelaxed);
  capturing_ = true;
}

GraphCapture::~GraphCapture() {
  abandon();
  if (!device_->tryUse()) return;
  // The driver waits by itself if the graph is still running.
  if (exec_) device_->driver().graphExecDestroy.attempt(exec_);
  if (graph_) device_->driver().graphDestroy.attempt(graph_);
}

void GraphCapture::add(const CudaExecutable& executable, const LaunchPlan& plan,
                       const LaunchMemory& memory, const KernelBytes& bytes, std::int32_t step) {
  // The node that the next one would depend on is the one just captured.
  int status = 0;
  const GraphNode* last = nullptr;
  std::size_t count = 0;
  device_->driver().streamGetCaptureInfo(stream_, &status, nullptr, nullptr, &last, &count);
  if (count != 1)
    throw std::runtime_error(fmt::format("a captured launch left {} nodes, not 1", count));
  launches_.push_back(
      {std::static_pointer_cast<const CudaExecutable>(executable.shared_from_this()), plan, memory,
       *last, bytes, step});
}

void GraphCapture::finish() {
  capturing_ = false;
  device_->use();
  const Driver& driver = device_->driver();
  try {
    driver.streamEndCapture(stream_, &graph_);
    driver.graphInstantiate(&exec_, graph_, 0);
    driver.graphUpload(exec_, stream_);
  } catch (const CudaError& error) {
    throw error.during(saying("building a graph of {} launches", launches_.size()));
  }
}

void GraphCapture::abandon() noexcept {
  if (!capturing_) return;
  capturing_ = false;
  Graph graph = nullptr;
  if (!device_->tryUse()) return;
  device_->driver().streamEndCapture.attempt(stream_, &graph);
  if (graph) device_->driver().graphDestroy.attempt(graph);
}

void GraphCapture::note(Recorder& recorder) const {
  recorder.enqueued();
  for (const Launch& launch : launches_)
    recorder.note(launch.executable.get(), 0, launch.step, launch.bytes);
}

void GraphCapture::setArguments(int launch, const LaunchArguments& arguments) {
  const Launch& changed = launches_.at(static_cast<std::size_t>(launch));
  if (!changed.node)
    throw std::logic_error(fmt::format("{} is a library's, whose recorded arguments stay",
                                       changed.executable->name()));
  const CudaExecutable& kernel = changed.executable->serving(arguments.integers);
  ParameterList list;
  kernel.setParameters(list, arguments, changed.plan, changed.memory);
  const LaunchStep& step = changed.plan.step;
  KernelNodeParameters parameters{};
  parameters.function = kernel.function(step);
  parameters.gridX = step.blocksX;
  parameters.gridY = step.blocksY;
  parameters.gridZ = 1;
  parameters.blockX = step.threadsX;
  parameters.blockY = step.threadsY;
  parameters.blockZ = 1;
  parameters.arguments = list.data();
  device_->use();
  device_->driver().graphExecKernelNodeSetParams(exec_, changed.node, &parameters);
}

}  // namespace fusebench::cuda
