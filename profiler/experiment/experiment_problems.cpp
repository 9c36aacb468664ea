// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/experiment_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <span>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "engine/plan/quantize.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/gradient_options.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/experiment/variant_executors.h"

namespace fusebench {

void ProblemList::name(const std::string& path, const std::string& text) {
  const auto control = [](unsigned char c) { return c < ' '; };
  if (text.empty())
    add(path, saying("the name is empty; give a name"));
  else if (text.size() > rules::kLongestName || std::any_of(text.begin(), text.end(), control))
    add(path, saying("a name must be one short line"));
}

void ProblemList::integer(const std::string& path, std::int64_t value, IntegerRange range) {
  if (value < range.low || value > range.high)
    add(path, saying("{} is out of range; give a whole number from {} to {}", value, range.low,
                     range.high));
}

void ProblemList::number(const std::string& path, double value, NumberRange range) {
  const auto shown = [](double end) {
    return end == std::floor(end) ? fmt::format("{:.0f}", end) : fmt::format("{:g}", end);
  };
  if (!(value >= range.low && value <= range.high))
    add(path, saying("{:g} is out of range; give a number from {} to {}", value, shown(range.low),
                     shown(range.high)));
}

void ProblemList::list(const std::string& path, std::size_t size, ListRule rule) {
  if (size < rule.minimum)
    add(path, saying("the list is too short; give at least {} of {}", rule.minimum, rule.what));
  if (size > rule.maximum)
    add(path, saying("the list has {} entries; at most {} of {} are possible", size, rule.maximum,
                     rule.what));
}

void ProblemList::oneOf(const std::string& path, std::string_view text,
                        std::span<const std::string_view> known, std::string_view what) {
  if (std::find(known.begin(), known.end(), text) == known.end())
    add(path, saying("there is no {} \"{}\"; {}", what, shownName(text), suggestion(text, known)));
}

namespace {

template <typename Items>
std::vector<std::string_view> namesOf(const Items& items) {
  std::vector<std::string_view> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

template <typename Items>
void checkDistinct(const Items& items, const std::string& path, std::string_view what,
                   ProblemList& problems) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!names.insert(items[i].name).second)
      problems.add(
          fmt::format("{}/{}/name", path, i),
          saying("there is a second {} \"{}\"; names must differ", what, shownName(items[i].name)));
}

// --- each part by itself
// ---------------------------------------------------------------------------

/// Elements of a tensor whose extents are all numbers; nothing: they depend on axes.
std::optional<std::int64_t> fixedCount(const InputSpec& spec) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  std::int64_t count = 1;
  for (const std::string& extent : spec.extents) {
    std::int64_t size = 0;
    const char* const end = extent.data() + extent.size();
    const auto [stop, error] = std::from_chars(extent.data(), end, size);
    if (error != std::errc() || stop != end || size < 0) return std::nullopt;
    count = size > 0 && count > kMost / size ? kMost : count * size;
  }
  return count;
}

void checkCode(const InputSpec& spec, const std::string& path, ProblemList& problems) {
  try {
    const Shape computed = typeOfFill(programOfFill(spec.code)).shape;
    if (computed.rank() != static_cast<int>(spec.extents.size()))
      problems.add(path, saying("the code computes a tensor of shape {}; it must have as many "
                                "dimensions as the extents, {}",
                                toString(computed), spec.extents.size()));
  } catch (const InputError& error) {
    problems.add(path, error.what());
  }
}

void checkTensor(const InputSpec& spec, const std::string& path, ProblemList& problems) {
  problems.name(path + "/name", spec.name);
  problems.list(path + "/extents", spec.extents.size(), rules::kExtents);
  problems.oneOf(path + "/fill", spec.fill, rules::kFills, "fill");
  if (!spec.layout.starts_with(kOrderLayout))
    problems.oneOf(path + "/layout", spec.layout, rules::kLayouts, "layout");
  else if (!orderOfDimensions(spec.layout, spec.extents.size()))
    problems.add(path + "/layout",
                 saying("\"{}\" must name each of the {} dimensions once, the slowest first, as in "
                        "\"order 1,0\"",
                        shownName(spec.layout), spec.extents.size()));
  problems.oneOf(path + "/dtype", spec.dtype, rules::kDTypes, "dtype");
  if (spec.layout == "transposed" && spec.extents.size() < 2)
    problems.add(path + "/layout", saying("only a tensor of two or more dimensions "
                                          "can be transposed; use \"contiguous\""));
  if (spec.layout == "channels_last" && spec.extents.size() != 4)
    problems.add(
        path + "/layout",
        saying("channels_last is a layout of four dimensions (batch, channels, height, width); "
               "use \"contiguous\""));
  if (spec.layout == "strided" && spec.extents.empty())
    problems.add(path + "/layout",
                 saying("a tensor without dimensions cannot be strided; use \"contiguous\""));
  if (!spec.code.empty()) checkCode(spec, path + "/fill/code", problems);
  const std::optional<std::int64_t> count = fixedCount(spec);
  if (!spec.data.empty() && !count)
    problems.add(path + "/data",
                 saying("a tensor whose extents depend on axes cannot be listed; use \"range\""));
  else if (!spec.data.empty() && static_cast<std::int64_t>(spec.data.size()) != *count)
    problems.add(path + "/data", saying("there are {} numbers for {} elements; give one for each",
                                        spec.data.size(), *count));
}

