// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli_commands.h"
#include "engine/base/saying.h"
#include "engine/base/text_lines.h"
#include "engine/cuda/runtime/architectures.h"
#include "profiler/analysis/wording.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/files/json_reader.h"
#include "profiler/machine/backend_table.h"
#include "profiler/machine/cuda_rows.h"
#include "profiler/measure/cell_code.h"

namespace fusebench::cli {
namespace {

struct CodeOptions {
  std::string experiment;
  std::string entry;
  std::string variant;
  std::vector<std::int64_t> at;
  std::string language;  ///< empty: not given
  std::string device = "cpu";
  std::string architecture;
  int kernel = 0;  ///< from 1; 0: all
  bool plan = false;
};

/// The variant asked for, or the first of ours that is not the baseline.
int variantIndex(const Experiment& experiment, const std::string& given) {
  const auto& variants = experiment.variants;
  for (std::size_t v = 0; v < variants.size(); ++v)
    if (given.empty()
            ? variants[v].name != experiment.baseline && !runsInTorch(variants[v].executor)
            : variants[v].name == given)
      return static_cast<int>(v);
  if (given.empty()) return 0;
  std::vector<std::string_view> known;
  for (const Variant& variant : variants) known.push_back(variant.name);
  throw InputError(
      saying("--variant {}: there is no such variant; {}", given, suggestion(given, known)));
}

/// The place asked for, or the last on each axis.
std::vector<std::int64_t> placeOf(const Experiment& experiment,
                                  const std::vector<std::int64_t>& given) {
  const auto& axes = experiment.axes;
  if (!given.empty() && given.size() != axes.size())
    throw InputError(saying("--at {}: the experiment has {}; give one value for each",
                            fmt::join(given, ","),
                            axes.size() == 1 ? saying("one axis") : saying("two axes")));
  std::vector<std::int64_t> at;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    at.push_back(given.empty() ? axes[a].values.back() : given[a]);
    if (std::find(axes[a].values.begin(), axes[a].values.end(), at[a]) == axes[a].values.end())
      throw InputError(saying("--at {}: the axis {} has no such value; it has {}", at[a],
                              axes[a].name, fmt::join(axes[a].values, ", ")));
  }
  return at;
}

const GeneratedCode& languageOf(const std::vector<GeneratedCode>& languages,
                                const std::string& given) {
  std::vector<std::string_view> known;
  for (const GeneratedCode& code : languages) {
    if (code.language == given) return code;
    known.push_back(code.language);
  }
  const bool isCuda = std::ranges::find(known, "cuda") != known.end();
  if (isCuda && (given == "ptx" || given == "resources" || given == "sass"))
    if (const LibraryStatus nvrtc = examineNvrtc(); !nvrtc.usable)
      throw InputError(
          saying("--language {}: needs NVRTC ({}); {}", given, nvrtc.found, nvrtc.remedy));
  if (isCuda && given == "sass")
    throw InputError(saying(
        "--language sass: needs nvdisasm from the CUDA toolkit; install it, or name the file "
        "with FUSEBENCH_CUDA_NVDISASM"));
  throw InputError(
      saying("--language {}: there is no such language; {}", given, suggestion(given, known)));
}

/// The token that begins a comment in a language.
std::string_view commentOf(const std::string& language) {
  if (language == "llvm") return ";";
  return language == "cuda" || language == "ptx" || language == "sass" ? "//" : "#";
}

std::string placeText(const Experiment& experiment, const std::vector<std::int64_t>& at) {
  std::string text;
  for (std::size_t a = 0; a < at.size(); ++a)
    text += fmt::format("{}{} = {}", said(", "), wording::axisWord(experiment.axes[a].name), at[a]);
  return text;
}

/// The device whose code is asked for, which need not be there: an architecture is enough.
std::string deviceOf(const CodeOptions& options) {
  const std::string& device = options.architecture.empty() ? options.device : options.architecture;
  const bool byArchitecture = !options.architecture.empty() || namesArchitecture(device);
  if (!byArchitecture) {
    demandDevice(device);
    return device;
  }
  try {
    cuda::architectureOf(device);
  } catch (const std::invalid_argument& wrong) {
    throw InputError(
        fmt::format("{}: {}", options.architecture.empty() ? "--device" : "--arch", wrong.what()));
  }
  return device;
}

/// Tables under one head, with the kernel's number before each line.
std::string resourceTable(CellCode& code, const CodeOptions& options) {
  std::string text;
  for (std::size_t k = 0; k < code.kernels().size(); ++k) {
    if (options.kernel > 0 && static_cast<int>(k) + 1 != options.kernel) continue;
    bool isHead = true;
    forEachLine(languageOf(code.languages(k), options.language).text, [&](std::string_view line) {
      if (!isHead)
        text += fmt::format("{:>6}  {}\n", k + 1, line);
      else if (text.empty())
        text += fmt::format("{:>6}  {}\n", "kernel", line);
      isHead = false;
    });
  }
  return text;
}

int codeCommand(CodeOptions options) {
  const Experiment experiment = findExperiment(options.experiment, options.entry);
  const CellKey key{variantIndex(experiment, options.variant), placeOf(experiment, options.at)};
  if (const Variant& variant = experiment.variants[static_cast<std::size_t>(key.variant)];
      runsInTorch(variant.executor))
    throw InputError(
        saying("--variant {}: PyTorch runs this variant, and its generated code is not shown; "
               "choose a variant with one of Fusebench's executors",
               variant.name));
  const std::string device = deviceOf(options);
  if (options.language.empty()) options.language = namesArchitecture(device) ? "cuda" : "readable";
  const auto backend = makeBackend(device);
  CellCode code(*backend, experiment, key);
  const std::size_t kernels = code.kernels().size();
  if (options.kernel > static_cast<int>(kernels))
    throw InputError(
        saying("--kernel {}: there are {}; give a number from 1", options.kernel, kernels));
  if (options.plan) {
    printOut(code.planText());
    return kDone;
  }
  const std::string_view comment = commentOf(options.language);
  std::string text = saying("{} {}{}, for {}: {} {}\n", comment,
                            experiment.variants[static_cast<std::size_t>(key.variant)].name,
                            placeText(experiment, key.at), code.inputs(), kernels,
                            kernels == 1 ? said("launch") : said("launches"));
  if (namesArchitecture(device))
    text += saying("{} written for {}; nothing is measured\n", comment, backend->description());
  if (options.language == "resources") {
    printOut(text + "\n" + resourceTable(code, options));
    return kDone;
  }
  for (std::size_t k = 0; k < kernels; ++k) {
    if (options.kernel > 0 && static_cast<int>(k) + 1 != options.kernel) continue;
    const GeneratedCode& shown = languageOf(code.languages(k), options.language);
    text += saying("\n{} kernel {} of {}: {}\n{}", comment, k + 1, kernels, code.kernels()[k].name,
                   shown.text);
  }
  printOut(text);
  return kDone;
}

}  // namespace

