// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <utility>

#include "engine/language/ast_parser.h"
#include "engine/language/evaluator.h"
#include "engine/language/library.h"

namespace fusebench {
namespace {

/// Read once; values of the language refer to it.
const ast::Block& libraryTree() {
  static const ast::Block tree = [] {
    ast::Block all;
    for (const EmbeddedFile& file : libraryFiles()) {
      const std::vector<Token> tokens = tokenise(file.text);
      TokenCursor cursor(tokens);
      AstParser parser(cursor);
      parser.setText(file.text);
      while (cursor.now().kind != Token::Kind::end) {
        if (cursor.now().kind == Token::Kind::newline)
          cursor.advance();
        else
          all.push_back(parser.statement());
      }
    }
    return all;
  }();
  return tree;
}

/// Packages of classes, and what their names begin with here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kPackages{
    {{"torch.optim.lr_scheduler.", "lr_scheduler_"},
     {"torch.optim.", "optim_"},
     {"torch.amp.", "amp_"},
     {"torch.cuda.amp.", "cuda_amp_"},
     {"torch.cpu.amp.", "cpu_amp_"}}};

}  // namespace

const std::vector<std::string>& libraryFunctions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const ast::Statement& statement : libraryTree())
      if (statement.kind == ast::Statement::Kind::function &&
          !statement.function->name.starts_with("_"))
        found.push_back(statement.function->name);
    std::ranges::sort(found);
    return found;
  }();
  return names;
}

const std::vector<std::string>& libraryClasses() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const ast::Statement& statement : libraryTree()) {
      if (statement.kind != ast::Statement::Kind::classType || statement.text.starts_with("_"))
        continue;
      const auto* const package = std::ranges::find_if(
          kPackages, [&](const auto& each) { return statement.text.starts_with(each.second); });
      found.push_back(package == kPackages.end()
                          ? "torch.nn." + statement.text
                          : std::string(package->first) +
                                statement.text.substr(package->second.size()));
    }
    std::ranges::sort(found);
    return found;
  }();
  return names;
}

const PythonValue* Evaluator::libraryFind(const std::string& path) {
  for (const auto& [package, prefix] : kPackages)
    if (path.starts_with(package) && inLibrary_ == 0) {
      const PythonValue* const found =
          libraryNamed(std::string(prefix) + path.substr(package.size()));
      return found && found->kind == PythonValue::Kind::type ? found : nullptr;
    }
  for (const std::string_view module :
       {"torchvision.transforms.functional.", "torchvision.transforms."})
    if (path.starts_with(module) && inLibrary_ == 0)
      return libraryNamed("_vision_" + path.substr(module.size()));
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kOwnNames{
      {{"torch.nn.utils.parametrizations.weight_norm", "_new_weight_norm"},
       {"torch.nn.utils.weight_norm", "_old_weight_norm"},
       {"torch.nn.utils.parametrize.register_parametrization", "_register_parametrization"},
       {"torch.linalg.norm", "_linalg_norm"},
       {"torch.linalg.matrix_power", "matrix_power"},
       {"torch.nn.Transformer.generate_square_subsequent_mask", "_square_subsequent_mask"},
       {"torch.nn.functional.unfold", "_unfolded_images"},
       {"torch.nn.utils.clip_grad_norm_", "_clip_grad_norm_"},
       {"torch.nn.utils.clip_grad_value_", "_clip_grad_value_"}}};
  for (const auto& [known, own] : kOwnNames)
    if (path == known) return libraryNamed(own);
  std::string_view name = path;
  for (std::string_view module : {"torch.nn.functional.", "torch.special.", "torch.nn.", "torch."})
    if (name.starts_with(module)) {
      name.remove_prefix(module.size());
      break;
    }
  const bool hidden = name.starts_with("_") && inLibrary_ == 0;
  if (name.size() == path.size() || hidden || name.find('.') != std::string_view::npos)
    return nullptr;
  const PythonValue* const found = libraryNamed(name);
  if (!found) return nullptr;
  // Modules are of torch.nn alone, functions of what is not.
  const bool module = path.starts_with("torch.nn.") && !path.starts_with("torch.nn.functional.");
  return module == (found->kind == PythonValue::Kind::type) ? found : nullptr;
}

void Evaluator::readLibrary() {
  if (std::exchange(libraryRead_, true)) return;
  Names* const before = names_;
  const std::shared_ptr<PythonObject> type = std::exchange(type_, nullptr);
  const std::int64_t steps = steps_;
  names_ = &library_;
  ++inLibrary_;
  for (const ast::Statement& statement : libraryTree()) execute(statement);
  --inLibrary_;
  names_ = before;
  type_ = type;
  steps_ = steps;
}

const PythonValue* Evaluator::libraryNamed(std::string_view name) {
  readLibrary();
  const auto found = library_.bound.find(name);
  return found == library_.bound.end() ? nullptr : &found->second;
}

}  // namespace fusebench