void checkInputSet(const InputSet& set, const std::string& path, ProblemList& problems) {
  problems.name(path + "/name", set.name);
  problems.integer(path + "/count", set.count, rules::kCount);
  problems.list(path + "/tensors", set.inputs.size(), rules::kTensors);
  for (std::size_t t = 0; t < set.inputs.size(); ++t)
    checkTensor(set.inputs[t], fmt::format("{}/tensors/{}", path, t), problems);
}

void checkQuantizing(const Variant& variant, const std::string& path, ProblemList& problems) {
  if (!variant.calibration.empty()) {
    problems.oneOf(path + "/calibration", variant.calibration, rules::kCalibrations,
                   saying("calibration method"));
    if (variant.quantize != "static int8")
      problems.add(
          path + "/calibration",
          saying("ranges are calibrated for \"static int8\": set \"quantise\" to that, or leave "
                 "it out"));
  }
  if (variant.quantize.empty()) return;
  if (!quantizingNamed(variant.quantize)) {
    std::string names;
    for (const QuantizingName& each : quantizingNames())
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", each.name);
    problems.add(path + "/quantise",
                 saying("\"{}\" is not one of {}", shownName(variant.quantize), names));
    return;
  }
  if (!variant.gradients.empty())
    problems.add(path + "/quantise",
                 saying("quantized layers have no gradients; leave out one of the two"));
  if (!variant.autocast.empty())
    problems.add(
        path + "/quantise",
        saying(
            "autocast also chooses the dtype of layers; leave out \"autocast\", or \"quantise\""));
  if (!variant.dtype.empty() && variant.dtype != "float32")
    problems.add(
        path + "/quantise",
        saying("only float32 layers can be quantized; leave out \"dtype\", or \"quantise\""));
  if (runsInTorch(variant.executor) && variant.executor != kTorchEager)
    problems.add(path + "/quantise", saying("PyTorch's own quantized layers run with the executor "
                                            "\"torch\"; use that, or one of Fusebench's own"));
}

void checkVariant(const Variant& variant, const std::string& path, ProblemList& problems) {
  problems.name(path + "/name", variant.name);
  problems.integer(path + "/threads", variant.threads, rules::kThreads);
  if (variant.series != 0) problems.integer(path + "/series", variant.series, rules::kSeries);
  if (!variant.dtype.empty())
    problems.oneOf(path + "/dtype", variant.dtype, rules::kFloatDTypes, "dtype");
  if (!variant.gradients.empty() && variant.gradients != "all" && variant.gradients != "tape")
    problems.add(path + "/gradients",
                 saying("\"{}\" must be true, false or \"tape\"", shownName(variant.gradients)));
  if (!variant.checkpoint.empty() && !checkpointOf(variant.checkpoint) &&
      !checkpointBudgetOf(variant.checkpoint))
    problems.add(
        path + "/checkpoint",
        saying(
            "\"{}\" is not one of \"none\", \"every K\" (statements), \"sqrt\" and \"budget N MB\"",
            shownName(variant.checkpoint)));
  if (!variant.checkpoint.empty() && variant.gradients != "all")
    problems.add(path + "/checkpoint", saying("it applies to gradients: add \"gradients\": true"));
  if (!variant.autocast.empty() && !autocastOf(variant.autocast))
    problems.add(path + "/autocast", saying("\"{}\" is not one of \"bfloat16\", \"float16\", "
                                            "\"cuda bfloat16\" and \"cuda float16\"",
                                            shownName(variant.autocast)));
  problems.integer(path + "/lossScale", variant.lossScale, rules::kLossScale);
  if (variant.lossScale != 1 && variant.gradients != "all")
    problems.add(path + "/lossScale", saying("it applies to gradients: add \"gradients\": true"));
  problems.integer(path + "/ranks", variant.ranks, rules::kRanks);
  if (!bucketBytesOf(variant.buckets))
    problems.add(path + "/buckets", saying("\"{}\" is not one of \"end\", \"each\" and \"K KiB\"",
                                           shownName(variant.buckets)));
  checkQuantizing(variant, path, problems);
  problems.integer(path + "/recompileLimit", variant.options.recompileLimit,
                   rules::kRecompileLimit);
}

