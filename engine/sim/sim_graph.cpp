// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/sim_graph.h"

#include "engine/sim/script.h"

namespace fusebench::sim {

void CapturedLaunch::set(const LaunchArguments& arguments) {
  const LaunchForm& form = executable->form();
  pointers.assign(arguments.pointers, arguments.pointers + form.pointers);
  integers.assign(arguments.integers, arguments.integers + form.integers);
  scalars.assign(arguments.scalars, arguments.scalars + form.scalars);
  step = arguments.step;
}

LaunchArguments CapturedLaunch::arguments() const {
  return {pointers.data(), integers.data(), scalars.data(), step};
}

SimGraph::SimGraph(Allocator& parent, const Parameters& device, std::uint32_t number)
    : pool_(new PrivatePool(parent)), device_(device), number_(number) {}

void SimGraph::add(const SimExecutable& executable, const LaunchArguments& arguments) {
  CapturedLaunch& launch = all_.emplace_back();
  launch.executable = std::static_pointer_cast<const SimExecutable>(executable.shared_from_this());
  launch.set(arguments);
  measure(launch);
}

void SimGraph::add(const SimExecutable& executable, const LaunchArguments& arguments,
                   const Work& work) {
  CapturedLaunch& launch = all_.emplace_back();
  launch.executable = std::static_pointer_cast<const SimExecutable>(executable.shared_from_this());
  launch.set(arguments);
  launch.work = work;
  launch.ofRanks = true;
  measure(launch);
}

double SimGraph::total() const {
  double kernels = 0;
  for (const CapturedLaunch& launch : all_) kernels += launch.nanoseconds;
  return graphNanoseconds(kernels, static_cast<std::uint32_t>(all_.size()), device_);
}

void SimGraph::setArguments(int launch, const LaunchArguments& arguments) {
  CapturedLaunch& changed = all_.at(static_cast<std::size_t>(launch));
  changed.set(arguments);
  measure(changed);
}

void SimGraph::measure(CapturedLaunch& launch) const {
  if (!launch.ofRanks) launch.work = launch.executable->work(launch.arguments());
  launch.nanoseconds = nanoseconds(launch.work, device_);
  launch.bytes = launch.executable->traffic().of(launch.integers.data(), launch.pointers.data());
}

}  // namespace fusebench::sim
