// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/recorded_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "engine/language/parser.h"
#include "profiler/files/byte_source.h"
#include "profiler/files/json_text.h"
#include "profiler/trace/recorded_tensors.h"
#include "profiler/trace/trace_scanner.h"
#include "profiler/trace/traced_call.h"
#include "profiler/trace/traced_experiment.h"
#include "profiler/trace/utf8_text.h"

namespace fusebench {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostRecorded = 4'000'000;
constexpr std::size_t kMostArguments = 4096;
constexpr std::int64_t kMostRecordedElements = std::int64_t{1} << 50;

/// "True", "12", "1e-05", as PyTorch writes numbers among the arguments.
TracedValue writtenNumber(std::string_view text) {
  TracedValue made;
  if (text == "True" || text == "False") {
    made.kind = TracedValue::Kind::flag;
    made.integer = text == "True";
    return made;
  }
  const char* const end = text.data() + text.size();
  if (const auto whole = std::from_chars(text.data(), end, made.integer);
      whole.ec == std::errc() && whole.ptr == end) {
    made.kind = TracedValue::Kind::integer;
    return made;
  }
  const auto real = std::from_chars(text.data(), end, made.real);
  made.kind = real.ec == std::errc() && real.ptr == end ? TracedValue::Kind::real
                                                        : TracedValue::Kind::other;
  return made;
}

/// "[1, 1]" and "[True, False]".
TracedValue listOf(std::string_view text) {
  TracedValue made;
  if (!text.starts_with('[') || !text.ends_with(']')) {
    made.kind = TracedValue::Kind::other;
    return made;
  }
  made.kind = TracedValue::Kind::list;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    std::string_view item = text.substr(0, end);
    while (item.starts_with(' ')) item.remove_prefix(1);
    made.items.push_back(writtenNumber(item));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return made;
}

/// Nothing: they are neither sizes nor strides of a tensor.
std::optional<std::vector<std::int64_t>> stepsIn(const Json& list) {
  if (!list.is_array() || list.size() > 64) return std::nullopt;
  std::vector<std::int64_t> steps;
  for (const Json& each : list) {
    if (!each.is_number_integer()) return std::nullopt;
    steps.push_back(each.get<std::int64_t>());
    if (steps.back() < 0 || steps.back() > kMostRecordedElements) return std::nullopt;
  }
  return steps;
}

/// Nothing: they are not sizes of a tensor.
std::optional<std::vector<std::int64_t>> sizesIn(const Json& list) {
  auto sizes = stepsIn(list);
  std::int64_t elements = 1;
  for (const std::int64_t size : sizes.value_or(std::vector<std::int64_t>())) {
    if (size > 0 && elements > kMostRecordedElements / size) return std::nullopt;
    elements *= size;
  }
  return sizes;
}

class OperatorReader {
 public:
  OperatorReader(std::string path, TraceProgress progress)
      : path_(std::move(path)), progress_(std::move(progress)) {
    trace_.title = std::filesystem::path(path_).filename().string();
    trace_.hasIdentities = false;
  }

  ExecutionTrace run() {
    constexpr std::uint64_t kEventsPerStep = 1 << 14;
    ByteSource source(path_);
    TraceScanner scanner(source);
    std::uint64_t count = 0;
    while (const auto event = scanner.next()) {
      if (++count % kEventsPerStep == 0 && progress_ && !progress_(source.share()))
        throw Canceled();
      // Most events of a trace are others, and parsing them would take most of the time.
      if (event->find("\"cpu_op\"") != std::string_view::npos ||
          event->find("\"user_annotation\"") != std::string_view::npos)
        take(jsonOf(validUtf8(*event)));
    }
    trace_.partial = scanner.partial();
    if (calls_.empty() || !hasShapes_)
      throw InputError(
          saying("{}: the trace has no operators with shapes; record it with "
                 "profile(record_shapes=True)",
                 path_));
    link();
    return std::move(trace_);
  }

