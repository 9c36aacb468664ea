// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/cuda/codegen/expression_writer.h"
#include "engine/cuda/codegen/kernel_facts.h"

namespace fusebench::cuda {

/// The device function that computes a kernel's expressions for one element. Every loop calls it,
/// so that an element's bits do not depend on the loop in which it is computed.
class ElementFunction {
 public:
  explicit ElementFunction(KernelFacts& facts, std::string name = "element",
                           std::string comment = "One element of the index space.");

  /// The function's definition: part of whatever calls it, or a routine of its own, of which there
  /// is one however often it is called.
  void write(SourceText& text, bool routine = false) const;
  /// The inputs that it takes, in the order of its parameters.
  const std::vector<std::size_t>& inputs() const { return inputs_; }
  /// "element(a, b, number0, y)": `values` for inputs() and variables for results(). Values that
  /// phases carried have their own names.
  std::string call(const std::vector<std::string>& values,
                   const std::vector<std::string>& results) const;

  /// The values that it returns, one for each distinct value among the kernel's outputs.
  struct Result {
    ExprId value = -1;
    TypeClass type = TypeClass::float32;
    std::string name;
  };
  const std::vector<Result>& results() const { return results_; }
  /// The result that an output gets.
  std::size_t resultOf(std::size_t output) const { return resultOfOutput_[output]; }
  /// The primitives on float32 and bools that it uses.
  const std::vector<bool>& primitives() const { return primitives_; }

 private:
  KernelFacts& facts_;
  std::string name_, comment_;
  std::vector<bool> needed_;
  std::vector<std::size_t> inputs_;
  std::vector<int> scalars_, carried_;
  std::vector<Result> results_;
  std::vector<std::size_t> resultOfOutput_;
  std::vector<bool> primitives_;
};

/// Writes "// 3: x = torch.exp(x)" wherever another statement begins.
class StatementComments {
 public:
  StatementComments(SourceText& text, const Program* program) : text_(text), program_(program) {}
  void before(int op);

 private:
  SourceText& text_;
  const Program* program_;
  int last_ = -2;
};

/// One kernel output's result as a float32: its `finish` formula on doubles; "accumulated" and
/// "count" as given.
std::string finishExpression(const KernelOutput& output, const std::string& accumulated,
                             const std::string& count);
/// The result that a phase carries for a row: the same, in the form in which the body computes with
/// it.
std::string carriedText(const KernelOutput& output, const std::string& accumulated,
                        const std::string& count);
/// The same with the parameters given as well; as many as the formula may need.
CPiece finishPiece(Finish finish, const std::string& accumulated, const std::string& count,
                   std::span<const CPiece> parameters);
/// A double as an element of this dtype is stored.
std::string storedText(DType dtype, const CPiece& result);

}  // namespace fusebench::cuda
