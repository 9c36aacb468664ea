// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/rank_executable.h"

#include <stdexcept>

namespace fusebench::cuda {
namespace {

[[noreturn]] void noKernel(const std::string& name) {
  throw std::logic_error(name + " is asked of the ranks and is no kernel");
}

}  // namespace

RankExecutable::RankExecutable(LibraryCall call)
    : CudaExecutable(call.name, trafficOf(call)), call_(std::move(call)) {
  ofRanks_ = true;
}

LaunchPlan RankExecutable::plan(const std::int64_t* /*integers*/, int /*multiprocessors*/) const {
  noKernel(name());
}
Function RankExecutable::function(const LaunchStep& /*step*/) const {
  noKernel(name());
}
void RankExecutable::setParameters(ParameterList& /*list*/, const LaunchArguments& /*arguments*/,
                                   const LaunchPlan& /*plan*/,
                                   const LaunchMemory& /*memory*/) const {
  noKernel(name());
}

}  // namespace fusebench::cuda
