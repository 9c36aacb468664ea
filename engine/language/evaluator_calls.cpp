// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <optional>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_source.h"
#include "engine/language/surroundings.h"
#include "engine/ops/op_choices.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;
using ParameterKind = ast::Parameter::Kind;

constexpr int kDeepestCall = 60;

bool has(const PythonObject& function, std::string_view decorator) {
  for (const auto* all : {&function.function->decorators, &function.decorators})
    if (std::ranges::find(*all, decorator) != all->end()) return true;
  return false;
}

}  // namespace

struct Evaluator::Saved {
  explicit Saved(Evaluator& of)
      : evaluator(of),
        names(of.names_),
        text(of.text_),
        type(of.type_),
        inLibrary(of.inLibrary_),
        quoted(std::exchange(of.quoted_, false)),
        frame(of.frame_),
        generator(of.generator_),
        place(of.builder_.place()),
        listed(of.builder_.listed()),
        modes(of.builder_.modes()),
        around(of.around_) {}
  ~Saved() {
    evaluator.names_ = names;
    evaluator.text_ = text;
    evaluator.type_ = type;
    evaluator.inLibrary_ = inLibrary;
    evaluator.quoted_ = quoted;
    evaluator.frame_ = frame;
    evaluator.generator_ = generator;
    evaluator.builder_.setFrame(frame);
    evaluator.builder_.setPlace(place);
    evaluator.builder_.setListed(std::move(listed));
    evaluator.builder_.setModes(modes);
    evaluator.around_ = around;
    --evaluator.calls_;
  }
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;

  Evaluator& evaluator;
  Names* names;
  std::shared_ptr<const std::string> text;
  std::shared_ptr<PythonObject> type;
  int inLibrary;
  bool quoted;
  int frame;
  Generator* generator;
  std::optional<SourcePlace> place;
  ProgramBuilder::ListedCall listed;
  BuildModes modes;
  Surroundings* around;
};

void Evaluator::enterFrame(Frame::Kind kind, const std::string& name, SourcePlace place) {
  if ((inLibrary_ > 0 && kind != Frame::Kind::module) || preparing_ > 0) return;
  program_.frames.push_back({kind, frame_, name, place});
  frame_ = static_cast<int>(program_.frames.size()) - 1;
  builder_.setFrame(frame_);
}

PythonValue Evaluator::functionOf(std::shared_ptr<const ast::Function> function) {
  PythonValue made;
  made.kind = Kind::function;
  made.object = std::make_shared<PythonObject>();
  made.object->scope = namesAround();
  made.object->around = type_;
  made.object->library = inLibrary_ > 0;
  for (const ast::Parameter& parameter : function->parameters)
    made.object->fallbacks.push_back(parameter.fallback ? evaluate(*parameter.fallback)
                                                        : PythonValue());
  made.object->function = std::move(function);
  return made;
}

PythonValue Evaluator::call(const PythonValue& callee, std::vector<CallArgument> arguments,
                            SourcePlace place) {
  const Deeper deeper(*this, place);
  if (around_ && inLibrary_ == 0 && isProgramCall(callee, arguments)) {
    around_->calls.push_back({callee, std::move(arguments), place, builder_.modes()});
    return PythonValue::outsideOf({}, place);
  }
  if (callee.kind == Kind::path && inLibrary_ == 0)
    for (const CallArgument& each : arguments)
      if (each.value.kind == Kind::outside) return PythonValue::outsideFrom(each.value, place);
  switch (callee.kind) {
    case Kind::outside:
      return callee;
    case Kind::function:
      return callFunction(callee, std::move(arguments), place);
    case Kind::type:
      return instantiate(callee, std::move(arguments), place);
    case Kind::instance:
      return callInstance(callee, std::move(arguments), place);
    case Kind::method:
      return callMethod(callee, std::move(arguments), place);
    case Kind::path:
      return callee.object ? callPartial(callee, std::move(arguments), place)
                           : callPath(callee, std::move(arguments), place);
    default:
      failProgram(place, callee.shown() + " cannot be called");
  }
}

