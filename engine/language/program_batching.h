// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/language/program_builder.h"

namespace fusebench {

/// Turns the ops of a function of one example into ops on a batch of examples, as torch.vmap does.
/// The function is evaluated once, on the first example of each tensor; then its ops are made again
/// with a leading dimension, by a rule for each kind of op. An op without a rule is made once for
/// each example and its results are stacked, as in PyTorch.
class Batching {
 public:
  /// PyTorch's argument `randomness`.
  enum class Draws : std::uint8_t { error, different, same };
  using Stack = std::function<PythonValue(const std::vector<PythonValue>& tensors)>;

  Batching(Program& program, ProgramBuilder& builder, Draws draws, Stack stack, SourcePlace place);

  /// Begins to record. `tensors`: each (batch, ...). Returns the first example of each. Throws
  /// ProgramError if their sizes are not known or they are batches of different sizes.
  std::vector<PythonValue> begin(const std::vector<PythonValue>& tensors);
  /// Replaces the ops recorded since begin(). Throws ProgramError also for what PyTorch refuses.
  void run();
  /// After run(): the batch of values that were recorded as a value of one example, (batch, ...).
  PythonValue batchOf(const PythonValue& example);

 private:
  struct Entry {
    ValueId value = -1;
    bool batched = false;
  };
  struct Around;

  void takeBack();
  void findExpanded();
  void apply(const Op& op, std::size_t at);
  Entry entryOf(ValueId value) const;
  bool isRecorded(ValueId value) const;
  const Shape& shapeOf(ValueId recorded);
  bool isBatched(const Operand& operand) const;
  bool anyBatched(const Op& op) const;
  int rankOf(ValueId value);
  /// The op with what its operands have become; as it is otherwise.
  Op mapped(const Op& op) const;
  Entry add(Op op, bool batched);
  Op viewOp(const char* row, ValueId of, std::vector<int> dims,
            std::vector<std::int64_t> sizes) const;
  ValueId view(const char* row, ValueId of, std::vector<int> dims,
               std::vector<std::int64_t> sizes = {});
  /// Dimensions of extent 1 behind the leading one, until the example has `rank` dimensions.
  ValueId aligned(const Operand& operand, int rank);
  /// (batch, ...) of a value that is the same for all examples.
  ValueId expanded(ValueId value, const Shape& shape);
  void alignOperands(Op& op, const Op& recorded, int rank);
  [[noreturn]] void fail(const std::string& what) const;

  Entry pointwise(const Op& op, const Shape& shape);
  Entry reduce(const Op& op);
  Entry alongDimension(const Op& op);
  Entry viewed(const Op& op, const Shape& shape);
  Entry made(const Op& op);
  Entry contracted(const Op& op, const Shape& shape);
  Entry windows(const Op& op, const Shape& shape);
  Entry summed(const Op& op, std::size_t first, std::size_t second);
  Entry withAddend(const Op& op);
  Entry gathered(const Op& op);
  Entry differentiated(const Op& op);
  Entry oneByOne(const Op& op);

  Program& program_;
  ProgramBuilder& builder_;
  Draws draws_;
  Stack stack_;
  SourcePlace place_;
  std::int64_t extent_ = 0;
  std::size_t tensors_ = 0, firstOp_ = 0, firstCheck_ = 0, firstBranch_ = 0;
  std::vector<Op> ops_;
  std::vector<Shape> shapes_;   ///< shapes of the recorded values, for one example
  std::vector<Entry> entries_;  ///< their replacements
  std::vector<bool> expands_;   ///< per recorded op: gradients are taken by it for each example
  std::map<ValueId, Entry> outside_;  ///< the same for values from before begin()
  std::map<ValueId, Shape> outsideShapes_;
};

}  // namespace fusebench
