// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/code/variant_code.h"

#include <QRegularExpression>
#include <algorithm>
#include <stdexcept>

#include "engine/base/saying.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/machine/backend_table.h"
#include "profiler/machine/cuda_rows.h"
#include "profiler/protocol/process.h"

namespace fusebench {
namespace {

constexpr double kCodeSeconds = 60;    ///< that a worker may take to answer
constexpr std::size_t kLanguages = 2;  ///< the loop nest, and what it is compiled from

CellKey farEnd(const Experiment& experiment) {
  CellKey key{0, {}};
  for (const Axis& axis : experiment.axes) key.at.push_back(axis.values.back());
  return key;
}

std::vector<std::string> workerOf(const Run& run, std::vector<std::string> command) {
  if (!run.device.empty() && run.device != "cpu")
    command.insert(command.end(), {"--device", run.device});
  return command;
}

void loadCell(WorkerClient& client, const Experiment& experiment, int variant, const CellKey& key) {
  const Reply reply = client.ask(
      Verb::load, {{"experiment", toJson(oneCell(experiment, variant, key.at))}}, kCodeSeconds);
  if (!reply.ok) throw std::runtime_error(reply.message);
}

}  // namespace

Experiment oneCell(const Experiment& whole, int variant, const std::vector<std::int64_t>& at) {
  Experiment one = whole;
  one.title = "Generated code";
  one.question = one.note = one.lesson = one.reference = {};
  one.variants = {whole.variants.at(static_cast<std::size_t>(variant))};
  one.variants[0].series = 0;
  one.baseline = one.variants[0].name = "shown";
  one.variants[0].against.clear();
  one.claims.clear();
  std::erase_if(one.inputSets,
                [&](const InputSet& set) { return set.name != one.variants[0].inputs; });
  const std::vector<std::string>& taken = whole.programOf(one.variants[0]).inputs;
  for (InputSet& set : one.inputSets)
    std::erase_if(set.inputs, [&](const InputSpec& spec) {
      return std::ranges::find(taken, spec.name) == taken.end();
    });
  for (std::size_t a = 0; a < one.axes.size(); ++a) one.axes[a].values = {at.at(a)};
  one.measure = {};
  return one;
}

CodeListing variantListing(const Run& run, int variant, std::vector<std::string> workerCommand,
                           std::stop_token stop) {
  const CellKey key = farEnd(run.experiment);
  WorkerClient client(startWorker(workerOf(run, std::move(workerCommand))), std::move(stop));
  loadCell(client, run.experiment, variant, key);
  return listCode(client, key, kCodeSeconds);
}

VariantCode variantCode(const Run& run, int variant, std::vector<std::string> workerCommand,
                        std::stop_token stop) {
  const Experiment& experiment = run.experiment;
  VariantCode made;
  const Variant& chosen = experiment.variants.at(static_cast<std::size_t>(variant));
  made.variant = chosen.name;
  if (runsInTorch(chosen.executor)) {
    made.problem = saying("PyTorch generates its kernels; Fusebench does not see them.");
    return made;
  }
  try {
    const CellKey key = farEnd(experiment);
    WorkerClient client(startWorker(workerOf(run, std::move(workerCommand))), std::move(stop));
    loadCell(client, experiment, variant, key);
    const CodeListing listing = listCode(client, key, kCodeSeconds);
    made.inputs = listing.inputs;
    for (std::size_t k = 0; k < listing.kernels.size(); ++k) {
      KernelCode kernel{listing.kernels[k].name, listing.kernels[k].statements, {}, 0};
      for (std::size_t l = 0; l < std::min(kLanguages, listing.languages.size()); ++l)
        kernel.languages.push_back(fetchCode(client, key, k, listing.languages[l], kCodeSeconds));
      // Many kernels of an eager program are compiled from the same text, which is listed once.
      const auto same =
          std::find_if(made.kernels.begin(), made.kernels.end(), [&](const KernelCode& other) {
            return !kernel.languages.empty() &&
                   other.languages.back().text == kernel.languages.back().text;
          });
      if (same == made.kernels.end())
        made.kernels.push_back(std::move(kernel));
      else
        ++same->others;
    }
    if (made.kernels.empty()) made.problem = saying("It has no kernels to show.");
  } catch (const StopRequested&) {
    throw;
  } catch (const std::exception& error) {
    made.problem = error.what();
  }
  return made;
}

QString recordedArchitecture(const Run& run) {
  if (!namesGpu(run.device) || !run.environment.is_object()) return {};
  const auto backend = run.environment.find("backend");
  if (backend == run.environment.end() || !backend->is_string()) return {};
  static const QRegularExpression kCapability(QStringLiteral("compute capability (\\d+)\\.(\\d+)"));
  const auto found = kCapability.match(QString::fromStdString(backend->get<std::string>()));
  if (!found.hasMatch()) return {};
  QString name = QStringLiteral("sm_") + found.captured(1) + found.captured(2);
  const std::vector<std::string> known = architectureNames();
  const bool knows = std::find(known.begin(), known.end(), name.toStdString()) != known.end();
  return knows ? name : QString();
}

}  // namespace fusebench
