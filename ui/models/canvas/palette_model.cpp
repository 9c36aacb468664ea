// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/palette_model.h"

#include <QMimeData>
#include <algorithm>
#include <string>

#include "engine/base/saying.h"
#include "engine/edit/layers.h"
#include "engine/edit/sketch.h"
#include "engine/language/library.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/canvas/canvas_graph.h"

namespace fusebench {
namespace {

constexpr int kRecentKept = 8;
constexpr qsizetype kTellingLetters = 4;  ///< least length of the beginning of a function's name

/// Whether `word` starts a word of `in`.
bool startsAWord(const QString& in, const QString& word) {
  for (qsizetype at = in.indexOf(word); at >= 0; at = in.indexOf(word, at + 1))
    if (at == 0 || !in[at - 1].isLetterOrNumber()) return true;
  return false;
}

/// Whether `in` contains the letters of `word` in this order.
bool hasLettersInOrder(const QString& in, const QString& word) {
  qsizetype found = 0;
  for (const QChar letter : in)
    if (found < word.size() && letter == word[found]) ++found;
  return found == word.size();
}

int rankOfWord(const OpRow& row, const QString& word) {
  const QString name = text(row.name);
  if (name == word) return 0;
  int best = 100;
  for (const std::string_view spelling : row.spellings) {
    const QString whole = text(spelling);
    const QString last = whole.mid(whole.lastIndexOf(QLatin1Char('.')) + 1);
    if (whole == word || last == word) best = std::min(best, 1);
    if (last.startsWith(word)) best = std::min(best, 3);
    if (whole.startsWith(word)) best = std::min(best, 6);
    if (last.contains(word)) best = std::min(best, 7);
  }
  if (name.startsWith(word)) best = std::min(best, 2);
  if (startsAWord(name, word)) best = std::min(best, 4);
  if (name.contains(word)) best = std::min(best, 5);
  if (startsAWord(text(row.doc).toLower(), word)) best = std::min(best, 8);
  // Words of Chinese are not apart.
  const std::string_view translated = said(row.doc);
  if (translated != row.doc && text(translated).contains(word)) best = std::min(best, 8);
  if (startsAWord(text(title(row.category)).toLower(), word)) best = std::min(best, 9);
  if (word.size() > 2 && hasLettersInOrder(name, word)) best = std::min(best, 10);
  return best == 100 ? -1 : best;
}

}  // namespace

int paletteRank(const OpRow& row, const QString& search) {
  int total = 0;
  for (const QString& word : search.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const int rank = rankOfWord(row, word);
    if (rank < 0) return -1;
    total += rank;
  }
  return total;
}

QString functionSearched(const QString& search) {
  const QString word = search.trimmed().toLower().section(QLatin1Char('.'), -1);
  if (word.isEmpty() || findOpOrLayer(word.toStdString())) return {};
  QString begun;
  for (const std::string& name : libraryFunctions()) {
    const QString known = QString::fromStdString(name);
    if (known == word) return known;
    if (begun.isEmpty() && word.size() >= kTellingLetters && known.startsWith(word) &&
        !findOp(name))
      begun = known;
  }
  return begun;
}

QString paletteSpelling(const OpRow& row) {
  static const char* const kOperands[] = {"x", "y", "z"};
  if (isLayer(row)) return {};
  if (row.spellings.size() == 0) return text(said(row.doc));
  const QString first = text(*row.spellings.begin());
  if (first.startsWith(QLatin1String("unary "))) return first.mid(6) + QStringLiteral("x");
  if (!first.contains(QLatin1Char('.'))) return QStringLiteral("x %1 y").arg(first);
  if (first.startsWith(QLatin1String("x."))) {
    QStringList rest;
    for (int i = 1; i < row.arity; ++i) rest << QLatin1String(kOperands[std::min(i, 2)]);
    return QStringLiteral("%1(%2)").arg(first, rest.join(QStringLiteral(", ")));
  }
  QStringList operands;
  for (int i = 0; i < row.arity; ++i) operands << QLatin1String(kOperands[std::min(i, 2)]);
  return QStringLiteral("%1(%2)").arg(first, operands.join(QStringLiteral(", ")));
}

PaletteModel::PaletteModel(QObject* parent) : QAbstractListModel(parent) {
  fill();
}

void PaletteModel::fill() {
  beginResetModel();
  rows_.clear();
  if (search_.trimmed().isEmpty()) {
    if (!recent_.isEmpty()) rows_.push_back({uiText("Recently used"), nullptr});
    for (const QString& name : recent_) rows_.push_back({{}, findOpOrLayer(name.toStdString())});
    rows_.push_back({uiText("Inputs and layers"), nullptr});
    for (const OpRow& row : layerRows()) rows_.push_back({{}, &row});
    const OpRow* before = nullptr;
    for (const OpRow& row : opRows()) {
      if (!canStart(row)) continue;
      if (!before || before->category != row.category)
        rows_.push_back({text(said(title(row.category))), nullptr});
      rows_.push_back({{}, &row});
      before = &row;
    }
  } else {
    std::vector<std::pair<int, const OpRow*>> found;
    const auto offer = [&](const OpRow& row) {
      // Among equals, what was used last comes first.
      if (const int rank = paletteRank(row, search_); rank >= 0)
        found.emplace_back(rank * 2 + !recent_.contains(text(row.name)), &row);
    };
    for (const OpRow& row : layerRows()) offer(row);
    for (const OpRow& row : opRows())
      if (canStart(row)) offer(row);
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [rank, row] : found) rows_.push_back({{}, row});
  }
  endResetModel();
}