void checkAxis(const Axis& axis, const std::string& path, ProblemList& problems) {
  problems.name(path + "/name", axis.name);
  problems.list(path + "/values", axis.values.size(), rules::kAxisValues);
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    const std::string place = fmt::format("{}/values/{}", path, i);
    problems.integer(place, axis.values[i], rules::kAxisValue);
    if (i > 0 && axis.values[i] <= axis.values[i - 1])
      problems.add(
          place, saying("{} does not come after {}; list the values in ascending order, each once",
                        axis.values[i], axis.values[i - 1]));
  }
}

void checkMeasure(const MeasureSettings& settings, ProblemList& problems) {
  problems.number("/measure/budgetSeconds", settings.budgetSeconds, rules::kBudgetSeconds);
  problems.integer("/measure/minimumSamples", settings.minimumSamples, rules::kSamples);
  problems.integer("/measure/maximumSamples", settings.maximumSamples, rules::kSamples);
  if (settings.maximumSamples < settings.minimumSamples)
    problems.add("/measure", saying("maximumSamples ({}) is below minimumSamples ({}); swap them",
                                    settings.maximumSamples, settings.minimumSamples));
  problems.number("/measure/precision", settings.precision, rules::kPrecision);
  problems.integer("/measure/sessions", settings.sessions, rules::kSessions);
  problems.integer("/measure/compileRepeats", settings.compileRepeats, rules::kCompileRepeats);
  problems.oneOf("/measure/cache", settings.cache, rules::kCaches, saying("state of the cache"));
  problems.oneOf("/measure/reset", settings.reset, rules::kResets, saying("time of a reset"));
  constexpr std::uint64_t kMost = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (settings.seed > kMost)
    problems.add("/measure/seed", saying("{} is out of range; give a whole number from 0 to {}",
                                         settings.seed, kMost));
}

void checkParts(const Experiment& experiment, ProblemList& problems) {
  problems.name("/title", experiment.title);
  problems.list("/inputs", experiment.inputSets.size(), rules::kInputSets);
  for (std::size_t s = 0; s < experiment.inputSets.size(); ++s)
    checkInputSet(experiment.inputSets[s], fmt::format("/inputs/{}", s), problems);
  problems.list("/variants", experiment.variants.size(), rules::kVariants);
  for (std::size_t v = 0; v < experiment.variants.size(); ++v)
    checkVariant(experiment.variants[v], fmt::format("/variants/{}", v), problems);
  problems.list("/axes", experiment.axes.size(), rules::kAxes);
  for (std::size_t a = 0; a < experiment.axes.size(); ++a)
    checkAxis(experiment.axes[a], fmt::format("/axes/{}", a), problems);
  for (const std::string_view name : experiment.programNames())
    problems.name(fmt::format("/programs/{}", name), std::string(name));
  checkMeasure(experiment.measure, problems);
}

/// Whether there is more of something than it is worth looking through; the first that is too much
/// is a problem then.
bool isTooMuch(const Experiment& experiment, ProblemList& problems) {
  const auto exceeds = [&](const std::string& path, std::size_t size, ListRule rule) {
    if (size > rule.maximum) problems.list(path, size, rule);
    return size > rule.maximum;
  };
  if (exceeds("/inputs", experiment.inputSets.size(), rules::kInputSets) ||
      exceeds("/variants", experiment.variants.size(), rules::kVariants) ||
      exceeds("/axes", experiment.axes.size(), rules::kAxes))
    return true;
  for (std::size_t s = 0; s < experiment.inputSets.size(); ++s)
    if (exceeds(fmt::format("/inputs/{}/tensors", s), experiment.inputSets[s].inputs.size(),
                rules::kTensors))
      return true;
  std::size_t cells = experiment.variants.size();
  for (std::size_t a = 0; a < experiment.axes.size(); ++a) {
    const std::size_t values = experiment.axes[a].values.size();
    if (exceeds(fmt::format("/axes/{}/values", a), values, rules::kAxisValues)) return true;
    cells *= values;
  }
  if (cells > rules::kMostCells)
    problems.add("/axes", saying("every variant at every point makes {} data points; at most {} "
                                 "are possible: give fewer values or variants",
                                 cells, rules::kMostCells));
  return cells > rules::kMostCells;
}