void Evaluator::bindParameters(const PythonValue& function, std::vector<CallArgument>& arguments,
                               SourcePlace place, Names& scope) {
  const ast::Function& def = *function.object->function;
  const std::string shown = def.name + "(...)";
  std::vector<PythonValue> rest;
  std::size_t next = 0;
  const auto& parameters = def.parameters;
  const bool takesRest = std::any_of(parameters.begin(), parameters.end(),
                                     [](const auto& p) { return p.kind == ParameterKind::args; });
  PythonValue keywords;
  keywords.kind = Kind::dict;
  keywords.object = std::make_shared<PythonObject>();
  const auto takesKeywords = std::find_if(parameters.begin(), parameters.end(), [](const auto& p) {
    return p.kind == ParameterKind::keywords;
  });
  if (function.self && !has(*function.object, "staticmethod"))
    arguments.insert(arguments.begin(), [&] {
      CallArgument self;
      const DataClass* const data = dataOf(function.self->type);
      self.value.tuple = data && data->tuple;
      self.value.kind = self.value.tuple      ? Kind::list
                        : function.self->type ? Kind::instance
                                              : Kind::type;
      self.value.object = function.self;
      self.place = place;
      return self;
    }());
  for (CallArgument& argument : arguments) {
    search(place, parameters.size());
    if (argument.keyword.empty()) {
      if (next < parameters.size() && parameters[next].kind == ParameterKind::plain) {
        scope.bound[parameters[next++].name] = argument.value;
      } else if (takesRest) {
        rest.push_back(argument.value);
      } else {
        failProgram(argument.place, shown + " takes at most " + std::to_string(next) +
                                        (next == 1 ? " argument" : " arguments"));
      }
      continue;
    }
    const auto named = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) {
      return p.name == argument.keyword && p.kind <= ParameterKind::keywordOnly;
    });
    if (named == parameters.end()) {
      if (takesKeywords == parameters.end())
        failProgram(argument.place, shown + " has no argument '" + argument.keyword + "'");
      keywords.object->entries.emplace_back(PythonValue::textOf(argument.keyword, argument.place),
                                            argument.value);
      continue;
    }
    if (scope.bound.contains(argument.keyword))
      failProgram(argument.place, shown + " got '" + argument.keyword + "' twice");
    scope.bound[argument.keyword] = argument.value;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ast::Parameter& parameter = parameters[i];
    if (parameter.kind == ParameterKind::args) {
      scope.bound[parameter.name] = PythonValue::listOf(std::move(rest), true, place);
    } else if (parameter.kind == ParameterKind::keywords) {
      scope.bound[parameter.name] = keywords;
    } else if (!scope.bound.contains(parameter.name)) {
      if (!parameter.fallback)
        failProgram(place, shown + " is missing its argument '" + parameter.name + "'");
      scope.bound[parameter.name] = function.object->fallbacks[i];
    }
  }
}

namespace {

/// PyTorch's own functions and methods take numpy's names of arguments as well: axis for dim.
void takeNamesOfNumpy(const PythonValue& function, std::vector<CallArgument>& arguments) {
  if (function.kind != PythonValue::Kind::function) return;
  const auto& parameters = function.object->function->parameters;
  const auto has = [&](std::string_view name) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const auto& each) { return each.name == name; });
  };
  for (CallArgument& argument : arguments)
    for (const KeywordAlias& alias : keywordAliases())
      if (!alias.flag && alias.alias == argument.keyword && !has(argument.keyword) &&
          has(alias.keyword))
        argument.keyword = alias.keyword;
}

/// x.max(1), torch.max(x, dim=1): the function that gives values and indices; empty: another call.
/// `at`: the position of the dimension's argument, where it is not given by name.
std::string withIndices(const std::string& path, const std::vector<CallArgument>& arguments,
                        std::size_t at) {
  if (path != "torch.max" && path != "torch.min") return {};
  bool over = at < arguments.size() && arguments[at].keyword.empty() &&
              arguments[at].value.isScalar() && !arguments[at].value.wrapped;
  for (const CallArgument& each : arguments)
    over = over || each.keyword == "dim" || each.keyword == "axis";
  return over ? path + "_over_dim" : std::string();
}

}  // namespace

void Evaluator::checkCalls(SourcePlace place) const {
  if (calls_ >= kDeepestCall)
    failProgram(place, "functions call one another more than " + std::to_string(kDeepestCall) +
                           " deep here; a recursion must come to an end");
}

