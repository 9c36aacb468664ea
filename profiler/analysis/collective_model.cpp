// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/collective_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engine/language/program.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/files/files.h"
#include "profiler/statistics/relative_fit.h"

namespace fusebench {
namespace {

constexpr std::size_t kFewestSizes = 3;

/// The only op of a program that does anything; null: there is none, or more.
const Op* onlyCollective(const Program& program) {
  const Op* found = nullptr;
  for (const Op& op : program.ops) {
    if (op.row->kind == OpKind::view || op.row->kind == OpKind::make) continue;
    if (op.row->kind != OpKind::collective || isFence(*op.row) || found) return nullptr;
    found = &op;
  }
  return found;
}

struct Measured {
  std::string collective;
  CollectiveModel::Point point;
};

std::optional<Measured> measuredOf(const Run& run, const Cell& cell) {
  if (cell.samples.empty()) return std::nullopt;
  try {
    const Program program = programAt(run.experiment, cell.key);
    const Op* const op = onlyCollective(program);
    if (!op) return std::nullopt;
    const std::vector<ValueType> types =
        inferTypes(program, inputTypesAt(run.experiment, cell.key, program, 0));
    const ValueType& brought = types[static_cast<std::size_t>(op->operands.back().value)];
    Measured measured{std::string(op->row->name), {}};
    measured.point.key = cell.key;
    measured.point.bytes =
        elementCount(brought.shape) * static_cast<std::int64_t>(info(brought.dtype).size);
    measured.point.measured = cell.latency().value;
    return measured;
  } catch (const ProgramError&) {  // it was measured, whatever is wrong with its file by now
    return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

bool fit(CollectiveModel& model) {
  std::ranges::sort(model.points, {}, &CollectiveModel::Point::bytes);
  std::vector<double> bytes, times;
  std::size_t sizes = 0;
  for (std::size_t i = 0; i < model.points.size(); ++i) {
    const CollectiveModel::Point& point = model.points[i];
    sizes += i == 0 || point.bytes != model.points[i - 1].bytes ? 1 : 0;
    bytes.push_back(static_cast<double>(point.bytes));
    times.push_back(point.measured);
  }
  if (sizes < kFewestSizes) return false;
  const auto line = fitRelativeLine(bytes, times);
  if (!line) return false;
  model.alpha = line->intercept;
  model.beta = line->slope;
  for (CollectiveModel::Point& point : model.points)
    point.modeled = model.alpha.value + model.beta.value * static_cast<double>(point.bytes);
  return true;
}

}  // namespace

double CollectiveModel::worst() const {
  double most = 0;
  for (const Point& point : points) most = std::max(most, std::abs(point.off()));
  return most;
}

std::vector<CollectiveModel> collectiveModels(const Run& run) {
  std::map<std::pair<int, int>, CollectiveModel> all;  // by variant and ranks
  for (const Cell& cell : run.cells) {
    const int ranks = ranksOf(run.experiment, cell.key);
    if (ranks < 2) continue;
    const auto measured = measuredOf(run, cell);
    if (!measured) continue;
    CollectiveModel& model = all[{cell.key.variant, ranks}];
    model.variant = cell.key.variant;
    model.ranks = ranks;
    model.collective = measured->collective;
    model.points.push_back(measured->point);
  }
  std::vector<CollectiveModel> models;
  for (auto& [key, model] : all)
    if (fit(model)) models.push_back(std::move(model));
  return models;
}

}  // namespace fusebench
