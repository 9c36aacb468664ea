// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/presets_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"
#include "profiler/files/resources.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

struct Section {
  std::string_view title;
  std::vector<std::string_view> names;
};

/// The order in which one would be taught by them. A study that is not named here comes after them.
const std::vector<Section>& course() {
  static const std::vector<Section> sections = {
      {uiMark("Launches and fusion"),
       {"fusion_study", "fusion_same_inputs", "fusion_map", "launches_and_graphs",
        "launch_overhead", "instant_by_size", "norms_and_softmax", "attention_length"}},
      {uiMark("Types, layouts and views"),
       {"dtype_width", "layout_elementwise", "layout_transpose", "views_against_copies",
        "normalize_hoisting", "inplace_memory", "inplace_contract", "first_touch"}},
      {uiMark("Matmuls and networks"),
       {"layout_matmul", "layout_conv", "autotune_conv", "mlp_fusion", "conv_net",
        "quantisation_mlp", "quantisation_conv", "dynamic_against_static"}},
      {uiMark("Gradients"),
       {"no_grad", "autograd_cost", "checkpointing", "checkpointing_blocks", "checkpoint_budget",
        "mixed_precision", "optimizer_fusion", "graph_breaks"}},
      {uiMark("Copies to and from a device"),
       {"create_on_device", "share_or_copy", "pinned_transfers", "overlap_transfers",
        "batch_loader", "roundtrip_cost"}},
      {uiMark("Several processes"),
       {"data_parallel_scaling", "bucket_size", "overlap_communication", "allreduce_cost"}},
      {uiMark("Compared with PyTorch"),
       {"fusion_study_torch", "every_way_torch", "norms_and_softmax_torch",
        "attention_length_torch", "dtype_width_torch", "layout_elementwise_torch",
        "layout_transpose_torch", "views_against_copies_torch", "normalize_hoisting_torch",
        "inplace_memory_torch", "first_touch_torch", "optimizer_fusion_torch"}}};
  return sections;
}

/// The position of a study in the course: its section, and its index there.
std::pair<std::size_t, std::size_t> placeInCourse(std::string_view name) {
  for (std::size_t s = 0; s < course().size(); ++s) {
    const auto& names = course()[s].names;
    if (const auto at = std::ranges::find(names, name); at != names.end())
      return {s, static_cast<std::size_t>(at - names.begin())};
  }
  return {course().size(), 0};
}

QString sectionOf(std::string_view name) {
  const std::size_t section = placeInCourse(name).first;
  return section < course().size() ? uiText(course()[section].title.data()) : uiText("More");
}

/// A member that is a text; empty if there is none.
std::string textOf(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto member = object.find(key);
  return member != object.end() && member->is_string() ? member->get<std::string>() : std::string();
}

std::vector<std::string> asACourse(std::vector<std::string> names) {
  std::ranges::stable_sort(names, {}, placeInCourse);
  return names;
}

}  // namespace

PresetsModel::PresetsModel(QObject* parent, const std::vector<std::string>& names)
    : QAbstractListModel(parent) {
  for (const std::string& name : asACourse(names)) {
    try {
      const nlohmann::json file = jsonOf(resourceText("experiments/" + name + ".json"));
      if (textOf(file, "fusebench") != "experiment") continue;
      rows_.push_back({QString::fromStdString(name), sectionOf(name), textOf(file, "title"),
                       textOf(file, "question")});
    } catch (const InputError&) {
      // If one installed copy is damaged, the others are still offered.
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
      return text(said(row.title));
    case Qt::ToolTipRole:
    case QuestionRole:
      return text(said(row.question));
    case SectionRole:
      return row.section;
    default:
      return {};
  }
}

QHash<int, QByteArray> PresetsModel::roleNames() const {
  return {{NameRole, "name"},
          {TitleRole, "title"},
          {QuestionRole, "question"},
          {SectionRole, "section"}};
}

}  // namespace fusebench

#include "moc_presets_model.cpp"
