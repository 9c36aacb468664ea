// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/program.h"
#include "engine/run/executor_options.h"
#include "profiler/experiment/captured_model.h"
#include "profiler/files/input_error.h"

namespace fusebench {

/// How one input tensor is made. Extents are integers or expressions over i (position in the input
/// list, from 0) and the names of the axes, with + - * // % and parentheses: "i % 10 + 4", "batch".
struct InputSpec {
  std::string name;                  ///< name of the program's input
  std::vector<std::string> extents;  ///< outermost first
  std::string fill = "normal";       ///< normal, uniform, zeros, ones
  std::string layout =
      "contiguous";  ///< contiguous, transposed (last two dims), strided (every other element),
                     ///< channels_last (dim 1 fastest), column_major (the first dim fastest),
                     ///< "order 2,0,1" (dimensions without gaps, the slowest first)
  /// The initial values of a tensor that belongs to the program, such as a module's weight: from
  /// the experiment's seed, and the same in every entry. The file has no such inputs.
  std::optional<InitialValues> initial{};
  std::string dtype = "float32";  ///< PyTorch's name
  /// It is in host memory, pinned or not, where a device has memory of its own; the program copies
  /// it to the device.
  bool onHost = false, pinned = false;
  /// Weights, prepared buffers: every rank has all of it. Others are divided along dimension 0.
  bool held = false;
  bool parameter = false;  ///< whether it is trained: gradients are taken with respect to trained
                           ///< inputs, if there are any
  /// Mean and standard deviation for the fill "normal".
  double mean = 0, deviation = 1;
  /// Integers are drawn from low to high, both included. A float that is drawn outside is moved to
  /// the nearer end.
  std::optional<std::array<double, 2>> range = {};
  /// The range is derived from what the program indexes with this input; it is not in the file.
  bool rangeByDefault = false;
  std::vector<double> data = {};  ///< all elements, row-major; empty: they are drawn
  /// Lines of Python that compute the elements: see ComputedFill. Empty: they are drawn.
  std::string code = {};
  /// The tensor's name in the experiment's file of weights; empty, or no such file: it is drawn.
  std::string values = {};
};

/// A named list of inputs that variants run over: `count` entries, entry i made with that i.
struct InputSet {
  std::string name;
  int count = 1;
  std::vector<InputSpec> inputs;  ///< one per program input
};

/// A program of an experiment that compares several.
struct NamedProgram {
  std::string name;
  std::string text;  ///< as written
  Program program;   ///< parsed from it
  /// The program depends on the sizes of the inputs, so it is read again for each cell's sizes.
  bool readForSizes = false;
};

/// An executor with its options: one curve.
struct Variant {
  std::string name;
  std::string program;  ///< name of one of the experiment's programs; empty: the first
  std::string executor = "eager";
  std::string inputs;  ///< name of an InputSet
  /// The variant with which its break-evens and paybacks are compared; empty: see
  /// Experiment::baselineOf.
  std::string against;
  int threads = 1;
  int series = 0;     ///< 1 to 6: the color, dash and marker of its curve; 0: by its position
  std::string dtype;  ///< dtype of its float inputs; empty: as the inputs state
  /// "all": gradients of the first result are further results, with respect to the parameters that
  /// belong to the program or, if there are none, its float inputs. "tape": the values that they
  /// would need are saved, but there is no backward pass. Empty: neither, as inside
  /// torch.no_grad().
  std::string gradients;
  /// The values that a program with gradients recomputes instead of saving: "none", "every K"
  /// statements, "sqrt" of them. Empty: as the program is written.
  std::string checkpoint;
  /// Lets torch.autocast choose the types in which the program's ops compute: "bfloat16" or
  /// "float16" by PyTorch's list for the CPU; with the prefix "cuda " by its list for CUDA. Empty:
  /// as written.
  std::string autocast;
  /// The loss is multiplied by this before its gradients are computed, and they are divided by it.
  /// 1: no scaling.
  int lossScale = 1;
  /// Number of processes that run it together: each on its part of every input that is not
  /// constant. Gradients of constant inputs are averaged over them.
  int ranks = 1;
  bool weak = false;  ///< each rank has as much work as one alone; false: all of them share it
  /// When ranks exchange gradients: "end", all together after the backward pass; "each", each one
  /// as soon as it is computed; "K KiB", in buckets of that size.
  std::string buckets = "end";
  /// The type that the program's layers compute in: a name of quantizingNames(). Empty: the inputs'
  /// own types.
  std::string quantize;
  /// How static quantization finds its ranges: "min-max", or "histogram", which loses least. Empty:
  /// min-max.
  std::string calibration;
  ExecutorOptions options;
};

/// A swept quantity. `statements` = n is built in; `elements`, `batch` and any other name are
/// numbers that extents may use; `threads` overrides the variants' threads.
struct Axis {
  std::string name;
  std::string unit;
  std::vector<std::int64_t> values;  ///< ascending
};

/// Two variants, one divided by the other.
struct VariantPair {
  std::string variant, against;
  bool operator==(const VariantPair&) const = default;
};

/// A statement about two variants, to be compared with measurements.
struct Claim {
  /// The compared quantity, of which less is better. Ratios, except for the difference, in
  /// nanoseconds per call, and the break-even, a value of the first axis from which the variant is
  /// faster.
  enum class Metric : std::uint8_t { latency, peakBytes, latencyDifference, breakEven };
  enum class Relation : std::uint8_t { about, atLeast, atMost };
  /// The kind of device that it is about; it is not judged on others.
  enum class Device : std::uint8_t { any, cpu, gpu };
  std::string text;    ///< in words: "in-place saves half of the memory"
  std::string source;  ///< where it was published; empty: it is the user's own
  std::string variant, against;
  Metric metric = Metric::latency;
  Relation relation = Relation::about;
  Device device = Device::any;
  double ratio = 1;         ///< the variant's over the other's, or minus it, or the break-even
  double tolerance = 0.15;  ///< about: the relative difference that still agrees
  /// Another pair: then the ratio is the gap of the claim's pair over the gap of this one.
  std::optional<VariantPair> than = {};
  /// Where it was measured: axes and their values; it does not apply to other places.
  std::vector<std::pair<std::string, std::int64_t>> at;
};
std::string_view name(Claim::Metric metric);
/// The key that has the claimed figure.
constexpr const char* figureKey(Claim::Metric metric) {
  return metric == Claim::Metric::latencyDifference ? "nanoseconds"
         : metric == Claim::Metric::breakEven       ? "value"
                                                    : "ratio";
}
std::string_view name(Claim::Relation relation);
std::string_view name(Claim::Device device);

struct MeasureSettings {
  double budgetSeconds = 60;  ///< for sampling the whole study; --quick takes a tenth of it
  int minimumSamples = 31;
  int maximumSamples = 201;
  double precision = 0.01;  ///< relative half-width at which a cell is done
  /// Worker processes, one after another, that a full study's rounds are spread over; PyTorch's,
  /// which take seconds to start, are 3 at most.
  int sessions = 8;
  int compileRepeats = 5;  ///< first-ever compiles measured per cell
  std::uint64_t seed = 1;  ///< for inputs and for the schedule
  /// The device's last-level cache before a call: hot (from the calls before) or flushed (emptied
  /// before each call, which is timed separately; on a GPU only).
  std::string cache = "hot";