PythonValue Evaluator::callFunction(const PythonValue& function,
                                    std::vector<CallArgument> arguments, SourcePlace place) {
  checkCalls(place);
  Names& scope = scopes_.emplace_back();
  scope.outer = function.object->scope;
  scope.declared = true;
  bindParameters(function, arguments, place, scope);
  if (!function.object->library) {
    auto& known = assigned_[function.object->function.get()];
    if (!known) known = assignedIn(function.object->function->body);
    scope.assigned = known;
  }
  if (function.object->function->generates) return generatorOf(function, scope, place);
  return runBody(function, scope, place);
}

PythonValue Evaluator::runBody(const PythonValue& function, Names& scope, SourcePlace place,
                               Generator* generator) {
  const ast::Function& def = *function.object->function;
  ++calls_;
  const Saved saved(*this);
  builder_.setListed(listedCallOf(function, scope));
  const bool enters = function.object->library && inLibrary_ == 0;
  const bool module = function.self && def.name == "forward";
  const std::string shown = module && !function.self->name.empty() ? function.self->name
                            : module                               ? function.self->type->name
                                                                   : def.name;
  enterFrame(module ? Frame::Kind::module : Frame::Kind::function, shown, place);
  if (enters) {
    ++inLibrary_;
    builder_.setPlace(place);
  } else if (!function.object->library && inLibrary_ > 0) {
    inLibrary_ = 0;  // a library's container calls the text's own
    builder_.setPlace(std::nullopt);
  }
  if (!def.decorations.empty()) builder_.setModes(modesOf(def));
  // A method works on its object as always; a function of lines around the program is such lines.
  if (function.self && around_) {
    around_->prepares |= !function.object->library && def.name != "__init__";
    around_ = nullptr;
  }
  names_ = &scope;
  type_ = function.object->around.lock();
  text_ = def.text;
  const PythonValue before = std::exchange(returned_, PythonValue());
  generator_ = generator;
  try {
    execute(def.body);
  } catch (const StopIteration& stop) {
    if (def.generates)
      failProgram(stop.place(), "this generator raises StopIteration; write return");
    throw;
  } catch (const ProgramError& error) {
    // A place in the library's text means nothing to the author of the program: report the call.
    if (!enters) throw;
    const std::string_view what = error.what();
    const std::string called = module ? function.self->type->name : def.name;
    const bool named = called.starts_with("_") || what.find(called) != what.npos;
    throw ProgramError(place, named ? std::string(what) : called + ": " + std::string(what));
  }
  PythonValue result = std::exchange(returned_, before);
  result.place = place;
  return result;
}

PythonValue Evaluator::evaluateIn(Names& scope, const ast::Expression& expression,
                                  const std::string& name, SourcePlace place) {
  ++calls_;
  const Saved saved(*this);
  const std::size_t firstOp = program_.ops.size();
  const int around = frame_;
  enterFrame(Frame::Kind::function, name, place);
  const bool enters = inLibrary_ == 0;
  if (enters) {
    ++inLibrary_;
    builder_.setPlace(place);
  }
  names_ = &scope;
  type_ = nullptr;
  PythonValue result;
  try {
    result = evaluate(expression);
  } catch (const ProgramError& error) {
    if (!enters) throw;
    throw ProgramError(place, error.what());
  }
  // One op needs no frame around it.
  if (frame_ != around && program_.ops.size() <= firstOp + 1) {
    for (std::size_t i = firstOp; i < program_.ops.size(); ++i) program_.ops[i].frame = around;
    program_.frames.pop_back();
  }
  result.place = place;
  return result;
}

/// Remembers a call that makes an object, if all that it is given is known.
void Evaluator::noteMaking(const PythonValue& type, const std::vector<CallArgument>& arguments) {
  std::string call = type.object->name + "(";
  for (const CallArgument& each : arguments) {
    const std::optional<std::string> text = literalOf(each.value);
    if (!text) return;
    call += (call.ends_with('(') ? "" : ", ") + (each.keyword.empty() ? "" : each.keyword + "=");
    call += *text;
  }
  record_->making.emplace(type.object->name, call + ")");
}

