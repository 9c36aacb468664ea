// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <optional>
#include <vector>

#include "ui/models/chart/contour.h"
#include "ui/models/results/run_model.h"

namespace fusebench {

/// An axis of a map. Coordinates run from 0 at its first value to 1 at its
/// last, linearly or logarithmically, whichever spaces the values more evenly.
struct MapAxis {
  QString label;  ///< with its unit
  std::vector<double> values;
  bool logarithmic = false;

  double coordinate(double value) const;
  std::vector<double> coordinates() const;
  /// The borders of the cells: one more than values, halfway between neighbors. The outermost ones
  /// are as far out as their value is from the inner border.
  std::vector<double> edges() const;
};
MapAxis mapAxis(const Axis& axis);

/// How certain the sign of a speedup is.
enum class Certainty : std::uint8_t {
  none,    ///< not measured, or too few samples for an interval
  faster,  ///< the whole interval is above 1
  slower,  ///< the whole interval is below 1
  unsure   ///< it includes 1
};

/// One variant at one point, compared with the baseline there.
struct MapPlace {
  PlaceState state = PlaceState::pending;
  Estimate baseline, latency;  ///< ns per call
  Estimate speedUp;            ///< baseline / variant, paired by round
  std::size_t baselineSamples = 0, samples = 0;
  QString problem;  ///< why this point has no value

  Certainty certainty() const;
};

/// The speedup of one variant over the baseline for each pair of axis values.
struct BreakEvenMap {
  MapAxis x, y;      ///< the experiment's first and second axis
  int variant = -1;  ///< index among the experiment's variants
  QString baselineName, variantName;
  std::vector<MapPlace> places;  ///< (i, j) is i * y.values.size() + j
  /// The point whose color each point shows: itself if it is measured, the nearest measured one
  /// while pending; none for points without a value and before the first measurement.
  std::vector<std::optional<std::size_t>> source;
  Contours contours;  ///< at speedup 1, in coordinates of the axes

  std::size_t index(std::size_t i, std::size_t j) const { return i * y.values.size() + j; }
  const MapPlace& at(std::size_t i, std::size_t j) const { return places[index(i, j)]; }
  bool empty() const { return places.empty(); }
};

/// Compares two cells at one point; null if there is no such cell.
MapPlace comparePlace(const Cell* baseline, const Cell* variant);
/// The readout of a point, for hovering with the pointer: "10 statements, 64 elements", and a row
/// for each of the two variants and for the speedup.
QString placeTitle(const BreakEvenMap& map, std::size_t i, std::size_t j);
struct PlaceRow {
  QString name, value, beside;
};
std::vector<PlaceRow> placeRows(const BreakEvenMap& map, const MapPlace& place);
/// Fills source and contours from the places.
void finishMap(BreakEvenMap& map);
/// The whole map at once; empty for a run without a second axis.
BreakEvenMap breakEvenMap(const Run& run, int variant);

/// Keeps the map of one variant of the shown run up to date, a few points at a time, so that the
/// window stays responsive however large the map is.
class BreakEvenMapModel : public QObject {
  Q_OBJECT

 public:
  explicit BreakEvenMapModel(const RunModel& run, QObject* parent = nullptr);

  const BreakEvenMap& map() const { return map_; }
  /// Whether there is a run that sweeps one axis only, so that there is no map
  /// of it.
  bool oneAxisOnly() const;
  /// The variants that can be compared with the baseline, as places among the
  /// experiment's.
  const std::vector<int>& variants() const { return variants_; }
  void setVariant(int variant);
  /// Whether every point shows the current data of the run.
  bool upToDate() const { return !work_.isActive(); }

 signals:
  void changed();
  void variantsChanged();

 private:
  void reset();
  void refresh();
  void work();

  const RunModel& run_;
  BreakEvenMap map_;
  std::vector<int> variants_;
  /// Per place the run's cells of baseline and variant (the run's size: none)
  /// and the samples that the place was made from.
  struct Link {
    std::size_t baseline, variant;
    std::size_t samples = 0;
    Stop baselineStop = Stop::running, stop = Stop::running;
  };
  std::vector<Link> links_;
  std::size_t next_ = 0;  ///< next point to process
  bool again_ = false;    ///< cells changed since the pass began
  QTimer work_;
};

}  // namespace fusebench
