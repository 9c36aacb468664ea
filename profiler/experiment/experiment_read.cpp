// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "engine/language/exported_text.h"
#include "engine/language/parser.h"
#include "profiler/experiment/captured_model_json.h"
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/experiment_keys.h"
#include "profiler/experiment/fill_json.h"
#include "profiler/experiment/index_defaults.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/files/bundle.h"
#include "profiler/files/files.h"
#include "profiler/files/json_reader.h"

namespace fusebench {
namespace {

/// What a file that is read must be: something that can run, or only of the
/// right form.
enum class Reading { strict, draft };

/// A whole number, in range or not: ranges are for problemsOf(). One that does
/// not fit its C++ type is refused here.
template <typename Number>
Number integerOf(const JsonReader& reader, IntegerRange range) {
  const auto& value = reader.json();
  if (value.is_number_unsigned() && std::in_range<Number>(value.get<std::uint64_t>()))
    return static_cast<Number>(value.get<std::uint64_t>());
  if (value.is_number_integer() && !value.is_number_unsigned() &&
      std::in_range<Number>(value.get<std::int64_t>()))
    return static_cast<Number>(value.get<std::int64_t>());
  return static_cast<Number>(reader.integer(range.low, range.high));
}

template <typename Number>
void readInteger(const JsonReader& object, std::string_view key, IntegerRange range,
                 Number& result) {
  if (object.has(key)) result = integerOf<Number>(object[key], range);
}

void readNumber(const JsonReader& object, std::string_view key, NumberRange range, double& result) {
  if (!object.has(key)) return;
  const auto& value = object[key].json();
  result = value.is_number() ? value.get<double>() : object[key].number(range.low, range.high);
}

JsonReader listOf(const JsonReader& object, std::string_view key, ListRule rule) {
  JsonReader list = object[key];
  list.expectArray(0, rules::kMostInDraft, rule.what);
  return list;
}

std::string textOr(const JsonReader& object, std::string_view key) {
  return object.has(key) ? object[key].string() : std::string();
}

std::string programText(const JsonReader& program) {
  if (program.json().is_string()) return program.string();
  if (!program.json().is_array())
    program.fail(
        saying("the program must be a string or a list of its lines; put each line in \"quotes\""));
  std::string text;
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (i) text += '\n';
    text += program[i].string();
  }
  return text;
}

/// The place in the file of a place in the program. Exact where the lines are in a list and have no
/// escapes; in one text all lines share the file's line.
[[noreturn]] void failInProgram(const JsonReader& program, const ProgramError& error) {
  const auto line = static_cast<std::size_t>(std::max(error.place().line, 1));
  const std::string message = saying("line {} of the program: {}", line, saidAgain(error.what()));
  if (!program.json().is_array() || line > program.size()) program.fail(message);
  TextPlace place = program[line - 1].place();
  place.column += std::max(error.place().column, 1);  // past the opening quote
  program.failAt(place, message);
}

Program parsedProgram(const std::string& text, const ProgramHints& hints) {
  Program program = parseProgram(text, hints);
  if (program.ops.empty())
    throw ProgramError({1, 1}, saying("the program computes nothing; add a statement"));
  if (constexpr auto kMost = static_cast<std::size_t>(rules::kMostStatements);
      program.statements.size() > kMost)
    throw ProgramError(program.statements[kMost].place,
                       saying("the program has {} statements; at most {} are possible: a "
                              "chain may repeat, see the axis statements",
                              program.statements.size(), kMost));
  return program;
}

/// Whether a program is another one for other numbers of ranks.
bool asksRanks(const std::string& text) {
  return text.find("get_world_size") != std::string::npos;
}

/// Whether an input of truth values has been read as one that names places, as inputs of which
/// nothing is known are.
bool takesMaskForIndex(const Program& program, const ProgramHints& hints) {
  return std::ranges::any_of(program.ops, [&](const Op& op) {
    if (!op.row || !op.row->indexing.is) return false;
    ValueId index = op.operands[static_cast<std::size_t>(op.row->indexing.index)].value;
    const auto inputs = static_cast<ValueId>(program.inputs.size());
    while (index >= inputs) {
      const Op& made = program.ops[static_cast<std::size_t>(index - inputs)];
      if (!made.row || made.row->kind != OpKind::view) return false;
      index = made.operands.front().value;
    }
    if (index < 0) return false;
    const auto hint = hints.find(program.inputs[static_cast<std::size_t>(index)]);
    return hint != hints.end() && hint->second.dtype == DType::boolean;
  });
}

/// Whether a program has an input that the experiment does not: it may be one that can be left out.
bool hasMoreInputs(const Program& program, const ProgramHints& hints) {
  if (hints.empty()) return false;
  const auto isHeld = [&](std::size_t input) {
    return std::ranges::any_of(
        program.held, [&](const HeldInput& each) { return each.input == static_cast<int>(input); });
  };
  for (std::size_t i = 0; i < program.inputs.size(); ++i)
    if (!isHeld(i) && !hints.contains(program.inputs[i])) return true;
  return false;
}

/// Reads a program, and once more for the inputs' sizes where it depends on these.
void readProgram(const JsonReader& reader, const ProgramHints& hints, Reading reading,
                 NamedProgram& to) {
  try {
    to.program = parsedProgram(to.text, {});
    to.readForSizes = asksRanks(to.text);
    if (!to.program.asksDtypes && !takesMaskForIndex(to.program, hints) &&
        !hasMoreInputs(to.program, hints))
      return;
  } catch (const ProgramError&) {
    // It depends on sizes, or is wrong for any.
  }
  try {
    to.program = parsedProgram(to.text, hints);
    to.readForSizes = true;
  } catch (const ProgramError& error) {
    if (reading == Reading::draft) return;
    failInProgram(reader, error);
  }
}

/// The sizes of the tensors that a program is run on first; `isFirst`: it is what variants run that
/// name none.
ProgramHints hintsFor(const Experiment& experiment, const std::string& program, bool isFirst) {
  std::vector<std::int64_t> at;
  for (const Axis& axis : experiment.axes)
    at.push_back(axis.values.empty() ? 1 : axis.values.front());
  for (const Variant& variant : experiment.variants) {
    if (variant.program != program && !(isFirst && variant.program.empty())) continue;
    for (const InputSet& set : experiment.inputSets)
      if (set.name == variant.inputs) return hintsAt(experiment, set, at);
  }
  if (experiment.inputSets.empty()) return {};
  return hintsAt(experiment, experiment.inputSets.front(), at);
}

/// Gives every input set the tensors that belong to the program and that the file does not have.
void addHeld(const Program& program, InputSet& set) {
  for (const HeldInput& held : program.held) {
    InputSpec spec = heldSpec(program, held);
    const bool given = std::any_of(set.inputs.begin(), set.inputs.end(),
                                   [&](const InputSpec& each) { return each.name == spec.name; });
    if (!given) set.inputs.push_back(std::move(spec));
  }
}

std::string readExtent(const JsonReader& extent) {
  if (extent.json().is_string()) return extent.string();
  if (extent.json().is_number_integer())
    return std::to_string(extent.integer(0, rules::kAxisValue.high));
  extent.fail(saying(
      "an extent must be a whole number or an expression in \"quotes\", such as \"i % 10 + 4\""));
}

InputSpec readTensor(const JsonReader& tensor) {
  expectKeys(tensor, FilePart::tensor);
  InputSpec spec;
  spec.name = tensor["name"].string();
  const JsonReader extents = listOf(tensor, "extents", rules::kExtents);
  for (std::size_t e = 0; e < extents.size(); ++e) spec.extents.push_back(readExtent(extents[e]));
  if (tensor.has("layout")) spec.layout = tensor["layout"].string();
  if (tensor.has("dtype")) spec.dtype = tensor["dtype"].string();
  if (tensor.has("device")) {
    const std::string device = tensor["device"].string();
    if (const auto known = std::span<const std::string_view>(rules::kInputDevices);
        std::ranges::find(known, device) == known.end())
      tensor["device"].fail(suggestion(device, known));
    spec.onHost = device == "host";
  }
  if (tensor.has("pinned")) spec.pinned = tensor["pinned"].boolean();
  if (spec.pinned && !spec.onHost)
    tensor["pinned"].fail(saying("only host memory can be pinned; add \"device\": \"host\""));
  if (tensor.has("held")) spec.held = tensor["held"].boolean();
  readCapturedValues(tensor, spec);
  if (tensor.has("fill")) readFill(tensor["fill"], spec);
  return spec;
}

InputSet readInputSet(const JsonReader& entry) {
  expectKeys(entry, FilePart::inputSet);
  InputSet set;
  set.name = entry["name"].string();
  readInteger(entry, "count", rules::kCount, set.count);
  const JsonReader tensors = listOf(entry, "tensors", rules::kTensors);
  for (std::size_t t = 0; t < tensors.size(); ++t) set.inputs.push_back(readTensor(tensors[t]));
  return set;
}

void readPages(const JsonReader& entry, Variant& variant) {
  if (!entry.has("pages")) return;
  const auto known = std::span<const std::string_view>(kPagesNames);
  const std::string pages = entry["pages"].string();
  const auto found = std::ranges::find(known, pages);
  if (found == known.end()) entry["pages"].fail(suggestion(pages, known));
  variant.options.pages = static_cast<Pages>(found - known.begin());
  if (variant.options.pages == Pages::kept) return;
  if (runsInTorch(variant.executor))
    entry["pages"].fail(saying("PyTorch's variants use PyTorch's allocator; leave it out"));
  const ExecutorInfo* const executor = findExecutor(variant.executor);
  if (executor && executor->captures && isFresh(variant.options.pages))
    entry["pages"].fail(saying("{} keeps the memory of what it recorded; only \"huge\" is possible",
                               variant.executor));
}

void readDelivery(const JsonReader& entry, Variant& variant) {
  Delivery& delivery = variant.options.delivery;
  const auto known = std::span<const std::string_view>(kDeliveryNames);
  if (entry.has("from")) {
    const std::string from = entry["from"].string();
    const auto found = std::ranges::find(known, from);
    if (found == known.end()) entry["from"].fail(suggestion(from, known));
    delivery.from = static_cast<Delivery::From>(found - known.begin());
  }
  readInteger(entry, "prefetch", rules::kPrefetch, delivery.prefetch);
  if (delivery.prefetch > 0 && delivery.from == Delivery::From::device)
    entry["prefetch"].fail(
        saying("inputs that are on the device are not prefetched; add \"from\": \"pinned\""));
  if (entry.has("batches")) {
    const std::string batches = entry["batches"].string();
    if (batches != "slice" && batches != "gather")
      entry["batches"].fail(
          saying("a batch is a \"slice\" of the data set, or a \"gather\" of its rows"));
    delivery.gathers = batches == "gather";
    if (delivery.gathers && delivery.from == Delivery::From::device)
      entry["batches"].fail(saying("rows are gathered in host memory; add \"from\": \"pinned\""));
  }
  readInteger(entry, "workers", rules::kLoaderWorkers, delivery.workers);
  if (delivery.workers > 0 && (!delivery.gathers || delivery.prefetch == 0))
    entry["workers"].fail(
        saying("workers gather rows ahead; add \"batches\": \"gather\" and \"prefetch\""));
  if (entry.has("results")) {
    const std::string where = entry["results"].string();
    if (where != "device" && where != "host")
      entry["results"].fail(saying("results stay on the \"device\" or are copied to the \"host\""));
    delivery.results = where == "host";
  }
  if (delivery.delivers() && runsInTorch(variant.executor))
    entry.fail(
        saying("PyTorch's variants take their inputs on the device; leave out \"from\" and "
               "\"results\""));
}

/// true, false or "tape".
std::string readGradients(const JsonReader& value) {
  if (value.json().is_string()) return value.string();
  return value.boolean() ? "all" : "";
}

/// How several processes run a variant together.
void readRanks(const JsonReader& entry, Variant& variant) {
  readInteger(entry, "ranks", rules::kRanks, variant.ranks);
  if (entry.has("scaling")) {
    const std::string scaling = entry["scaling"].string();
    if (scaling != "strong" && scaling != "weak")
      entry["scaling"].fail(saying("\"{}\" must be \"strong\" or \"weak\"", shownName(scaling)));
    variant.weak = scaling == "weak";
  }
  if (entry.has("buckets")) variant.buckets = entry["buckets"].string();
}

Variant readVariant(const JsonReader& entry, const std::string& onlySet, Reading reading) {
  expectKeys(entry, FilePart::variant);
  Variant variant;
  variant.name = entry["name"].string();
  variant.executor = entry["executor"].string();
  if (!entry.has("inputs") && onlySet.empty() && reading == Reading::strict)
    entry.fail(saying("the key \"inputs\" is missing; name one of the input sets"));
  variant.inputs = entry.has("inputs") ? entry["inputs"].string() : onlySet;
  if (entry.has("program")) variant.program = entry["program"].string();
  if (entry.has("against")) variant.against = entry["against"].string();
  if (entry.has("dtype")) variant.dtype = entry["dtype"].string();
  if (entry.has("gradients")) variant.gradients = readGradients(entry["gradients"]);
  if (entry.has("quantise")) variant.quantize = entry["quantise"].string();
  if (entry.has("calibration")) variant.calibration = entry["calibration"].string();
  if (entry.has("checkpoint")) variant.checkpoint = entry["checkpoint"].string();
  if (entry.has("autocast")) variant.autocast = entry["autocast"].string();
  readInteger(entry, "lossScale", rules::kLossScale, variant.lossScale);
  readInteger(entry, "threads", rules::kThreads, variant.threads);
  readInteger(entry, "series", rules::kSeries, variant.series);
  if (reading == Reading::strict && entry.has("series"))  // 0 is what a file leaves out
    entry["series"].integer(rules::kSeries.low, rules::kSeries.high);
  readInteger(entry, "recompileLimit", rules::kRecompileLimit, variant.options.recompileLimit);
  if (entry.has("contract")) variant.options.contract = entry["contract"].boolean();
  if (entry.has("tune")) {
    const std::string tune = entry["tune"].string();
    if (tune != "search" && tune != "heuristic")
      entry["tune"].fail(saying("\"{}\" must be \"heuristic\" or \"search\"", shownName(tune)));
    variant.options.search = tune == "search";
  }
  if (entry.has("fastMath")) variant.options.fastMath = entry["fastMath"].boolean();
  if (entry.has("overlap")) variant.options.overlap = entry["overlap"].boolean();
  if (variant.options.overlap && runsInTorch(variant.executor))
    entry["overlap"].fail(
        saying("PyTorch's variants copy as stated in their program; leave it out"));
  if (entry.has("graphBreaks")) variant.options.graphBreaks = entry["graphBreaks"].boolean();
  readPages(entry, variant);
  readDelivery(entry, variant);
  readRanks(entry, variant);
  return variant;
}

Axis readAxis(const JsonReader& entry) {
  expectKeys(entry, FilePart::axis);
  Axis axis;
  axis.name = entry["name"].string();
  axis.unit = entry.has("unit") ? entry["unit"].string() : axis.name;
  const JsonReader values = listOf(entry, "values", rules::kAxisValues);
  for (std::size_t i = 0; i < values.size(); ++i)
    axis.values.push_back(integerOf<std::int64_t>(values[i], rules::kAxisValue));
  return axis;
}

template <class Value>
Value readNamed(const JsonReader& entry, std::string_view key, std::initializer_list<Value> known) {
  if (!entry.has(key)) return *known.begin();
  const std::string text = entry[key].string();
  std::string names;
  for (const Value value : known) {
    if (name(value) == text) return value;
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name(value));
  }
  entry[key].fail(saying("\"{}\" is not one of {}", shownName(text), names));
}

