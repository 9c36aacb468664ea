// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/dtype.h"

namespace fusebench {

/// The first graph in text that PyTorch printed, with as many lines as the text. Reads the output
/// of print(exported_program) and print_readable(), and the logs of
/// TORCH_LOGS=graph_code,aot_graphs, whose prefixes are removed. Weights and buffers that a graph
/// reads from its module become inputs, see withStatesAsInputs(). Nothing if the text has no sign
/// of being one of these: then it is a program.
std::optional<std::string> graphOfPrinted(std::string_view text);

/// A graph whose forward() reads weights and buffers from its module, as make_fx and torch.fx print
/// them (`_param_constant0 = self._param_constant0`), with these as additional inputs after its
/// own. The lines keep their positions. Nothing: the text is not such a graph.
std::optional<std::string> withStatesAsInputs(std::string_view text);

/// A type comment: "f32[8, s0][16, 1]cpu".
struct TypeComment {
  DType dtype = DType::float32;
  std::vector<std::string> extents;  ///< numbers, or names of symbolic sizes
};
/// Nothing if it is not the comment of a tensor, or if programs cannot have such a tensor.
std::optional<TypeComment> readTypeComment(std::string_view comment);

/// An input with the type that a comment in the header of a program's function declares.
struct CommentedInput {
  std::string name;
  TypeComment type;
};
std::vector<CommentedInput> commentedInputs(std::string_view program);

}  // namespace fusebench
