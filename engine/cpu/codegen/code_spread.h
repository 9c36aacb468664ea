// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

namespace fusebench::cpu {

/// Spreads what is loaded over the sets of the caches. The linker gives each object pages of its
/// own, so that, left alone, all code begins at the same place in a page, and all constants, too.
/// First-level caches choose a line's set by its place in the page: of a launch that goes through
/// more pieces of code than a set has lines, each would evict the others (docs/cpu_tuning.md says
/// what that costs). So each object begins where the one before it ended, counted within a page.
std::shared_ptr<llvm::orc::ObjectLinkingLayer::Plugin> spreadOverSets();

}  // namespace fusebench::cpu