void addCodeCommand(CLI::App& app, int& code) {
  auto options = std::make_shared<CodeOptions>();
  CLI::App* command =
      app.add_subcommand("code", saying("Print the kernels that a variant launches"));
  command
      ->add_option("EXPERIMENT", options->experiment,
                   saying("An experiment file, the name of a shipped one, or a Python file with a "
                          "PyTorch program"))
      ->required();
  command->add_option(
      "--entry", options->entry,
      saying("Function or class to run, of a Python file (default: the one that the file runs)"));
  command->add_option("--variant", options->variant,
                      saying("Variant (default: the first that is not the baseline)"));
  command->add_option("--at", options->at, saying("Value of each axis (default: the last)"))
      ->delimiter(',')
      ->type_name("N[,M]");
  command->add_option(
      "--language", options->language,
      saying(
          "readable (loop nests, the default); for the CPU llvm (the IR given to the code "
          "generator) or assembly; for a GPU cuda (CUDA C++, the default with --arch), ptx, sass "
          "(with nvdisasm) or resources (a table of registers, spills and memory accesses)"));
  command
      ->add_option("--device", options->device,
                   saying("Device to generate code for: see fusebench-cli devices"))
      ->capture_default_str();
  command
      ->add_option("--arch", options->architecture,
                   saying("A GPU architecture to write code for, without a GPU or driver: {}",
                          fmt::join(architectureNames(), ", ")))
      ->excludes("--device")
      ->type_name("sm_NN");
  command
      ->add_option("--kernel", options->kernel,
                   saying("Only this kernel, counted from 1 (default: all)"))
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("K");
  command->add_flag("--plan", options->plan,
                    saying("The plan instead of the code: the contents of memory, and what each "
                           "step reads, writes, frees, moves and computes"));
  command->callback([options, &code] { code = codeCommand(*options); });
}

}  // namespace fusebench::cli
