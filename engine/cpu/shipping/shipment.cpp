// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/shipping/shipment.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include "engine/cpu/codegen/codegen.h"
#include "engine/cpu/codegen/target.h"
#include "engine/cpu/shipping/shipped_stencils.h"
#include "engine/cpu/shipping/shipped_table.h"
#include "engine/device/object_cache.h"
#include "engine/plan/shipped_kernels.h"

namespace fusebench::cpu {
namespace {

namespace fs = std::filesystem;

/// Room for two levels' objects and those of a few states of the code generator.
constexpr std::uintmax_t kCacheBytes = std::uintmax_t{1} << 30;

std::string symbolsOf(const ShippedLevel& level) {
  std::string name = fmt::format("fusebench_{}", level.name);
  std::ranges::replace(name, '-', '_');
  return name;
}

void writeFile(const fs::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  if (!(out << text << std::flush))
    throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

class Shipper {
 public:
  Shipper(const ShippedLevel& level, fs::path folder, const fs::path& cache)
      : symbols_(symbolsOf(level)),
        level_(level.name),
        folder_(std::move(folder)),
        target_(targetOf(level)),
        machine_(makeTargetMachine(target_)),
        layout_(machine_->createDataLayout()) {
    if (!cache.empty()) cache_ = std::make_unique<ObjectCache>(cache, kCacheBytes);
    fs::create_directories(folder_);
  }

  Shipped run(const fs::path& table) {
    for (const Kernel& kernel : shippedKernels(/*comparedIndices=*/true)) {
      const Schedule plan = schedule(kernel, target_, 0);
      add(canonicalText(kernel), generate(kernel, plan, target_, layout_));
      ++shipped_.kernels;
    }
    for (const Stencil& stencil : shippedStencils()) {
      add(stencil.text(), generate(stencil, target_, layout_));
      ++shipped_.stencils;
    }
    std::string objects;
    for (std::size_t i = 0; i < keys_.size(); ++i) objects += objectPath(i).string() + '\n';
    writeFile(folder_ / "objects", objects);
    writeFile(table, tableText());
    return shipped_;
  }

 private:
  fs::path objectPath(std::size_t number) const { return folder_ / fmt::format("{}.o", number); }

  void add(const std::string& text, const GeneratedModule& made) {
    const std::size_t number = keys_.size();
    keys_.emplace_back(shippedKey(text), number);
    llvm::Function* function = made.module->getFunction(kEntryName);
    function->setName(fmt::format("{}_{}", symbols_, number));
    function->setVisibility(llvm::GlobalValue::HiddenVisibility);
    std::string key = fmt::format("{}|{}|{}|", LLVM_VERSION_STRING, target_.cpu, target_.features);
    llvm::raw_string_ostream out(key);
    made.module->print(out, nullptr);
    std::optional<std::string> object = cache_ ? cache_->find(key) : std::nullopt;
    if (object) {
      ++shipped_.fromCache;
    } else {
      object = compiled(*made.module);
      if (cache_) cache_->store(key, *object);
    }
    shipped_.bytes += object->size();
    writeFile(objectPath(number), *object);
  }

  std::string compiled(llvm::Module& module) {
    auto buffer = llvm::orc::SimpleCompiler(*machine_)(module);
    if (!buffer) throw std::runtime_error(llvm::toString(buffer.takeError()));
    return (*buffer)->getBuffer().str();
  }

  /// Keys in order, and differences of addresses, which need no relocation when a program starts.
  std::string tableText() {
    std::ranges::sort(keys_);
    std::string keys, places;
    for (const auto& [key, number] : keys_) {
      keys += fmt::format("  \".quad {:#x}, {:#x}\\n\"\n", key.high, key.low);
      places += fmt::format("  \".long {0}_{1} - {0}_places\\n\"\n", symbols_, number);
    }
    return fmt::format(
        R"(// SPDX-License-Identifier: GPL-3.0-or-later
// Generated from the op table when Fusebench is built.
#include "engine/cpu/shipping/shipped_table.h"

asm(".pushsection .rodata\n.balign 16\n"
  ".hidden {0}_keys, {0}_places\n.global {0}_keys, {0}_places\n{0}_keys:\n"
{1}  "{0}_places:\n"
{2}  ".popsection\n");
extern "C" {{
__attribute__((visibility("hidden"))) extern const fusebench::ShippedKey {0}_keys[];
__attribute__((visibility("hidden"))) extern const std::int32_t {0}_places[];
}}

namespace fusebench::cpu {{
extern const ShippedTable {0};
const ShippedTable {0}{{"{3}", {0}_keys, {0}_places, {4}}};
}}  // namespace fusebench::cpu
)",
        symbols_, keys, places, level_, keys_.size());
  }

  std::string symbols_;
  std::string_view level_;
  fs::path folder_;
  Target target_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  llvm::DataLayout layout_;
  std::unique_ptr<ObjectCache> cache_;
  std::vector<std::pair<ShippedKey, std::size_t>> keys_;  ///< and the number in names
  Shipped shipped_;
};

}  // namespace

std::vector<ShippedLevel> shippedLevels() {
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  // Full-width vectors, as the host's target has them.
  if (triple.isX86()) return {{"x86-64-v4", "-prefer-256-bit"}, {"x86-64-v3", ""}};
  if (triple.isAArch64()) return {{"aarch64", ""}};
  return {};
}

Target targetOf(const ShippedLevel& level) {
  const std::string triple = llvm::sys::getProcessTriple();
  // LLVM has no processor of the architecture's own name there.
  const std::string cpu(llvm::Triple(triple).isAArch64() ? "generic" : level.name);
  return namedTarget(triple, cpu, std::string(level.features));
}

Shipped ship(const ShippedLevel& level, const fs::path& folder, const fs::path& table,
             const fs::path& cache) {
  return Shipper(level, folder, cache).run(table);
}

}  // namespace fusebench::cpu
