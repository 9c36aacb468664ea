// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of ATen's operations, torch.ops.aten.NAME.OVERLOAD(...): aten_table.h has what each is.
#include <algorithm>
#include <array>
#include <utility>

#include "engine/language/aten_table.h"
#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

constexpr std::string_view kAten = "torch.ops.aten.";

/// Sets modes as long as it lives.
class ModesInside {
 public:
  ModesInside(ProgramBuilder& builder, const BuildModes& modes)
      : builder_(builder), before_(builder.setModes(modes)) {}
  ~ModesInside() { builder_.setModes(before_); }
  ModesInside(const ModesInside&) = delete;
  ModesInside& operator=(const ModesInside&) = delete;

 private:
  ProgramBuilder& builder_;
  BuildModes before_;
};

bool isFunction(const PythonValue& value) {
  return value.kind == Kind::function;
}

bool isWholeNumber(const PythonValue& value) {
  return value.isSize() || (value.kind == Kind::number && value.integer);
}

/// Whether a value is of a parameter's type: which overload torch.ops.aten.add(...) means depends
/// on that.
bool isOfType(const PythonValue& value, const AtenParameter& parameter) {
  if (value.kind == Kind::none) return parameter.optional;
  std::string_view type = parameter.type;
  if (type.ends_with(']')) {
    const bool sized = type[type.size() - 2] != '[';  // int[2]: one int stands for both
    const std::string_view item = type.substr(0, type.find('['));
    if (value.kind != Kind::list && value.kind != Kind::shape)
      return sized && !item.starts_with("Tensor") && value.isScalar();
    if (item.starts_with("Tensor"))
      return value.kind == Kind::list &&
             std::ranges::all_of(value.items(), [](const PythonValue& each) {
               return each.isTensor() || each.kind == Kind::held || each.kind == Kind::none;
             });
    return value.kind == Kind::shape ||
           std::ranges::none_of(value.items(),
                                [](const PythonValue& each) { return each.isTensor(); });
  }
  if (type == "Tensor") return value.isTensor() || value.kind == Kind::held || value.wrapped;
  if (type == "Scalar") return value.isScalar() && !value.wrapped;
  if (type == "int" || type == "SymInt") return isWholeNumber(value);
  if (type == "float" || type == "SymFloat") return value.isScalar() && value.kind != Kind::flag;
  if (type == "bool") return value.kind == Kind::flag;
  if (type == "str") return value.kind == Kind::text;
  return value.kind == Kind::path || value.kind == Kind::text;
}

/// Which parameter an argument is; -1: none.
int parameterFor(const AtenRow& row, const CallArgument& argument, std::size_t position) {
  if (argument.keyword.empty()) {
    const bool taken = position < row.parameters.size() && !row.parameters[position].keywordOnly;
    return taken ? static_cast<int>(position) : -1;
  }
  const auto named = std::ranges::find(row.parameters, argument.keyword, &AtenParameter::name);
  if (named != row.parameters.end()) return static_cast<int>(named - row.parameters.begin());
  // Signatures say self where Python's functions say input.
  return argument.keyword == "input" && !row.parameters.empty() &&
                 row.parameters.front().name == "self"
             ? 0
             : -1;
}

bool takes(const AtenRow& row, const std::vector<CallArgument>& arguments) {
  std::vector<bool> given(row.parameters.size());
  std::size_t position = 0;
  for (const CallArgument& argument : arguments) {
    const int at = parameterFor(row, argument, position);
    if (argument.keyword.empty()) ++position;
    if (at < 0) return false;
    const AtenParameter& parameter = row.parameters[static_cast<std::size_t>(at)];
    if (!isOfType(argument.value, parameter)) return false;
    given[static_cast<std::size_t>(at)] = true;
  }
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!given[i] && !row.parameters[i].fallback) return false;
  return true;
}

[[noreturn]] void failNamespace(const std::string& path, SourcePlace place) {
  failProgram(place, path +
                         " is not an ATen operation; give it a decomposition into ATen operations "
                         "and export again, or write torch functions in its place");
}

[[noreturn]] void failUnknownAten(const std::string& path, SourcePlace place) {
  const std::string name = path.substr(kAten.size(), path.find('.', kAten.size()) - kAten.size());
  std::string known;
  for (const AtenRow* row : atenOverloads(name))
    known += (known.empty() ? "" : ", ") + row->overload;
  if (!known.empty())
    failProgram(place, path + " is not supported yet; of " + name + " there are " + known);
  std::vector<std::string_view> names;
  for (const AtenRow& row : atenRows()) names.push_back(row.name);
  const std::vector<std::string> near = nearest(name, names);
  failProgram(place, path + " is not supported yet; " +
                         (near.empty() ? "export with run_decompositions(), which leaves the core "
                                         "set, or write it with what 'fusebench-cli ops --aten' "
                                         "lists"
                                       : "did you mean torch.ops.aten." + near[0] + "?"));
}

