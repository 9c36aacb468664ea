// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fusebench::cuda {

/// Machine code as text, one line each, with the line of the source that it was compiled from.
struct Disassembly {
  std::string text;
  std::vector<int> sourceLines;  ///< for each line of text, from 1; 0: not known
};

/// NVIDIA's disassembler, a program of the CUDA toolkit that is run on demand.
class Disassembler {
 public:
  /// Looks for nvdisasm, then cuobjdump: the file that FUSEBENCH_CUDA_NVDISASM names; the folder
  /// `bin` next to the folder of `beside`, a library's path; the absolute folders of PATH;
  /// /usr/local/cuda/bin. Null if there is none.
  static std::unique_ptr<Disassembler> find(const std::string& beside);
  explicit Disassembler(std::string program) : program_(std::move(program)) {}

  const std::string& program() const { return program_; }
  /// SASS of a cubin. Throws std::runtime_error with the program's own reason.
  Disassembly read(std::string_view cubin) const;

 private:
  std::string program_;
};

/// The text that the disassembler prints, without its headers and comments; its notes on lines of
/// the source become `sourceLines`.
Disassembly readDisassembly(std::string_view printed);

}  // namespace fusebench::cuda
