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
      const std::vector<Token> tokens = tokenize(file.text);
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
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kPackages{
    {{"torch.utils.data.", "data_"},
     {"torch.optim.lr_scheduler.", "lr_scheduler_"},
     {"torch.optim.", "optim_"},
     {"torch.amp.", "amp_"},
     {"torch.cuda.amp.", "cuda_amp_"},
     {"torch.cpu.amp.", "cpu_amp_"},
     {"einops.layers.torch.", "einops_"}}};

}  // namespace

std::string publicName(std::string_view own) {
  const auto* const package = std::ranges::find_if(
      kPackages, [&](const auto& each) { return own.starts_with(each.second); });
  if (package == kPackages.end()) return "torch.nn." + std::string(own);
  return std::string(package->first) + std::string(own.substr(package->second.size()));
}

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
      found.push_back(publicName(statement.text));
    }
    std::ranges::sort(found);
    return found;
  }();
  return names;
}

/// A call of an op with an argument that its row lacks is one of a function of the library.
/// `path`: the call's; a method has torch.NAME. `self`: how many arguments are not in the list.
const PythonValue* Evaluator::fullerForm(std::string_view path,
                                         const std::vector<CallArgument>& arguments,
                                         std::size_t self) {
  struct Fuller {
    std::string_view path, argument;
    std::size_t place;  ///< the argument's position in a call without keywords
    bool tensor;        ///< it is one of the row's, which takes no tensors
    std::string_view function;
  };
  constexpr std::size_t kNone = 100;
  static constexpr std::array<Fuller, 11> kFuller{
      {{"torch.round", "decimals", kNone, false, "_round_to_decimals"},
       {"torch.gather", "sparse_grad", kNone, false, "_gather_with_gradient"},
       {"torch.index_add", "alpha", kNone, false, "_index_add_multiple"},
       {"torch.embedding", "padding_idx", 2, false, "_embedding_rows"},
       {"torch.embedding", "scale_grad_by_freq", 3, false, "_embedding_rows"},
       {"torch.embedding", "sparse", 4, false, "_embedding_rows"},
       {"torch.masked_fill", "value", 2, true, "_masked_fill_by_tensor"},
       {"torch.scatter", "reduce", kNone, false, "_scatter_reducing"},
       {"torch.nn.functional.max_pool1d", "return_indices", 6, false, "_max_pool1d_asked"},
       {"torch.nn.functional.max_pool2d", "return_indices", 6, false, "_max_pool2d_asked"},
       {"torch.nn.functional.avg_pool2d", "divisor_override", 6, false,
        "_avg_pool2d_over_divisor"}}};
  for (const Fuller& each : kFuller) {
    if (path != each.path) continue;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const CallArgument& given = arguments[i];
      const bool named = given.keyword == each.argument;
      const bool placed = given.keyword.empty() && i + self == each.place;
      const bool tensor = given.value.isTensor() || given.value.kind == PythonValue::Kind::held;
      if ((named || placed) && (!each.tensor || tensor)) return libraryNamed(each.function);
    }
  }
  return nullptr;
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
  constexpr std::string_view kEinops = "einops.";
  if (path.starts_with(kEinops) && inLibrary_ == 0)
    return libraryNamed("_einops_" + path.substr(kEinops.size()));
  for (const std::string_view module : {"itertools.", "functools.", "operator."})
    if (path.starts_with(module)) {
      std::string own = "_" + path;
      std::ranges::replace(own, '.', '_');
      return libraryNamed(own);
    }
  for (const std::string_view module : {"torch.func.", "functorch."})
    if (path.starts_with(module)) return libraryNamed("_func_" + path.substr(module.size()));
  constexpr std::string_view kLinearAlgebra = "torch.linalg.";
  if (path.starts_with(kLinearAlgebra))
    if (const PythonValue* const found =
            libraryNamed("_linalg_" + path.substr(kLinearAlgebra.size())))
      return found;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 32> kOwnNames{
      {{"torch.autograd.Function", "_OwnFunction"},
       {"torch.quantization.QuantStub", "Identity"},
       {"torch.quantization.DeQuantStub", "Identity"},
       {"torch.ao.quantization.QuantStub", "Identity"},
       {"torch.ao.quantization.DeQuantStub", "Identity"},
       {"torch.nn.utils.parametrizations.weight_norm", "_new_weight_norm"},
       {"torch.nn.utils.weight_norm", "_old_weight_norm"},
       {"torch.nn.utils.parametrizations.spectral_norm", "_new_spectral_norm"},
       {"torch.nn.utils.spectral_norm", "_old_spectral_norm"},
       {"torch.autograd.functional.vjp", "_functional_vjp"},
       {"torch.autograd.functional.jvp", "_functional_jvp"},
       {"torch.autograd.functional.jacobian", "_functional_jacobian"},
       {"torch.autograd.functional.hessian", "_functional_hessian"},
       {"torch.special.multigammaln", "mvlgamma"},
       {"torch.special.entr", "_special_entr"},
       {"torch.special.ndtr", "_special_ndtr"},
       {"torch.special.gammaln", "lgamma"},
       {"torch.special.psi", "digamma"},
       {"torch.nn.utils.parametrize.register_parametrization", "_register_parametrization"},
       {"torch.nn.utils.parameters_to_vector", "_parameters_to_vector"},
       {"torch.linalg.matrix_power", "matrix_power"},
       {"torch.nn.Transformer.generate_square_subsequent_mask", "_square_subsequent_mask"},
       {"torch.nn.functional.unfold", "_unfolded_images"},
       {"torch.layer_norm", "_torch_layer_norm"},
       {"torch.group_norm", "_torch_group_norm"},
       {"torch.batch_norm", "_torch_batch_norm"},
       {"torch.instance_norm", "_torch_instance_norm"},
       {"torch.alpha_dropout", "_torch_alpha_dropout"},
       {"torch.feature_alpha_dropout", "_torch_feature_alpha_dropout"},
       {"torch.feature_dropout", "_torch_feature_dropout"},
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
