// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/language/source_statements.h"

namespace fusebench {

/// The program's own lines as PyTorch receives them: all or the first ones, some of them in
/// segments that are recomputed for gradients.
class SourceBody : protected SourceStatements {
 protected:
  using SourceStatements::SourceStatements;

  bool isSegmented() const;
  /// A line of the program, and the number of statements up to its end.
  struct Line {
    const SourceStatement* statement;
    int end;
  };
  std::vector<Line> linesOf(const std::vector<const SourceStatement*>& body) const;
  std::string mainBody(const ast::Block& block, int depth) const override;
  std::string mainBody(const std::vector<const SourceStatement*>& body, int depth) const;
  /// The segment of all these statements. Throws if they belong to several.
  int segmentOf(std::pair<int, int> statements) const;
  /// Prints lines as a function that torch.utils.checkpoint calls.
  std::string segmentText(const std::vector<const SourceStatement*>& group,
                          const std::vector<const SourceStatement*>& earlier,
                          const std::vector<const SourceStatement*>& later,
                          const SourceStatement* last, const std::string& returned, int number,
                          int depth) const;
};

}  // namespace fusebench