  /// One operator alone.
  ExecutionTrace runOne(const std::string& name, const RecordedArguments& given) {
    trace_.title = path_;
    TracedOperator made;
    made.id = 1;
    made.name = text(name);
    const Json arguments = {{"Input Dims", jsonOf(given.shapes)},
                            {"Input type", jsonOf(given.types)},
                            {"Input Strides", jsonOf(given.strides)},
                            {"Concrete Inputs", jsonOf(given.values)}};
    takeArguments(arguments, made);
    if (!hasShapes_)
      throw InputError(
          saying("{}: the trace has no operators with shapes; record it with "
                 "profile(record_shapes=True)",
                 path_));
    trace_.operators.push_back(std::move(made));
    return std::move(trace_);
  }

 private:
  /// When a call ran, and on what thread.
  struct Call {
    double start = 0, end = 0;
    std::string thread;
    std::int64_t id = -1;
    std::size_t at = 0;  ///< in trace_.operators
  };

  std::uint32_t text(const std::string& given) {
    const auto [known, isNew] =
        texts_.try_emplace(given, static_cast<std::uint32_t>(trace_.texts.size()));
    if (isNew) trace_.texts.push_back(given);
    return known->second;
  }

  void take(const Json& event) {
    if (!event.is_object() || trace_.operators.size() >= kMostRecorded) return;
    const auto member = [&](const char* key) -> const Json& {
      static const Json nothing;
      const auto found = event.find(key);
      return found == event.end() ? nothing : *found;
    };
    const Json& category = member("cat");
    if (category != "cpu_op" && category != "user_annotation") return;
    if (!member("name").is_string() || !member("ts").is_number() || !member("dur").is_number())
      return;
    Call call;
    call.start = member("ts").get<double>();
    call.end = call.start + member("dur").get<double>();
    if (!std::isfinite(call.start) || !std::isfinite(call.end)) return;
    call.thread = member("pid").dump() + ' ' + member("tid").dump();
    call.at = trace_.operators.size();
    TracedOperator made;
    made.name = text(member("name").get<std::string>());
    if (const Json& arguments = member("args"); arguments.is_object()) {
      if (const auto id = arguments.find("External id");
          id != arguments.end() && id->is_number_integer())
        call.id = id->get<std::int64_t>();
      takeArguments(arguments, made);
    }
    trace_.operators.push_back(std::move(made));
    calls_.push_back(std::move(call));
  }

  void takeArguments(const Json& arguments, TracedOperator& made) {
    const auto list = [&](const char* key) -> const Json* {
      const auto found = arguments.find(key);
      return found == arguments.end() || !found->is_array() ? nullptr : &*found;
    };
    const Json *dims = list("Input Dims"), *types = list("Input type"),
               *strides = list("Input Strides"), *values = list("Concrete Inputs");
    if (!dims || !types || dims->size() != types->size() || dims->size() > kMostArguments) return;
    hasShapes_ = true;
    for (std::size_t i = 0; i < dims->size(); ++i) {
      const std::string type = (*types)[i].is_string() ? (*types)[i].get<std::string>() : "";
      const Json* const step = strides && i < strides->size() ? &(*strides)[i] : nullptr;
      const std::string value = values && i < values->size() && (*values)[i].is_string()
                                    ? (*values)[i].get<std::string>()
                                    : "";
      made.inputs.push_back(argument(type, (*dims)[i], step, value));
    }
  }

  TracedValue argument(const std::string& type, const Json& dims, const Json* strides,
                       const std::string& value) {
    if (type == "TensorList") {
      TracedValue made;
      made.kind = TracedValue::Kind::list;
      for (const Json& each : dims.is_array() ? dims : Json::array())
        made.items.push_back(tensor("float", each, nullptr));  // a list's dtype is not recorded
      return made;
    }
    if (type == "ScalarList") return listOf(value);
    if (type == "Scalar") return writtenNumber(value);
    if (type.empty()) return {};
    return tensor(type, dims, strides);
  }

