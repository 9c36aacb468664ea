// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "ui/models/results/run_model.h"

namespace fusebench {

/// A part of a call on the host, or of what a device does for it in the meantime.
using AnatomyPart = std::variant<CallPart, DevicePart>;

/// The work of a device for one call. Times are nanoseconds of the device's clock.
struct DeviceBar {
  struct Launch {
    QString label;
    double kernels = 0;  ///< time of everything that it launched
  };
  std::array<double, kDeviceParts> parts{};
  double total = 0;
  int executions = 0;
  std::vector<Launch> launches;

  double share(DevicePart part) const {
    return total > 0 ? parts[static_cast<std::size_t>(part)] / total : 0;
  }
};

/// All executions of one kernel. Count and total are of one call, the rest of single executions.
struct KernelFigures {
  QString name;
  double count = 0, total = 0, mean = 0, least = 0, most = 0;
  double share = 0;  ///< fraction of the time of all kernels

  friend bool operator==(const KernelFigures&, const KernelFigures&) = default;
};

/// The breakdown of one call of a variant. Times in nanoseconds.
struct AnatomyBar {
  /// The time of one kernel and of the work around it. A part for which the call has no marks is 0.
  struct Launch {
    QString label;  ///< "exp · statement 3"
    PartTimes parts{};
    double total = 0;
  };
  int variant = 0;
  int series = 0;  ///< whose style it wears
  QString name;
  PartTimes parts{};
  double total = 0;
  double untraced = 0;  ///< the same call with no marks
  std::vector<Launch> launches;
  /// Present if a device runs the kernels while the host continues.
  std::optional<DeviceBar> device = std::nullopt;
  QString deviceProblem;  ///< why it is missing although it should exist
  std::vector<KernelFigures> kernels;
  Distribution delays, gaps;  ///< for launches of a device; empty without one

  double share(CallPart part) const {
    return total > 0 ? parts[static_cast<std::size_t>(part)] / total : 0;
  }
};

/// Where the time of one call goes, variant by variant, at one point of the axes.
class AnatomyModel : public QObject {
  Q_OBJECT

 public:
  explicit AnatomyModel(const RunModel& run, QObject* parent = nullptr);

  /// The available points: the first axis' values at which calls were recorded, as text.
  const std::vector<QString>& places() const { return places_; }
  int place() const { return place_; }
  void setPlace(int place);
  /// Goes to the point nearest to a value of the first axis.
  void goTo(double value);
  /// Which value of the second axis is selected, if there is one.
  void setSlice(std::size_t slice);

  /// In the variants' order.
  const std::vector<AnatomyBar>& bars() const { return bars_; }
  /// Parts that take at least half a percent of some bar, in the order of a call.
  const std::vector<CallPart>& parts() const { return parts_; }
  const std::vector<DevicePart>& deviceParts() const { return deviceParts_; }
  /// The longest of all bars, including those of devices.
  double longest() const;
  /// The cells behind the bars.
  const std::vector<CellKey>& cells() const { return cells_; }

  /// Why there is nothing to show, and how to fix it; empty if there is something.
  QString emptyReason() const;
  /// Whether a run would fill what is empty.
  bool needsRun() const;
  /// States what was subtracted, and how close the sum of the parts is to an untraced call.
  QString footnote() const;

 signals:
  void changed();

 private:
  QString deviceNote() const;
  void addDeviceProblems();
  void reset();
  void refresh();
  bool isShown(const Cell& cell) const;
  void findTracedSlice();
  void findPlaces();
  void rebuild();

  const RunModel& run_;
  std::size_t slice_ = 0;
  std::size_t tracedSlice_ =
      0;  ///< the nearest value of the second axis at which calls were recorded
  std::vector<std::int64_t> values_;
  std::vector<QString> places_;
  int place_ = -1;
  std::ptrdiff_t traced_ = 0;  ///< sides of cells that were there when this was built
  std::vector<AnatomyBar> bars_;
  std::vector<CellKey> cells_;
  std::vector<CallPart> parts_;
  std::vector<DevicePart> deviceParts_;
};

QString partName(AnatomyPart part);
/// A short description of a part of a call: "Allocating and freeing results".
QString partDescription(AnatomyPart part);

}  // namespace fusebench
