// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <string>
#include <vector>

#include "profiler/experiment/experiment.h"
#include "profiler/files/resources.h"

namespace fusebench {

/// The shipped experiments, to start from.
class PresetsModel : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role {
    NameRole = Qt::UserRole,  ///< of the file, without extension
    TitleRole,                ///< the same as Qt::DisplayRole
    QuestionRole,
    SectionRole,  ///< of the course that the studies make up: "Launches and fusion"
  };

  /// `names`: those to list, all of them by default. Ones that cannot be read are left out.
  explicit PresetsModel(QObject* parent = nullptr,
                        const std::vector<std::string>& names = shippedExperiments());

  const Experiment& at(int row) const { return rows_[static_cast<std::size_t>(row)].experiment; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QHash<int, QByteArray> roleNames() const override;

 private:
  struct Row {
    QString name;
    QString section;
    Experiment experiment;
  };
  std::vector<Row> rows_;
};

}  // namespace fusebench
