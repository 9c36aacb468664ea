// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "profiler/study/reached_target.h"

namespace fusebench {

/// Where workers run: this machine, hosts by ssh, Slurm allocations; and the devices found there.
/// Targets are reached on a separate thread, because it can take long.
class TargetsModel : public QObject {
  Q_OBJECT

 public:
  /// Waits, probes, and copies the program with `install`; called on a thread, may throw.
  using Reach = std::function<ReachedTarget(const std::string& name, bool install,
                                            const std::function<void(double)>& waiting,
                                            std::stop_token stop)>;
  struct Target {
    enum class State : std::uint8_t { unknown, looking, ready, lacksProgram, failed };
    QString name;
    State state = State::unknown;
    QString words;  ///< what was found, or the problem, in one line
    std::optional<ReachedTarget> reached{};
  };

  explicit TargetsModel(QObject* parent = nullptr);
  ~TargetsModel() override;

  void setReach(Reach reach) { reach_ = std::move(reach); }
  /// The first one is this machine: "here".
  const std::vector<Target>& targets() const { return targets_; }
  QStringList names() const;  ///< without "here"
  void setNames(const QStringList& names);
  /// The problem with a name; empty: it was added, or is already listed.
  QString add(const QString& name);
  /// Not this machine.
  void remove(const QString& name);

  const QString& chosen() const { return chosen_; }
  /// Reaches it, and chooses it once it is ready; this machine immediately. Until then, the
  /// previous choice remains.
  void choose(const QString& name);
  /// The same; the program is copied to it if it is missing there.
  void install(const QString& name) { reach(name, true, true); }
  /// Examines again what is available there.
  void look(const QString& name) { reach(name, false, name == chosen_); }
  /// Stops waiting for answers and in queues; the choice remains.
  void stopLooking();
  /// While a measurement runs, the target does not change.
  void setQuiet(bool quiet);
  bool quiet() const { return quiet_; }
  /// The chosen one, if it is not this machine.
  const ReachedTarget* reached() const;
  const Target* find(const QString& name) const;

 signals:
  void changed();
  void listChanged();
  void chosenChanged();

 private:
  void reach(const QString& name, bool install, bool thenChoose);
  void done(const QString& name, int number, std::shared_ptr<ReachedTarget> found,
            const QString& problem, bool thenChoose);
  Target* findMine(const QString& name);
  void become(const QString& name);
  static void rest(Target& target);
  void giveBack(std::shared_ptr<SlurmAllocation> allocation);

  Reach reach_;
  std::vector<Target> targets_;
  QString chosen_ = QStringLiteral("here");
  bool quiet_ = false;
  int number_ = 0;  ///< number of the last examination
  std::stop_source stop_;
  QThreadPool thread_;
};

}  // namespace fusebench
