// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "ui/models/run_model.h"

namespace fusebench {

/// One call of a variant, taken apart. Times in nanoseconds.
struct AnatomyBar {
  /// What one kernel and the work around it take; only kernels' parts are 0 where marks do not
  /// tell.
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

  double share(CallPart part) const {
    return total > 0 ? parts[static_cast<std::size_t>(part)] / total : 0;
  }
};

/// Where the time of one call goes, variant by variant, at one place of the axes.
class AnatomyModel : public QObject {
  Q_OBJECT

 public:
  explicit AnatomyModel(const RunModel& run, QObject* parent = nullptr);

  /// Places that may be shown: the first axis' values at which something was recorded, as text.
  const std::vector<QString>& places() const { return places_; }
  int place() const { return place_; }
  void setPlace(int place);
  /// Goes to the place nearest to a value of the first axis.
  void goTo(double value);
  /// Which value of the second axis is held, if there is one.
  void setSlice(std::size_t slice);

  /// In the variants' order.
  const std::vector<AnatomyBar>& bars() const { return bars_; }
  /// Parts that some bar spends at least half a percent on, in the order a call meets them.
  const std::vector<CallPart>& parts() const { return parts_; }
  double longest() const;
  /// The cells behind the bars.
  const std::vector<CellKey>& cells() const { return cells_; }

  /// Why there is nothing to show, and what to do about it; empty if there is.
  QString emptyReason() const;
  /// What was subtracted, and how near the parts come to an untraced call.
  QString footnote() const;

 signals:
  void changed();

 private:
  void reset();
  void refresh();
  bool isShown(const Cell& cell) const;
  void findPlaces();
  void rebuild();

  const RunModel& run_;
  std::size_t slice_ = 0;
  std::vector<std::int64_t> values_;
  std::vector<QString> places_;
  int place_ = -1;
  std::vector<AnatomyBar> bars_;
  std::vector<CellKey> cells_;
  std::vector<CallPart> parts_;
};

/// What a part of a call is, in a few words: "Memory for results, and giving it back".
QString partDescription(CallPart part);

}  // namespace fusebench
