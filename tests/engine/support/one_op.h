// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/language/program.h"
#include "engine/ops/ops.h"

namespace fusebench::test {

/// A program of one op over as many inputs as it has operands.
inline Program programOf(const OpRow& row, const std::vector<double>& parameters) {
  Program program;
  Op op;
  op.row = &row;
  op.parameters = parameters;
  for (int i = 0; i < row.arity; ++i) {
    program.inputs.push_back("x" + std::to_string(i));
    op.operands.push_back({i, 0});
  }
  program.ops.push_back(op);
  program.outputs.push_back(row.arity);
  return program;
}

}  // namespace fusebench::test