Claim readClaim(const JsonReader& entry) {
  expectKeys(entry, FilePart::claim);
  using enum Claim::Relation;
  Claim claim;
  claim.text = entry["text"].string();
  claim.variant = entry["variant"].string();
  claim.against = entry["against"].string();
  claim.source = textOr(entry, "source");
  claim.metric = readNamed(entry, "metric",
                           {Claim::Metric::latency, Claim::Metric::peakBytes,
                            Claim::Metric::latencyDifference, Claim::Metric::breakEven});
  const std::string_view amount = figureKey(claim.metric);
  const NumberRange range = rules::claimedFigure(claim.metric);
  if (!entry.has(amount)) entry.fail(saying("\"{}\" is missing", amount));
  for (const std::string_view other : {"ratio", "nanoseconds", "value"})
    if (other != amount && entry.has(other))
      entry[other].fail(
          saying("a claim about \"{}\" has \"{}\"; leave this out", name(claim.metric), amount));
  claim.ratio = entry[amount].number(range.low, range.high);
  claim.device =
      readNamed(entry, "device", {Claim::Device::any, Claim::Device::cpu, Claim::Device::gpu});
  claim.relation = readNamed(entry, "relation", {about, atLeast, atMost});
  readNumber(entry, "tolerance", rules::kClaimTolerance, claim.tolerance);
  if (entry.has("than")) {
    if (claim.metric != Claim::Metric::latency)
      entry["than"].fail(saying("a claim about a gap must compare latencies"));
    expectKeys(entry["than"], FilePart::claimThan);
    claim.than = {entry["than"]["variant"].string(), entry["than"]["against"].string()};
  }
  if (!entry.has("at")) return claim;
  const JsonReader at = entry["at"];
  if (!at.json().is_object())
    at.fail(saying("give the point that was measured as {\"axis\": value}"));
  for (const auto& [axis, value] : at.json().items())
    claim.at.emplace_back(axis, at[axis].integer(rules::kAxisValue.low, rules::kAxisValue.high));
  return claim;
}