PythonValue Evaluator::instantiate(const PythonValue& type, std::vector<CallArgument> arguments,
                                   SourcePlace place) {
  const PythonObject* const fields = madeByFields(*type.object);
  if (fields && fields->data->tuple) return makeTuple(type, *fields->data, arguments, place);
  PythonValue made;
  made.kind = Kind::instance;
  made.place = place;
  made.object = std::make_shared<PythonObject>();
  made.object->type = type.object;
  made.object->library = type.object->library;
  made.object->outlives = beside_;
  // A script makes its model before it uses it: what it holds is there before the program begins.
  if (made.object->library && preparing_ == 0 && !inScript()) {
    // nn.ReLU()(x): a module that holds nothing may be made anywhere; one that does is made before.
    for (const char* holding : {"Linear", "Conv2d", "LayerNorm", "BatchNorm1d", "BatchNorm2d",
                                "LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell"})
      if (type.object->name == holding)
        failProgram(place, "create a module with weights in __init__, not in each call");
    if (isStepper(type.object))
      failProgram(place,
                  std::string("create ") +
                      (type.object->name.starts_with("optim_")          ? "an optimizer"
                       : type.object->name.starts_with("lr_scheduler_") ? "a scheduler"
                                                                        : "a scaler") +
                      " next to the model, outside of the program's function or in __init__: it "
                      "keeps its state from call to call");
  }
  if (around_ && record_ && !type.object->library) noteMaking(type, arguments);
  ++preparing_;
  struct Done {
    int& count;
    ~Done() { --count; }
  } const done{preparing_};
  if (fields) {
    makeFromFields(made, *fields->data, std::move(arguments), place);
    return made;
  }
  const PythonValue* const init = classAttribute(type.object, "__init__");
  if (init && init->kind == Kind::outside) failProgram(init->place, init->text);
  if (init) {
    std::vector<CallArgument> dtype;
    if (type.object->library)
      std::ranges::copy_if(arguments, std::back_inserter(dtype),
                           [](const CallArgument& each) { return each.keyword == "dtype"; });
    callFunction(bound(*init, made), std::move(arguments), place);
    castModule(made, "to", dtype, place);
  } else if (!arguments.empty()) {
    failProgram(place, type.object->name + "() takes no arguments; it has no __init__");
  }
  return made;
}

PythonValue Evaluator::bindMethod(const PythonValue& instance, const std::string& name,
                                  SourcePlace place) {
  const PythonValue* const found =
      classAttribute(instance.kind == Kind::type ? instance.object : instance.object->type, name);
  if (!found) failProgram(place, instance.shown() + " has no " + name);
  if (found->kind == Kind::outside) failProgram(found->place, found->text);
  return bound(*found, instance);
}

PythonValue Evaluator::callInstance(const PythonValue& callee, std::vector<CallArgument> arguments,
                                    SourcePlace place) {
  const char* method = classAttribute(callee.object->type, "__call__") ? "__call__" : "forward";
  if (!classAttribute(callee.object->type, method))
    failProgram(place, callee.shown() + " cannot be called; its class has no forward");
  // A method that lines around the program call may call the program: it gives the inputs.
  if (const PythonValue* const called = classAttribute(callee.object->type, method);
      called->kind == Kind::path && lines_) {
    lines_->calls.push_back({callee, std::move(arguments), place, builder_.modes()});
    return PythonValue::outsideOf({}, place);
  }
  if (!callee.object->attributes.contains("_forward_hooks") &&
      !callee.object->attributes.contains("_forward_pre_hooks"))
    return callFunction(bindMethod(callee, method, place), std::move(arguments), place);
  return callHooked(callee, method, std::move(arguments), place);
}

