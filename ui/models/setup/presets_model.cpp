// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/presets_model.h"
#include "profiler/files/resources.h"

#include <algorithm>
#include <string_view>

namespace fusebench {
namespace {

/// The order in which one would be taught by them: what a launch costs, where fusing pays, what
/// else can be done about launches, then types, layouts and views, then copies, then PyTorch beside
/// us. A study that is not named here comes after them.
constexpr std::string_view kCourse[] = {
    "fusion_study",       "fusion_same_inputs", "fusion_map",           "launches_and_graphs",
    "launch_overhead",    "instant_by_size",    "norms_and_softmax",    "dtype_width",
    "layout_elementwise", "layout_transpose",   "views_against_copies", "pinned_transfers",
    "overlap_transfers",  "batch_loader",       "roundtrip_cost",       "fusion_study_torch",
    "every_way_torch"};

std::vector<std::string> asACourse(std::vector<std::string> names) {
  std::ranges::stable_sort(names, {}, [](const std::string& name) {
    return std::ranges::find(kCourse, name) - std::begin(kCourse);
  });
  return names;
}

}  // namespace

PresetsModel::PresetsModel(QObject* parent, const std::vector<std::string>& names)
    : QAbstractListModel(parent) {
  for (const std::string& name : asACourse(names)) {
    const std::string file = "experiments/" + name + ".json";
    try {
      rows_.push_back({QString::fromStdString(name), parseExperiment(resourceText(file), file)});
    } catch (const InputError&) {
      // A damaged copy on disk is no reason to offer none of the others.
    }
  }
}

int PresetsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PresetsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case NameRole:
      return row.name;
    case Qt::DisplayRole:
    case TitleRole:
      return QString::fromStdString(row.experiment.title);
    case Qt::ToolTipRole:
    case QuestionRole:
      return QString::fromStdString(row.experiment.question);
    default:
      return {};
  }
}

QHash<int, QByteArray> PresetsModel::roleNames() const {
  return {{NameRole, "name"}, {TitleRole, "title"}, {QuestionRole, "question"}};
}

}  // namespace fusebench