MeasureSettings readMeasure(const JsonReader& entry) {
  expectKeys(entry, FilePart::measure);
  MeasureSettings settings;
  readNumber(entry, "budgetSeconds", rules::kBudgetSeconds, settings.budgetSeconds);
  readInteger(entry, "minimumSamples", rules::kSamples, settings.minimumSamples);
  readInteger(entry, "maximumSamples", rules::kSamples, settings.maximumSamples);
  readNumber(entry, "precision", rules::kPrecision, settings.precision);
  readInteger(entry, "sessions", rules::kSessions, settings.sessions);
  readInteger(entry, "compileRepeats", rules::kCompileRepeats, settings.compileRepeats);
  if (entry.has("cache")) settings.cache = entry["cache"].string();
  if (entry.has("reset")) settings.reset = entry["reset"].string();
  readInteger(entry, "seed", {0, std::numeric_limits<std::int64_t>::max()}, settings.seed);
  return settings;
}

void checkHeader(const JsonReader& root) {
  if (!root.json().is_object()) root.fail(saying("an experiment must be a JSON object {...}"));
  if (!root.has("fusebench"))
    root.fail(saying(
        "this is not a Fusebench file; an experiment starts with \"fusebench\": \"experiment\""));
  if (const std::string kind = root["fusebench"].string(); kind != "experiment")
    root["fusebench"].fail(
        saying("this is a file of kind \"{}\"; an \"experiment\" is needed", shownName(kind)));
  if (root.has("version")) root["version"].integer(1, 2);
}

