// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/instant/op_list_text.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <string_view>

#include "engine/base/text_lines.h"

namespace fusebench::cpu {
namespace {

using Form = Stencil::Form;

std::string_view formName(Form form) {
  switch (form) {
    case Form::working:
      return "registers";
    case Form::slot:
      return "slot";
    case Form::input:
      return "input";
    case Form::number:
      return "number";
    case Form::none:
      break;
  }
  return "";
}

/// A word of an instruction.
template <typename Word>
Word read(const std::byte* instruction, std::size_t word) {
  Word value;
  std::memcpy(&value, instruction + wordAt(word), sizeof(value));
  return value;
}

/// A number that begins at this word of an instruction.
std::string numberText(const Stencil& stencil, const std::byte* instruction, std::size_t word) {
  switch (stencil.computed) {
    case TypeClass::float64:
      return fmt::format("{}", read<double>(instruction, word));
    case TypeClass::int64:
      return fmt::format("{}", read<std::int64_t>(instruction, word));
    case TypeClass::int32:
      return fmt::format("{}", read<std::int32_t>(instruction, word));
    default:
      return fmt::format("{}", read<float>(instruction, word));
  }
}

/// " as float16", where values are stored in a type other than float32.
std::string typeNote(const Stencil& stencil) {
  return stencil.dtype == DType::float32 ? std::string()
                                         : fmt::format(" as {}", info(stencil.dtype).name);
}

/// "exp of registers", "add of registers, slot 128".
std::string whatItDoes(const Stencil& stencil, const std::byte* instruction) {
  const auto place = [&](std::size_t operand) {
    return read<std::int32_t>(instruction, stencil.wordOf(operand));
  };
  switch (stencil.kind) {
    case Stencil::Kind::load:
      return fmt::format("load {} {}{}", formName(stencil.forms[0]), place(0), typeNote(stencil));
    case Stencil::Kind::keep:
      return fmt::format("keep in slot {}", place(0));
    case Stencil::Kind::store:
      return fmt::format("store to tensor {}{}", place(0), typeNote(stencil));
    case Stencil::Kind::round:
      return fmt::format("round to {}", info(stencil.dtype).name);
    case Stencil::Kind::accumulate:
      return "accumulate";
    case Stencil::Kind::next:
      return "to the first piece with the next block, or back";
    default:
      break;
  }
  std::string text(stencil.row->name);
  for (int o = 0; o < stencil.row->arity; ++o) {
    const auto at = static_cast<std::size_t>(o);
    text += o == 0 ? " of " : ", ";
    if (stencil.forms[at] == Form::number)
      text += numberText(stencil, instruction, stencil.wordOf(at));
    else if (stencil.forms[at] == Form::working)
      text += formName(Form::working);
    else
      text += fmt::format("{} {}", formName(stencil.forms[at]), place(at));
  }
  return text;
}

/// The lines of `text` from the one that holds `first` to the one before that which holds `last`,
/// comments and directives left out.
template <typename Visit>
void linesBetween(std::string_view text, std::string_view first, std::string_view last,
                  Visit&& visit) {
  bool inside = false, done = false;
  forEachLine(text, [&](std::string_view line) {
    if (done) return;
    if (!inside) {
      inside = line.starts_with(first);
      if (!inside || first.ends_with(':')) return;
    }
    done = line.starts_with(last);
    const std::size_t start = line.find_first_not_of(" \t");
    if (done || start == std::string_view::npos || line[start] == '#') return;
    if (line[start] == '.' && !line.starts_with(".L")) return;
    visit(line);
  });
}

}  // namespace

std::vector<GeneratedCode> opListText(const OpList& list, const OpListCode& program,
                                      const Jit& jit) {
  GeneratedCode ir{"llvm", {}, {}}, assembly{"assembly", {}, {}};
  const auto add = [](GeneratedCode& code, std::string_view line, int op) {
    code.text.append(line);
    code.text += '\n';
    code.lineOps.push_back(op);
  };
  for (std::size_t i = 0; i < program.pieces.size(); ++i) {
    const OpListCode::Piece& piece = program.pieces[i];
    const int op = piece.op < 0 ? -1 : list.ops[static_cast<std::size_t>(piece.op)].op;
    const std::string title =
        fmt::format("{}: {}", i + 1, whatItDoes(piece.stencil, &program.whole[piece.at]));
    const auto generated = [&] { return generate(piece.stencil, jit.target(), jit.dataLayout()); };
    add(ir, "; " + title, op);
    linesBetween(jit.irText(*generated().module), "define ", "}",
                 [&](std::string_view line) { add(ir, line, op); });
    add(ir, "}", op);
    add(assembly, "# " + title, op);
    linesBetween(jit.assemblyText(*generated().module), std::string(kEntryName) + ":", ".Lfunc_end",
                 [&](std::string_view line) { add(assembly, line, op); });
  }
  return {std::move(ir), std::move(assembly)};
}

}  // namespace fusebench::cpu