/// A module's call with its hooks around it: what they return takes the place of its arguments, or
/// of its result.
PythonValue Evaluator::callHooked(const PythonValue& callee, const char* method,
                                  std::vector<CallArgument> arguments, SourcePlace place) {
  const auto hooks = [&](const char* name) {
    const auto found = callee.object->attributes.find(name);
    return found == callee.object->attributes.end() ? std::vector<PythonValue>()
                                                    : found->second.items();
  };
  const auto positional = [&] {
    std::vector<PythonValue> items;
    for (const CallArgument& each : arguments)
      if (each.keyword.empty()) items.push_back(each.value);
    return PythonValue::listOf(std::move(items), true, place);
  };
  const auto keywords = [&] {
    PythonValue made;
    made.kind = Kind::dict;
    made.object = std::make_shared<PythonObject>();
    for (const CallArgument& each : arguments)
      if (!each.keyword.empty())
        made.object->entries.emplace_back(PythonValue::textOf(each.keyword, place), each.value);
    return made;
  };
  // Each is a list: the hook, and whether it takes keywords, too.
  const auto called = [&](const PythonValue& hook, const PythonValue* output) {
    std::vector<CallArgument> given{{"", callee, place}, {"", positional(), place}};
    if (hook.items()[1].number != 0) given.push_back({"", keywords(), place});
    if (output) given.push_back({"", *output, place});
    return call(hook.items()[0], std::move(given), place);
  };
  for (const PythonValue& hook : hooks("_forward_pre_hooks")) {
    PythonValue made = called(hook, nullptr);
    if (made.kind == Kind::none) continue;
    const bool both = hook.items()[1].number != 0;
    if (both && (made.kind != Kind::list || made.items().size() != 2))
      failProgram(place, "a forward pre-hook with_kwargs returns None, or (args, kwargs)");
    if (!both)
      std::erase_if(arguments, [](const CallArgument& each) { return each.keyword.empty(); });
    if (both) arguments.clear();
    const PythonValue first = both ? made.items()[0] : made;
    std::vector<PythonValue> items =
        first.kind == Kind::list ? first.items() : std::vector<PythonValue>{first};
    for (std::size_t i = 0; i < items.size(); ++i)
      arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(i), {"", items[i], place});
    if (both && made.items()[1].kind == Kind::dict)
      for (const auto& [key, value] : made.items()[1].object->entries)
        arguments.push_back({key.text, value, place});
  }
  PythonValue output = callFunction(bindMethod(callee, method, place), arguments, place);
  for (const PythonValue& hook : hooks("_forward_hooks")) {
    PythonValue made = called(hook, &output);
    if (made.kind != Kind::none) output = made;
  }
  return output;
}

/// A tensor's method. x.contiguous(memory_format=torch.channels_last) and its like are copies of
/// the tensor with its channels last, seen with them in their place.
PythonValue Evaluator::inFormat(const PythonValue& self, const std::string& name,
                                std::vector<CallArgument> arguments, SourcePlace place) {
  const auto format = std::ranges::find(arguments, "memory_format", &CallArgument::keyword);
  if (format == arguments.end() || (name != "contiguous" && name != "clone" && name != "to"))
    return builder_.method(self, name, std::move(arguments), place);
  const PythonValue asked = format->value;
  arguments.erase(format);
  // The other effects of the method; contiguous() makes the copy in order.
  const bool only = name == "contiguous" || (name == "to" && arguments.empty());
  const PythonValue plain = only ? self : builder_.method(self, name, arguments, place);
  if (asked.text == "torch.preserve_format") return plain;
  if (asked.text == "torch.contiguous_format")
    return builder_.method(plain, "contiguous", {}, place);
  if (asked.text != "torch.channels_last")
    failProgram(
        asked.place,
        "memory_format of ." + name +
            " must be torch.channels_last, torch.contiguous_format or torch.preserve_format");
  if (const std::optional<int> rank = builder_.rankOf(self.value); rank && *rank != 4)
    failProgram(asked.place,
                "torch.channels_last needs a tensor of 4 dimensions, (N, C, H, W); this one has " +
                    std::to_string(*rank));
  const auto permuted = [&](const PythonValue& of, std::initializer_list<int> order) {
    std::vector<CallArgument> dims;
    for (const int dim : order)
      dims.push_back({"", PythonValue::numberOf(dim, true, place), place});
    return builder_.method(of, "permute", std::move(dims), place);
  };
  const PythonValue last = permuted(plain, {0, 2, 3, 1});
  return permuted(builder_.method(last, "contiguous", {}, place), {0, 3, 1, 2});
}

