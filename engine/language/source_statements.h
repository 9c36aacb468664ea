// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/language/source_parts.h"

namespace fusebench {

/// Statements of a text as PyTorch receives them.
class SourceStatements : protected SourceParts {
 public:
  virtual ~SourceStatements() = default;
  SourceStatements(const SourceStatements&) = delete;
  SourceStatements& operator=(const SourceStatements&) = delete;

 protected:
  using SourceParts::SourceParts;
  /// The lines of the program's own function.
  virtual std::string mainBody(const ast::Block& block, int depth) const = 0;

  /// A line as written, or the header of a block without its colon.
  std::string lineText(const SourceStatement& s) const;
  std::string blockText(const ast::Block& block, int depth) const;
  std::string statementText(const SourceStatement& s, int depth) const;
  std::string contextsText(const SourceStatement& s) const;
  static std::string unreached(int depth);
  /// A field of a dataclass. Names used only in annotations are not printed.
  std::string fieldText(const SourceStatement& s, int depth) const;
  std::string headerText(const ast::Function& function) const;
  std::string functionText(const ast::Function& function, int depth) const;
  std::string classText(const SourceStatement& s, int depth) const;
  static bool isKnownPackage(const std::string& path);
  static std::string importText(const std::string& bound, const std::string& path);
};

}  // namespace fusebench
