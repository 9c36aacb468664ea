// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "profiler/analysis/wording.h"
#include "profiler/run/run.h"

namespace fusebench {

/// A run, and its name in comparisons.
struct NamedRun {
  QString name;
  std::shared_ptr<const Run> run;
};

/// The names, those that several have with a number behind them: "a", "run 1", "run 2".
std::vector<QString> numberedNames(const std::vector<QString>& names);

/// The comparison of one cell between two runs.
enum class RunVerdict : std::uint8_t {
  faster,       ///< B's whole interval of B / A is below 1
  slower,       ///< it is above 1
  withinNoise,  ///< it includes 1
  unknown       ///< too few samples for an interval
};

/// A cell of two runs, matched by the variant's name and the axes' values.
struct ComparedCell {
  QString variant;
  int variantIndex = 0;          ///< index in run A's variants, followed by B's own: sets the color
  std::vector<std::int64_t> at;  ///< in the order of RunComparison::axes
  Estimate a,
      b;           ///< ns per call; kind none where a run has no samples of the cell
  Estimate ratio;  ///< B / A, see profiler/statistics/sessions.h; none unless both have
  std::size_t samplesA = 0, samplesB = 0;

  bool both() const { return samplesA > 0 && samplesB > 0; }
  RunVerdict verdict() const;
};

/// Something that differs between the runs and may explain the ratio.
struct RunDifference {
  QString what;  ///< "processor"
  QString a, b;  ///< in words; empty: not recorded
};

struct RunComparison {
  std::vector<QString> axes;  ///< names, first axis first; empty if the runs sweep different ones
  std::vector<wording::PlaceStyle> styles;  ///< per axis: how its values are written
  std::vector<ComparedCell> cells;
  std::vector<RunDifference> differences;
  QString mismatch;  ///< why no cell can be compared; empty if some can

  std::size_t count(RunVerdict verdict) const;  ///< among cells that both have
  std::size_t onlyInA() const;
  std::size_t onlyInB() const;
};

/// Matches the cells of two runs and lists what else differs between them:
/// machine, environment, program, inputs, variants and measuring settings.
RunComparison compareRuns(const Run& a, const Run& b);
std::vector<RunDifference> differencesOf(const Run& a, const Run& b);

/// "B is faster at 3 of 21 cells, slower at 1, 17 are within noise; 2 are only
/// in A."
QString summaryOf(const RunComparison& comparison);
QString name(RunVerdict verdict);

/// A comparison as a table: one row a cell. The comparison is made on another
/// thread.
class RunComparisonModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Role {
    RawRole = Qt::UserRole,  ///< the number behind the text, for sorting
    VariantRole,             ///< index of the row's color
    VerdictRole              ///< RunVerdict as int; -1: only in one run
  };
  /// Columns after those of the axes.
  enum Column {
    variantColumn,
    aColumn,
    bColumn,
    ratioColumn,
    intervalColumn,
    verdictColumn,
    kColumns
  };

  using QAbstractTableModel::QAbstractTableModel;
  ~RunComparisonModel() override;

  /// Null for either: nothing is compared.
  void setRuns(std::shared_ptr<const Run> a, std::shared_ptr<const Run> b);
  const RunComparison& comparison() const { return comparison_; }
  bool busy() const { return busy_; }
  int axisCount() const { return static_cast<int>(comparison_.axes.size()); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 signals:
  void compared();

 private:
  QVariant text(const ComparedCell& cell, int section) const;
  QVariant raw(const ComparedCell& cell, int section) const;
  void take(RunComparison comparison, int generation);

  RunComparison comparison_;
  int generation_ = 0;
  bool busy_ = false;
};

}  // namespace fusebench
