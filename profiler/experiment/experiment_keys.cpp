// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/experiment_keys.h"

#include <array>
#include <vector>

#include "engine/run/executor_options.h"
#include "profiler/files/json_reader.h"

namespace fusebench {
namespace {

using enum FilePart;
using key_types::Flag, key_types::ListOf, key_types::Object, key_types::OneOf, key_types::Other,
    key_types::Real, key_types::Text, key_types::Whole;

constexpr IntegerRange kSeeds = {0, INT64_MAX};
constexpr bool kRequired = true, kOptional = false;

constexpr std::array<std::string_view, 1> kKinds = {"experiment"};
constexpr std::array<std::string_view, 3> kMetrics = {"latency", "peak_bytes", "bandwidth"};
constexpr std::array<std::string_view, 4> kClaimMetrics = {"latency", "peak_bytes",
                                                           "latency_difference", "break_even"};
constexpr std::array<std::string_view, 3> kRelations = {"about", "at least", "at most"};
constexpr std::array<std::string_view, 3> kClaimDevices = {"any", "cpu", "gpu"};
constexpr std::array<std::string_view, 2> kTunings = {"heuristic", "search"};
constexpr std::array<std::string_view, 2> kScalings = {"strong", "weak"};
constexpr std::array<std::string_view, 2> kBatches = {"slice", "gather"};
constexpr std::array<std::string_view, 2> kResults = {"device", "host"};

constexpr std::string_view kLines =
    R"({"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]})";
constexpr std::string_view kTexts = R"({"type":"array","items":{"type":"string"}})";