void PaletteModel::setSearch(const QString& search) {
  if (search == search_) return;
  search_ = search;
  fill();
}

const OpRow* PaletteModel::at(int row) const {
  return row < 0 || row >= rowCount() ? nullptr : rows_[static_cast<std::size_t>(row)].op;
}

int PaletteModel::firstOp() const {
  for (int i = 0; i < rowCount(); ++i)
    if (at(i)) return i;
  return -1;
}

void PaletteModel::setRecent(const QStringList& names) {
  QStringList known;
  for (const QString& name : names)
    if (findOpOrLayer(name.toStdString()) && !known.contains(name)) known << name;
  known = known.mid(0, kRecentKept);
  if (known == recent_) return;
  recent_ = known;
  fill();
  emit recentChanged();
}

void PaletteModel::noteUsed(const OpRow& row) {
  QStringList names = recent_;
  names.removeAll(text(row.name));
  names.prepend(text(row.name));
  setRecent(names);
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  if (!row.op) {
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) return row.heading;
    if (role == HeadingRole) return true;
    return {};
  }
  switch (role) {
    case Qt::DisplayRole:
    case NameRole:
      return text(row.op->name);
    case HeadingRole:
      return false;
    case TitleRole:
      return opTitle(*row.op);
    case SpellingRole:
      return paletteSpelling(*row.op);
    case DocRole:
    case Qt::ToolTipRole:
      return text(said(row.op->doc));
    case CategoryRole:
      return static_cast<int>(row.op->category);
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1: %2").arg(text(row.op->name), text(said(row.op->doc)));
    default:
      return {};
  }
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const {
  if (!index.isValid() || !at(index.row())) return Qt::NoItemFlags;
  return Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsDragEnabled |
         Qt::ItemNeverHasChildren;
}

QMimeData* PaletteModel::mimeData(const QModelIndexList& indexes) const {
  for (const QModelIndex& index : indexes)
    if (const OpRow* row = at(index.row())) {
      auto* data = new QMimeData;
      data->setData(QString::fromLatin1(kMimeType), text(row->name).toUtf8());
      return data;
    }
  return nullptr;
}

}  // namespace fusebench

#include "moc_palette_model.cpp"
