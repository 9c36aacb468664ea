// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/code_text.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "engine/base/text_lines.h"
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

/// PTX without what is there for debuggers. `lineOps` of what these make are lines of the source,
/// from 0, until withOps() has turned them into ops.
GeneratedCode readPtx(std::string_view text) {
  GeneratedCode code{"ptx", {}, {}};
  int op = -1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view word = line.substr(start);
    if (word.starts_with(".loc")) {
      op = locatedLine(word) - 1;
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

std::vector<GeneratedCode> withOps(std::vector<GeneratedCode> made, const Source& source) {
  for (GeneratedCode& code : made)
    for (int& line : code.lineOps) {
      const auto at = static_cast<std::size_t>(line);
      line = at < source.lineOps.size() ? source.lineOps[at] : -1;
    }
  return made;
}

std::vector<GeneratedCode> textsOf(const Source& source, const std::string& name,
                                   const Nvrtc* nvrtc, int architecture, CompileFlags flags) {
  std::vector<GeneratedCode> made;
  GeneratedCode& cuda = made.emplace_back(GeneratedCode{"cuda", source.text, {}});
  cuda.lineOps.resize(source.lineOps.size());
  std::iota(cuda.lineOps.begin(), cuda.lineOps.end(), 0);
  if (!nvrtc) return made;
  flags.lineInfo = true;
  const CompiledCode ptx =
      nvrtc->compile(source.text, name, {true, architecture}, compileOptions(flags));
  made.push_back(readPtx(ptx.bytes));
  return made;
}

/// Where the disassembler fails, its reason: the other languages are there all the same.
GeneratedCode sassOf(const Disassembler& disassembler, std::string_view cubin) {
  try {
    Disassembly read = disassembler.read(cubin);
    for (int& line : read.sourceLines) --line;
    return {"sass", std::move(read.text), std::move(read.sourceLines)};
  } catch (const std::runtime_error& error) {
    return {"sass", fmt::format("// {}\n", error.what()), {-1}};
  }
}

/// A table with a line for each entry: what it needs of a multiprocessor, and how it reaches
/// memory.
GeneratedCode resourcesOf(const Source& source, const CompiledCode& code, std::string_view ptx) {
  GeneratedCode made{"resources", {}, {}};
  made.text = fmt::format("{:<24} {:>9} {:>9} {:>7} {:>7} {:>8} {:>8}  {}\n", "entry", "registers",
                          "threads", "stack", "spilled", "shared", "elements", "global memory");
  const std::string accesses = globalAccesses(ptx);
  for (const Entry& each : source.entries) {
    made.text += fmt::format("{:<24}", each.name);
    // A compiler whose log says nothing leaves them open.
    const auto known = std::ranges::find(code.resources, each.name, &EntryResources::entry);
    const auto figure = [&](int width, int value) {
      made.text += known == code.resources.end() ? fmt::format(" {:>{}}", "?", width)
                                                 : fmt::format(" {:>{}}", value, width);
    };
    const EntryResources of = known == code.resources.end() ? EntryResources() : *known;
    figure(9, of.registers);
    made.text += fmt::format(" {:>9}", each.maxThreads);
    figure(7, of.stackBytes);
    figure(7, of.spillStores + of.spillLoads);
    figure(8, of.sharedBytes);
    made.text += fmt::format(" {:>8}  {}\n", each.vectorWidth, accesses);
  }
  made.lineOps.assign(source.entries.size() + 1, -1);
  return made;
}

}  // namespace

CompileFlags flagsOf(const Kernel& kernel) {
  CompileFlags flags;
  flags.contract = kernel.contract;
  flags.fastMath = kernel.fastMath;
  return flags;
}

std::string globalAccesses(std::string_view ptx) {
  std::map<std::string, int, std::less<>> counts;
  forEachLine(ptx, [&](std::string_view line) {
    std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string_view::npos) return;
    if (line[at] == '@') at = std::min(line.find_first_of(" \t", at) + 1, line.size());
    const std::string_view word = line.substr(at, line.find_first_of(" \t;", at) - at);
    if (word.starts_with("ld.global") || word.starts_with("st.global")) ++counts[std::string(word)];
  });
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<std::string, int>::second);
  std::string text;
  for (const auto& [word, count] : sorted)
    text += fmt::format("{}{} x{}", text.empty() ? "" : ", ", word, count);
  return text;
}

std::vector<GeneratedCode> codeText(const Kernel& kernel, const Program* program,
                                    const Nvrtc* nvrtc, int architecture, CompileFlags flags) {
  const Source source = generate(kernel, {program});
  return withOps(textsOf(source, kernel.name, nvrtc, architecture, flags), source);
}

CodeReader::CodeReader(std::shared_ptr<const Nvrtc> nvrtc, CodeTarget target)
    : nvrtc_(std::move(nvrtc)),
      target_(target),
      disassembler_(nvrtc_ ? Disassembler::find(nvrtc_->path()) : nullptr) {}

std::vector<GeneratedCode> CodeReader::read(const Kernel& kernel) {
  return read(generate(kernel), kernel.name, flagsOf(kernel));
}

std::vector<GeneratedCode> CodeReader::read(const Source& source, const std::string& name,
                                            const CompileFlags& flags) {
  std::string key = source.text;
  for (const std::string& option : compileOptions(flags)) key += option + '\n';
  const auto [found, isNew] = known_.try_emplace(std::move(key));
  if (isNew) {
    try {
      found->second = textsOf(source, name, nvrtc_.get(), target_.architecture, flags);
      addMachineCode(source, name, flags, found->second);
    } catch (...) {
      known_.erase(found);
      throw;
    }
  }
  return withOps(found->second, source);  // alike in text, but perhaps of other ops
}

void CodeReader::addMachineCode(const Source& source, const std::string& name, CompileFlags flags,
                                std::vector<GeneratedCode>& made) const {
  if (!nvrtc_ || target_.ptx) return;
  flags.lineInfo = disassembler_ != nullptr;
  const CompiledCode code = nvrtc_->compile(source.text, name, target_, compileOptions(flags));
  const std::string ptx = made.back().text;
  if (disassembler_) made.push_back(sassOf(*disassembler_, code.bytes));
  made.push_back(resourcesOf(source, code, ptx));
}

}  // namespace fusebench::cuda
