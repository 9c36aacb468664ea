// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <string>
#include <vector>

#include "profiler/files/resources.h"

namespace fusebench {

/// The shipped experiments, to start from.
class PresetsModel : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role {
    NameRole = Qt::UserRole,  ///< name of the file, without extension
    TitleRole,                ///< the same as Qt::DisplayRole
    QuestionRole,
    SectionRole,  ///< section of the course of studies: "Launches and fusion"
  };

  /// `names`: the experiments to list, by default all. Files without an experiment are left out.
  /// Programs are not read, because that may take long; opening one reports its problems.
  explicit PresetsModel(QObject* parent = nullptr,
                        const std::vector<std::string>& names = shippedExperiments());

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QHash<int, QByteArray> roleNames() const override;

 private:
  struct Row {
    QString name;
    QString section;
    std::string title;
    std::string question;
  };
  std::vector<Row> rows_;
};

}  // namespace fusebench
