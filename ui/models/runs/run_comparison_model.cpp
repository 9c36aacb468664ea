// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <limits>
#include <memory>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/runs/run_comparison.h"

namespace fusebench {

RunComparisonModel::~RunComparisonModel() = default;

void RunComparisonModel::setRuns(std::shared_ptr<const Run> a, std::shared_ptr<const Run> b) {
  const int generation = ++generation_;
  busy_ = a && b;
  if (!busy_) return take({}, generation);
  QThreadPool::globalInstance()->start(
      [self = QPointer<RunComparisonModel>(this), a = std::move(a), b = std::move(b), generation] {
        auto comparison = std::make_shared<RunComparison>(compareRuns(*a, *b));
        // The application outlives the pool; the model may not.
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, comparison, generation] {
              if (self) self->take(std::move(*comparison), generation);
            },
            Qt::QueuedConnection);
      });
}

void RunComparisonModel::take(RunComparison comparison, int generation) {
  if (generation != generation_) return;
  beginResetModel();
  comparison_ = std::move(comparison);
  busy_ = false;
  endResetModel();
  emit compared();
}

int RunComparisonModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(comparison_.cells.size());
}

int RunComparisonModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : axisCount() + kColumns;
}

QVariant RunComparisonModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const ComparedCell& cell = comparison_.cells[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return text(cell, index.column());
    case RawRole:
      return raw(cell, index.column());
    case VariantRole:
      return cell.variantIndex;
    case VerdictRole:
      return cell.both() ? static_cast<int>(cell.verdict()) : -1;
    case Qt::TextAlignmentRole: {
      const int column = index.column() - axisCount();
      return static_cast<int>(
          (column == variantColumn || column == verdictColumn ? Qt::AlignLeft : Qt::AlignRight) |
          Qt::AlignVCenter);
    }
    case Qt::ToolTipRole:
      return uiText("A: %1 samples, %2. B: %3 samples, %4.")
          .arg(cell.samplesA)
          .arg(formatInterval(cell.a))
          .arg(cell.samplesB)
          .arg(formatInterval(cell.b));
    default:
      return {};
  }
}

QVariant RunComparisonModel::text(const ComparedCell& cell, int section) const {
  if (section < axisCount()) {
    const auto axis = static_cast<std::size_t>(section);
    return axisValueText(static_cast<double>(cell.at[axis]), comparison_.styles[axis]);
  }
  switch (section - axisCount()) {
    case variantColumn:
      return cell.variant;
    case aColumn:
      return formatTime(cell.a.value);
    case bColumn:
      return formatTime(cell.b.value);
    case ratioColumn:
      return formatRatio(cell.ratio.value);
    case intervalColumn: {
      if (cell.ratio.kind == Estimate::Kind::none) return QStringLiteral("–");
      const QString both = QStringLiteral("%1 – %2").arg(formatSignificant(cell.ratio.low),
                                                         formatSignificant(cell.ratio.high));
      return cell.ratio.kind == Estimate::Kind::range ? QStringLiteral("(%1)").arg(both) : both;
    }
    case verdictColumn:
      if (cell.samplesB == 0) return uiText("only in A");
      return cell.samplesA == 0 ? uiText("only in B") : name(cell.verdict());
    default:
      return {};
  }
}

QVariant RunComparisonModel::raw(const ComparedCell& cell, int section) const {
  if (section < axisCount())
    return QVariant::fromValue(qlonglong{cell.at[static_cast<std::size_t>(section)]});
  switch (section - axisCount()) {
    case variantColumn:
      return cell.variant;
    case aColumn:
      return cell.a.value;
    case bColumn:
      return cell.b.value;
    case ratioColumn:
      return cell.ratio.value;
    case intervalColumn:
      return cell.ratio.high / cell.ratio.low;
    case verdictColumn:
      return text(cell, section);
    default:
      return {};
  }
}

QVariant RunComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const int column = section - axisCount();
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>(
        (column == variantColumn || column == verdictColumn ? Qt::AlignLeft : Qt::AlignRight) |
        Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  if (section < axisCount()) return comparison_.axes[static_cast<std::size_t>(section)];
  switch (column) {
    case variantColumn:
      return uiText("variant");
    case aColumn:
      return QStringLiteral("A");
    case bColumn:
      return QStringLiteral("B");
    case ratioColumn:
      return QStringLiteral("B / A");
    case intervalColumn:
      return uiText("95% interval");
    case verdictColumn:
      return uiText("B is");
    default:
      return {};
  }
}

}  // namespace fusebench
