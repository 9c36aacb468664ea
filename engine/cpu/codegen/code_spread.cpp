// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/code_spread.h"

#include <array>
#include <mutex>

namespace fusebench::cpu {
namespace {

namespace jitlink = llvm::jitlink;
namespace orc = llvm::orc;

constexpr std::uint64_t kPage = 4096, kLine = 64;

class Spread final : public orc::ObjectLinkingLayer::Plugin {
 public:
  void modifyPassConfig(orc::MaterializationResponsibility&, jitlink::LinkGraph&,
                        jitlink::PassConfiguration& passes) override {
    // Unused blocks have been removed by then, and addresses are not assigned yet.
    passes.PostPrunePasses.emplace_back([this](jitlink::LinkGraph& graph) {
      for (jitlink::Section& section : graph.sections()) place(section);
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(orc::MaterializationResponsibility&) override {
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(orc::JITDylib&, orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(orc::JITDylib&, orc::ResourceKey, orc::ResourceKey) override {}

 private:
  void place(jitlink::Section& section) {
    jitlink::Block* first = nullptr;
    std::uint64_t bytes = 0;
    for (jitlink::Block* block : section.blocks()) {
      if (block->isZeroFill() || block->getAlignment() > kLine) return;
      if (!first || block->getAddress() < first->getAddress()) first = block;
      bytes += block->getSize();
    }
    if (!first || bytes == 0) return;
    const auto protection = static_cast<unsigned>(section.getMemProt());
    const bool code = (protection & static_cast<unsigned>(orc::MemProt::Exec)) != 0;
    const std::lock_guard lock(mutex_);
    std::uint64_t& next = next_[code ? 0 : 1];
    first->setAlignment(kPage);
    first->setAlignmentOffset(next);
    next = (next + (bytes + kLine - 1) / kLine * kLine) % kPage;
  }

  std::mutex mutex_;
  std::array<std::uint64_t, 2> next_{};  ///< next offset in a page: for code, for constants
};

}  // namespace

std::shared_ptr<orc::ObjectLinkingLayer::Plugin> spreadOverSets() {
  return std::make_shared<Spread>();
}

}  // namespace fusebench::cpu
