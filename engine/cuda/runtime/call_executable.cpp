// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/call_executable.h"

#include <algorithm>

namespace fusebench::cuda {
namespace {

/// Forms that are kept ready: with dynamic sizes each call may have its own.
constexpr std::size_t kMostFormsReady = 64;
/// As fresh memory is aligned, and the most that libraries ask for.
constexpr std::uint32_t kFreshAlignment = 256;

std::uint32_t alignmentOf(const void* pointer) {
  const auto at = reinterpret_cast<std::uintptr_t>(pointer) | kFreshAlignment;
  return static_cast<std::uint32_t>(at & (~at + 1));
}

}  // namespace

CallExecutable::CallExecutable(LibraryCall call, CallLibrary& library,
                               std::shared_ptr<const LibraryTools> tools, MakeOwn makeOwn)
    : CudaExecutable(call.name, trafficOf(call)),
      call_(std::move(call)),
      count_(call_.integers()),
      library_(library),
      tools_(std::move(tools)),
      makeOwn_(std::move(makeOwn)) {}

const CallExecutable::Prepared& CallExecutable::preparedFor(const std::int64_t* integers,
                                                            void* const* pointers,
                                                            bool mayTime) const {
  const std::size_t tensors = call_.tensors();
  const auto fits = [&](const Prepared& prepared) {
    if (!std::equal(prepared.integers.begin(), prepared.integers.end(), integers)) return false;
    if (mayTime && !prepared.searched) return false;
    for (std::size_t t = 0; t < tensors; ++t)
      if (prepared.alignments[t] != (pointers ? alignmentOf(pointers[t]) : kFreshAlignment))
        return false;
    return true;
  };
  if (last_ && fits(*last_)) return *last_;
  // The latest first: what a search has found comes after what served until then.
  for (std::size_t i = prepared_.size(); i-- > 0;)
    if (fits(*prepared_[i])) return *(last_ = prepared_[i].get());
  auto made = std::make_unique<Prepared>();
  made->integers.assign(integers, integers + count_);
  for (std::size_t t = 0; t < tensors; ++t)
    made->alignments.push_back(pointers ? alignmentOf(pointers[t]) : kFreshAlignment);
  made->searched = mayTime || !call_.search;
  const CallSizes sizes = sizesOf(call_, integers);
  made->empty = sizes.kept(call_.form) == 0;
  LibraryRequest request{call_,          sizes,
                         integers,       made->alignments,
                         tools_->device, call_.search ? tools_->cache() : nullptr};
  if (mayTime && call_.search)
    request.time = [&](PreparedCall& tried) {
      return tools_->time(tried, call_, integers, pointers);
    };
  if (!made->empty) made->call = library_.prepare(request, made->why);
  if (prepared_.size() >= kMostFormsReady) prepared_.erase(prepared_.begin());
  prepared_.push_back(std::move(made));
  return *(last_ = prepared_.back().get());
}

void CallExecutable::refused() const {
  if (!last_) return;
  last_->call.reset();
  last_->why = "it refused when it was launched";
}

std::size_t CallExecutable::scratchBytes(const std::int64_t* integers) const {
  const Prepared& prepared = preparedFor(integers, nullptr, false);
  return prepared.call ? prepared.call->workspaceBytes() : 0;
}

std::string CallExecutable::description(const std::int64_t* integers) const {
  const Prepared& prepared = preparedFor(integers, nullptr, false);
  if (prepared.empty) return readableText(call_, integers) + "nothing to compute\n";
  if (prepared.call) return readableText(call_, integers) + prepared.call->description();
  return readableText(call_, integers) + "a kernel of Fusebench's own: " + library_.name() + ": " +
         prepared.why + "\n";
}

const CudaExecutable& CallExecutable::own() const {
  if (!own_) own_ = makeOwn_();
  return *own_;
}
const CudaExecutable& CallExecutable::serving(const std::int64_t* integers) const {
  return own().serving(integers);
}
LaunchPlan CallExecutable::plan(const std::int64_t* integers, int multiprocessors) const {
  return own().plan(integers, multiprocessors);
}
Function CallExecutable::function(const LaunchStep& step) const {
  return own().function(step);
}
void CallExecutable::setParameters(ParameterList& list, const LaunchArguments& arguments,
                                   const LaunchPlan& plan, const LaunchMemory& memory) const {
  own().setParameters(list, arguments, plan, memory);
}

}  // namespace fusebench::cuda
