// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "profiler/analysis/cell_spreads.h"
#include "profiler/statistics/statistics.h"
#include "profiler/study/study.h"
#include "profiler/study/study_lane.h"

namespace fusebench {

/// PyTorch's workers take seconds to start.
inline constexpr int kGuestSessions = 3;

/// A study's work on single cells, and the workers that do it; the study decides when and in which
/// order. A lost worker is replaced; a cell that costs two workers is given up.
class StudyCells {
 public:
  StudyCells(const Experiment& experiment, const StudyOptions& options, StudyObserver& observer,
             std::stop_token stop);

  Run& run() { return run_; }
  int lost() const { return lost_; }  ///< cells given up
  double seconds() const;
  bool running(std::size_t index) const { return run_.cells[index].stop == Stop::running; }
  std::vector<std::size_t> runningCells() const;

  /// Takes over an earlier run's cells, as running where they can continue; returns the next round.
  /// Throws InputError if that run is of another experiment or of another device.
  int continueFrom(const Run& earlier);

  /// Whether another worker than our own runs the cell.
  bool isGuest(std::size_t index) const { return laneOf(index) != 0; }

  /// Makes sure that our own worker runs with the experiment loaded, and on the device of the run
  /// that is continued. Throws StudyFailed.
  void connect();
  /// The same for the guests that cells need; the cells of a guest that is not available end.
  void connectGuests();
  void quit();

  /// Spreads later samples over this number of sessions, guests' over kGuestSessions at most.
  void spread(int sessions) { rule_.sessions = sessions; }
  /// Continues in new workers, which are started when they are needed.
  void nextSession();
  /// Estimated time to prepare all cells once more, in seconds, from the first time; a guest's
  /// cells, which are fewer, count by their share.
  double preparationSeconds() const { return preparationSeconds_; }
  /// Whether the cell has enough of the present session.
  bool rests(std::size_t index) const { return states_[index].rests; }

  /// Compiles and counts; measures compile times up to `compileRepeats` times and checks the
  /// results, unless the study explores.
  void prepare(std::size_t index, int compileRepeats, double compileSeconds);
  /// Takes one sample, preparing first where that is needed; ends the cell if that was the last.
  void sample(std::size_t index, int round);
  /// Does the work that exploring leaves for later. It does not end the cell, whatever happens.
  void check(std::size_t index);
  void measureCompile(std::size_t index, double compileSeconds);

  /// Whether it has a sample, or the present worker is prepared to take one.
  bool isBegun(std::size_t index) const {
    return states_[index].prepared || !run_.cells[index].samples.empty();
  }
  /// Ends a cell for which there is no time.
  void leaveOut(std::size_t index) { finish(index, Stop::budget, std::nullopt); }
  /// Ends the cells that still run. While exploring, those with enough samples are coarse, unless
  /// they fail.
  void endRunning(Stop stop, const std::optional<std::string>& error = std::nullopt);

  /// How long the cell's last sample took to come; 0 before the first.
  double replySeconds(std::size_t index) const { return states_[index].replySeconds; }

 private:
  struct State {
    bool prepared = false;  ///< in the present worker
    int deaths = 0;
    double replySeconds = 0;
    std::size_t inSession = 0;  ///< samples taken in the present session
    bool rests = false;
  };

  /// A folder for the files that workers share, made when it is first needed.
  class SharedFolder {
   public:
    SharedFolder() = default;
    ~SharedFolder();
    SharedFolder(const SharedFolder&) = delete;
    SharedFolder& operator=(const SharedFolder&) = delete;
    const std::string& path();

   private:
    std::string path_;
  };

  std::size_t laneOf(std::size_t index) const { return laneOf_[index]; }
  const Variant& variantOf(const CellKey& key) const {
    return run_.experiment.variants[static_cast<std::size_t>(key.variant)];
  }
  void addRanks();
  std::size_t laneFor(const CellKey& key) const;
  int laneSession(std::size_t lane, int session) const;
  bool reach(std::size_t lane);
  Reply ask(std::size_t index, std::size_t lane, Verb verb, nlohmann::json body, double patience);
  Reply askPrepare(std::size_t index, int compileRepeats, double compileSeconds);
  std::string textForTorch(const CellKey& key, const Variant& variant,
                           const Program& forward) const;
  nlohmann::json gradientsForTorch(const Variant& variant, const Program& forward) const;
  Reply askValues(std::size_t index, const char* what);
  void withWorker(std::size_t index, const std::function<void()>& work);
  void release(std::size_t lane, bool kill);
  void lose(std::size_t index, std::size_t lane, const std::string& what);
  void finish(std::size_t index, Stop stop, std::optional<std::string> error);
  bool accept(std::size_t index, const Reply& reply);
  void prepareNow(std::size_t index, int compileRepeats, double compileSeconds);
  void sampleNow(std::size_t index, int round);
  void checkNow(std::size_t index);
  void compileNow(std::size_t index, double compileSeconds);
  void askCheck(std::size_t index);
  void sayWhatIsDrawn(Cell& cell) const;
  void compare(std::size_t index);
  /// How often a compile is measured: once if each would take the same time.
  int repeatsOf(int wanted) const { return run_.isExact() ? std::min(wanted, 1) : wanted; }
  void tell(std::size_t index);

  const StudyOptions& options_;
  StudyObserver& observer_;
  std::stop_token stop_;
  StoppingRule rule_;
  CellSpreads spreads_;
  Run run_;
  std::vector<State> states_;
  std::vector<StudyLane> lanes_;     ///< our own first
  std::vector<GuestWorker> ranks_;   ///< those of `lanes_` that are several ranks
  std::vector<std::size_t> laneOf_;  ///< by cell
  std::size_t asked_ = 0;            ///< the lane of the last request
  SharedFolder folder_;
  std::string earlierDevice_;  ///< UUID of the GPU that the run to continue was measured on
  int lost_ = 0;
  double preparationSeconds_ = 0;
  double checkSeconds_ = 0;  ///< that checks of results took
  int session_ = 0;          ///< the present one
  int earlierSessions_ = 0;  ///< of the run that is continued
};

}  // namespace fusebench
