// SPDX-License-Identifier: GPL-3.0-or-later
// Modules: what they are made of, what all of them have, and copies of them.
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

/// The argument at a place or by its keyword; null: it is not given.
const PythonValue* givenArgument(const std::vector<CallArgument>& arguments, std::size_t at,
                                 std::string_view keyword) {
  const auto named = std::ranges::find(arguments, keyword, &CallArgument::keyword);
  if (named != arguments.end()) return &named->value;
  return at < arguments.size() && arguments[at].keyword.empty() ? &arguments[at].value : nullptr;
}

std::vector<PythonValue> itemsOrItself(const PythonValue& value) {
  if (value.kind == PythonValue::Kind::list) return value.items();
  return {value};
}

}  // namespace

bool Evaluator::isModule(const PythonValue& value) {
  return value.kind == Kind::instance &&
         comesFrom(value.object->type.get(),
                   [](const PythonObject& each) { return each.library && each.name == "Module"; });
}

std::vector<Evaluator::NamedMember> Evaluator::membersOf(const PythonValue& module) const {
  std::vector<NamedMember> found;
  const auto add = [&](const std::string& name, const PythonValue& value) {
    const bool known = std::ranges::any_of(
        found, [&](const NamedMember& each) { return each.value.object == value.object; });
    if ((value.kind == Kind::held || isModule(value)) && !known) found.push_back({name, value});
  };
  for (const std::string& name : module.object->order) {
    const PythonValue& value = module.object->attributes.at(name);
    if (name == "_items" && value.kind == Kind::list) {
      for (std::size_t i = 0; i < value.items().size(); ++i)
        add(std::to_string(i), value.items()[i]);
    } else if (name == "_table" && value.kind == Kind::dict) {
      for (const auto& [key, each] : value.object->entries) add(key.text, each);
    } else {
      add(name, value);
    }
  }
  return found;
}

std::vector<Evaluator::NamedMember> Evaluator::membersWithin(const PythonValue& module,
                                                             Members members, SourcePlace place,
                                                             const std::string& prefix,
                                                             bool recurse) {
  std::vector<NamedMember> found, open;
  if (members == Members::children) {
    for (NamedMember& each : membersOf(module))
      if (each.value.kind == Kind::instance) found.push_back(std::move(each));
    return found;
  }
  std::vector<const PythonObject*> seen;
  const auto isNew = [&](const PythonValue& value) {
    if (std::ranges::find(seen, value.object.get()) != seen.end()) return false;
    seen.push_back(value.object.get());
    return true;
  };
  open.push_back({prefix, module});
  while (!open.empty()) {
    const NamedMember at = std::move(open.back());
    open.pop_back();
    step(place);
    if (!isNew(at.value)) continue;
    if (members == Members::modules) found.push_back(at);
    // A value that __init__ computed by ops is recomputed at each call, so an optimizer's step
    // would be lost.
    if (members == Members::parameters)
      for (const std::string& name : at.value.object->order)
        for (const PythonValue& each : itemsOrItself(at.value.object->attributes.at(name)))
          if (each.isTensor() && builder_.attribute(each, "requires_grad", place).number != 0)
            failProgram(place, "the parameter " + (name == "_items" ? "in a list" : name) +
                                   " starts as what ops make of other tensors; write its numbers, "
                                   "or fill torch.empty(...) by nn.init");
    std::vector<NamedMember> inside;  // modules within come after what is its own
    for (NamedMember& each : membersOf(at.value)) {
      if (!at.name.empty()) each.name = at.name + "." + each.name;
      if (each.value.kind == Kind::instance)
        inside.push_back(std::move(each));
      else if (members != Members::modules &&
               each.value.object->parameter == (members == Members::parameters) &&
               isNew(each.value))
        found.push_back(std::move(each));
    }
    if (recurse) std::ranges::move(inside.rbegin(), inside.rend(), std::back_inserter(open));
  }
  return found;
}

