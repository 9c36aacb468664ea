// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "profiler/doctor/device_list.h"
#include "ui/models/setup/targets_model.h"

namespace fusebench {

/// A device of a machine.
struct Site {
  QString target;  ///< "here", "ssh:anna@node7"
  QString device;  ///< "cpu", "cuda:0"
  QString model;   ///< "H100"; empty: not known
  auto operator<=>(const Site& other) const {
    return std::tie(target, device) <=> std::tie(other.target, other.device);
  }
  bool operator==(const Site& other) const { return (*this <=> other) == 0; }
};

/// The devices and machines on which an experiment is measured, one after another, and the
/// progress.
class SitesModel : public QObject {
  Q_OBJECT

 public:
  explicit SitesModel(const TargetsModel& targets, QObject* parent = nullptr);

  /// The sites of this machine come first. A machine that was never examined only has its CPU.
  std::vector<Site> sites() const;
  bool ticked(const Site& site) const { return ticked_.contains(site); }
  void tick(const Site& site, bool on);
  /// In the order of sites().
  std::vector<Site> chosen() const;

  /// The devices of this machine, once they are known.
  void setHere(const DeviceList& devices);

  /// What is measured now: "2 of 3: cuda:0"; empty: nothing is measured in turn.
  const QString& progress() const { return progress_; }
  bool busy() const { return !progress_.isEmpty(); }
  void setProgress(const QString& progress);

 signals:
  void changed();

 private:
  void learn();

  const TargetsModel& targets_;
  std::map<QString, std::vector<Site>> known_;  ///< by target: what was found when it was reached
  std::set<Site> ticked_;
  QString progress_;
};

/// "cpu", "cuda:0 of ssh:anna@node7".
QString nameOf(const Site& site);

}  // namespace fusebench
