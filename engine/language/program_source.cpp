// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_source.h"

#include <algorithm>
#include <string_view>

#include "engine/language/evaluator.h"
#include "engine/language/program_branches.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_parser.h"
#include "engine/language/source_body.h"

namespace fusebench {
namespace {

using LineKind = ast::Statement::Kind;

/// Prints the parts of a text that reading it reached.
class SourcePrinter : private SourceBody {
 public:
  using SourceBody::SourceBody;
  std::string run();

 private:
  /// Prints the definitions that the program needs, in the order of the text.
  std::string aroundFunction();
  /// Adds a global statement, with blank lines around definitions.
  void addTop(std::string& made, const SourceStatement& s) const;
  /// Adds the global lines that the chosen lines depend on, until there are no more.
  void choose(std::vector<bool>& chosen);
  /// Prints a script as a function. Lines that create modules or optimizers go in front of it.
  std::string aroundLines();
  /// Lines that set a module and those within it to the modes that they had when the program began,
  /// as far as the printed lines do not. `training`: the mode after the printed lines.
  std::string modeLines(const std::string& name, bool training) const;
  std::vector<std::string> freeInputs() const;
  /// The name of the program's object, where methods of it are called before the program is;
  /// empty: they are not.
  std::string prepared() const;
  /// The expression that makes the program's object.
  std::string makingText() const;
  /// Binds `program` to what is called with the inputs.
  std::string entry();
  std::string heldNames() const;
  /// The imports that the printed text needs.
  std::string imports() const;
  NameSet needed_;
};

std::string SourcePrinter::run() {
  std::string definitions = layout_.mainPart >= 0 ? aroundFunction() : aroundLines();
  std::string text = imports();
  if (definitions.find(std::string(kNotReached) + "()") != std::string::npos)
    text += "\n\ndef " + std::string(kNotReached) +
            "():\n    raise AssertionError('Fusebench did not get here when it read the "
            "program')\n";
  text += definitions;
  for (const auto& [name, modes] : record_.modes)
    if (needed_.contains(name) && name != kInstanceName)
      text += modeLines(name, text.find("\n" + name + ".eval()") == std::string::npos);
  text += entry() + heldNames();
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string SourcePrinter::aroundFunction() {
  LineNames names;
  names.reads.push_back(main_->text);
  if (main_->kind == LineKind::function)
    functionNames(*function_, names);
  else
    namesOf(*main_, names);
  if (!prepared().empty())
    names.reads.push_back(prepared());
  else if (made_)
    readBy(*made_, names.reads);
  needed_.insert(names.reads.begin(), names.reads.end());
  std::vector<bool> chosen(top_.size(), false);
  for (std::size_t i = 0; i < top_.size(); ++i) chosen[i] = &top_[i] == main_;
  choose(chosen);
  std::string made;
  for (std::size_t i = 0; i < top_.size(); ++i)
    if (chosen[i]) addTop(made, top_[i]);
  return made;
}

void SourcePrinter::addTop(std::string& made, const SourceStatement& s) const {
  const bool apart = s.kind == LineKind::function || s.kind == LineKind::classType;
  if (apart && !made.ends_with("\n\n\n")) made += "\n\n";
  made += statementText(s, 0) + (apart ? "\n\n" : "");
}

void SourcePrinter::choose(std::vector<bool>& chosen) {
  NameSet made;  // names that chosen assignments bind
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = top_.size(); i-- > 0;) {
      const SourceStatement& s = top_[i];
      const bool definition = s.kind == LineKind::function || s.kind == LineKind::classType;
      if (chosen[i] || s.kind == LineKind::import) continue;
      if (!definition && !isReached(s)) continue;
      LineNames names;
      namesOf(s, names);
      const auto isNeeded = [&](const std::string& name) { return needed_.contains(name); };
      const bool binds = std::ranges::any_of(names.binds, isNeeded);
      // Calls such as model.eval(), and loops over model.parameters().
      const bool hooks =
          text_.substr(s.begin, s.end - s.begin).find(".register_forward") != std::string::npos;
      const bool touches =
          !definition && (names.binds.empty() || names.changes || hooks || !s.body.empty()) &&
          std::ranges::any_of(names.reads,
                              [&](const std::string& name) { return made.contains(name); });
      if (!binds && !touches) continue;
      chosen[i] = more = true;
      needed_.insert(names.reads.begin(), names.reads.end());
      if (!definition) made.insert(names.binds.begin(), names.binds.end());
    }
  }
}

std::string SourcePrinter::aroundLines() {
  std::vector<const SourceStatement*> body;
  std::vector<bool> outside(top_.size(), false);
  NameSet hoisted;
  std::vector<LineNames> names(top_.size());
  for (std::size_t i = top_.size(); i-- > 0;) {
    namesOf(top_[i], names[i]);
    const bool binds = std::ranges::any_of(
        names[i].binds, [&](const auto& name) { return hoisted.contains(name); });
    const bool definition =
        top_[i].kind == LineKind::function || top_[i].kind == LineKind::classType;
    outside[i] = record_.makes.contains(top_[i].begin) || binds || definition ||
                 top_[i].kind == LineKind::import;
    if (outside[i] && !definition) hoisted.insert(names[i].reads.begin(), names[i].reads.end());
  }
  std::string made;
  for (std::size_t i = 0; i < top_.size(); ++i) {
    if (!outside[i])
      body.push_back(&top_[i]);
    else if (top_[i].kind != LineKind::import && isReached(top_[i]))
      addTop(made, top_[i]);
    if (isReached(top_[i])) needed_.insert(names[i].reads.begin(), names[i].reads.end());
  }
  if (!made.ends_with("\n\n\n")) made += "\n\n";
  return made + "def program(" + joinedNames(freeInputs()) + "):\n" + mainBody(body, 1);
}

std::string SourcePrinter::modeLines(const std::string& name, bool training) const {
  const auto found = record_.modes.find(name);
  if (found == record_.modes.end()) return {};
  std::string made;
  std::map<std::string, bool> known;
  for (const auto& [path, mode] : found->second) {
    if (path.empty()) continue;
    bool now = training;
    for (std::size_t end = path.size(); end-- > 0;)
      if (path[end] == '.' || path[end] == '[')
        if (const auto holder = known.find(path.substr(0, end)); holder != known.end()) {
          now = holder->second;
          break;
        }
    if (now != mode) made += path + (mode ? ".train()\n" : ".eval()\n");
    known[path] = mode;
  }
  return made;
}

std::vector<std::string> SourcePrinter::freeInputs() const {
  std::vector<std::string> names;
  for (const std::string& input : program_.inputs)
    if (!record_.held.contains(input)) names.push_back(input);
  return names;
}

std::string SourcePrinter::prepared() const {
  if (!record_.prepares || layout_.made < 2 || layout_.madeWithin) return {};
  return tokens_[static_cast<std::size_t>(layout_.made) - 2].value;
}

std::string SourcePrinter::makingText() const {
  if (!made_) return main_->text + "()";
  // Arguments in functions that run the program have no name outside of them.
  std::vector<std::string> names;
  readBy(*made_, names);
  const auto isGlobal = [&](const std::string& name) {
    if (imported_.contains(name) || isPythonBuiltin(name) || !knownModule(name).empty())
      return true;
    return std::ranges::any_of(top_, [&](const SourceStatement& s) {
      LineNames own;
      namesOf(s, own);
      return std::ranges::find(own.binds, name) != own.binds.end() || s.text == name ||
             (s.function && s.function->name == name);
    });
  };
  const auto known = record_.making.find(main_->text);
  if (known != record_.making.end() && !std::ranges::all_of(names, isGlobal)) return known->second;
  return expressionText(*made_);
}

std::string SourcePrinter::entry() {
  const std::vector<std::string> inputs = freeInputs();
  std::string text, called = "program";
  bool wraps = false;
  std::vector<std::string> arguments = inputs;
  if (layout_.mainPart >= 0) {
    std::string target = main_->text;
    std::size_t first = 0;
    if (record_.instance) {
      text += std::string(kInstanceName) + " = " +
              (prepared().empty() ? makingText() : prepared()) + "\n";
      text += modeLines(std::string(kInstanceName), !text.ends_with(".eval()\n"));
      target = kInstanceName;
      const bool direct =
          function_->name == "__call__" || (function_->name == "forward" && record_.module);
      if (!direct) target += "." + function_->name;
      first = 1;
    } else if (main_->kind == LineKind::classType) {
      target += "." + function_->name;
    }
    arguments.clear();
    const auto& parameters = function_->parameters;
    bool inOrder = true;
    for (std::size_t i = first; i < parameters.size(); ++i) {
      const std::string& name = parameters[i].name;
      if (parameters[i].kind == ast::Parameter::Kind::keywords) continue;
      if (parameters[i].kind == ast::Parameter::Kind::args) {
        for (const std::string& input : inputs)
          if (input.starts_with(name + "_")) arguments.push_back(input);
        continue;
      }
      if (std::ranges::find(inputs, name) == inputs.end()) {
        if (const auto known = record_.constants.find(name); known != record_.constants.end()) {
          const bool plain = inOrder && parameters[i].kind == ast::Parameter::Kind::plain;
          arguments.push_back(plain ? known->second : name + "=" + known->second);
          wraps = true;
          continue;
        }
        if (!parameters[i].fallback) {  // self of a function without a class
          arguments.emplace_back("None");
          wraps = true;
        }
        inOrder = false;
        continue;
      }
      const bool keyword = !inOrder || parameters[i].kind != ast::Parameter::Kind::plain;
      arguments.push_back(
          keyword && arguments != std::vector<std::string>{"None"} ? name + "=" + name : name);
      wraps |= keyword;
    }
    called = target;
  }
  if (!wraps && !source_.autocast)
    return called == "program" ? text : text + "program = " + called + "\n";
  // The function may itself be called `program`.
  if (called == "program") {
    text += "\n_program = program\n";
    called = "_program";
  }
  text += "\n\ndef program(" + joinedNames(inputs) + "):\n";
  int depth = 1;
  if (source_.autocast)
    text += indented(
        depth++, std::string("with torch.autocast('") +
                     (source_.autocast->list == AutocastMode::List::cpu ? "cpu" : "cuda") +
                     "', dtype=torch." + std::string(info(source_.autocast->lower).name) + "):");
  return text + indented(depth, "return " + called + "(" + joinedNames(arguments) + ")") + "\n";
}

std::string SourcePrinter::heldNames() const {
  std::string all;
  for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
    const auto found = record_.held.find(program_.inputs[i]);
    if (found == record_.held.end()) continue;
    const std::string& path = found->second;
    all += (all.empty() ? "" : ", ") + std::to_string(i) + ": " +
           (path.empty() ? "None" : "\"" + path + "\"");
  }
  return all.empty() ? std::string() : "_held = {" + all + "}\n";
}

