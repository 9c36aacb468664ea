// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/results_filter_model.h"

#include <QRegularExpression>
#include <optional>

#include "profiler/analysis/wording.h"
#include "ui/models/base/format.h"
#include "ui/models/base/utf8.h"
#include "ui/models/results/run_words.h"

namespace fusebench {
namespace {

/// "elements>=4096"
struct Condition {
  QString axis, comparison;
  double value = 0;
};

std::optional<Condition> conditionIn(const QString& word) {
  static const QRegularExpression kForm(
      QStringLiteral("^([\\p{L}_]+)(<=|>=|=|<|>)([0-9.]+)([KMG]i)?$"));
  const QRegularExpressionMatch match = kForm.match(word);
  if (!match.hasMatch()) return std::nullopt;
  double value = match.captured(3).toDouble();
  const QString unit = match.captured(4);
  if (unit == QStringLiteral("Ki")) value *= 1 << 10;
  if (unit == QStringLiteral("Mi")) value *= 1 << 20;
  if (unit == QStringLiteral("Gi")) value *= 1 << 30;
  return Condition{match.captured(1), match.captured(2), value};
}

bool holds(const Condition& condition, double value) {
  if (condition.comparison == u"<") return value < condition.value;
  if (condition.comparison == u">") return value > condition.value;
  if (condition.comparison == u"<=") return value <= condition.value;
  if (condition.comparison == u">=") return value >= condition.value;
  return value == condition.value;
}

}  // namespace

ResultsFilterModel::ResultsFilterModel(ResultsTableModel& table, QObject* parent)
    : QSortFilterProxyModel(parent), table_(table) {
  setDynamicSortFilter(true);
  setSourceModel(&table);
}

void ResultsFilterModel::setFilterText(const QString& text) {
  words_ = text.split(QRegularExpression(QStringLiteral("[\\s,]+")), Qt::SkipEmptyParts);
  invalidateFilter();
}

bool ResultsFilterModel::fits(const QString& word, const Run& run, const Cell& cell) const {
  const auto& axes = run.experiment.axes;
  if (const auto condition = conditionIn(word)) {
    for (std::size_t i = 0; i < axes.size() && i < cell.key.at.size(); ++i) {
      const bool named =
          text(axes[i].name).startsWith(condition->axis, Qt::CaseInsensitive) ||
          text(wording::axisWord(axes[i].name)).startsWith(condition->axis, Qt::CaseInsensitive) ||
          (i == 0 && condition->axis == u"n");
      if (named) return holds(*condition, static_cast<double>(cell.key.at[i]));
    }
    return false;
  }
  bool number = false;
  const double value = word.toDouble(&number);
  for (const std::int64_t at : cell.key.at)
    if ((number && static_cast<double>(at) == value) ||
        axisValueText(static_cast<double>(at)).compare(word, Qt::CaseInsensitive) == 0)
      return true;
  const auto& variant = run.experiment.variants[static_cast<std::size_t>(cell.key.variant)];
  return QString::fromStdString(variant.name).contains(word, Qt::CaseInsensitive) ||
         stopText(cell).contains(word, Qt::CaseInsensitive) ||
         QString::fromUtf8(name(cell.stop)).contains(word, Qt::CaseInsensitive) ||
         (word.compare(QStringLiteral("drift"), Qt::CaseInsensitive) == 0 &&
          cell.samples.size() >= 16 && cell.driftedDuring());
}

bool ResultsFilterModel::filterAcceptsRow(int row, const QModelIndex&) const {
  const Run* run = table_.run();
  if (!run || words_.isEmpty()) return true;
  const Cell& cell = run->cells[static_cast<std::size_t>(row)];
  return std::all_of(words_.begin(), words_.end(),
                     [&](const QString& word) { return fits(word, *run, cell); });
}

bool ResultsFilterModel::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const QVariant a = left.data(ResultsTableModel::RawRole);
  const QVariant b = right.data(ResultsTableModel::RawRole);
  const bool ascending = sortOrder() == Qt::AscendingOrder;
  if (!a.isValid() || !b.isValid()) {
    if (a.isValid() == b.isValid()) return false;
    return a.isValid() == ascending;  // those without a value go last either way
  }
  if (a.typeId() == QMetaType::QString)
    return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
  return a.toDouble() < b.toDouble();
}

QVariant ResultsFilterModel::data(const QModelIndex& index, int role) const {
  if (role == ResultsTableModel::GroupStartRole && index.isValid()) {
    // A group is adjacent rows of the same place, in the order shown.
    if (index.row() == 0 || (sorted() && sortColumn() >= table_.axisCount())) return true;
    const Run* run = table_.run();
    const auto cellAt = [&](int row) -> const Cell& {
      return run->cells[static_cast<std::size_t>(mapToSource(this->index(row, 0)).row())];
    };
    return !run || cellAt(index.row()).key.at != cellAt(index.row() - 1).key.at;
  }
  return QSortFilterProxyModel::data(index, role);
}

}  // namespace fusebench

#include "moc_results_filter_model.cpp"
