// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/parser.h"

#include <optional>
#include <string>
#include <vector>

#include "engine/language/exported_text.h"
#include "engine/language/program_branches.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_exec.h"
#include "engine/language/program_gradients.h"
#include "engine/language/program_parser.h"
#include "engine/language/program_script.h"
#include "engine/language/program_source.h"

namespace fusebench {
namespace {

/// Reads a text on one way after the other: at each choice by what a tensor holds once more, with
/// the choices before it as they were and this one turned around.
class Ways {
 public:
  Ways(std::string_view text, const ProgramHints& hints, SourceRecord* record)
      : text_(text), tokens_(tokenize(text)), hints_(hints), record_(record) {}

  Program read() {
    Program program = readForGradients(hints_, [this](const ProgramHints& hints) {
      hints_ = hints;
      ways_ = 1;
      return read({});
    });
    if (!program.branches.empty()) joinWays(program);
    ProgramSource source;
    source.text = std::make_shared<const std::string>(text_);
    source.hints = hints_;
    program.source = std::make_shared<const ProgramSource>(std::move(source));
    return program;
  }

 private:
  Program read(const std::vector<bool>& ways) {
    ProgramHints hints = hints_;
    hints.ways = ways;
    ProgramParser parser(text_, tokens_, hints);
    parser.setRecord(record_);
    Program program = parser.run();
    refuse(program);
    for (std::size_t b = ways.size(); b < program.branches.size(); ++b) {
      std::vector<bool> turned;
      for (std::size_t before = 0; before < b; ++before)
        turned.push_back(program.branches[before].holds);
      turned.push_back(!program.branches[b].holds);
      program.branches[b].other = shared(readOther(program, b, turned));
    }
    return program;
  }

  Program readOther(const Program& program, std::size_t b, const std::vector<bool>& ways) {
    const Branch& branch = program.branches[b];
    if (++ways_ > kMostWays)
      failProgram(branch.place,
                  "choices by tensors' values split this program in more than " +
                      std::to_string(kMostWays) +
                      " branches; write torch.where(condition, a, b) where both sides are cheap");
    try {
      Program other = read(ways);
      if (other.outputs.size() != program.outputs.size())
        failProgram(branch.place, "the program returns " + std::to_string(program.outputs.size()) +
                                      " tensors where this 'if' holds, and " +
                                      std::to_string(other.outputs.size()) +
                                      " where it does not; it must be the same in both branches");
      return other;
    } catch (const ProgramError& error) {
      if (error.place().line == branch.place.line) throw;
      failProgram(error.place(), std::string(error.what()) +
                                     " (in the branch where the 'if' in line " +
                                     std::to_string(branch.place.line) + " does " +
                                     (ways.back() ? "hold)" : "not hold)"));
    }
  }

  /// Refuses whatever a program with a choice by a tensor's values may not have.
  static void refuse(const Program& program) {
    if (program.branches.empty()) return;
    if (program.asksGradients)
      refuseBranches(program, "gradients do not propagate through such a choice");
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  ProgramHints hints_;
  SourceRecord* record_;
  int ways_ = 1;
};

/// A text as it is written: a script is read as the program that it has.
Program readWays(std::string_view text, const ProgramHints& hints, SourceRecord* record) {
  const std::optional<ScriptText> script = scriptText(text);
  if (!script) return Ways(text, hints, record).read();
  try {
    Program program = Ways(script->text, hints, record).read();
    script->toOriginal(program.notes);
    return program;
  } catch (const ProgramError& error) {
    throw script->original(error);
  }
}

}  // namespace

Program parseProgram(std::string_view text, const ProgramHints& hints, SourceRecord* record) {
  const WorkLimit limit;
  const std::optional<std::string> graph = graphOfPrinted(text);
  if (const std::optional<ExpandedText> expanded = expandedText(graph ? *graph : text)) {
    try {
      Program program = readWays(expanded->text, hints, record);
      program.notes.insert(program.notes.begin(), expanded->notes.begin(), expanded->notes.end());
      return program;
    } catch (const ProgramError& error) {
      throw expanded->original(error);
    }
  }
  return readWays(graph ? *graph : text, hints, record);
}

}  // namespace fusebench