/// Inputs that the file does not list, of the types that the program's own comments state. Integers
/// are zeros, which every index may be.
void addCommented(const std::string& program, Experiment& experiment) {
  const std::vector<CommentedInput> commented = commentedInputs(program);
  for (InputSet& set : experiment.inputSets)
    for (const CommentedInput& each : commented) {
      if (std::ranges::find(set.inputs, each.name, &InputSpec::name) != set.inputs.end()) continue;
      InputSpec spec;
      spec.name = each.name;
      spec.extents = each.type.extents;
      spec.dtype = info(each.type.dtype).name;
      if (isInteger(classOf(each.type.dtype))) spec.fill = "zeros";
      set.inputs.push_back(std::move(spec));
    }
}

/// `program`, or several under `programs` by name.
void readPrograms(const JsonReader& root, Experiment& experiment, Reading reading) {
  if (root.has("program") == root.has("programs"))
    root.fail(
        root.has("program")
            ? saying("there are both \"program\" and \"programs\"; keep one of them")
            : saying("the key \"program\" is missing; it is the program's text or its lines"));
  const auto read = [&](const JsonReader& reader, const std::string& name, bool isFirst) {
    NamedProgram each{name, programText(reader), {}, false};
    if (std::optional<std::string> graph = graphOfPrinted(each.text)) each.text = std::move(*graph);
    if (root.has("program")) addCommented(each.text, experiment);
    readProgram(reader, hintsFor(experiment, name, isFirst), reading, each);
    if (!isFirst) return experiment.morePrograms.push_back(std::move(each));
    experiment.programName = each.name;
    experiment.programText = std::move(each.text);
    experiment.program = std::move(each.program);
    experiment.readForSizes = each.readForSizes;
  };
  if (root.has("program")) return read(root["program"], "", true);
  const JsonReader programs = root["programs"];
  if (!programs.json().is_object() || programs.json().empty())
    programs.fail(
        saying("\"programs\" must be an object of named programs, as {\"copied\": [...]}"));
  if (programs.json().size() > rules::kMostPrograms)
    programs.fail(saying("there are {} programs; at most {} are possible", programs.json().size(),
                         rules::kMostPrograms));
  bool isFirst = true;
  for (const auto& [name, text] : programs.json().items())
    read(programs[name], name, std::exchange(isFirst, false));
}