  TracedValue tensor(const std::string& type, const Json& dims, const Json* strides) {
    TracedValue made;
    const auto sizes = sizesIn(dims);
    if (!sizes) {
      made.kind = TracedValue::Kind::other;
      return made;
    }
    TracedTensor read;
    read.id = read.storage = static_cast<std::int64_t>(trace_.tensors.size()) + 1;
    read.extents = *sizes;
    if (const auto steps = strides ? stepsIn(*strides) : std::nullopt;
        steps && steps->size() == sizes->size()) {
      read.strides = *steps;
      read.hasStrides = true;
    }
    read.recordedType = shownText(type);
    read.dtype = dtypeRecordedAs(type);
    if (read.dtype.starts_with("complex") || read.dtype.starts_with("float8")) read.dtype.clear();
    made.kind = TracedValue::Kind::tensor;
    made.tensor = static_cast<std::uint32_t>(trace_.tensors.size());
    trace_.tensors.push_back(std::move(read));
    return made;
  }

  /// Puts calls in the order of their starts and finds the call around each, by thread. Numbers are
  /// the profiler's where these rise with time, as they do unless it was restarted.
  void link() {
    std::stable_sort(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) {
      return a.start != b.start ? a.start < b.start : a.end > b.end;
    });
    bool rises = true;
    for (std::size_t i = 0; i < calls_.size(); ++i)
      rises = rises && calls_[i].id >= 0 && (i == 0 || calls_[i].id > calls_[i - 1].id);
    std::vector<TracedOperator> sorted;
    std::map<std::string, std::vector<OperatorIndex>> open;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const Call& call = calls_[i];
      TracedOperator one = std::move(trace_.operators[call.at]);
      one.id = rises ? call.id : static_cast<std::int64_t>(i) + 1;
      std::vector<OperatorIndex>& around = open[call.thread];
      while (!around.empty() && calls_[around.back()].end <= call.start) around.pop_back();
      if (!around.empty()) {
        one.parent = around.back();
        sorted[one.parent].children.push_back(static_cast<OperatorIndex>(i));
      }
      around.push_back(static_cast<OperatorIndex>(i));
      sorted.push_back(std::move(one));
    }
    trace_.operators = std::move(sorted);
  }

  std::string path_;
  TraceProgress progress_;
  ExecutionTrace trace_;
  std::vector<Call> calls_;
  std::map<std::string, std::uint32_t> texts_{{"", 0}};
  bool hasShapes_ = false;
};

/// The types of an operator's results, by reading a program that has only this operator.
std::vector<ValueType> resultTypes(const ExecutionTrace& trace, const TracedOperator& op,
                                   const AtenRow& row) {
  ProgramHints hints;
  std::map<std::string, ValueType> types;
  std::string parameters;
  const std::string call = callText(op, row, [&](std::uint32_t index, const std::string&) {
    std::string name = fmt::format("x{}", index);
    const TracedTensor& tensor = trace.tensors[index];
    const DType* const dtype = findDType(tensor.dtype);
    const ValueType type{Shape(tensor.extents), dtype ? *dtype : DType::float32};
    if (types.emplace(name, type).second) {
      hints.emplace(name, type);
      parameters += (parameters.empty() ? "" : ", ") + name;
    }
    return name;
  });
  const Program program = parseProgram(
      fmt::format("def forward({}):\n    y = {}\n    return y\n", parameters, call), hints);
  std::vector<ValueType> given;
  for (const std::string& name : program.inputs) given.push_back(types.at(name));
  const std::vector<ValueType> all = inferTypes(program, given);
  std::vector<ValueType> results;
  for (const int each : program.outputs) results.push_back(all[static_cast<std::size_t>(each)]);
  return results;
}