// --- the parts together
// ----------------------------------------------------------------------------

/// The inputs of the programs that run over a set, or of all if none does; nothing: one is not
/// known.
std::optional<std::vector<std::string_view>> inputsOver(const Experiment& experiment,
                                                        const InputSet& set) {
  std::vector<std::string_view> wanted;
  std::set<std::string_view> known;
  const auto add = [&](const Program& program) {
    for (const std::string& input : program.inputs)
      if (known.insert(input).second) wanted.push_back(input);
    return !program.inputs.empty() || !program.ops.empty();
  };
  bool any = false;
  for (const Variant& variant : experiment.variants) {
    if (variant.inputs != set.name) continue;
    any = true;
    if (!add(experiment.programOf(variant))) return std::nullopt;
  }
  if (!any && !add(experiment.program)) return std::nullopt;
  return wanted;
}

void checkInputNames(const Experiment& experiment, ProblemList& problems) {
  for (std::size_t s = 0; s < experiment.inputSets.size(); ++s) {
    const std::string tensors = fmt::format("/inputs/{}/tensors", s);
    const auto& specs = experiment.inputSets[s].inputs;
    const auto over = inputsOver(experiment, experiment.inputSets[s]);
    if (!over) continue;  // a program is not known
    const std::vector<std::string_view>& wanted = *over;
    const std::set<std::string_view> inputs(wanted.begin(), wanted.end());
    checkDistinct(specs, tensors, "tensor", problems);
    for (std::size_t t = 0; t < specs.size(); ++t)
      if (!inputs.contains(specs[t].name))
        problems.add(fmt::format("{}/{}/name", tensors, t),
                     saying("the program has no input \"{}\"; {}", shownName(specs[t].name),
                            suggestion(specs[t].name, wanted)));
    const auto names = namesOf(specs);
    const std::set<std::string_view> given(names.begin(), names.end());
    for (const std::string_view name : wanted)
      if (!given.contains(name))
        problems.add(tensors, saying("the program's input \"{}\" has no "
                                     "tensor; add {{\"name\": \"{}\", "
                                     "\"extents\": [...]}}",
                                     shownName(name), shownName(name)));
  }
}

void checkVariants(const Experiment& experiment, ProblemList& problems) {
  checkDistinct(experiment.variants, "/variants", "variant", problems);
  const auto sets = namesOf(experiment.inputSets);
  std::vector<std::string_view> executors;
  for (const ExecutorInfo& executor : variantExecutors()) executors.push_back(executor.name);
  for (std::size_t v = 0; v < experiment.variants.size(); ++v) {
    const Variant& variant = experiment.variants[v];
    problems.oneOf(fmt::format("/variants/{}/executor", v), variant.executor, executors,
                   "executor");
    problems.oneOf(fmt::format("/variants/{}/inputs", v), variant.inputs, sets,
                   saying("input set"));
    if (!variant.program.empty())
      problems.oneOf(fmt::format("/variants/{}/program", v), variant.program,
                     experiment.programNames(), "program");
    if (!variant.against.empty())
      problems.oneOf(fmt::format("/variants/{}/against", v), variant.against,
                     namesOf(experiment.variants), "variant");
  }
  problems.oneOf("/baseline", experiment.baseline, namesOf(experiment.variants), "variant");
  if (!experiment.weights.empty() && !isWeightsName(experiment.weights))
    problems.add("/weights", saying("\"{}\" must be the name of a .safetensors file in the "
                                    "experiment's own folder",
                                    shownName(experiment.weights)));
  problems.list("/claims", experiment.claims.size(), rules::kClaims);
  for (std::size_t c = 0; c < experiment.claims.size(); ++c) {
    const Claim& claim = experiment.claims[c];
    const std::string path = fmt::format("/claims/{}", c);
    problems.oneOf(path + "/variant", claim.variant, namesOf(experiment.variants), "variant");
    problems.oneOf(path + "/against", claim.against, namesOf(experiment.variants), "variant");
    if (claim.than) {
      problems.oneOf(path + "/than/variant", claim.than->variant, namesOf(experiment.variants),
                     "variant");
      problems.oneOf(path + "/than/against", claim.than->against, namesOf(experiment.variants),
                     "variant");
    }
    problems.number(fmt::format("{}/{}", path, figureKey(claim.metric)), claim.ratio,
                    rules::claimedFigure(claim.metric));
    problems.number(path + "/tolerance", claim.tolerance, rules::kClaimTolerance);
    for (const auto& [axis, value] : claim.at)
      problems.oneOf(fmt::format("{}/at/{}", path, axis), axis, namesOf(experiment.axes), "axis");
  }
}

