// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

namespace fusebench::cpu {

/// Spreads loaded code and constants over the sets of the caches. The linker gives each object its
/// own pages, so by default all code begins at the same offset in a page, and so do all constants.
/// First-level caches choose a line's set by its offset in the page: in a launch that runs more
/// pieces of code than a set has lines, each would evict the others (docs/cpu_tuning.md has the
/// cost). Therefore each object begins where the one before it ended, counted within a page.
std::shared_ptr<llvm::orc::ObjectLinkingLayer::Plugin> spreadOverSets();

}  // namespace fusebench::cpu