std::vector<PythonValue> Evaluator::heldOf(const PythonValue& module, bool parameters,
                                           SourcePlace place) {
  std::vector<PythonValue> found;
  for (NamedMember& each :
       membersWithin(module, parameters ? Members::parameters : Members::buffers, place))
    found.push_back(std::move(each.value));
  return found;
}

/// named_parameters(prefix, recurse) and its like; false: it is none of them.
bool Evaluator::namedMembers(const PythonValue& self, const std::string& name,
                             const std::vector<CallArgument>& arguments, SourcePlace place,
                             PythonValue& result) {
  struct Listing {
    std::string_view method;
    Members members;
    std::vector<std::string_view> takes;  ///< arguments, in order
  };
  static const std::vector<Listing> kListings = {
      {"named_parameters", Members::parameters, {"prefix", "recurse", "remove_duplicate"}},
      {"parameters", Members::parameters, {"recurse"}},
      {"named_buffers", Members::buffers, {"prefix", "recurse", "remove_duplicate"}},
      {"buffers", Members::buffers, {"recurse"}},
      {"named_modules", Members::modules, {"memo", "prefix", "remove_duplicate"}},
      {"modules", Members::modules, {}},
      {"named_children", Members::children, {}},
      {"children", Members::children, {}}};
  const auto listing = std::ranges::find(kListings, name, &Listing::method);
  if (listing == kListings.end()) return false;
  const auto& takes = listing->takes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const CallArgument& each = arguments[i];
    if (each.keyword.empty() ? i >= takes.size()
                             : std::ranges::find(takes, each.keyword) == takes.end())
      failProgram(each.place, "." + name + "(...) has no such argument");
  }
  const auto given = [&](std::string_view keyword) -> const PythonValue* {
    const auto at = std::ranges::find(takes, keyword) - takes.begin();
    return at == std::ssize(takes)
               ? nullptr
               : givenArgument(arguments, static_cast<std::size_t>(at), keyword);
  };
  const auto holds = [&](std::string_view keyword) {
    const PythonValue* const value = given(keyword);
    return !value || truth(*value, place, std::string(keyword));
  };
  if (!holds("remove_duplicate"))
    failProgram(place, "." + name + "(...) names each once: leave remove_duplicate out");
  const PythonValue* const memo = given("memo");
  if (memo && memo->kind != Kind::none)
    failProgram(place, "." + name + "(...) does not support memo");
  const PythonValue* const prefix = given("prefix");
  std::vector<PythonValue> found;
  for (NamedMember& each : membersWithin(self, listing->members, place,
                                         prefix ? prefix->text : std::string(), holds("recurse")))
    found.push_back(
        name.starts_with("named_")
            ? PythonValue::listOf({PythonValue::textOf(std::move(each.name), place), each.value},
                                  true, place)
            : std::move(each.value));
  result = PythonValue::listOf(std::move(found), false, place);
  return true;
}

PythonValue Evaluator::trainingOf(const PythonValue& module, SourcePlace place) {
  PythonObject& object = *module.object;
  const auto set = object.attributes.find("training");
  const bool training = set == object.attributes.end() || truth(set->second, place, "training");
  if (object.outlives && !beside_) object.asked.emplace("training", true);
  if (set == object.attributes.end() && inLibrary_ > 0 && preparing_ == 0)
    trainingByDefault_.insert(object.type->name);
  return PythonValue::flagOf(training, place);
}

void Evaluator::setTraining(const PythonValue& module, bool training, SourcePlace place) {
  const Deeper deeper(*this, place);
  step(place);
  PythonObject& object = *module.object;
  const auto set = object.attributes.find("training");
  const bool before = set == object.attributes.end() || truth(set->second, place, "training");
  const bool during = object.outlives && !beside_ && preparing_ == 0;
  if (during && object.asked.emplace("training", false).first->second && before != training)
    failProgram(place, "the mode of " + object.type->name +
                           " would change from call to call; call .train() or .eval() before the "
                           "program uses the module");
  object.attributes["training"] = PythonValue::flagOf(training, place);
  for (const NamedMember& each : membersWithin(module, Members::children, place))
    call(attribute(each.value, "train", place, true),
         {{"", PythonValue::flagOf(training, place), place}}, place);
}