void checkStatements(const Experiment& experiment, const Axis& axis, const std::string& path,
                     ProblemList& problems) {
  if (axis.values.front() < 1)
    problems.add(path + "/values/0",
                 saying("statements are counted from 1; give whole numbers from 1"));
  const std::string last = fmt::format("{}/values/{}", path, axis.values.size() - 1);
  if (axis.values.back() > rules::kMostStatements)
    problems.add(last, saying("{} statements are too many; give at most {}", axis.values.back(),
                              rules::kMostStatements));
  const auto check = [&](const Program& program) {
    if (program.ops.empty()) return;
    const auto length = static_cast<std::int64_t>(program.statements.size());
    if (length == 0)
      problems.add(path + "/values", saying("the program has no statements to count; "
                                            "add one, or sweep something else"));
    else if (!program.isChain() && axis.values.back() > length)
      problems.add(last, saying("the program branches, so it cannot cycle "
                                "past its {} statements; give at "
                                "most {}",
                                length, length));
  };
  check(experiment.program);
  for (const NamedProgram& each : experiment.morePrograms) check(each.program);
}

void checkAxes(const Experiment& experiment, ProblemList& problems) {
  checkDistinct(experiment.axes, "/axes", "axis", problems);
  for (std::size_t a = 0; a < experiment.axes.size(); ++a) {
    const Axis& axis = experiment.axes[a];
    const std::string path = fmt::format("/axes/{}", a);
    if (axis.name == "i")
      problems.add(path + "/name", saying("i already means the position in the input "
                                          "list; choose another name"));
    if (axis.values.empty()) continue;
    if (axis.name == "statements") {
      checkStatements(experiment, axis, path, problems);
    } else if (axis.name == "threads") {
      if (axis.values.front() < rules::kThreads.low || axis.values.back() > rules::kThreads.high)
        problems.add(path + "/values", saying("threads must be from 1 to 1024; change the values"));
    } else if (axis.name == "ranks") {
      if (axis.values.front() < rules::kRanks.low || axis.values.back() > rules::kRanks.high)
        problems.add(path + "/values", saying("ranks must be from 1 to 1024; change the values"));
    } else if (axis.name == "bucket") {
      if (axis.values.back() > rules::kBucketKib.high)
        problems.add(path + "/values",
                     saying("a bucket has at most 4194304 KiB; change the values"));
    } else if (checkpointAxisOf(experiment, axis.name)) {
      const bool budget = axis.name == "budget";
      if (axis.values.front() < (budget ? 1 : 0) ||
          axis.values.back() > rules::kCheckpointAxis.high)
        problems.add(path + "/values",
                     saying("checkpoints are swept from {} to {}; change the values",
                            budget ? 1 : 0, rules::kCheckpointAxis.high));
    } else if (axis.values.size() == 1 && (axis.name == "segment" || axis.name == "budget")) {
      // One place of a study, asked for of a variant that keeps all.
    } else if (!axis.name.empty() && axis.name != "i" && !dependsOn(experiment, axis.name)) {
      problems.add(path + "/name", saying("nothing depends on the axis \"{}\"; name it in "
                                          "an extent, or sweep statements, "
                                          "threads, ranks, bucket, or of variants with "
                                          "checkpoints segment or budget",
                                          shownName(axis.name)));
    }
  }
}

}  // namespace

std::vector<ExperimentProblem> problemsOf(const Experiment& experiment) {
  ProblemList problems;
  if (isTooMuch(experiment, problems)) return problems.take();
  checkParts(experiment, problems);
  checkDistinct(experiment.inputSets, "/inputs", saying("input set"), problems);
  checkInputNames(experiment, problems);
  checkVariants(experiment, problems);
  checkAxes(experiment, problems);
  checkExtents(experiment, problems);
  // Only an experiment whose parts are right has programs and shapes to try.
  if (problems.empty()) checkShapes(experiment, problems);
  return problems.take();
}

}  // namespace fusebench
