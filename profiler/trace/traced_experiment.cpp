// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/traced_experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "engine/language/parser.h"
#include "engine/language/source_place.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"

namespace fusebench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostOpened = 1000;  // operators that are replaced by those inside
constexpr std::size_t kMostLinesCut = 100'000;
constexpr std::size_t kPartsOffered = 2, kUnknownNamed = 3;
constexpr const char* kInputSet = "traced";

/// The experiment's name of a tensor's strides; nothing: it has gaps, or elements in common.
std::optional<std::string> layoutOf(const TracedTensor& tensor) {
  if (tensor.isContiguous() || tensor.elements() < 2) return "contiguous";
  const std::size_t rank = tensor.extents.size();
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return tensor.strides[a] > tensor.strides[b];
  });
  std::int64_t step = 1;
  for (std::size_t i = rank; i-- > 0;) {
    const std::size_t d = order[i];
    if (tensor.extents[d] != 1 && tensor.strides[d] != step) return std::nullopt;
    step *= tensor.extents[d];
  }
  if (order == std::vector<std::size_t>{0, 2, 3, 1}) return "channels_last";
  if (rank == 2) return "transposed";
  std::vector<std::size_t> plain(rank);
  std::iota(plain.begin(), plain.end(), std::size_t{0});
  std::swap(plain[rank - 1], plain[rank - 2]);
  if (order == plain) return "transposed";
  return fmt::format("{}{}", kOrderLayout, fmt::join(order, ","));
}

bool isWeight(const std::string& parameter) {
  return parameter == "weight" || parameter == "bias" || parameter == "running_mean" ||
         parameter == "running_var";
}

Json inputJson(const TracedTensor& tensor, const TracedProgram::Input& input,
               std::vector<std::string>& notes) {
  Json made = {{"name", input.name}, {"extents", tensor.extents}};
  const bool isFloat = tensor.dtype.find("float") != std::string::npos;
  // A variance must not be negative, and nothing is known of a number but that it is one.
  const bool isVariance = input.parameter == "running_var" || input.parameter == "rstd" ||
                          input.parameter == "save_invstd";
  const bool isNumber = tensor.extents.empty() && tensor.dtype != "bool";
  made["fill"] = isVariance || isNumber ? "ones" : tensor.dtype == "bool" ? "uniform" : "normal";
  const std::optional<std::string> layout = layoutOf(tensor);
  if (!layout)
    notes.push_back(saying("{} has gaps between its elements or shares them; here it is contiguous",
                           input.name));
  else if (*layout != "contiguous")
    made["layout"] = *layout;
  if (tensor.dtype != "float32") made["dtype"] = tensor.dtype;
  if (isFloat && isWeight(input.parameter) && !input.isWritten) made["held"] = true;
  if (isNumber)
    notes.push_back(saying("the trace does not have the value of {}; here it is 1", input.name));
  return made;
}

Json captureJson(const ExecutionTrace& trace, const TracedProgram& program) {
  Json modules = Json::array({""}), sources = Json::array({""}), nodes = Json::array();
  std::map<std::string, std::size_t> known{{"", 0}};
  for (const TracedProgram::Line& line : program.lines) {
    const std::string around = shownText(rangesAround(trace, line.op));
    const auto [module, isNew] = known.try_emplace(around, modules.size());
    if (isNew) modules.push_back(around);
    sources.push_back(fmt::format("{}: {}: {}", shownText(trace.title), trace.operators[line.op].id,
                                  shownText(trace.nameOf(line.op))));
    nodes.push_back({0, line.line, module->second, sources.size() - 1});
  }
  return {{"how", "ExecutionTraceObserver"},
          {"modules", modules},
          {"sources", sources},
          {"nodes", nodes}};
}