  /// When tensors that a program writes are reset to their first values: before "each sample", or
  /// before "each call", which is then timed separately.
  std::string reset = "each sample";

  bool flushes() const { return cache == "flushed"; }
  bool resetsEachCall() const { return reset == "each call"; }
};

/// Program + inputs + variants + axes + measuring settings: a .json file that users can read and
/// write.
struct Experiment {
  /// The quantity that its chart shows first, in the window and in reports.
  enum class Shown : std::uint8_t { latency, peakBytes, bandwidth };

  std::string title;
  std::string question;
  std::string note;    ///< facts that a reader needs about the comparison, e.g. that inputs differ
  std::string lesson;  ///< name of a help page, without extension; may be empty
  std::string
      reference;  ///< name of published reference data to show with the results; may be empty
  std::string programText;                 ///< as written; the first of several programs
  Program program;                         ///< parsed from it
  std::string programName;                 ///< name of the first program; empty: it is the only one
  std::vector<NamedProgram> morePrograms;  ///< the others
  bool readForSizes = false;               ///< as in NamedProgram
  std::vector<InputSet> inputSets;
  std::vector<Variant> variants;
  std::string baseline;    ///< name of a variant
  std::vector<Axis> axes;  ///< one or two
  std::vector<Claim> claims;
  MeasureSettings measure;
  Shown shown = Shown::latency;
  std::optional<CapturedModel> capture = {};  ///< the source of its programs; nothing: written
  std::string weights;  ///< a file of values next to the experiment, without a folder; or empty
  std::string folder;   ///< folder that the experiment was read from; not in the file

