// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/codegen/codegen.h"
#include "engine/cuda/driver/disassembler.h"
#include "engine/cuda/driver/nvrtc.h"
#include "engine/device/backend.h"

namespace fusebench {
struct Program;
}

namespace fusebench::cuda {

/// The options that a kernel needs when its source is compiled.
CompileFlags flagsOf(const Kernel& kernel);

/// A kernel's code for people to read: "cuda", with the program's names and statements if it is
/// given; and, if NVRTC is available, the "ptx" that it compiles from that text for an
/// architecture. Each line has the op that it belongs to. Throws std::runtime_error.
std::vector<GeneratedCode> codeText(const Kernel& kernel, const Program* program,
                                    const Nvrtc* nvrtc, int architecture, CompileFlags flags = {});

/// Kernels of one target, from CUDA C++ down to what the assembler made of them:
///   "cuda"; with NVRTC "ptx"; where that makes machine code for the target "sass", if there is a
///   disassembler, and "resources", a table with a line for each entry.
/// Remembers what it has read: many kernels of an eager program are alike.
class CodeReader {
 public:
  /// `nvrtc`: null if it is not available.
  CodeReader(std::shared_ptr<const Nvrtc> nvrtc, CodeTarget target);

  std::vector<GeneratedCode> read(const Kernel& kernel);
  /// The same for a source that is not generated from a kernel; `name` is for messages. Throws
  /// std::runtime_error.
  std::vector<GeneratedCode> read(const Source& source, const std::string& name,
                                  const CompileFlags& flags);

 private:
  void addMachineCode(const Source& source, const std::string& name, CompileFlags flags,
                      std::vector<GeneratedCode>& made) const;

  std::shared_ptr<const Nvrtc> nvrtc_;
  CodeTarget target_;
  std::unique_ptr<const Disassembler> disassembler_;
  std::map<std::string, std::vector<GeneratedCode>> known_;  ///< by options and text
};

/// Instructions of PTX that read and write global memory, each width with its count, most frequent
/// first: "ld.global.v4.f32 x2, st.global.f32 x1".
std::string globalAccesses(std::string_view ptx);

}  // namespace fusebench::cuda
