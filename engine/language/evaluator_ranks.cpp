// SPDX-License-Identifier: GPL-3.0-or-later
// torch.distributed: calls that write into their first argument are read as a new value of it.
// Where other names refer to its memory, that is written, too. library/ defines the value.
#include <algorithm>
#include <array>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;
using ExprKind = ast::Expression::Kind;

constexpr std::string_view kDistributed = "torch.distributed.";

/// A call of torch.distributed that writes into its first argument, and that one's keyword.
struct InPlaceCall {
  std::string_view name, written;
};
constexpr std::array kInPlaceCalls = {
    InPlaceCall{"all_reduce", "tensor"},
    InPlaceCall{"broadcast", "tensor"},
    InPlaceCall{"all_gather_into_tensor", "output_tensor"},
    InPlaceCall{"all_gather", "tensor_list"},
    InPlaceCall{"reduce_scatter_tensor", "output"},
    InPlaceCall{"reduce_scatter", "output"},
};

}  // namespace

/// The dotted name that a call's function has, without evaluating anything but names; empty: none.
std::string Evaluator::pathOfCall(const ast::Expression& e) {
  if (e.kind != ExprKind::postfix || e.trailers.size() < 2 ||
      e.trailers.back().kind != ast::Trailer::Kind::call || e.parts[0]->kind != ExprKind::name)
    return {};
  for (std::size_t i = 0; i + 1 < e.trailers.size(); ++i)
    if (e.trailers[i].kind != ast::Trailer::Kind::attribute) return {};
  const PythonValue first = name(*e.parts[0], false);
  if (first.kind != Kind::path) return {};
  std::string path = first.text;
  for (std::size_t i = 0; i + 1 < e.trailers.size(); ++i) path += "." + e.trailers[i].name;
  return path;
}

/// dist.all_reduce(x): whether that is what a line is; x is a new value then.
bool Evaluator::rankStatement(const ast::Expression& e) {
  const std::string path = pathOfCall(e);
  if (!path.starts_with(kDistributed)) return false;
  const auto call = std::ranges::find(
      kInPlaceCalls, std::string_view(path).substr(kDistributed.size()), &InPlaceCall::name);
  if (call == kInPlaceCalls.end()) return false;
  const ast::Trailer& trailer = e.trailers.back();
  const std::string shown = "dist." + std::string(call->name);
  std::size_t at = 0;
  while (at < trailer.arguments.size() && !trailer.keywords[at].empty() &&
         trailer.keywords[at] != call->written)
    ++at;
  const bool unpacked = std::ranges::any_of(
      trailer.keywords, [](const std::string& each) { return each.starts_with("*"); });
  if (at == trailer.arguments.size() || unpacked)
    failProgram(e.place, shown + " is missing its argument '" + std::string(call->written) + "'");
  const ast::Expression& target = *trailer.arguments[at];
  std::vector<CallArgument> given = arguments(trailer);
  const PythonValue written = given.at(at).value;
  const bool list = call->written == "tensor_list";
  if (list ? written.kind != Kind::list
           : target.kind != ExprKind::name && target.kind != ExprKind::postfix)
    failProgram(given[at].place, shown +
                                     (list ? " must write into a list of one tensor per rank"
                                           : " must write into a named tensor") +
                                     ", but found " + written.shown());
  for (CallArgument& argument : given) argument.value = settled(argument.value);
  ++inLibrary_;
  const PythonValue* const function = libraryFind("torch._distributed_" + std::string(call->name));
  --inLibrary_;
  const PythonValue made = callFunction(*function, std::move(given), e.place);
  // w.grad.data names a tensor that cannot be bound again.
  const bool isData = target.kind == ExprKind::postfix &&
                      target.trailers.back().kind == ast::Trailer::Kind::attribute &&
                      target.trailers.back().name == "data";
  if (list) {
    written.object->items = made.items();
  } else if (written.isTensor() && (builder_.isViewed(written.value) || isData)) {
    builder_.method(written, "copy_", {{"", made, e.place}}, e.place);
    return true;
  } else {
    assign(target, made);
  }
  if (target.kind == ExprKind::name && !list && inLibrary_ == 0 && preparing_ == 0)
    noteNames(target, sourceOf(e.begin, e.end), e.place);
  return true;
}

/// What a program may ask of its group: numbers that are known while it is read.
bool Evaluator::rankCall(const std::string& path, SourcePlace place, PythonValue& result) {
  if (!path.starts_with(kDistributed)) return false;
  const std::string_view name = std::string_view(path).substr(kDistributed.size());
  if (name == "get_world_size") {
    result = PythonValue::numberOf(builder_.ranks(), true, place);
    return true;
  }
  if (name == "is_initialized" || name == "is_available") {
    result = PythonValue::flagOf(true, place);
    return true;
  }
  if (name == "get_rank")
    failProgram(place,
                "dist.get_rank() is another number on each rank, and all ranks run one program; "
                "their inputs are what differs");
  return false;
}

}  // namespace fusebench