std::vector<std::pair<std::string, bool>> Evaluator::modesWithin(const PythonValue& module,
                                                                 SourcePlace place) {
  std::vector<std::pair<std::string, bool>> found;
  if (!isModule(module)) return found;
  for (const NamedMember& each : membersWithin(module, Members::modules, place)) {
    const auto set = each.value.object->attributes.find("training");
    found.emplace_back(each.value.object->path, set == each.value.object->attributes.end() ||
                                                    truth(set->second, place, "training"));
  }
  return found;
}

bool Evaluator::addHook(const PythonValue& self, const std::string& name,
                        const std::vector<CallArgument>& arguments, SourcePlace place,
                        PythonValue& result) {
  if (name.find("_hook") == std::string::npos) return false;
  if (name.find("state_dict") != std::string::npos) {
    note(place, "." + name + " is left out: a program loads and saves nothing");
    result = PythonValue::outsideOf({}, place);
    return true;
  }
  const bool before = name == "register_forward_pre_hook";
  if (!before && name != "register_forward_hook") {
    if (!name.starts_with("register_")) return false;
    failProgram(place, "." + name +
                           " is not supported: programs have no hooks of gradients; change the "
                           "gradient after backward() instead");
  }
  const PythonValue* const hook = givenArgument(arguments, 0, "hook");
  if (!hook) failProgram(place, "." + name + " needs the hook, a function");
  if (self.object->outlives && !beside_ && preparing_ == 0)
    failProgram(place, "." + name +
                           " would add another hook at each call; add it in __init__, or outside "
                           "of the program's function");
  const auto holds = [&](const char* keyword) {
    const auto found = std::ranges::find(arguments, keyword, &CallArgument::keyword);
    return found != arguments.end() && truth(found->value, place, keyword);
  };
  PythonValue& hooks = self.object->attributes[before ? "_forward_pre_hooks" : "_forward_hooks"];
  if (hooks.kind != Kind::list) hooks = PythonValue::listOf({}, false, place);
  const PythonValue entry =
      PythonValue::listOf({*hook, PythonValue::flagOf(holds("with_kwargs"), place)}, false, place);
  std::vector<PythonValue>& items = hooks.object->items;
  items.insert(holds("prepend") ? items.begin() : items.end(), entry);
  result = call(*libraryNamed("_Handle"), {{"", hooks, place}, {"", entry, place}}, place);
  return true;
}

PythonValue Evaluator::moduleMethod(const PythonValue& self, const std::string& name,
                                    const std::vector<CallArgument>& arguments, SourcePlace place) {
  if (name == "__init__") return {};
  if (!isModule(self))
    failProgram(place, "there is no self." + name + "(...); define it in the class");
  const auto argument = [&](std::size_t i) -> const PythonValue& {
    if (i >= arguments.size()) failProgram(place, name + " needs another argument");
    return arguments[i].value;
  };
  if (name == "requires_grad_") {
    const bool kept = arguments.empty() || truth(argument(0), place, "requires_grad_");
    for (const PythonValue& each : heldOf(self, !kept, place)) {
      if (kept) break;  // buffers stay buffers
      each.object->parameter = false;
      if (each.object->input >= 0) builder_.requireGradient(each.object->input, false);
    }
    return self;
  }
  for (const char* cast : {"to", "half", "float", "double", "bfloat16", "type"})
    if (name == cast) {
      castModule(self, name, arguments, place);
      return self;
    }
  for (const char* same : {"cuda", "cpu"})
    if (name == same) return self;
  if (name == "eval") {
    // PyTorch's calls .train(False), which a class may have of its own.
    call(attribute(self, "train", place, true), {{"", PythonValue::flagOf(false, place), place}},
         place);
    return self;
  }
  if (PythonValue made; addHook(self, name, arguments, place, made)) return made;
  if (name == "apply") {
    // Modules inside a module come before it.
    std::vector<NamedMember> modules = membersWithin(self, Members::modules, place);
    std::ranges::stable_sort(modules, std::greater(), [](const NamedMember& each) {
      return std::ranges::count(each.name, '.') + (each.name.empty() ? 0 : 1);
    });
    for (const NamedMember& each : modules) call(argument(0), {{"", each.value, place}}, place);
    return self;
  }
  if (PythonValue members; namedMembers(self, name, arguments, place, members)) return members;
  if (name == "train") {
    const PythonValue* const mode = givenArgument(arguments, 0, "mode");
    setTraining(self, !mode || truth(*mode, place, "mode"), place);
    return self;
  }
  if (name == "register_buffer" || name == "register_parameter" || name == "add_module" ||
      name == "register_module") {
    setAttribute(self, argument(0).text, argument(1), place);
    if (name == "register_buffer" && argument(1).kind == Kind::held)
      argument(1).object->parameter = false;
    return {};
  }
  if (name == "zero_grad") {
    for (const PythonValue& each : heldOf(self, true, place))
      builder_.setGradient(settled(each).value, PythonValue(), place);
    return {};
  }
  if (name == "state_dict" || name == "load_state_dict") {
    note(place, "." + name + " is left out: a program loads and saves nothing");
    return PythonValue::outsideOf({}, place);
  }
  failProgram(place, "there is no self." + name + "(...); define it in the class");
}