std::string experimentText(const ExecutionTrace& trace, const TracedProgram& program,
                           const std::string& title) {
  std::vector<std::string> notes = program.notes;
  Json tensors = Json::array();
  for (const TracedProgram::Input& input : program.inputs)
    tensors.push_back(inputJson(trace.tensors[input.tensor], input, notes));
  Json made = {{"fusebench", "experiment"},
               {"version", 2},
               {"title", saying("{} of {}", title, trace.title)},
               {"lesson", "execution_trace"}};
  Json lines = Json::array();
  std::string_view text = program.text;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  made["program"] = std::move(lines);
  made["inputs"] = Json::array({{{"name", kInputSet}, {"count", 1}, {"tensors", tensors}}});
  made["variants"] = Json::array();
  for (const char* executor : {"eager", "instant", "static", "torch", "torch-static"})
    made["variants"].push_back({{"name", executor}, {"executor", executor}, {"inputs", kInputSet}});
  made["baseline"] = "eager";
  made["measure"] = {{"budgetSeconds", 60}, {"compileRepeats", 1}};
  made["capture"] = captureJson(trace, program);
  constexpr std::size_t kNotes = 8;
  std::string note;
  for (std::size_t i = 0; i < notes.size() && i < kNotes; ++i)
    note += (note.empty() ? "" : ". ") + notes[i];
  if (notes.size() > kNotes) note += ". " + saying("and {} more", notes.size() - kNotes);
  if (!note.empty()) made["note"] = note + ".";
  return made.dump(1);
}

/// Why the program cannot run, and the line; nothing: it can.
std::optional<ProgramError> problemOfProgram(const ExecutionTrace& trace,
                                             const TracedProgram& made) {
  ProgramHints hints;
  std::map<std::string, ValueType> types;
  for (const TracedProgram::Input& input : made.inputs) {
    const TracedTensor& tensor = trace.tensors[input.tensor];
    const DType* const dtype = findDType(tensor.dtype);
    ValueType type{Shape(tensor.extents), dtype ? *dtype : DType::float32};
    types.emplace(input.name, type);
    hints.emplace(input.name, type);
  }
  try {
    const Program program = parseProgram(made.text, hints);
    std::vector<ValueType> given;
    for (const std::string& name : program.inputs) given.push_back(types.at(name));
    inferTypes(program, given);
    return std::nullopt;
  } catch (const ProgramError& error) {
    return error;
  }
}

std::string operatorText(const ExecutionTrace& trace, OperatorIndex at) {
  return fmt::format("{} ({})", trace.operators[at].id, shownName(trace.nameOf(at)));
}

/// "--operators 3..40 (12 operations)": the longest parts of the program without unknown operators.
std::string partsWithout(const ExecutionTrace& trace, const TracedProgram& program) {
  struct Part {
    OperatorIndex first, last;
    std::size_t lines;
  };
  std::vector<Part> parts;
  std::vector<OperatorIndex> unknown;
  for (const TracedProgram::Unknown& each : program.unknown) unknown.push_back(each.op);
  std::sort(unknown.begin(), unknown.end());
  auto next = unknown.begin();
  bool isNew = true;
  for (const TracedProgram::Line& line : program.lines) {
    for (; next != unknown.end() && *next < line.op; ++next) isNew = true;
    if (next != unknown.end() && *next == line.op) continue;
    if (isNew) parts.push_back({line.op, line.op, 0});
    isNew = false;
    parts.back().last = line.op;
    ++parts.back().lines;
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.lines > b.lines; });
  std::string text;
  for (std::size_t i = 0; i < parts.size() && i < kPartsOffered; ++i)
    text += (text.empty() ? "" : ", ") + saying("--operators {}..{} ({} operations)",
                                                trace.operators[parts[i].first].id,
                                                trace.operators[parts[i].last].id, parts[i].lines);
  return text;
}

[[noreturn]] void refuseUnknown(const ExecutionTrace& trace, const TracedProgram& program) {
  std::string listed;
  for (std::size_t i = 0; i < program.unknown.size() && i < kUnknownNamed; ++i)
    listed += (listed.empty() ? "" : "; ") + saying("operator {}: {}",
                                                    operatorText(trace, program.unknown[i].op),
                                                    program.unknown[i].why);
  if (program.unknown.size() > kUnknownNamed)
    listed += "; " + saying("and {} more", program.unknown.size() - kUnknownNamed);
  const std::string parts = partsWithout(trace, program);
  throw InputError(trace.title + ": " +
                   (parts.empty() ? saying("{}; choose other operators", listed)
                                  : saying("{}; measure a part without it: {}", listed, parts)));
}

