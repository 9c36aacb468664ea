// SPDX-License-Identifier: GPL-3.0-or-later
// The driver's functions for capturing and graphs.
#include <memory>
#include <vector>

#include "tests/doubles/cuda/activity_log.h"
#include "tests/doubles/cuda/driver_call.h"

using namespace fusebench::cuda;
using namespace fusebench::test;

EXPORTED Result cuStreamBeginCapture_v2(Stream stream, int mode) {
  Call call;
  const LoggedCall logged(kCallBeginCapture);
  StreamState* queue = call.stream(stream);
  if (call.result) return logged(call.result);
  if (queue->capture) return logged(kIllegalState);
  queue->capture = std::make_unique<GraphState>();
  static std::uint32_t number = 0;
  queue->capture->number = ++number;
  queue->captureSpoilt = false;
  queue->captureForbids = mode != kCaptureRelaxed;
  queue->captureTail.clear();
  return logged(0);
}

EXPORTED Result cuStreamEndCapture(Stream stream, Graph* graph) {
  Call call;
  const LoggedCall logged(kCallEndCapture);
  *graph = nullptr;
  StreamState* queue = call.stream(stream);
  if (!queue) return logged(call.result);
  if (!queue->capture) return logged(kIllegalState);
  auto captured = std::move(queue->capture);
  if (queue->captureSpoilt) return logged(901);
  *graph = reinterpret_cast<Graph>(call.machine.graphs.add(std::move(captured)));
  return logged(0);
}

EXPORTED Result cuStreamGetCaptureInfo_v2(Stream stream, int* status, std::uint64_t* id,
                                          Graph* graph, const GraphNode** dependencies,
                                          std::size_t* count) {
  Call call;
  StreamState* queue = call.stream(stream);
  if (call.result) return call.result;
  *status = queue->capture ? queue->captureSpoilt ? 2 : 1 : 0;
  if (!queue->capture) return 0;
  if (id) *id = 1;
  if (graph) *graph = reinterpret_cast<Graph>(queue->capture.get());
  if (dependencies) *dependencies = reinterpret_cast<const GraphNode*>(queue->captureTail.data());
  if (count) *count = queue->captureTail.size();
  return 0;
}

EXPORTED Result cuGraphInstantiateWithFlags(GraphExec* exec, Graph graph, unsigned long long) {
  Call call;
  if (call.result) return call.result;
  GraphState* from = call.machine.graphs.find(graph);
  if (!from) return kInvalidHandle;
  if (call.machine.strikes(&DoubleFaults::instantiate)) return kOutOfMemory;
  auto made = std::make_unique<GraphExecState>();
  made->device = Machine::current();
  for (const auto& node : from->nodes) {
    made->places[node.get()] = made->nodes.size();
    made->nodes.push_back(*node);
  }
  *exec = reinterpret_cast<GraphExec>(call.machine.graphExecs.add(std::move(made)));
  return 0;
}

EXPORTED Result cuGraphDestroy(Graph graph) {
  Call call;
  return call.machine.graphs.erase(graph) ? 0 : kInvalidHandle;
}

EXPORTED Result cuGraphExecDestroy(GraphExec exec) {
  Call call;
  return call.machine.graphExecs.erase(exec) ? 0 : kInvalidHandle;
}

EXPORTED Result cuGraphUpload(GraphExec exec, Stream stream) {
  Call call;
  call.stream(stream);
  return call.result ? call.result : call.machine.graphExecs.find(exec) ? 0 : kInvalidHandle;
}

EXPORTED Result cuGraphLaunch(GraphExec exec, Stream stream) {
  Call call;
  StreamState* queue = call.stream(stream);
  if (call.result) return call.result;
  GraphExecState* found = call.machine.graphExecs.find(exec);
  if (!found || found->device != queue->device) return kInvalidHandle;
  const LoggedCall logged(kCallGraphLaunch);
  return logged(call.machine.launchGraph(*found, *queue));
}

EXPORTED Result cuGraphExecKernelNodeSetParams_v2(GraphExec exec, GraphNode node,
                                                  const KernelNodeParameters* parameters) {
  Call call;
  if (call.result) return call.result;
  GraphExecState* found = call.machine.graphExecs.find(exec);
  if (!found) return kInvalidHandle;
  const auto place = found->places.find(reinterpret_cast<const Operation*>(node));
  if (place == found->places.end() || !found->nodes[place->second].isKernel) return kInvalidValue;
  auto* kernel = reinterpret_cast<FunctionState*>(parameters->function);
  KernelWork work{
      kernel, parameters->gridX, parameters->gridY, parameters->blockX, parameters->blockY, {}};
  for (std::size_t i = 0; i < kernel->parameterBytes.size(); ++i) {
    const auto* from = static_cast<const unsigned char*>(parameters->arguments[i]);
    work.arguments.emplace_back(from, from + kernel->parameterBytes[i]);
  }
  found->nodes[place->second].kernel = std::move(work);
  return 0;
}