/// The row that a path names, or that the arguments choose where it names no overload.
const AtenRow& rowFor(const std::string& path, const std::vector<CallArgument>& arguments,
                      SourcePlace place) {
  const std::string rest = path.substr(kAten.size());
  const std::size_t dot = rest.find('.');
  const std::span<const AtenRow* const> overloads = atenOverloads(rest.substr(0, dot));
  if (dot == std::string::npos) {
    for (const AtenRow* row : overloads)
      if (takes(*row, arguments)) return *row;
    if (!overloads.empty()) return *overloads.front();
  } else {
    for (const AtenRow* row : overloads)
      if (row->overload == rest.substr(dot + 1)) return *row;
  }
  failUnknownAten(path, place);
}

std::string usageOf(const AtenRow& row) {
  return "; its signature is " + row.schema;
}

/// Python's operators by the names that the module operator gives them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kOperators{
    {{"add", "+"},
     {"concat", "+"},
     {"matmul", "@"},
     {"lshift", "<<"},
     {"rshift", ">>"},
     {"sub", "-"},
     {"mul", "*"},
     {"truediv", "/"},
     {"floordiv", "//"},
     {"mod", "%"},
     {"pow", "**"},
     {"and_", "&"},
     {"or_", "|"},
     {"lt", "<"},
     {"le", "<="},
     {"gt", ">"},
     {"ge", ">="},
     {"eq", "=="},
     {"ne", "!="}}};

/// Calls that say something to the exporter alone.
bool isRemark(std::string_view path) {
  return path == "torch._check" || path == "torch._check_is_size" ||
         path == "torch._C._log_api_usage_once" || path == "torch._C._set_grad_enabled" ||
         path == "torch.fx._symbolic_trace.wrap";
}

}  // namespace

bool isAtenPath(std::string_view path) {
  return path.starts_with("torch.ops.") &&
         !path.starts_with("torch.ops.quantized_decomposed.quantize_per_tensor");
}

void Evaluator::bindAten(const AtenRow& row, const std::string& path,
                         std::vector<CallArgument>& arguments, SourcePlace place, Names& scope) {
  std::size_t position = 0;
  for (CallArgument& argument : arguments) {
    const int at = parameterFor(row, argument, position);
    if (at < 0)
      failProgram(argument.place,
                  argument.keyword.empty()
                      ? path + " takes at most " + std::to_string(position) +
                            (position == 1 ? " argument" : " arguments") + " by position" +
                            usageOf(row)
                      : path + " has no argument '" + argument.keyword + "'" + usageOf(row));
    if (argument.keyword.empty()) ++position;
    const std::string& name = row.parameters[static_cast<std::size_t>(at)].name;
    if (!scope.bound.try_emplace(name, settled(argument.value)).second)
      failProgram(argument.place, path + " got '" + name + "' twice");
  }
  for (const AtenParameter& parameter : row.parameters) {
    if (scope.bound.contains(parameter.name)) continue;
    if (!parameter.fallback)
      failProgram(place, path + " is missing its argument '" + parameter.name + "'" + usageOf(row));
    scope.bound[parameter.name] = evaluate(*parameter.fallback);
  }
}

PythonValue Evaluator::callAten(const std::string& path, std::vector<CallArgument> arguments,
                                SourcePlace place) {
  if (!path.starts_with(kAten)) failNamespace(path, place);
  const AtenRow& row = rowFor(path, arguments, place);
  if (!row.supported()) failProgram(place, path + " is not supported: " + row.refusal);
  checkCalls(place);
  readLibrary();
  Names& scope = scopes_.emplace_back();
  scope.outer = &library_;
  scope.declared = true;
  bindAten(row, path, arguments, place, scope);
  PythonValue result = evaluateIn(scope, *row.expression, row.name, place);
  if (result.kind != Kind::list || !result.object) return result;
  result.object->lazy = std::ranges::any_of(result.items(), &isFunction);
  if (result.object->lazy) {
    std::erase_if(pendingTuples_,
                  [](const PendingTuple& pending) { return pending.tuple.expired(); });
    pendingTuples_.push_back({result.object, builder_.modes()});
  }
  return result;
}

