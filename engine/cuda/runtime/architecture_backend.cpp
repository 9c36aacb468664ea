// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/architecture_backend.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "engine/cuda/codegen/call_source.h"
#include "engine/cuda/codegen/code_text.h"
#include "engine/cuda/instant/interpreter_listing.h"
#include "engine/cuda/library/cudnn.h"
#include "engine/cuda/runtime/backend_traits.h"
#include "engine/cuda/shipped/shipped_kernels.h"

namespace fusebench::cuda {
namespace {

class ArchitectureBackend final : public Backend {
 public:
  ArchitectureBackend(const Architecture& architecture, std::unique_ptr<Backend> values,
                      const ArchitectureOptions& options)
      : architecture_(architecture),
        values_(std::move(values)),
        libraries_(options.libraries),
        nvrtc_(openNvrtc(options.nvrtc, 0, missing_)),
        reader_(nvrtc_, targetOf(architecture.device(), nvrtc_.get())),
        shipped_(shippedFor(architecture.number, nvrtc_ ? nvrtc_->versionText() : std::string())) {
    BackendTraits traits =
        traitsOf(architecture_.device(), libraries_, shipped_.machineCode || shipped_.ptx);
    traits.hasOwnMemory = values_->traits().hasOwnMemory;
    traits.canCapture = values_->traits().canCapture;
    setTraits(std::move(traits));
  }

  std::string description() const override {
    return fmt::format("{} (as {}), {}", architecture_.name(), architecture_.card,
                       nvrtc_ ? "NVRTC " + nvrtc_->versionText() : std::string("no NVRTC"));
  }

  bool ships(const Kernel& kernel) const override {
    std::string text = canonicalText(kernel);
    if (const auto known = ships_.find(text); known != ships_.end()) return known->second;
    return ships_.emplace(std::move(text), isAmong(shipped_, kernel)).first->second;
  }
  LibraryTraits libraryTraits() const override {
    return {.byteProducts = byteProductsOf(libraries_)};
  }

  std::vector<GeneratedCode> code(const Kernel& kernel) override { return reader_.read(kernel); }
  std::vector<GeneratedCode> code(const OpList& list) override { return interpretedText(list); }
  std::vector<GeneratedCode> code(const LibraryCall& call, const std::int64_t* integers) override {
    if (call.ofRanks()) {
      const std::string text = inComments(readableText(call, integers));
      return {{"cuda", text, {}}};
    }
    std::vector<GeneratedCode> made = reader_.read(callSource(call), call.name, {});
    if (libraries_ && !call.scatter.is && !call.order.is)
      made.front().text =
          inComments(fmt::format("{} computes this where it is installed; the kernel below is "
                                 "Fusebench's own, for machines without it.",
                                 isConvolution(call) ? "cuDNN" : "cuBLASLt")) +
          made.front().text;
    for (GeneratedCode& each : made)
      each.lineOps.assign(each.lineOps.size() + (&each == &made.front() ? 1 : 0), call.op);
    return made;
  }

  // The rest runs there.
  Allocator& allocator() override { return values_->allocator(); }
  std::shared_ptr<const Executable> compile(const Kernel& kernel, CompileTimes& times) override {
    return values_->compile(kernel, times);
  }
  std::shared_ptr<const Executable> assemble(OpList&& list, CompileTimes& times) override {
    return values_->assemble(std::move(list), times);
  }
  std::shared_ptr<const Executable> library(const LibraryCall& call, CompileTimes& times) override {
    return values_->library(call, times);
  }
  void launch(const Executable& executable, const LaunchArguments& arguments) override {
    ++launches_;
    values_->launch(executable, arguments);
  }
  void synchronize() override { values_->synchronize(); }
  void forgetKernels() override { values_->forgetKernels(); }
  void useDiskCache(bool use) override { values_->useDiskCache(use); }
  void setThreads(int threads) override { values_->setThreads(threads); }
  int threads() const override { return 1; }
  void copyIn(const Tensor& to, const void* from, std::size_t bytes) override {
    values_->copyIn(to, from, bytes);
  }
  void copyOut(void* to, const Tensor& from, std::size_t bytes) override {
    values_->copyOut(to, from, bytes);
  }
  void copyWithin(void* to, const void* from, std::size_t bytes) override {
    values_->copyWithin(to, from, bytes);
  }
  std::unique_ptr<CopyQueue> makeCopyQueue() override { return values_->makeCopyQueue(); }
  std::optional<std::uint64_t> availableBytes() override { return values_->availableBytes(); }
  void beginCapture() override { values_->beginCapture(); }
  std::unique_ptr<Capture> endCapture() override { return values_->endCapture(); }
  void abandonCapture() noexcept override { values_->abandonCapture(); }
  void replay(const Capture& capture) override { values_->replay(capture); }

 private:
  const Architecture architecture_;
  std::unique_ptr<Backend> values_;
  bool libraries_;
  std::string missing_;
  std::shared_ptr<const Nvrtc> nvrtc_;
  CodeReader reader_;
  ShippedArchives shipped_;
  mutable std::map<std::string, bool> ships_;  ///< by canonical text
};

}  // namespace

std::unique_ptr<Backend> makeArchitectureBackend(const Architecture& architecture,
                                                 std::unique_ptr<Backend> values,
                                                 const ArchitectureOptions& options) {
  return std::make_unique<ArchitectureBackend>(architecture, std::move(values), options);
}

}  // namespace fusebench::cuda