PythonValue Evaluator::copiedDeep(const PythonValue& value, CopiedObjects& known,
                                  SourcePlace place) {
  const Deeper deeper(*this, place);
  step(place);
  PythonValue made = value;
  if (value.isTensor()) {
    made.detached = true;
    return builder_.method(made, "clone", {}, place);
  }
  if (value.kind == Kind::function && value.self && value.self->type) {
    PythonValue self;
    self.kind = Kind::instance;
    self.object = value.self;
    made.self = copiedDeep(self, known, place).object;
    return made;
  }
  if (value.kind != Kind::list && value.kind != Kind::dict && value.kind != Kind::slice &&
      value.kind != Kind::instance && value.kind != Kind::held)
    return value;
  if (const auto found = known.find(value.object.get()); found != known.end()) {
    made.object = found->second;
    return made;
  }
  if (value.kind == Kind::instance && classAttribute(value.object->type, "__deepcopy__")) {
    PythonValue memo;
    memo.kind = Kind::dict;
    memo.object = std::make_shared<PythonObject>();
    return callFunction(bindMethod(value, "__deepcopy__", place), {{"", memo, place}}, place);
  }
  PythonObject& from = *value.object;
  if (value.kind == Kind::held && from.input >= 0)
    failProgram(place,
                "a module is copied before the program uses it: outside of the program's function "
                "or in __init__");
  made.object = std::make_shared<PythonObject>();
  known[value.object.get()] = made.object;
  PythonObject& to = *made.object;
  to.type = from.type;
  to.library = from.library;
  to.order = from.order;
  to.parameter = from.parameter;
  to.initial = from.initial;
  for (const PythonValue& item : from.items) to.items.push_back(copiedDeep(item, known, place));
  for (const auto& [key, item] : from.entries)
    to.entries.emplace_back(key, copiedDeep(item, known, place));
  for (const auto& [name, item] : from.attributes)
    to.attributes[name] = copiedDeep(item, known, place);
  return made;
}

PythonValue Evaluator::copied(const PythonValue& value, bool deep, SourcePlace place) {
  if (deep) {
    CopiedObjects known;
    return copiedDeep(value, known, place);
  }
  PythonValue made = value;
  if (value.kind != Kind::list && value.kind != Kind::dict && value.kind != Kind::instance)
    return made;
  made.object = std::make_shared<PythonObject>();
  made.object->type = value.object->type;
  made.object->library = value.object->library;
  made.object->order = value.object->order;
  made.object->items = value.object->items;
  made.object->entries = value.object->entries;
  made.object->attributes = value.object->attributes;
  step(place,
       made.object->items.size() + made.object->entries.size() + made.object->attributes.size());
  return made;
}

}  // namespace fusebench