/// The order is that of the tables in docs/experiments.md.
constexpr ExperimentKey kKeys[] = {
    {experiment, "fusebench", kRequired, OneOf{kKinds}, "", R"("experiment")",
     "What kind of file this is."},
    {experiment, "version", kRequired, Whole{{1, 2}}, "", "1",
     "The version of the format: 2 with `programs`, else 1."},
    {experiment, "$schema", kOptional, Text{}, "", R"("experiment.schema.json")",
     "The JSON Schema that an editor checks the file with. Fusebench does not read it."},
    {experiment, "title", kRequired, Text{}, "", R"("Normalize images")",
     "The name on charts and "
     "reports."},
    {experiment, "question", kOptional, Text{}, "", R"("At which size does it pay off?")",
     "The question that the experiment answers."},
    {experiment, "note", kOptional, Text{}, "", R"("The inputs differ.")",
     "What readers must know about the comparison."},
    {experiment, "program", kOptional, Other{"text, or a list of its lines", kLines}, "",
     R"(["def f(x):", "    return torch.relu(x) * 2"])",
     "The PyTorch code. Exactly one of `program` and `programs` is given."},
    {experiment, "programs", kOptional,
     Other{
         "object: name to program",
         R"({"type":"object","minProperties":1,"maxProperties":32,"additionalProperties":{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}})"},
     "", R"({"view": ["def f(x):", "    return x.t() + 1"]})",
     "Several programs to compare. Each variant names one; the first is the default."},
    {experiment, "inputs", kRequired, ListOf{inputSet, rules::kInputSets}, "",
     R"([{"name": "x", "tensors": [{"name": "x", "extents": [8, 16]}]}])",
     "The sets of inputs. Each variant names one."},
    {experiment, "variants", kRequired, ListOf{FilePart::variant, rules::kVariants}, "",
     R"([{"name": "eager", "executor": "eager"}])", "The ways of running that are compared."},
    {experiment, "baseline", kOptional, Text{}, "", R"("eager")",
     "The variant that the others are compared with. Without it, the first one."},
    {experiment, "axes", kOptional, ListOf{axis, rules::kAxes}, "",
     R"([{"name": "batch", "values": [1, 8, 64]}])",
     "What is swept. Without it, each variant is measured at a single point."},
    {experiment, "measure", kOptional, Object{measure}, "", R"({"budgetSeconds": 30})",
     "How long and how precisely to measure."},
    {experiment, "metric", kOptional, OneOf{kMetrics}, R"("latency")", R"("peak_bytes")",
     "What charts and tables show first."},
    {experiment, "claims", kOptional, ListOf{claim, rules::kClaims}, "",
     R"([{"text": "twice as fast", "variant": "static", "against": "eager", "ratio": 0.5}])",
     "Statements that are compared with the results."},
    {experiment, "reference", kOptional, Text{}, "", R"("torch_compile_2025")",
     "The name of published data that is drawn next to the results."},
    {experiment, "lesson", kOptional, Text{}, "", R"("fusion")",
     "The name of the help page that explains the experiment."},
    {experiment, "weights", kOptional, Text{}, "", R"("model.safetensors")",
     "A file with values of tensors, in the same folder."},
    {experiment, "capture", kOptional, Object{FilePart::capture}, "", "",
     "Where a captured model comes from. `fusebench-cli capture` writes it."},

    {inputSet, "name", kRequired, Text{}, "", R"("images")", "The name that variants use."},
    {inputSet, "tensors", kRequired, ListOf{tensor, rules::kTensors}, "",
     R"([{"name": "x", "extents": ["batch", 3, 224, 224]}])", "One for each input of the program."},
    {inputSet, "count", kOptional, Whole{rules::kCount}, "1", "10",
     "How many inputs the calls take in turn. Extents may differ between them; see `extents`."},

    {tensor, "name", kRequired, Text{}, "", R"("x")", "The name of the program's input."},
    {tensor, "extents", kRequired,
     Other{
         "list of whole numbers and expressions",
         R"({"type":"array","maxItems":8,"items":{"oneOf":[{"type":"integer","minimum":0},{"type":"string"}]}})"},
     "", R"(["batch", "i % 10 + 4"])",
     "The shape. Expressions use the axes' names, `i` (the input's number in its set, from 0), "
     "`+ - * // %` and parentheses."},
    {tensor, "dtype", kOptional, OneOf{rules::kDTypes}, R"("float32")", R"("int64")",
     "The type of its elements."},
    {tensor, "fill", kOptional,
     Other{
         "`\"normal\"`, `\"uniform\"`, `\"zeros\"`, `\"ones\"`, `{\"integers\": [low, high]}`, or "
         "`{\"code\": text}`",
         R"({"anyOf":[{"enum":["normal","uniform","zeros","ones"]},{"type":"object","additionalProperties":false,"required":["integers"],"properties":{"integers":{"type":"array","minItems":2,"maxItems":2,"items":{"type":"integer"}}}},{"type":"object","additionalProperties":false,"required":["code"],"properties":{"code":{"type":"string"}}}]})"},
     R"("normal")", R"({"integers": [0, 50257]})",
     "What its elements are: normally or uniformly distributed, 0 or 1, integers from low to "
     "below high, or what lines of Python compute with `torch`, `F` and `math`, such as "
     "`torch.rand(4, 8) * 2`. The last line is an expression with as many dimensions as `extents`; "
     "it is repeated where the tensor is longer and cut where it is shorter. Random numbers in it "
     "are the same in every input of the set. An input that is used as an index has the range of "
     "what it indexes by default."},
    {tensor, "range", kOptional,
     Other{"list of two numbers",
           R"({"type":"array","minItems":2,"maxItems":2,"items":{"type":"number"}})"},
     "", "[0, 50256]",
     "The least and the largest element. Integers are drawn from this range, both ends included."},
    {tensor, "mean", kOptional, Other{"number", R"({"type":"number"})"}, "0", "0.5",
     "The mean of `normal`."},
    {tensor, "deviation", kOptional,
     Other{"number, at least 0", R"({"type":"number","minimum":0})"}, "1", "0.02",
     "The standard deviation of `normal`."},
    {tensor, "data", kOptional,
     Other{
         "list of numbers",
         R"({"type":"array","minItems":1,"items":{"oneOf":[{"type":"number"},{"type":"boolean"},{"enum":["inf","-inf","nan"]}]}})"},
     "", "[1, 2, 3]", "All elements, in place of `fill`; the last dimension varies fastest."},
    {tensor, "values", kOptional, Text{}, "", R"("layer.weight")",
     "The name of the tensor in the file `weights`."},
    {tensor, "layout", kOptional,
     Other{
         "`\"contiguous\"`, `\"transposed\"`, `\"strided\"`, `\"channels_last\"`, "
         "`\"column_major\"`, or `\"order\"` with the dimensions, the slowest first",
         R"({"anyOf":[{"enum":["contiguous","transposed","strided","channels_last","column_major"]},{"type":"string","pattern":"^order [0-9]+(,[0-9]+)*$"}]})"},
     R"("contiguous")", R"("order 1,0")", "How it is laid out in memory."},
    {tensor, "device", kOptional, OneOf{rules::kInputDevices}, R"("device")", R"("host")",
     "The memory that it is in. The program copies a host tensor to the device."},
    {tensor, "pinned", kOptional, Flag{}, "false", "true",
     "Whether its host memory is page-locked. Needs `\"device\": \"host\"`."},
    {tensor, "held", kOptional, Flag{}, "false", "true",
     "A constant such as a weight: with several ranks, each has all of it."},
    {tensor, "parameter", kOptional, Flag{}, "false", "true",
     "Whether it is trained: gradients are taken by parameters if there are any."},

    {FilePart::variant, "name", kRequired, Text{}, "", R"("compiled")", "Its name on charts."},
    {FilePart::variant, "executor", kRequired, Text{}, "", R"("static")",
     "How it runs: see [execution modes](execution-modes.md)."},
    {FilePart::variant, "inputs", kOptional, Text{}, "", R"("images")",
     "The set of inputs. May be left out if there is only one."},
    {FilePart::variant, "program", kOptional, Text{}, "", R"("view")",
     "One of `programs` (default: the first)."},
    {FilePart::variant, "against", kOptional, Text{}, "", R"("copy")",
     "The variant that this one is compared with, in place of the baseline."},
    {FilePart::variant, "dtype", kOptional, OneOf{rules::kFloatDTypes}, "", R"("bfloat16")",
     "The type that its floating-point inputs have instead of their own."},
    {FilePart::variant, "threads", kOptional, Whole{rules::kThreads}, "1", "8",
     "CPU threads. An axis `threads` takes precedence."},
    {FilePart::variant, "gradients", kOptional,
     Other{"true, false or `\"tape\"`", R"({"enum":[true,false,"tape"]})"}, "false", "true",
     "Whether gradients of the first result are computed. `\"tape\"`: the activations that "
     "they need are saved, without a backward pass."},
    {FilePart::variant, "checkpoint", kOptional,
     Other{"`\"none\"`, `\"every K\"`, `\"sqrt\"` or `\"budget N MB\"`",
           R"({"type":"string","pattern":"^(none|sqrt|every [0-9]+|budget .+)$"})"},
     "", R"("every 4")",
     "Which activations are recomputed for the gradients: segments of K statements, or what keeps "
     "to the budget (KB, MB, GB, KiB, MiB, GiB)."},
    {FilePart::variant, "autocast", kOptional,
     Other{"`\"bfloat16\"`, `\"float16\"`, `\"cuda bfloat16\"` or `\"cuda float16\"`",
           R"({"enum":["bfloat16","float16","cuda bfloat16","cuda float16"]})"},
     "", R"("bfloat16")", "As `torch.autocast`, by PyTorch's list for the CPU or for CUDA."},
    {FilePart::variant, "lossScale", kOptional, Whole{rules::kLossScale}, "1", "1024",
     "The loss is multiplied by it before the gradients, which are divided by it."},
    {FilePart::variant, "quantise", kOptional, Text{}, "", R"("dynamic int8")",
     "How its layers are quantized: see "
     "[supported PyTorch](pytorch-support.md)."},
    {FilePart::variant, "calibration", kOptional, OneOf{rules::kCalibrations}, R"("min-max")",
     R"("histogram")", "How `static int8` finds its ranges."},
    {FilePart::variant, "recompileLimit", kOptional, Whole{rules::kRecompileLimit}, "8", "64",
     "How many shapes are compiled before it falls back to eager."},
    {FilePart::variant, "graphBreaks", kOptional, Flag{}, "false", "true",
     "Whether the program is compiled in parts, between the points at which it needs values."},
    {FilePart::variant, "tune", kOptional, OneOf{kTunings}, R"("heuristic")", R"("search")",
     "Whether kernels are chosen by rules, or by trying several."},
    {FilePart::variant, "fastMath", kOptional, Flag{}, "false", "true",
     "Whether fast, less precise functions are used."},
    {FilePart::variant, "contract", kOptional, Flag{}, "false", "true",
     "Whether a product and a sum become one instruction, rounded once."},
    {FilePart::variant, "overlap", kOptional, Flag{}, "false", "true",
     "Whether copies between host and device overlap with kernels."},
    {FilePart::variant, "pages", kOptional, OneOf{kPagesNames}, R"("kept")", R"("huge")",
     "The memory pages of results."},
    {FilePart::variant, "from", kOptional, OneOf{kDeliveryNames}, R"("device")", R"("pinned")",
     "The memory that inputs come from at each call."},
    {FilePart::variant, "prefetch", kOptional, Whole{rules::kPrefetch}, "0", "2",
     "How many inputs are copied to the device ahead."},
    {FilePart::variant, "batches", kOptional, OneOf{kBatches}, R"("slice")", R"("gather")",
     "Whether a batch is a slice of the data set, or gathered from its rows."},
    {FilePart::variant, "workers", kOptional, Whole{rules::kLoaderWorkers}, "0", "4",
     "Threads that gather batches ahead. Needs `batches` and `prefetch`."},
    {FilePart::variant, "results", kOptional, OneOf{kResults}, R"("device")", R"("host")",
     "Whether results are copied to the host."},
    {FilePart::variant, "ranks", kOptional, Whole{rules::kRanks}, "1", "4",
     "Processes that run it together. An axis `ranks` takes precedence."},
    {FilePart::variant, "scaling", kOptional, OneOf{kScalings}, R"("strong")", R"("weak")",
     "Whether ranks share the inputs (strong), or each has as much as one alone (weak)."},
    {FilePart::variant, "buckets", kOptional,
     Other{"`\"end\"`, `\"each\"` or `\"K KiB\"`",
           R"({"type":"string","pattern":"^(end|each|[0-9]+ KiB)$"})"},
     R"("end")", R"("1024 KiB")",
     "When ranks exchange gradients: all at the end, each at once, or "
     "in buckets of K KiB."},
    {FilePart::variant, "series", kOptional, Whole{rules::kSeries}, "", "2",
     "The color and the marker of its curve (default: by its position)."},

    {axis, "name", kRequired, Text{}, "", R"("batch")",
     "`statements` (how many of the program's statements run), `threads` and `ranks` are built in. "
     "Any other name is a number that extents and the program may use."},
    {axis, "values", kRequired,
     Other{
         "list of whole numbers, ascending",
         R"({"type":"array","minItems":1,"maxItems":1000,"items":{"type":"integer","minimum":0,"maximum":1099511627776}})"},
     "", "[1, 8, 64, 512]", "Where to measure."},
    {axis, "unit", kOptional, Text{}, "", R"("images")",
     "What the values count (default: the axis' name)."},

    {measure, "budgetSeconds", kOptional, Real{rules::kBudgetSeconds}, "60", "30",
     "The time for sampling, all data points together. `--quick` takes a tenth."},
    {measure, "precision", kOptional, Real{rules::kPrecision}, "0.01", "0.02",
     "The relative half-width of an interval at which a data point is done."},
    {measure, "minimumSamples", kOptional, Whole{rules::kSamples}, "31", "15",
     "Samples before the interval is checked."},
    {measure, "maximumSamples", kOptional, Whole{rules::kSamples}, "201", "401",
     "Samples after which a data point is done in any case."},
    {measure, "sessions", kOptional, Whole{rules::kSessions}, "8", "4",
     "Worker processes that the samples are spread over."},
    {measure, "compileRepeats", kOptional, Whole{rules::kCompileRepeats}, "5", "10",
     "First compiles that are measured for each data point."},
    {measure, "cache", kOptional, OneOf{rules::kCaches}, R"("hot")", R"("flushed")",
     "The GPU's last-level cache before a call."},
    {measure, "reset", kOptional, OneOf{rules::kResets}, R"("each sample")", R"("each call")",
     "When tensors that the program writes are reset to their first values."},
    {measure, "seed", kOptional, Whole{kSeeds}, "1", "7",
     "The seed of random inputs and of the order of samples."},

    {claim, "text", kRequired, Text{}, "", R"("in place saves half of the memory")",
     "The claim in words."},
    {claim, "variant", kRequired, Text{}, "", R"("in place")", "The variant that it is about."},
    {claim, "against", kRequired, Text{}, "", R"("copy")", "The variant that it is compared with."},
    {claim, "metric", kOptional, OneOf{kClaimMetrics}, R"("latency")", R"("peak_bytes")",
     "What is compared. `latency_difference` needs `nanoseconds`, `break_even` needs `value`, the "
     "others need `ratio`."},
    {claim, "ratio", kOptional, Real{rules::kClaimedRatio}, "", "0.5",
     "The variant's value, divided by the other's."},
    {claim, "nanoseconds", kOptional, Real{rules::kClaimedNanoseconds}, "", "25000",
     "The variant's time minus the other's."},
    {claim, "value", kOptional, Real{rules::kClaimedPlace}, "", "10",
     "The value of the first axis from which the variant is faster."},
    {claim, "relation", kOptional, OneOf{kRelations}, R"("about")", R"("at least")",
     "How the result must compare with the claimed figure."},
    {claim, "tolerance", kOptional, Real{rules::kClaimTolerance}, "0.15", "0.1",
     "The relative deviation that still counts as agreement."},
    {claim, "at", kOptional,
     Other{"object: axis to value",
           R"({"type":"object","additionalProperties":{"type":"integer","minimum":0}})"},
     "", R"({"batch": 64})", "The only point that it is about (default: all)."},
    {claim, "than", kOptional, Object{claimThan}, "", R"({"variant": "b", "against": "a"})",
     "Two more variants: the ratio is then that of two differences."},
    {claim, "device", kOptional, OneOf{kClaimDevices}, R"("any")", R"("gpu")",
     "The kind of device that it is about. It is not judged on others."},
    {claim, "source", kOptional, Text{}, "", R"("a write-up, 2025")",
     "Where it was published (default: your own claim)."},

    {claimThan, "variant", kRequired, Text{}, "", R"("b")", "A variant."},
    {claimThan, "against", kRequired, Text{}, "", R"("a")", "The variant it is compared with."},

    {FilePart::capture, "modules", kRequired, Other{"list of texts", kTexts}, "", "",
     "Paths of modules that `nodes` refer to."},
    {FilePart::capture, "sources", kRequired, Other{"list of texts", kTexts}, "", "",
     "Source lines that `nodes` refer to."},
    {FilePart::capture, "nodes", kRequired,
     Other{
         "list of four numbers each",
         R"({"type":"array","items":{"type":"array","minItems":4,"maxItems":4,"items":{"type":"integer","minimum":0}}})"},
     "", "", "Program, line, module and source of each operation."},
    {FilePart::capture, "file", kOptional, Text{}, "", "", "The model's file."},
    {FilePart::capture, "sha256", kOptional, Text{}, "", "", "Its checksum."},
    {FilePart::capture, "name", kOptional, Text{}, "", "", "The model's class or function."},
    {FilePart::capture, "how", kOptional, Text{}, "", "", "How it was captured."},
    {FilePart::capture, "torch", kOptional, Text{}, "", "", "The version of PyTorch."},
    {FilePart::capture, "inputs", kOptional, Other{"list of texts", kTexts}, "", "",
     "The shapes that it was captured with."},
    {FilePart::capture, "train", kOptional, Flag{}, "false", "",
     "Whether it was in training mode."},
    {FilePart::capture, "arguments", kOptional,
     Other{"list of pairs",
           R"({"type":"array","items":{"type":"array","minItems":2,"maxItems":2}})"},
     "", "", "What each input of the program is in the model."},
    {FilePart::capture, "breaks", kOptional, Other{"list of texts", kTexts}, "", "",
     "Why `torch.compile` stopped, at each graph break."},
};

}  // namespace

std::span<const ExperimentKey> experimentKeys() {
  return kKeys;
}

std::string_view name(FilePart part) {
  constexpr std::array<std::string_view, 9> kNames = {"experiment", "input set", "tensor",
                                                      "variant",    "axis",      "claim",
                                                      "than",       "measure",   "capture"};
  return kNames[static_cast<std::size_t>(part)];
}

void expectKeys(const JsonReader& object, FilePart part) {
  std::vector<std::string_view> required, optional;
  for (const ExperimentKey& key : kKeys)
    if (key.part == part) (key.required ? required : optional).push_back(key.name);
  object.expectObject(required, optional);
}

}  // namespace fusebench