const PythonValue& Evaluator::itemAt(PythonObject& list, std::size_t at, SourcePlace place) {
  if (!list.lazy || !isFunction(list.items[at])) return list.items[at];
  const auto pending = std::ranges::find_if(
      pendingTuples_, [&](const PendingTuple& each) { return each.tuple.lock().get() == &list; });
  const ModesInside inside(builder_,
                           pending == pendingTuples_.end() ? builder_.modes() : pending->modes);
  const PythonValue item = list.items[at];
  list.items[at] = callFunction(item, {}, place);
  list.lazy = std::ranges::any_of(list.items, &isFunction);
  return list.items[at];
}

void Evaluator::computeItems(const PythonValue& value, SourcePlace place) {
  if (value.kind != Kind::list || !value.object) return;
  const std::shared_ptr<PythonObject> list = value.object;
  for (std::size_t at = 0; list->lazy && at < list->items.size(); ++at) itemAt(*list, at, place);
}

bool Evaluator::readsMemoryOf(const PythonValue& value, ValueId root) const {
  switch (value.kind) {
    case Kind::tensor:
      return builder_.rootOf(value.value) == root;
    case Kind::list:
      return std::ranges::any_of(
          value.items(), [&](const PythonValue& item) { return readsMemoryOf(item, root); });
    case Kind::function:  // it reads what its scopes have names for
      for (const Names* scope = value.object->scope; scope && scope != &library_;
           scope = scope->outer)
        for (const auto& [name, bound] : scope->bound)
          if (bound.kind != Kind::function && readsMemoryOf(bound, root)) return true;
      return false;
    default:
      return false;
  }
}

void Evaluator::computeReadersOf(ValueId root, SourcePlace place) {
  for (std::size_t i = 0; i < pendingTuples_.size(); ++i) {
    const std::shared_ptr<PythonObject> tuple = pendingTuples_[i].tuple.lock();
    if (!tuple || !tuple->lazy) continue;
    for (std::size_t at = 0; at < tuple->items.size(); ++at)
      if (isFunction(tuple->items[at]) && readsMemoryOf(tuple->items[at], root))
        itemAt(*tuple, at, place);
  }
}

bool Evaluator::exportedCall(const std::string& path, std::vector<CallArgument>& arguments,
                             SourcePlace place, PythonValue& result) {
  const auto argument = [&](std::size_t i) -> const PythonValue& {
    if (i >= arguments.size()) failProgram(place, path + " needs another argument");
    return arguments[i].value;
  };
  if (isAtenPath(path)) {
    result = callAten(path, std::move(arguments), place);
    return true;
  }
  if (path.starts_with("torch._C._nn.")) {
    const std::string function = "torch.nn.functional." + path.substr(path.rfind('.') + 1);
    result = callPath(PythonValue::pathOf(function, place), std::move(arguments), place);
    return true;
  }
  if (path == "slice") {
    result.kind = Kind::slice;
    result.place = place;
    result.object = std::make_shared<PythonObject>();
    for (const CallArgument& each : arguments) result.object->items.push_back(each.value);
    if (result.items().empty() || result.items().size() > 3)
      failProgram(place, "slice takes one to three arguments");
    if (result.items().size() == 1)
      result.object->items.insert(result.object->items.begin(), PythonValue());
    result.object->items.resize(3);
    return true;
  }
  if (path == "device") {
    result =
        callPath(PythonValue::pathOf("torch.device", place), {{"", argument(0), place}}, place);
    return true;
  }
  if (isRemark(path)) {
    result = PythonValue();
    return true;
  }
  if (path == "fx_pytree.tree_flatten_spec" && argument(0).kind == Kind::list &&
      argument(0).items().size() == 2) {
    std::vector<PythonValue> given = iterated(argument(0).items()[0], place);
    for (const auto& [key, value] : argument(0).items()[1].object->entries) given.push_back(value);
    result = PythonValue::listOf(std::move(given), false, place);
    return true;
  }
  // Gives an exported module's results the form that its caller expects.
  if (path == "pytree.tree_unflatten") {
    result = argument(0);
    return true;
  }
  if (!path.starts_with("operator.")) return false;
  const std::string name = path.substr(std::string_view("operator.").size());
  if (name == "getitem") {
    result = subscript(argument(0), {argument(1)}, false, place);
    return true;
  }
  if (name == "neg") {
    result = binary("*", argument(0), PythonValue::numberOf(-1, true, place), place);
    return true;
  }
  const auto* const symbol = std::ranges::find(
      kOperators, std::string_view(name), &std::pair<std::string_view, std::string_view>::first);
  if (symbol == kOperators.end()) return false;
  result = compareTwo(std::string(symbol->second), argument(0), argument(1), place);
  return true;
}

}  // namespace fusebench