PythonValue Evaluator::callMethod(const PythonValue& callee, std::vector<CallArgument> arguments,
                                  SourcePlace place) {
  const std::string& name = callee.text;
  if (callee.value >= 0) {
    PythonValue self = PythonValue::tensorOf(callee.value, callee.place);
    self.detached = callee.detached;
    if (name == "size" || name == "dim" || name == "ndimension" || name == "numel" ||
        name == "nelement")
      return tensorSize(self, name, arguments, place);
    if (PythonValue answer; layoutMethod(self, name, arguments, place, answer)) return answer;
    if (name == "where" && !arguments.empty()) {
      // The tensor is what torch.where takes where the condition is true.
      const bool inOrder = arguments.front().keyword.empty();
      arguments.insert(arguments.begin() + (inOrder ? 1 : 0),
                       {inOrder ? "" : "input", self, self.place});
      return callPath(PythonValue::pathOf("torch.where", callee.place), std::move(arguments),
                      place);
    }
    if (name == "is_floating_point" && arguments.empty()) {
      const DType* const dtype = findDType(builder_.attribute(self, "dtype", place).text);
      return PythonValue::flagOf(dtype && isFloat(*dtype), place);
    }
    if (PythonValue made; complexCall("torch." + name, &self, arguments, place, made)) return made;
    self.object = callee.object;
    if (PythonValue known;
        arguments.empty() && knownCall("torch." + name, {{"", self, self.place}}, place, known))
      return known;
    for (CallArgument& argument : arguments) argument.value = settled(argument.value);
    const bool writes = name.ends_with('_') && !name.ends_with("__");
    const std::string plain = writes ? name.substr(0, name.size() - 1) : name;
    if (const PythonValue* found = fullerForm("torch." + plain, arguments, 1)) {
      arguments.insert(arguments.begin(), {"", self, self.place});
      const PythonValue made = callFunction(*found, std::move(arguments), place);
      return writes ? builder_.method(self, "copy_", {{"", made, place}}, place) : made;
    }
    const std::string both = withIndices("torch." + name, arguments, 0);
    if ((!both.empty() || !ProgramBuilder::knows("x." + name)) && arguments.size() < 8)
      if (const PythonValue* found = libraryFind(both.empty() ? "torch." + name : both)) {
        takeNamesOfNumpy(*found, arguments);
        arguments.insert(arguments.begin(), {"", self, self.place});
        return callFunction(*found, std::move(arguments), place);
      }
    refuseInexact({}, &self, arguments, place);
    spellShapes(arguments);
    return inFormat(self, name, std::move(arguments), callee.place);
  }
  const PythonValue self = callee.items().front();
  switch (self.kind) {
    case Kind::held: {
      PythonValue result;
      if (complexCall("torch." + name, &self, arguments, place, result)) return result;
      if (heldMethod(self, name, arguments, place, result)) return result;
      if (layoutMethod(self, name, arguments, place, result)) return result;
      if (arguments.empty() && knownCall("torch." + name, {{"", self, place}}, place, result))
        return result;
      PythonValue settledCallee = callee;
      settledCallee.value = settled(self).value;
      return callMethod(settledCallee, std::move(arguments), place);
    }
    case Kind::list:
    case Kind::shape:
    case Kind::type:
      return listMethod(self, name, arguments, place);
    case Kind::dict:
      return dictMethod(self, name, arguments, place);
    case Kind::text:
      return textMethod(self, name, arguments, place);
    case Kind::instance:
      if (isSelection(self)) return methodOfSelection(self, name, arguments, place);
      if (PythonValue answer; layoutMethod(self, name, arguments, place, answer)) return answer;
      return moduleMethod(self, name, arguments, place);
    default:
      if (name == "item") return self;
      failProgram(place, self.shown() + " has no ." + name + "(...)");
  }
}

/// x.view(y.shape): a shape among an op's arguments is the list of its extents.
void Evaluator::spellShapes(std::vector<CallArgument>& arguments) {
  for (CallArgument& argument : arguments)
    if (argument.value.kind == Kind::shape)
      argument.value =
          PythonValue::listOf(extents(argument.value, argument.place), true, argument.value.place);
}

/// checkpoint(f, ...): f's values are recomputed when gradients need them, not kept for them.
PythonValue Evaluator::checkpointed(std::vector<CallArgument> arguments, SourcePlace place) {
  if (arguments.empty()) failProgram(place, "checkpoint needs a function and its arguments");
  const PythonValue function = arguments.front().value;
  arguments.erase(arguments.begin());
  std::erase_if(arguments, [](const CallArgument& each) {
    return each.keyword == "use_reentrant" || each.keyword == "preserve_rng_state" ||
           each.keyword == "determinism_check";
  });
  struct Back {
    ProgramBuilder& builder;
    int before;
    ~Back() { builder.setSegment(before); }
  } const back{builder_, builder_.setSegment(builder_.newSegment())};
  return call(function, std::move(arguments), place);
}

