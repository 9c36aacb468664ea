// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cpu/codegen/short_blocks.h"

namespace fusebench::cpu {

/// Reads inputs and stores results, one block of the vectorized loop at a time.
class BlockAccess {
 public:
  BlockAccess(KernelScope& scope, Panels& panels, ShortBlocks& shorts)
      : scope_(scope),
        panels_(panels),
        shorts_(shorts),
        k_(scope.kernel),
        s_(scope.schedule),
        b_(scope.b) {}

  /// Values of some input nodes, indexed like all nodes.
  std::vector<Pack> loadInputs(const std::vector<ExprId>& nodes);
  /// Loads the one element of an input that is the same for a whole row.
  llvm::Value* loadStanding(std::size_t input);
  /// Stores one block of a result that has an element per lane.
  void store(std::size_t tensor, const Pack& vectors);

  /// Elements of an input at offsets from the loops' current position; `stays`: all lanes of the
  /// block have the same offset. Lanes past the end read only elements that exist.
  Pack loadAt(std::size_t input, const Pack& places, bool stays);

  /// Values that later segments read are kept in a tile, whose first element has this index.
  void beginTile(llvm::Value* start) { tileStart_ = start; }
  Pack loadTile(ExprId node);
  void storeTile(ExprId node, const Pack& vectors);

 private:
  Pack loadVectors(llvm::Value* pointer, DType dtype);
  llvm::Type* words();
  llvm::Type* floats();
  /// Two vectors of bfloat16 as float32 in the lower and the upper halves of words.
  llvm::Value* putTogether(llvm::Value* lower, llvm::Value* upper);
  /// The address where the elements of a counting input would be.
  Pack counted(std::size_t input);
  Pack loadRepeated(const KernelTensor& input, llvm::Value* pointer);
  llvm::Value* loadOne(const KernelTensor& input, llvm::Value* pointer);
  Pack loadRow(DType dtype, llvm::Value* from);
  /// One load per lane; lanes past the end read the block's last element.
  Pack loadGathered(const KernelTensor& input, llvm::Value* base, llvm::Value* stride);
  /// The address in the tile of a value of the current block.
  llvm::Value* tileAddress(ExprId node);

  KernelScope& scope_;
  Panels& panels_;
  ShortBlocks& shorts_;
  const Kernel& k_;
  const Schedule& s_;
  llvm::IRBuilder<>& b_;
  llvm::Value* tileStart_ = nullptr;
  KernelScope::Values tiles_;  // per expression node: its part of the tile, if it has one
};

}  // namespace fusebench::cpu
