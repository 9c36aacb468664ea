// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fusebench {

/// The origin of a program that was captured from a model: which module and which source line each
/// of its lines comes from.
struct CapturedModel {
  /// A node of the graph: one line of a program.
  struct Node {
    int program = 0;  ///< position among the experiment's programs
    int line = 0;     ///< line of its text, from 1
    int module = 0;   ///< position in `modules`
    int source = 0;   ///< position in `sources`
  };
  /// The argument or state of the module that an input of the program stands for.
  struct Argument {
    std::string input;  ///< name in the program
    std::string state;  ///< name of a parameter or buffer; empty: an argument of the call
    int leaf = -1;      ///< position among the tensors of the arguments
  };
  /// The file that was executed: relative to the experiment's folder, or absolute. Empty: it is not
  /// known.
  std::string file;
  std::string sha256;               ///< the file's, in hexadecimal
  std::string name;                 ///< the function or module in it
  std::string how;                  ///< "torch.export"
  std::string torch;                ///< version
  std::vector<std::string> inputs;  ///< as given to --input
  bool train = false;
  std::vector<std::string> modules;  ///< paths, as in "layers.0.attn"; the first is the model, ""
  std::vector<std::string> sources;  ///< "model.py:12: x = self.conv(x)"; the first is ""
  std::vector<std::string> breaks;   ///< why each graph ended, if there are several
  std::vector<Node> nodes;
  std::vector<Argument> arguments;  ///< empty if there are several programs
};

}  // namespace fusebench
