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
  std::string type;               ///< "Tensor", "Scalar", "SymInt[]"; "?" is taken off
  bool optional = false;          ///< None may be given
  bool keywordOnly = false;       ///< it follows `*`
  ast::ExpressionPtr fallback{};  ///< null: it must be given
};

/// An overload of ATen's: torch.ops.aten.NAME.OVERLOAD.
struct AtenRow {
  std::string name;      ///< "add"
  std::string overload;  ///< "Tensor"; "default" where ATen has none
  std::string schema;    ///< the whole signature, as PyTorch prints it
  bool core = false;     ///< of PyTorch's core set (torch.Tag.core)
  std::vector<AtenParameter> parameters{};
  std::string target{};             ///< its definition here, in terms of its parameters
  ast::ExpressionPtr expression{};  ///< the same, parsed; null: refused
  std::string refusal{};  ///< why it is refused, and what to write instead; empty: it is supported

  bool supported() const { return refusal.empty(); }
};

/// The table's texts, from the folder engine/language/aten. A row is two lines: a signature as
/// PyTorch prints it, behind `core ` where the overload is of the core set; and, indented, an
/// expression of the library in terms of the parameters, or `! ` and why there is none.
std::span<const EmbeddedFile> atenFiles();

/// All overloads that the language knows, in the table's order. Overloads of one name are found by
/// atenOverloads.
std::span<const AtenRow> atenRows();
/// Those of a name ("add"), in the table's order; empty if there are none.
std::span<const AtenRow* const> atenOverloads(std::string_view name);

}  // namespace fusebench