/// The program's inputs in its own order, whatever the file's; then those that
/// it does not have.
void orderTensors(const Program& program, InputSet& set) {
  const auto position = [&](const InputSpec& spec) {
    return std::find(program.inputs.begin(), program.inputs.end(), spec.name);
  };
  std::stable_sort(
      set.inputs.begin(), set.inputs.end(),
      [&](const InputSpec& a, const InputSpec& b) { return position(a) < position(b); });
}

Experiment readExperiment(const JsonReader& root, Reading reading) {
  checkHeader(root);
  expectKeys(root, FilePart::experiment);
  if (root.has("$schema")) root["$schema"].string();
  Experiment experiment;
  experiment.title = root["title"].string();
  experiment.question = textOr(root, "question");
  experiment.note = textOr(root, "note");
  experiment.lesson = textOr(root, "lesson");
  experiment.reference = textOr(root, "reference");

  const JsonReader inputs = listOf(root, "inputs", rules::kInputSets);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    experiment.inputSets.push_back(readInputSet(inputs[i]));
  const std::string onlySet = inputs.size() == 1 ? experiment.inputSets[0].name : "";
  const JsonReader variants = listOf(root, "variants", rules::kVariants);
  for (std::size_t i = 0; i < variants.size(); ++i)
    experiment.variants.push_back(readVariant(variants[i], onlySet, reading));
  experiment.baseline =
      root.has("baseline") ? root["baseline"].string() : experiment.variants.front().name;
  if (root.has("axes")) {
    const JsonReader axes = listOf(root, "axes", rules::kAxes);
    for (std::size_t i = 0; i < axes.size(); ++i) experiment.axes.push_back(readAxis(axes[i]));
  } else {
    // One program at one size: a single point on the axis that changes nothing.
    experiment.axes = {{"threads", "threads", {1}}};
  }
  readPrograms(root, experiment, reading);
  for (InputSet& set : experiment.inputSets)
    for (const Variant& variant : experiment.variants)
      if (variant.inputs == set.name) addHeld(experiment.programOf(variant), set);
  if (root.has("claims")) {
    const JsonReader claims = listOf(root, "claims", rules::kClaims);
    for (std::size_t i = 0; i < claims.size(); ++i)
      experiment.claims.push_back(readClaim(claims[i]));
  }
  using enum Experiment::Shown;
  experiment.shown = readNamed(root, "metric", {latency, peakBytes, bandwidth});
  if (root.has("capture")) experiment.capture = readCapturedModel(root["capture"]);
  experiment.weights = textOr(root, "weights");
  if (root.has("measure")) experiment.measure = readMeasure(root["measure"]);
  if (reading == Reading::strict) checkExperiment(experiment, root);
  for (InputSet& set : experiment.inputSets) orderTensors(experiment.program, set);
  setIndexRanges(experiment);
  return experiment;
}

