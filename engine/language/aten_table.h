// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/embedded_file.h"
#include "engine/language/ast.h"

namespace fusebench {

/// A parameter of an ATen operation, from its signature: "SymInt[2] padding=0".
struct AtenParameter {
  std::string name;
  std::string type;               ///< "Tensor", "Scalar", "SymInt[]", without the "?"
  bool optional = false;          ///< None is allowed
  bool keywordOnly = false;       ///< it follows `*`
  ast::ExpressionPtr fallback{};  ///< null: it is required
};

/// An ATen overload: torch.ops.aten.NAME.OVERLOAD.
struct AtenRow {
  std::string name;      ///< "add"
  std::string overload;  ///< "Tensor"; "default" where ATen has no name for it
  std::string schema;    ///< the whole signature as PyTorch prints it
  bool core = false;     ///< belongs to PyTorch's core set (torch.Tag.core)
  std::vector<AtenParameter> parameters{};
  std::string target{};             ///< its definition here, in terms of its parameters
  ast::ExpressionPtr expression{};  ///< the same, parsed; null: not supported
  std::string
      refusal{};  ///< why it is not supported, and what to write instead; empty: it is supported

  bool supported() const { return refusal.empty(); }
};

/// The table's texts, from the folder engine/language/aten. A row has two lines: a signature as
/// PyTorch prints it, with `core ` in front if the overload belongs to the core set; and, indented,
/// either an expression of the library in terms of the parameters, or `! ` and the reason why there
/// is none.
std::span<const EmbeddedFile> atenFiles();

/// All overloads that the language knows, in table order. Overloads of one name are found by
/// atenOverloads.
std::span<const AtenRow> atenRows();
/// The overloads of a name ("add"), in table order; empty if there are none.
std::span<const AtenRow* const> atenOverloads(std::string_view name);

}  // namespace fusebench
