// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/program_model.h"

#include <QStringList>
#include <algorithm>

namespace fusebench {

void ProgramModel::setExperiment(const Experiment* experiment) {
  beginResetModel();
  rows_.clear();
  active_ = 0;
  if (experiment && !experiment->program.statements.empty()) {
    const auto& statements = experiment->program.statements;
    std::size_t count = statements.size();
    for (const Axis& axis : experiment->axes)
      if (axis.name == "statements" && !axis.values.empty())
        count = std::max(count,
                         static_cast<std::size_t>(std::max<std::int64_t>(0, axis.values.back())));
    for (std::size_t i = 0; i < count; ++i)
      rows_.push_back({QString::fromStdString(statements[i % statements.size()].text),
                       static_cast<int>(i) + 1, i >= statements.size()});
    rows_.push_back(
        {QStringLiteral("return ") + QString::fromStdString(experiment->program.returnText), 0,
         false});
  }
  endResetModel();
}

void ProgramModel::setActiveCount(int n) {
  if (n == active_) return;
  active_ = n;
  if (!rows_.empty())
    emit dataChanged(index(0), index(rowCount() - 1), {ActiveRole, Qt::AccessibleTextRole});
}

int ProgramModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant ProgramModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const bool active = active_ == 0 || row.number <= active_;
  switch (role) {
    case Qt::DisplayRole:
      return row.text;
    case Qt::AccessibleTextRole:
      return row.number ? QStringLiteral("%1: %2%3")
                              .arg(row.number)
                              .arg(row.text, active ? QString() : QStringLiteral(", not run"))
                        : row.text;
    case NumberRole:
      return row.number;
    case ActiveRole:
      return active;
    case RepeatedRole:
      return row.repeated;
    case ReturnRole:
      return row.number == 0;
    default:
      return {};
  }
}

std::vector<InputLine> inputLines(const Experiment& experiment) {
  std::vector<InputLine> lines;
  for (const InputSet& set : experiment.inputSets) {
    QStringList inputs, variants;
    for (const InputSpec& input : set.inputs) {
      QStringList extents;
      for (const std::string& extent : input.extents) extents << QString::fromStdString(extent);
      inputs << QStringLiteral("%1 (%2)").arg(QString::fromStdString(input.name),
                                              extents.join(QStringLiteral(", ")));
    }
    for (const Variant& variant : experiment.variants)
      if (variant.inputs == set.name) variants << QString::fromStdString(variant.name);
    lines.push_back({QString::fromStdString(set.name), inputs.join(QStringLiteral(", ")),
                     set.count > 1 ? QStringLiteral("i = 0 … %1").arg(set.count - 1) : QString(),
                     variants.join(QStringLiteral(", "))});
  }
  return lines;
}

}  // namespace fusebench