std::string SourcePrinter::imports() const {
  std::string made = "import torch\n";
  if (isSegmented()) made += "import torch.utils.checkpoint\n";
  for (const std::string& name : needed_) {
    const auto found = imported_.find(name);
    const bool data = name == "dataclass" || (name == "field" && needed_.contains("dataclass"));
    const std::string path = found != imported_.end() ? found->second
                             : data                   ? "dataclasses." + name
                                                      : std::string(knownModule(name));
    if (path.empty() || (path == "torch" && name == "torch")) continue;
    const auto at = importedAt_.find(name);
    if (!isKnownPackage(path))
      failProgram(at == importedAt_.end() ? SourcePlace() : at->second,
                  "PyTorch's process imports only PyTorch, numpy and Python's own packages: " +
                      name + " of " + path + " is used where PyTorch would run it");
    made += importText(name, path) + "\n";
  }
  return made;
}

}  // namespace

bool drawsNumbers(const Program& program) {
  return std::ranges::any_of(waysOf(program), [](const Program* way) {
    return std::ranges::any_of(way->ops, [](const Op& op) {
      if (!op.row) return false;
      const auto& parameters = op.row->parameters;
      const auto stream = std::ranges::find(parameters, "_stream", &Parameter::name);
      // Dropout in evaluation mode draws none.
      const auto training = std::ranges::find(parameters, "train", &Parameter::name);
      return stream != parameters.end() &&
             (training == parameters.end() ||
              op.parameters.at(static_cast<std::size_t>(training - parameters.begin())) != 0);
    });
  });
}

std::string torchText(const Program& program) {
  if (!program.source) return toText(program);
  SourceRecord record;
  const Program whole = parseProgram(*program.source->text, program.source->hints, &record);
  return SourcePrinter(program, whole, record).run();
}

}  // namespace fusebench