/// A program's own file is not an experiment, which reading it as JSON would not report.
void refuseProgram(std::string_view file) {
  if (!file.ends_with(".py")) return;
  throw InputError(fmt::format(
      "{}:1:1: {}", file,
      saying("this is a program, not an experiment: paste its text into the window, or write its "
             "lines under \"program\" of an experiment's file, with \"inputs\" and "
             "\"variants\"")));
}

Experiment readText(std::string_view text, std::string_view file, Reading reading) {
  refuseProgram(file);
  const JsonDocument document(text, file);
  return readExperiment(JsonReader(document), reading);
}

}  // namespace

Experiment parseExperiment(std::string_view text, std::string_view file) {
  return readText(text, file, Reading::strict);
}

Experiment parseDraft(std::string_view text, std::string_view file) {
  return readText(text, file, Reading::draft);
}

Experiment loadExperiment(const std::string& path) {
  // A run next to the experiment makes a file larger than any experiment.
  std::string text = readFile(path, isBundleName(path) ? kLargestFile : kLargestWritten);
  std::string name = path;
  if (isBundleText(text)) {
    text = experimentTextOf(text, path);
    name = saying("the experiment in {}", path);
  }
  Experiment experiment = parseExperiment(text, name);
  experiment.folder = std::filesystem::absolute(path).parent_path().string();
  return experiment;
}

}  // namespace fusebench
