// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QStringList>
#include <vector>

#include "engine/ops/ops.h"

namespace fusebench {

/// The available ops: without a search, the recently used ones and then all by category, under
/// headings; otherwise the matches, best first. Headings cannot be selected.
class PaletteModel : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role {
    HeadingRole = Qt::UserRole,  ///< bool
    NameRole,                    ///< of the row
    TitleRole,                   ///< as the user writes it: "+", "exp"
    SpellingRole,                ///< "torch.exp(x)"; how it is written in a program
    DocRole,
    CategoryRole,  ///< int
  };
  static constexpr const char* kMimeType = "application/x-fusebench-op";

  explicit PaletteModel(QObject* parent = nullptr);

  void setSearch(const QString& search);
  const QString& search() const { return search_; }
  /// The op at a row; null for a heading.
  const OpRow* at(int row) const;
  /// First row that is an op, or -1 where nothing matches.
  int firstOp() const;

  /// Names of the ops used last, latest first.
  const QStringList& recent() const { return recent_; }
  /// Unknown names are left out.
  void setRecent(const QStringList& names);
  /// Puts an op first among those used last.
  void noteUsed(const OpRow& row);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QStringList mimeTypes() const override { return {QString::fromLatin1(kMimeType)}; }
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  Qt::DropActions supportedDragActions() const override { return Qt::CopyAction; }

 signals:
  void recentChanged();

 private:
  struct Row {
    QString heading;
    const OpRow* op = nullptr;
  };
  void fill();

  QString search_;
  QStringList recent_;
  std::vector<Row> rows_;
};

/// How well an op matches a search: smaller is better; -1: not at all. Each word of the search must
/// occur in the name, a spelling, the category or the doc.
int paletteRank(const OpRow& row, const QString& search);

/// PyTorch's function of that name, or the first whose name begins with it, if it is composed of
/// several ops; it is inserted as text. Empty if there is none, or if an op or layer has that name.
QString functionSearched(const QString& search);

/// How the op is written in a program: "torch.exp(x)", "x + y".
QString paletteSpelling(const OpRow& row);

}  // namespace fusebench
