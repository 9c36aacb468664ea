// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/presets_model.h"
#include "profiler/files/resources.h"

namespace fusebench {

PresetsModel::PresetsModel(QObject* parent, const std::vector<std::string>& names)
    : QAbstractListModel(parent) {
  for (const std::string& name : names) {
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
