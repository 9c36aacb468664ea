// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/language/program.h"
#include "engine/ops/op_choices.h"

namespace fusebench {

/// How tightly the outermost operator of an expression binds, as in Python's grammar.
enum Tightness : std::uint8_t { kComparison, kSum, kProduct, kUnary, kPower, kAtom };

struct Piece {
  std::string text;
  Tightness tightness = kAtom;
};

/// A number in Python's notation.
std::string printedNumber(double number, bool integer);

/// The piece, in parentheses if it binds less tightly than `least`.
std::string within(const Piece& piece, Tightness least);

/// Prints ops as PyTorch expressions; `pieceOf` returns the text of the values that they read.
class ExpressionPrinter {
 public:
  using PieceOf = std::function<Piece(ValueId)>;
  using OpOf = std::function<const Op*(ValueId)>;
  /// functional: how the text names torch.nn.functional, including the dot. sizes: the sizes of the
  /// ops' program; null if no op depends on one. opOf: the op that computes a value, null if there
  /// is none. Without it, no value has an op.
  explicit ExpressionPrinter(PieceOf pieceOf, std::string functional = "torch.nn.functional.",
                             const SizeExpressions* sizes = nullptr, OpOf opOf = {})
      : pieceOf_(std::move(pieceOf)),
        functional_(std::move(functional)),
        sizes_(sizes),
        opOf_(std::move(opOf)) {}

  Piece expression(const Op& op) const;
  /// The statement for an op that writes in place: "x.add_(y)". `self`: whether its first operand
  /// is the tensor that it writes.
  std::string statement(const Op& op, bool self) const;
  /// A size, such as x.shape[0] // 2.
  Piece size(SizeId id) const;

 private:
  Piece operand(const Op& op, int i) const;
  Piece viewForm(const Op& op) const;
  Piece orderForm(const Op& op) const;
  std::string scatterStatement(const Op& op, const std::string& into) const;
  /// The parts of an index over several dimensions, one text per dimension.
  std::vector<std::string> digitsOf(const Op& op, const std::string& into) const;
  Piece indexForm(const Op& op) const;
  Piece makingForm(const Op& op) const;
  Piece copyForm(const Op& op) const;
  std::pair<std::string, std::size_t> listedText(const Op& op, std::size_t depth,
                                                 std::size_t next) const;
  std::string viewSize(const Op& op, std::size_t i) const;
  Piece operatorForm(const Op& op, std::string_view spelling) const;
  Piece functionForm(const Op& op, const OpRow& row, const OpChoice* choice) const;
  std::string argumentsText(const Op& op, const OpRow& row, const OpChoice* choice,
                            std::size_t first) const;

  PieceOf pieceOf_;
  std::string functional_;
  const SizeExpressions* sizes_;
  OpOf opOf_;
};

}  // namespace fusebench
