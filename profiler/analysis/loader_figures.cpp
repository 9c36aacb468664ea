// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/loader_figures.h"

#include <algorithm>

#include "profiler/analysis/bandwidth.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/files/input_error.h"

namespace fusebench {
namespace {

/// Bytes that each call copies from host memory.
double broughtBytes(const Experiment& experiment, const CellKey& key) {
  const Program program = programAt(experiment, key);
  double bytes = 0;
  for (const ValueType& type : inputTypesAt(experiment, key, program, 0))
    bytes +=
        static_cast<double>(elementCount(type.shape)) * static_cast<double>(info(type.dtype).size);
  return bytes;
}

/// How long kernels run in a call, if that is known.
std::optional<double> kernelTimeOf(const Cell& cell) {
  if (!cell.anatomy) return std::nullopt;
  if (cell.anatomy->device) return cell.anatomy->device->of(DevicePart::kernels);
  if (cell.hasDeviceTimes()) return std::nullopt;
  return cell.anatomy->of(CallPart::kernel);
}

}  // namespace

std::optional<double> broughtBytesOf(const Run& run, const Cell& cell) {
  const Variant& variant = run.experiment.variants[static_cast<std::size_t>(cell.key.variant)];
  if (variant.options.delivery.from == Delivery::From::device) return std::nullopt;
  try {
    if (const double bytes = broughtBytes(run.experiment, cell.key); bytes > 0) return bytes;
  } catch (const ProgramError&) {  // it was measured, whatever is wrong with its file by now
  } catch (const InputError&) {
  }
  return std::nullopt;
}

std::optional<LoaderFigure> loaderFigureOf(const Run& run, const Cell& cell) {
  if (cell.samples.empty()) return std::nullopt;
  const auto bytes = broughtBytesOf(run, cell);
  if (!bytes) return std::nullopt;
  LoaderFigure figure;
  figure.key = cell.key;
  figure.bytes = *bytes;
  const Estimate latency = cell.latency();
  figure.batch = latency.value;
  if (!(figure.batch > 0)) return std::nullopt;
  figure.bandwidth = bandwidthOf(figure.bytes, latency);
  if (const auto kernels = kernelTimeOf(cell))
    figure.waits = std::clamp(1 - *kernels / figure.batch, 0.0, 1.0);
  return figure;
}

}  // namespace fusebench