/// Adds an operator's results to the trace.
void addResults(ExecutionTrace& trace, OperatorIndex at, const AtenRow& row) {
  std::vector<TracedValue> values;
  for (const ValueType& type : resultTypes(trace, trace.operators[at], row)) {
    TracedTensor tensor;
    tensor.id = tensor.storage = static_cast<std::int64_t>(trace.tensors.size()) + 1;
    tensor.extents.assign(type.shape.begin(), type.shape.end());
    tensor.dtype = info(type.dtype).name;
    TracedValue& value = values.emplace_back();
    value.kind = TracedValue::Kind::tensor;
    value.tensor = static_cast<std::uint32_t>(trace.tensors.size());
    trace.tensors.push_back(std::move(tensor));
  }
  if (row.schema.ends_with("[]")) {
    TracedValue list;
    list.kind = TracedValue::Kind::list;
    list.items = std::move(values);
    values = {std::move(list)};
  }
  trace.operators[at].outputs = std::move(values);
}

std::vector<std::uint32_t> tensorsOf(const std::vector<TracedValue>& values) {
  std::vector<std::uint32_t> found;
  forEachTensor(values, [&](std::uint32_t tensor) { found.push_back(tensor); });
  return found;
}

/// Lets each operator read the result of the one before it. False: the shapes do not say so.
bool joinChain(ExecutionTrace& trace, const std::vector<OperatorIndex>& chain) {
  const auto areAlike = [&](std::uint32_t a, std::uint32_t b) {
    return trace.tensors[a].extents == trace.tensors[b].extents &&
           trace.tensors[a].dtype == trace.tensors[b].dtype;
  };
  std::vector<std::uint32_t> made,
      taken;  // the result of each operator, and the argument that gets it
  for (std::size_t i = 1; i < chain.size(); ++i) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ways;
    for (const std::uint32_t result : tensorsOf(trace.operators[chain[i - 1]].outputs))
      for (const std::uint32_t argument : tensorsOf(trace.operators[chain[i]].inputs))
        if (areAlike(result, argument)) ways.emplace_back(result, argument);
    if (ways.size() != 1) return false;
    made.push_back(ways[0].first);
    taken.push_back(ways[0].second);
  }
  // Another argument further on that a result fits would be another way.
  for (std::size_t i = 0; i < made.size(); ++i)
    for (std::size_t later = i + 1; later < chain.size(); ++later)
      for (const std::uint32_t argument : tensorsOf(trace.operators[chain[later]].inputs))
        if (argument != taken[later - 1] && areAlike(made[i], argument)) return false;
  for (std::size_t i = 0; i < made.size(); ++i) {
    TracedTensor& argument = trace.tensors[taken[i]];
    const TracedTensor& result = trace.tensors[made[i]];
    argument.id = result.id;
    argument.storage = result.storage;
    argument.recordedType = result.recordedType;
    argument.hasStrides = false;
  }
  return true;
}

}  // namespace

ExecutionTrace readRecordedOperators(const std::string& path, const TraceProgress& progress) {
  return OperatorReader(path, progress).run();
}

ExecutionTrace recordedOperator(const std::string& title, const std::string& name,
                                const RecordedArguments& arguments) {
  return OperatorReader(title, {}).runOne(name, arguments);
}

Experiment recordedExperiment(ExecutionTrace trace, const TraceSelection& selection,
                              const std::string& title) {
  const TracedProgram outline = tracedProgram(trace, selection);
  std::vector<OperatorIndex> chain;
  std::set<OperatorIndex> refused;
  for (const TracedProgram::Line& line : outline.lines) {
    const TracedCall call = tracedCall(trace, line.op);
    try {
      addResults(trace, line.op, *call.row);
    } catch (const ProgramError&) {
      continue;  // tracedExperiment() says why
    }
    chain.push_back(line.op);
  }
  if (outline.unknown.empty() && chain.size() == outline.lines.size() && !joinChain(trace, chain))
    throw InputError(saying(
        "{}: a trace of the profiler does not have the data flow, and the shapes of these {} "
        "operators allow several ways; measure one with --operator, or record the run with "
        "torch.profiler.ExecutionTraceObserver().register_callback(\"step.json\")",
        trace.title, chain.size()));
  return tracedExperiment(trace, selection, title);
}

}  // namespace fusebench
