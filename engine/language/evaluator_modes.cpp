// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/language/evaluator.h"
#include "engine/language/program_autocast.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_source.h"
#include "engine/language/surrounding_rows.h"

namespace fusebench {
namespace {

using ModeKind = ast::Expression::Kind;
using ValueKind = PythonValue::Kind;

bool isAutocast(const std::string& path) {
  return path == "torch.autocast" || path == "torch.amp.autocast" ||
         path == "torch.cuda.amp.autocast" || path == "torch.cpu.amp.autocast";
}

/// A context in which nothing is computed differently: a profiler, a stream, a choice of kernels.
bool isOutside(const std::string& path) {
  return path == "contextlib.nullcontext" || findSurrounding(path) != nullptr;
}

bool isGradientMode(const std::string& path) {
  return path == "torch.no_grad" || path == "torch.inference_mode" || path == "torch.enable_grad" ||
         path == "torch.set_grad_enabled";
}

/// Whether this transforms one function into another.
bool isTransform(const std::string& path) {
  return path == "torch.vmap" || path.starts_with("torch.func.") || path.starts_with("functorch.");
}
[[noreturn]] void failTransform(const std::string& path, SourcePlace place) {
  failProgram(place,
              "@" + path +
                  " turns this function into another one, which is not supported; write what "
                  "it computes");
}

constexpr std::string_view kTriton = "triton.";

std::string tritonMessage(const std::string& name) {
  return name +
         " is a Triton kernel, which is compiled for a GPU and works on pointers, so a program "
         "cannot contain it; write what it computes with PyTorch's ops, or record a trace of the "
         "script and open that";
}

}  // namespace

/// torch.autocast(device_type, dtype=None, enabled=True, cache_enabled=None), and those of devices,
/// which take no device_type and have dtype last but one.
AutocastMode Evaluator::autocastOf(const std::string& path, const ast::Trailer& call,
                                   SourcePlace place) {
  const bool ofDevice = path == "torch.cuda.amp.autocast" || path == "torch.cpu.amp.autocast";
  const std::vector<std::string> names =
      ofDevice ? std::vector<std::string>{"enabled", "dtype", "cache_enabled"}
               : std::vector<std::string>{"device_type", "dtype", "enabled", "cache_enabled"};
  std::string device = ofDevice ? path.substr(6, path.find('.', 6) - 6) : std::string();
  AutocastMode mode;
  bool enabled = true;
  const DType* lower = nullptr;
  std::size_t next = 0;
  for (const CallArgument& argument : arguments(call)) {
    std::string keyword = argument.keyword;
    if (keyword.empty() && next < names.size()) keyword = names[next++];
    const PythonValue& value = argument.value;
    if (std::ranges::find(names, keyword) == names.end())
      failProgram(argument.place, path + " has no argument '" + keyword +
                                      "'; it takes device_type, dtype, enabled and cache_enabled");
    if (keyword == "device_type" && value.kind == ValueKind::text) {
      device = value.text;
    } else if (keyword == "dtype" && value.kind != ValueKind::none) {
      lower = value.kind == ValueKind::path ? findDType(value.text) : nullptr;
      if (!lower || !isRounded(*lower))
        failProgram(argument.place,
                    path + " takes dtype=torch.bfloat16 or torch.float16, not " + value.shown());
    } else if (keyword == "enabled") {
      enabled = truth(value, argument.place, path);
    } else if (keyword == "cache_enabled" && value.kind != ValueKind::none) {
      mode.caches = truth(value, argument.place, path);
    }
  }
  if (device != "cpu" && device != "cuda")
    failProgram(place, path +
                           " needs a device type, \"cpu\" or \"cuda\", as in torch.autocast("
                           "\"cpu\", dtype=torch.bfloat16)");
  mode.list = device == "cpu" ? AutocastMode::List::cpu : AutocastMode::List::cuda;
  if (enabled) mode.lower = lower ? *lower : device == "cpu" ? DType::bfloat16 : DType::float16;
  // Casts are kept until the outermost one ends.
  const std::int32_t around = builder_.modes().autocast.context;
  mode.context = around >= 0 ? around : builder_.newContext();
  return mode;
}

/// What the names that an expression begins with mean: "torch.no_grad" of no_grad(), if it was
/// imported from torch. Nothing: no module.
std::string Evaluator::pathOf(const ast::Expression& e) {
  const ast::Expression& first = e.kind == ModeKind::postfix ? *e.parts[0] : e;
  if (first.kind != ModeKind::name) return {};
  std::string path = name(first, true).text;
  for (const ast::Trailer& trailer : e.trailers)
    if (trailer.kind == ast::Trailer::Kind::attribute) path += "." + trailer.name;
  return path;
}

/// Enters a mode. A gradient mode may be written without parentheses.
void Evaluator::enter(BuildModes& modes, const std::string& path, const ast::Expression& e) {
  const bool called =
      e.kind == ModeKind::postfix && e.trailers.back().kind == ast::Trailer::Kind::call;
  if (isAutocast(path)) {
    if (!called) failProgram(e.place, "expected '(' after " + path);
    modes.autocast = autocastOf(path, e.trailers.back(), e.place);
    return;
  }
  // The argument says whether the mode is on; inference_mode(False) does nothing.
  bool given = true;
  if (called && !e.trailers.back().arguments.empty())
    given = truth(evaluate(*e.trailers.back().arguments[0]), e.place, path);
  if (path == "torch.enable_grad" || path == "torch.set_grad_enabled")
    modes.recording = given;
  else if (given)
    modes.recording = false;
}

/// Whether a context is one of the text's own classes or generators, such as a timer.
bool Evaluator::isOwnContext(const ast::Expression& e) {
  const ast::Expression& first = e.kind == ModeKind::postfix ? *e.parts[0] : e;
  if (first.kind != ModeKind::name) return false;
  const PythonValue* const found = lookUp(first.text);
  if (!found || !found->object || found->object->library) return false;
  return found->kind == PythonValue::Kind::type || found->kind == PythonValue::Kind::instance ||
         found->kind == PythonValue::Kind::function;
}

BuildModes Evaluator::modesIn(const ast::Statement& s) {
  BuildModes modes = builder_.modes();
  for (const auto& each : s.values) {
    const std::string path = pathOf(*each);
    if (isOutside(path)) continue;
    if (isOwnContext(*each)) {
      note(each->place, "the start and the end of this context are left out");
      continue;
    }
    if (!isGradientMode(path) && !isAutocast(path))
      failProgram(each->place, "with " + (path.empty() ? "this" : path) +
                                   " is not supported; only torch.no_grad(), "
                                   "torch.inference_mode(), torch.enable_grad() and "
                                   "torch.autocast() are");
    if (each->kind != ModeKind::postfix || each->trailers.back().kind != ast::Trailer::Kind::call)
      failProgram(each->place, "expected '(' after " + path);
    enter(modes, path, *each);
  }
  return modes;
}

BuildModes Evaluator::modesOf(const ast::Function& function) {
  BuildModes modes = builder_.modes();
  for (const auto& each : function.decorations) {
    const std::string path = pathOf(*each);
    if (isGradientMode(path) || isAutocast(path)) enter(modes, path, *each);
  }
  return modes;
}

PythonValue Evaluator::decorated(PythonValue function) {
  const std::shared_ptr<const ast::Function> def = function.object->function;
  // The last one is the first that is given the function. A module's, such as torch.compile, leave
  // what it computes as it is.
  for (std::size_t i = def->decorations.size(); i-- > 0;) {
    const ast::Expression& each = *def->decorations[i];
    const std::string path = pathOf(each);
    if (path.starts_with(kTriton))
      return PythonValue::outsideOf(tritonMessage(def->name), def->place);
    if (!path.empty() && !isTransform(path)) continue;
    const PythonValue by = path.empty() ? evaluate(each) : PythonValue::pathOf(path, each.place);
    if (by.kind == ValueKind::path && path.empty()) continue;
    PythonValue made = call(by, {{"", function, each.place}}, each.place);
    if (made.kind == ValueKind::function && made.object != function.object)
      made.object->decorators = def->decorators;
    function = std::move(made);
  }
  return function;
}

void Evaluator::decorateProgram(const ast::Expression& decorator) {
  const std::string path = pathOf(decorator);
  if (isTransform(path)) failTransform(path, decorator.place);
  if (path.starts_with(kTriton)) failProgram(decorator.place, tritonMessage("the program"));
  // Nothing that comes out of the program depends on whether it records.
  if (isGradientMode(path)) return;
  if (isAutocast(path)) {
    BuildModes modes = builder_.modes();
    enter(modes, path, decorator);
    builder_.setModes(modes);
    return;
  }
  if (path.empty())
    failProgram(decorator.place,
                "the program's main function cannot have a decorator that is defined in the text; "
                "write another function that calls the decorated one");
}

void Evaluator::noteContexts(const ast::Statement& s) {
  const bool outside = std::ranges::all_of(s.values, [this](const auto& each) {
    return isOutside(pathOf(*each)) || isOwnContext(*each);
  });
  if (record_ && inLibrary_ == 0) {
    if (outside) record_->bare.insert(s.begin);
    for (const auto& each : s.values)
      if (isOwnContext(*each)) record_->bare.insert(each->begin);
  }
  for (std::size_t i = 0; i < s.targets.size(); ++i) {
    if (!s.targets[i]) continue;
    bindOutside(*s.targets[i], {}, s.place);
    const bool file = i < s.values.size() && pathOf(*s.values[i]) == "open";
    if (file && s.targets[i]->kind == ast::Expression::Kind::name)
      names_->bound[s.targets[i]->text].number = s.place.line;
  }
}

Evaluator::Flow Evaluator::with(const ast::Statement& s) {
  noteContexts(s);
  const BuildModes before = builder_.setModes(modesIn(s));
  try {
    const Flow flow = execute(s.body);
    builder_.setModes(before);
    return flow;
  } catch (...) {
    builder_.setModes(before);
    throw;
  }
}

ProgramBuilder::ListedCall Evaluator::listedCallOf(const PythonValue& function,
                                                   const Names& arguments) {
  const ProgramBuilder::ListedCall& now = builder_.listed();
  if (!function.object->library || function.self || now.listed.call >= 0) return now;
  const ListedFunction* const listed = listedFunction(function.object->function->name);
  if (!listed) return now;
  ProgramBuilder::ListedCall call{{listed->rule, builder_.newListedCall()}, {}};
  for (const auto& [name, value] : arguments.bound)
    if (value.isTensor() && name != listed->kept) call.cast.push_back(value.value);
  return call;
}

}  // namespace fusebench
