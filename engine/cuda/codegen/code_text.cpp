// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/code_text.h"

#include <algorithm>
#include <charconv>

#include "engine/cuda/codegen/codegen.h"

namespace fusebench::cuda {
namespace {

/// The line of ".loc FILE LINE COLUMN..."; 0 if it is none.
int locatedLine(std::string_view directive) {
  const std::size_t file = directive.find_first_of("0123456789");
  const std::size_t space = directive.find_first_of(" \t", file);
  if (file == std::string_view::npos || space == std::string_view::npos) return 0;
  int line = 0;
  std::from_chars(directive.data() + space + 1, directive.data() + directive.size(), line);
  return line;
}

/// PTX without what is there for debuggers; its locations, lines of the source, turned into ops.
GeneratedCode readPtx(std::string_view text, const std::vector<int>& sourceOps) {
  GeneratedCode code{"ptx", {}, {}};
  int op = -1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view word = line.substr(start);
    if (word.starts_with(".loc")) {
      const auto at = static_cast<std::size_t>(locatedLine(word)) - 1;
      op = at < sourceOps.size() ? sourceOps[at] : -1;
      continue;
    }
    if (word.starts_with(".section\t.debug") || word.starts_with(".section .debug") ||
        word.starts_with(".file")) {
      if (word.starts_with(".section")) break;  // the rest is debugging information
      continue;
    }
    if (word.starts_with("$L__tmp") || word.starts_with("$L__func_end")) continue;
    if (word.starts_with(".visible") || word.starts_with("}")) op = -1;
    const bool instruction =
        start > 0 && !word.empty() && word[0] != '.' && word[0] != '/' && word[0] != '$';
    code.text.append(line);
    code.text += '\n';
    code.lineOps.push_back(instruction ? op : -1);
  }
  return code;
}

}  // namespace

std::vector<GeneratedCode> codeText(const Kernel& kernel, const Program* program,
                                    const Nvrtc* nvrtc, int architecture, CompileFlags flags) {
  const Source source = generate(kernel, {program});
  std::vector<GeneratedCode> made;
  made.push_back({"cuda", source.text, source.lineOps});
  if (!nvrtc) return made;
  flags.lineInfo = true;
  const CompiledCode ptx =
      nvrtc->compile(source.text, kernel.name, {true, architecture}, compileOptions(flags));
  made.push_back(readPtx(ptx.bytes, source.lineOps));
  return made;
}

}  // namespace fusebench::cuda
