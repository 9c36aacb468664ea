// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/code_text.h"

#include <fmt/format.h>
#include <llvm/IR/AssemblyAnnotationWriter.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/FormattedStream.h>
#include <llvm/Support/raw_ostream.h>

#include <charconv>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "engine/base/text_lines.h"
#include "engine/cpu/codegen/codegen.h"
#include "engine/cpu/codegen/op_marks.h"

namespace fusebench::cpu {
namespace {

constexpr std::string_view kMark = ";@";

/// Puts each instruction's op on a line before it.
class OpAnnotations final : public llvm::AssemblyAnnotationWriter {
 public:
  void emitInstructionAnnot(const llvm::Instruction* instruction,
                            llvm::formatted_raw_ostream& out) override {
    const llvm::DebugLoc& location = instruction->getDebugLoc();
    out << llvm::StringRef(kMark) << (location ? OpMarks::opOfLine(location.getLine()) : -1)
        << '\n';
  }
};

int numberIn(std::string_view text) {
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void add(GeneratedCode& code, std::string_view line, int op) {
  code.text.append(line);
  code.text += '\n';
  code.lineOps.push_back(op);
}

/// An instruction or a definition without its location.
std::string withoutLocation(std::string_view line) {
  for (const std::string_view mark : {", !dbg !", " !dbg !"})
    if (const std::size_t at = line.find(mark); at != std::string_view::npos) {
      const std::size_t end =
          std::min(line.find_first_not_of("0123456789", at + mark.size()), line.size());
      return std::string(line.substr(0, at)) + std::string(line.substr(end));
    }
  return std::string(line);
}

/// A vector of one constant as LLVM also writes it: "<float 1.0, float 1.0>" as "splat
/// (float 1.0)".
std::string withSplats(std::string_view line) {
  std::string text;
  for (std::size_t open; (open = line.find('<')) != std::string_view::npos;) {
    const std::size_t close = line.find('>', open);
    if (close == std::string_view::npos) break;
    const std::string_view inside = line.substr(open + 1, close - open - 1);
    const std::string_view first = inside.substr(0, inside.find(','));
    std::size_t at = first.size();
    const std::string next = ", " + std::string(first);
    while (inside.substr(at).starts_with(next)) at += next.size();
    text += line.substr(0, open);
    // A type, "<8 x float>", has no comma.
    if (at == inside.size() && at > first.size())
      text += fmt::format("splat ({})", first);
    else
      text += line.substr(open, close + 1 - open);
    line.remove_prefix(close + 1);
  }
  return text.append(line);
}

/// Without the marks themselves: locations, and the metadata at the end.
GeneratedCode readIr(std::string_view text) {
  GeneratedCode code{"llvm", {}, {}};
  int op = -1;
  forEachLine(text, [&](std::string_view line) {
    if (line.starts_with(kMark))
      op = numberIn(line.substr(kMark.size()));
    else if (!line.starts_with("!"))
      add(code, withSplats(withoutLocation(line)), std::exchange(op, -1));
  });
  while (code.text.ends_with("\n\n")) {
    code.text.pop_back();
    code.lineOps.pop_back();
  }
  return code;
}

/// Directives that say something about debugging or unwinding, not about what runs.
bool isNoise(std::string_view directive) {
  return directive.starts_with(".file") || directive.starts_with(".cfi_") ||
         directive.starts_with(".Ltmp") || directive.starts_with(".Lfunc_begin") ||
         directive.starts_with(".ident") || directive.starts_with(".addrsig") ||
         directive.starts_with(".section\t\".note") || directive.starts_with(".section\t.debug") ||
         directive.starts_with(".Ldebug");
}

/// The compiler's assembly, its locations turned into the lines' ops.
GeneratedCode readAssembly(std::string_view text) {
  GeneratedCode code{"assembly", {}, {}};
  int op = -1;
  forEachLine(text, [&](std::string_view line) {
    const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view word = line.substr(start);
    if (word.starts_with(".loc")) {  // .loc FILE LINE COLUMN ...
      const std::size_t file = word.find_first_of("0123456789");
      const std::size_t number = word.find(' ', file);
      if (number != std::string_view::npos)
        op = OpMarks::opOfLine(
            static_cast<unsigned>(std::max(0, numberIn(word.substr(number + 1)))));
      return;
    }
    if (isNoise(word)) return;
    const bool instruction = start > 0 && !word.empty() && word[0] != '.' && word[0] != '#';
    add(code, line, instruction ? op : -1);
  });
  return code;
}

}  // namespace

std::vector<GeneratedCode> codeText(const Kernel& kernel, const Schedule& schedule,
                                    const Target& target) {
  const auto machine = makeTargetMachine(target);
  const GeneratedModule generated =
      generate(kernel, schedule, target, machine->createDataLayout(), /*marked=*/true);
  std::string ir;
  {
    llvm::raw_string_ostream out(ir);
    OpAnnotations annotations;
    generated.module->print(out, &annotations);
  }
  llvm::SmallString<0> assembly;
  llvm::raw_svector_ostream out(assembly);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile))
    throw std::runtime_error("no assembly for " + target.triple);
  passes.run(*generated.module);
  return {readIr(ir), readAssembly({assembly.data(), assembly.size()})};
}

}  // namespace fusebench::cpu
