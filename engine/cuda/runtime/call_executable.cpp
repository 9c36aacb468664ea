// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/call_executable.h"

#include <algorithm>
#include <stdexcept>

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

/// Products of fewer multiplications are not worth the launch of a copy.
constexpr std::int64_t kLeastToCopyFor = 64 * 64 * 64;

/// An operand of a product that is copied before each execution.
struct CopiedOperand {
  std::size_t tensor = 0;
  std::shared_ptr<const CudaExecutable> kernel;
  std::vector<std::int64_t> integers;  ///< the copy's
  std::size_t at = 0;                  ///< in the workspace, bytes
};

/// A library's call of which some operands are copied first.
class CallOfCopies final : public PreparedCall {
 public:
  CallOfCopies(std::unique_ptr<PreparedCall> call, std::vector<CopiedOperand> copies,
               std::size_t bytes, std::size_t tensors, std::shared_ptr<const LibraryTools> tools)
      : call_(std::move(call)),
        copies_(std::move(copies)),
        bytes_(bytes),
        pointers_(tensors),
        tools_(std::move(tools)) {}

  std::size_t workspaceBytes() const override { return bytes_ + call_->workspaceBytes(); }
  bool run(Stream stream, void* const* pointers, void* workspace) override {
    auto* const room = static_cast<std::byte*>(workspace);
    std::copy_n(pointers, pointers_.size(), pointers_.begin());
    for (const CopiedOperand& copied : copies_) {
      void* const to = room + copied.at;
      tools_->copy(*copied.kernel, copied.integers.data(), pointers[copied.tensor], to);
      pointers_[copied.tensor] = to;
    }
    return call_->run(stream, pointers_.data(), room + bytes_);
  }
  std::string description() const override {
    std::string text;
    for (const CopiedOperand& copied : copies_)
      text += "operand " + std::to_string(copied.tensor + 1) +
              " has no step of 1 and is copied first, row by row\n";
    return text + call_->description();
  }

 private:
  std::unique_ptr<PreparedCall> call_;
  std::vector<CopiedOperand> copies_;
  std::size_t bytes_;  ///< size of all copies
  std::vector<void*> pointers_;
  std::shared_ptr<const LibraryTools> tools_;
};

/// Whether no step of a tensor is 1 and none of its elements is there twice.
bool liesApart(const std::int64_t* extents, const std::int64_t* strides, std::size_t rank) {
  std::int64_t count = 1, last = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    if (extents[d] > 1 && strides[d] < 2) return false;
    count *= extents[d];
    last += (extents[d] - 1) * strides[d];
  }
  return count > 1 && last >= count;
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
  if (!made->empty && !made->call) made->call = ofCopies(request, made->why);
  if (prepared_.size() >= kMostFormsReady) prepared_.erase(prepared_.begin());
  prepared_.push_back(std::move(made));
  return *(last_ = prepared_.back().get());
}

std::unique_ptr<PreparedCall> CallExecutable::ofCopies(const LibraryRequest& request,
                                                       std::string& why) const {
  if (!tools_->copier || request.sizes.count() < kLeastToCopyFor) return nullptr;
  std::vector<std::int64_t> integers(request.integers, request.integers + count_);
  std::vector<CopiedOperand> copies;
  std::size_t bytes = 0;
  std::int64_t* at = integers.data();
  for (std::size_t t = 0; t < call_.operands.size(); ++t) {
    const std::size_t rank = call_.rank(t);
    std::int64_t* const strides = at + rank;
    if (static_cast<int>(t) != call_.form.addend && liesApart(at, strides, rank)) {
      CopiedOperand copied{t, nullptr, std::vector<std::int64_t>(at, at + 2 * rank), bytes};
      std::int64_t step = 1;
      for (std::size_t d = rank; d-- > 0;) {
        strides[d] = step;
        step *= at[d];
      }
      copied.integers.insert(copied.integers.end(), at, at + 2 * rank);
      const auto size = static_cast<std::size_t>(step) * info(call_.dtype(t)).size;
      bytes += (size + kFreshAlignment - 1) / kFreshAlignment * kFreshAlignment;
      copies.push_back(std::move(copied));
    }
    at = strides + rank;
  }
  if (copies.empty()) return nullptr;
  const CallSizes sizes = sizesOf(call_, integers.data());
  // Ways are timed on the operands as they are, of which no more is read: the times are the same.
  const LibraryRequest packed{call_,          sizes,         integers.data(), request.alignments,
                              request.device, request.cache, request.time};
  std::string stillRefused;
  auto call = library_.prepare(packed, stillRefused);
  if (!call) return nullptr;
  try {
    for (CopiedOperand& copied : copies)
      copied.kernel = tools_->copier(call_.dtype(copied.tensor), call_.rank(copied.tensor));
  } catch (const std::runtime_error&) {  // no compiler; the kernel of ours will say so
    return nullptr;
  }
  why.clear();
  return std::make_unique<CallOfCopies>(std::move(call), std::move(copies), bytes, call_.tensors(),
                                        tools_);
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