std::int64_t idIn(std::string_view text, const std::string& whole) {
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || id < 0)
    throw InputError(saying("operators {}: give their numbers, as in 12..80", shownName(whole)));
  return id;
}

}  // namespace

Experiment tracedExperiment(const ExecutionTrace& trace, const TraceSelection& selection,
                            const std::string& title) {
  std::set<OperatorIndex> opened;
  for (;;) {
    TracedProgram program = tracedProgram(trace, selection, opened);
    if (program.lines.size() > kMostLinesCut)
      throw InputError(
          saying("{}: {} operators are more than a program may have ({}); choose a "
                 "range of them",
                 trace.title, program.lines.size(), kMostLinesCut));
    if (!program.unknown.empty()) refuseUnknown(trace, program);
    if (program.text.empty())
      throw InputError(saying("{}: the operators return no tensor; choose others", trace.title));
    const std::optional<ProgramError> problem = problemOfProgram(trace, program);
    opened = program.opened;
    if (!problem) return parseExperiment(experimentText(trace, program, title), trace.title);
    const auto found = std::find_if(
        program.lines.begin(), program.lines.end(),
        [&](const TracedProgram::Line& line) { return line.line == problem->place().line; });
    if (found == program.lines.end())
      throw InputError(saying("{}: the program of these operators cannot be read: {}", trace.title,
                              problem->what()));
    if (trace.operators[found->op].children.empty() || opened.size() >= kMostOpened ||
        !opened.insert(found->op).second) {
      program.unknown = {{found->op, problem->what()}};
      refuseUnknown(trace, program);
    }
  }
}

TraceSelection selectionIn(const ExecutionTrace& trace, const std::string& range) {
  const std::size_t dots = range.find("..");
  TraceSelection selection;
  if (range.find("::") != std::string::npos) {
    for (OperatorIndex i = 0; i < trace.operators.size(); ++i)
      if (trace.nameOf(i) == range) return subtreeOf(trace, i);
    throw InputError(saying("{} has no operator {}; list them with fusebench-cli cut", trace.title,
                            shownName(range)));
  }
  selection.first = idIn(std::string_view(range).substr(0, dots), range);
  if (dots == std::string::npos) {
    const OperatorIndex at = trace.find(selection.first);
    if (at == kNoOperator)
      throw InputError(saying("{} has no operator {}; list them with fusebench-cli cut",
                              trace.title, selection.first));
    return subtreeOf(trace, at);
  }
  selection.last = idIn(std::string_view(range).substr(dots + 2), range);
  if (selection.first > selection.last)
    throw InputError(saying("operators {}: the first number must not be larger than the last",
                            shownName(range)));
  const TraceSelection all = wholeTrace(trace);
  if (selection.last < all.first || selection.first > all.last)
    throw InputError(saying("operators {}: {} has operators {}..{}", shownName(range), trace.title,
                            all.first, all.last));
  return selection;
}

TraceSelection rangeNamed(const ExecutionTrace& trace, const std::string& name) {
  std::vector<std::string> names;
  for (OperatorIndex i = 0; i < trace.operators.size(); ++i) {
    if (!isUserRange(trace, i)) continue;
    const std::string own = rangeName(trace.nameOf(i)), around = rangesAround(trace, i);
    if (own == name || trace.nameOf(i) == name || fmt::format("{}.{}", around, own) == name)
      return subtreeOf(trace, i);
    if (std::find(names.begin(), names.end(), own) == names.end()) names.push_back(own);
  }
  if (names.empty())
    throw InputError(
        saying("{} has no named ranges; name some with torch.profiler.record_function, or give "
               "--operators",
               trace.title));
  constexpr std::size_t kNamed = 8;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kNamed; ++i)
    list += (list.empty() ? "" : ", ") + shownName(names[i]);
  if (names.size() > kNamed) list += ", ...";
  throw InputError(
      saying("{} has no range {}; its ranges are {}", trace.title, shownName(name), list));
}

}  // namespace fusebench