PythonValue Evaluator::callPath(const PythonValue& callee, std::vector<CallArgument> arguments,
                                SourcePlace place) {
  const std::string& path = callee.text;
  if (path == "self" || path.starts_with("self."))
    failProgram(callee.place, path +
                                  "(...) is a module's state; write the function instead, such as "
                                  "torch.nn.functional.relu, and its weights as inputs");
  PythonValue result;
  if (path == "super") {
    if (!type_) failProgram(place, "super() is only allowed in a class's function");
    result.kind = Kind::superior;
    result.place = place;
    result.object = type_;
    const auto self = std::find_if(names_->bound.begin(), names_->bound.end(),
                                   [](const auto& each) { return each.first == "self"; });
    if (self != names_->bound.end()) result.self = self->second.object;
    if (!arguments.empty() && arguments[0].value.kind == Kind::type)
      result.object = arguments[0].value.object;
    return result;
  }
  if (path == "print") {
    if (inLibrary_ == 0) failProgram(place, "print is not part of a program; remove it");
    return {};
  }
  if (exportedCall(path, arguments, place, result)) return result;
  if (dataclassCall(path, arguments, place, result)) return result;
  if (tupleCall(path, arguments, place, result)) return result;
  if (inLibrary_ > 0 && path == "torch._check_places") {
    builder_.checkPlaces(settled(arguments.at(0).value), settled(arguments.at(1).value),
                         static_cast<int>(arguments.at(2).value.number), arguments.at(3).value.text,
                         place);
    return {};
  }
  if (transformCall(path, arguments, place, result)) return result;
  if (complexCall(path, nullptr, arguments, place, result)) return result;
  if (libraryObjectCall(path, arguments, place, result)) return result;
  if (knownCall(path, arguments, place, result)) return result;
  if (path.find('.') == std::string::npos && builtin(path, arguments, place, result)) return result;
  if (collectionCall(path, arguments, place, result)) return result;
  if (scalarCall(path, arguments, place, result)) return result;
  if (rankCall(path, place, result)) return result;
  // How a function is run the variants say.
  if ((path == "torch.compile" || path == "torch.jit.script") && !arguments.empty() &&
      (arguments[0].keyword.empty() || arguments[0].keyword == "model"))
    return arguments[0].value;
  if (path == "torch.utils.checkpoint.checkpoint") return checkpointed(std::move(arguments), place);
  if ((path == "copy.deepcopy" || path == "copy.copy") && !arguments.empty())
    return copied(arguments[0].value, path == "copy.deepcopy", place);
  if (heldCall(path, arguments, place, result)) return result;
  if (const std::string both = withIndices(path, arguments, 1); !both.empty())
    return callPath(PythonValue::pathOf(both, callee.place), std::move(arguments), place);
  if (const PythonValue* found = fullerForm(path, arguments, 0)) {
    for (CallArgument& argument : arguments) argument.value = settled(argument.value);
    return callFunction(*found, std::move(arguments), place);
  }
  if (!ProgramBuilder::knows(path))
    if (const PythonValue* found = libraryFind(path)) {
      const PythonValue callable = *found;
      if (!path.starts_with("torch.nn.")) takeNamesOfNumpy(callable, arguments);
      if (callable.kind == Kind::function)
        for (CallArgument& argument : arguments) argument.value = settled(argument.value);
      return call(callable, std::move(arguments), callee.place);
    }
  for (CallArgument& argument : arguments) argument.value = settled(argument.value);
  if (path.find('.') == std::string::npos && !ProgramBuilder::knows(path))
    refuseUndefined(path, place);
  refuseInexact(path, nullptr, arguments, place);
  spellShapes(arguments);
  std::shared_ptr<PythonObject> items;
  noteItems(path, arguments, items);
  const bool differentiated = std::erase_if(arguments, [](const CallArgument& argument) {
                                return argument.keyword == "requires_grad" &&
                                       argument.value.kind == Kind::flag &&
                                       argument.value.number != 0;
                              }) > 0;
  result = builder_.call(path, std::move(arguments), callee.place);
  if (differentiated && !result.isTensor())
    failProgram(place, path +
                           " creates no tensor here that could keep a gradient; call "
                           ".requires_grad_() on its result");
  if (differentiated) builder_.requireGradient(result.value, true);
  if (result.isTensor() && items) result.object = items;
  return result;
}

}  // namespace fusebench
