// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/instant/interpreter_listing.h"

#include <bit>
#include <string>

#include <fmt/format.h>

#include "engine/base/text_lines.h"
#include "engine/cuda/instant/interpreter_program.h"
#include "engine/cuda/instant/interpreter_source.h"

namespace fusebench::cuda {
namespace {

std::string tensorName(const OpList& list, std::uint32_t tensor) {
  const auto inputs = static_cast<std::uint32_t>(list.kernel.inputs.size());
  return tensor < inputs ? fmt::format("input {}", tensor)
                         : fmt::format("output {}", tensor - inputs);
}

std::string operandText(const OpList& list, std::uint32_t fetch, std::uint32_t field) {
  switch (static_cast<Fetch>(fetch & kFetchMask)) {
    case Fetch::number:
      return fmt::format("{}", std::bit_cast<float>(field));
    case Fetch::slot:
      return fmt::format("slot {}", field);
    case Fetch::input:
      return tensorName(list, field);
    case Fetch::working:
      break;
  }
  return "registers";
}

/// "add of registers, 0.5, kept in slot 1".
std::string whatItSays(const OpList& list, const OpListInstruction& instruction, int op) {
  const std::uint32_t word = instruction.word, operation = word & kOperationMask;
  const std::string second = operandText(list, word >> kSecondShift, instruction.fields[0]);
  std::string text;
  if (operation == static_cast<std::uint32_t>(Move::load)) {
    text = "load " + second;
  } else if (operation == static_cast<std::uint32_t>(Move::store)) {
    text = "store to " + tensorName(list, instruction.fields[0]);
  } else if (operation == static_cast<std::uint32_t>(Move::gather)) {
    text = fmt::format("gather into reduction {}", instruction.fields[0]);
  } else {
    const ListedOp& made = list.ops[static_cast<std::size_t>(op)];
    text = fmt::format("{} of registers", made.row->name);
    if (word & kSwapBit)
      text = fmt::format("{} of {}, registers", made.row->name, second);
    else if (made.operandCount > 1)
      text += ", " + second;
    if (made.operandCount > 2)
      text += ", " + operandText(list, word >> kThirdShift, instruction.fields[1]);
    for (const double parameter : made.parameters) text += fmt::format("; {}", parameter);
  }
  if (const std::uint32_t kept = word >> kKeepShift)
    text += fmt::format(", kept in slot {}", kept - 1);
  return text;
}

}  // namespace

std::vector<GeneratedCode> interpretedText(const OpList& list) {
  GeneratedCode code{"cuda", {}, {}};
  const auto add = [&](std::string_view line, int op) {
    code.text.append(line);
    code.text += '\n';
    code.lineOps.push_back(op);
  };
  const InterpreterProgram program = assembleInterpreted(list);
  add("// The instructions that the interpreter below goes through for each element:", -1);
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const int op = program.ops[i];
    add(fmt::format("//   {}: {}", i + 1, whatItSays(list, program.code[i], op)),
        op < 0 ? -1 : list.ops[static_cast<std::size_t>(op)].op);
  }
  add("", -1);
  std::vector<int> firstOps(opRows().size(), -1);
  for (const ListedOp& op : list.ops)
    if (int& first = firstOps[static_cast<std::size_t>(opIndex(*op.row))]; first < 0) first = op.op;
  const Source source = interpreterSource(list.kernel.reducedMask != 0);
  std::size_t line = 0;
  forEachLine(source.text, [&](std::string_view text) {
    const int row = source.lineOps[line++];
    add(text, row < 0 ? -1 : firstOps[static_cast<std::size_t>(row)]);
  });
  return {std::move(code)};
}

}  // namespace fusebench::cuda