  const InputSet& inputSet(std::string_view name) const;
  /// The program that a variant runs, and its text as written.
  const Program& programOf(const Variant& variant) const;
  const std::string& programTextOf(const Variant& variant) const;
  bool isReadForSizes(const Variant& variant) const;
  /// Names of the programs; none: there is only one.
  std::vector<std::string_view> programNames() const;
  /// Exchanges the first program with the program of this name. The measurements do not change.
  void putFirst(std::string_view program);
  int baselineIndex() const;
  /// Whether anything changes from point to point. False: each variant has one point, which the
  /// file of an experiment without axes represents on the axis `threads`.
  bool sweeps() const;
  /// The variant with which a variant's break-evens and paybacks are compared: the one that it
  /// names, or PyTorch eager for other PyTorch variants if the experiment has it, or the baseline.
  /// Nothing for one that would be compared with itself.
  std::optional<int> baselineOf(int variant) const;
};

std::string_view name(Experiment::Shown shown);

/// Reads an experiment; `file` names it in messages. Throws InputError naming line, column or key,
/// cause and remedy.
Experiment parseExperiment(std::string_view json, std::string_view file);
Experiment loadExperiment(const std::string& path);

/// Where an experiment that is being edited is invalid, as parseExperiment would report it.
struct ExperimentProblem {
  std::string path;     ///< into the file: "/variants/1/executor"
  std::string message;  ///< cause and fix; no position
};
/// Reads a file that was saved while it could not run: the program may be invalid, and the parts
/// may not match. Its JSON and the form of each part must be valid; otherwise it throws InputError.
Experiment parseDraft(std::string_view json, std::string_view file);
/// Everything that prevents an experiment from running, except the program's text; all of it, not
/// only the first problem. Empty: parseExperiment(toJson(experiment)) succeeds if the program is
/// valid.
std::vector<ExperimentProblem> problemsOf(const Experiment& experiment);

/// The file's text: readable JSON, which parseExperiment reads back to an equal experiment.
std::string toJson(const Experiment& experiment);
/// Written to a temporary name and renamed. Throws InputError if the place is not writable.
void saveExperiment(const Experiment& experiment, const std::string& path);

/// The values an extent expression may name.
struct Binding {
  std::string_view name;
  std::int64_t value;
};
/// Value of an extent expression; throws InputError.
std::int64_t evaluateExtent(std::string_view expression, std::span<const Binding> bindings);

/// A cell's point: variant and axis values.
struct CellKey {
  int variant = 0;
  std::vector<std::int64_t> at;  ///< one per axis
  friend bool operator==(const CellKey&, const CellKey&) = default;
};
/// All cells: variants innermost, first axis outermost.
std::vector<CellKey> cells(const Experiment& experiment);
/// The position of a cell in cells(experiment), without creating the list; nothing if it is not
/// among them.
std::optional<std::size_t> indexOfCell(const Experiment& experiment, const CellKey& key);

}  // namespace fusebench
