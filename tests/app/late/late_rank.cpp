// SPDX-License-Identifier: GPL-3.0-or-later
// A rank, like those that fusebench-cli starts, that becomes late: in an exchange with the others,
// or in its own work once it receives SIGUSR1. It still sends its signs of life.
#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "engine/mpi/mpi.h"
#include "profiler/machine/backend_table.h"
#include "profiler/ranks/rank_process.h"
#include "tests/engine/support/passing_ranks.h"

namespace fusebench {
namespace {

constexpr unsigned kLate = 120;  ///< seconds
constexpr int kInTime = 40;      ///< exchanges

void beLate() {
  for (unsigned left = kLate; left > 0;) left = ::sleep(left);
}

/// Set by the signal. A rank that slept in the handler might hold what its own sign of life needs.
volatile std::sig_atomic_t told = 0;

/// The group, in whose allReduce this rank sleeps once it has taken part in some; or on its way
/// from one exchange to the next, where it asks how many they are, once it has been told to.
class SleepingGroup final : public PassingRanks {
 public:
  SleepingGroup(std::shared_ptr<RankGroup> group, bool inExchange)
      : PassingRanks(std::move(group)), inExchange_(inExchange) {}
  int size() const override {
    if (told) beLate();
    return PassingRanks::size();
  }
  void allReduce(const void* from, void* to, std::int64_t elements, DType dtype,
                 Combine how) override {
    if (inExchange_ && ++calls_ > kInTime) beLate();
    PassingRanks::allReduce(from, to, elements, dtype, how);
  }

 private:
  bool inExchange_;
  int calls_ = 0;
};

}  // namespace
}  // namespace fusebench

/// late-rank WHERE worker --device cpu --rank SOCKET; WHERE: "exchange" or "signal".
int main(int argc, char** argv) {
  using namespace fusebench;
  if (argc < 3) return 2;
  ::signal(SIGUSR1, [](int) { told = 1; });
  const bool inExchange = std::strcmp(argv[1], "exchange") == 0;
  return rankMain(
      argv[argc - 1], [](bool recording) { return makeBackend("cpu", recording); },
      [&]() -> std::shared_ptr<RankGroup> {
        std::shared_ptr<RankGroup> group = mpi::enter(mpi::startedBy());
        return std::make_shared<SleepingGroup>(std::move(group), inExchange);
      });
}
