// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/launch_list.h"

namespace fusebench::cpu {
namespace {

void set(RecordedLaunch& launch, const LaunchArguments& arguments) {
  const LaunchForm& form = launch.kernel->form();
  launch.pointers.assign(arguments.pointers, arguments.pointers + form.pointers);
  launch.integers.assign(arguments.integers, arguments.integers + form.integers);
  launch.scalars.assign(arguments.scalars, arguments.scalars + form.scalars);
  launch.step = arguments.step;
}

}  // namespace

void LaunchList::add(const CpuExecutable& kernel, const LaunchArguments& arguments) {
  RecordedLaunch& launch = launches_.emplace_back();
  launch.kernel = std::static_pointer_cast<const CpuExecutable>(kernel.shared_from_this());
  set(launch, arguments);
}

void LaunchList::setArguments(int launch, const LaunchArguments& arguments) {
  set(launches_.at(static_cast<std::size_t>(launch)), arguments);
}

}  // namespace fusebench::cpu
