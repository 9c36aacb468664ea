// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/ranks/rank_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "engine/mpi/mpi.h"
#include "profiler/files/descriptor.h"
#include "profiler/protocol/request_queue.h"
#include "profiler/ranks/watched_ranks.h"

namespace fusebench {
namespace {

using nlohmann::json;

constexpr auto kBeat = std::chrono::milliseconds(500);
constexpr int kAboveTheLibrarys = 900;  ///< descriptors; a process usually may have 1,024

int connectTo(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return -1;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  const bool connected =
      ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  if (!connected) {
    ::close(socket);
    return -1;
  }
  // Linux closes what a process that is killed had open from the highest number down. This one is
  // to be closed before what mpirun hears of it by, for then mpirun ends the other ranks.
  const int above = ::fcntl(socket, F_DUPFD_CLOEXEC, kAboveTheLibrarys);
  if (above < 0) return socket;
  ::close(socket);
  return above;
}

std::string line(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

/// The first of these numbers that an mpirun has put into the environment.
int numberIn(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* number = std::getenv(name)) return std::atoi(number);
  return 0;
}

/// Which of the ranks this is, as its mpirun says before there is a group.
int ownRank() {
  return numberIn({"OMPI_COMM_WORLD_RANK", "PMI_RANK"});
}

/// Tells that the rank is alive, as long as this lives.
class Beats {
 public:
  Beats(ReplyWriter& replies, const WatchedRanks& ranks)
      : thread_([this, &replies, &ranks] {
          std::unique_lock lock(mutex_);
          while (!ends_) {
            lock.unlock();
            replies.write(line({{"beat", ranks.waiting()}, {"asked", ranks.asked()}}));
            lock.lock();
            changed_.wait_for(lock, kBeat, [this] { return ends_; });
          }
        }) {}
  ~Beats() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Beats(const Beats&) = delete;
  Beats& operator=(const Beats&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace

int rankOfMachine() {
  return numberIn({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_RANK"});
}

int rankMain(const std::string& socketPath, const BackendMaker& makeBackend,
             const GroupMaker& enter) {
  // The process does not outlive its parent, stopped or not.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
  const Descriptor socket(connectTo(socketPath));
  if (!socket) return 1;
  ReplyWriter replies(socket.get());
  replies.write(line({{"rank", ownRank()}, {"pid", ::getpid()}}));
  std::shared_ptr<WatchedRanks> ranks;
  try {
    ranks = std::make_shared<WatchedRanks>(enter ? enter() : mpi::enter(mpi::startedBy()));
  } catch (const std::runtime_error& error) {
    replies.write(line({{"problem", error.what()}}));
    return 1;
  }
  int code = 0;
  {
    const Beats beats(replies, *ranks);
    code = runWorker(socket.get(), replies, makeBackend, ranks);
  }
  if (code != 0) _exit(code);  // the others are not waited for
  mpi::leave();
  _exit(0);  // what the library keeps to its end is its own
}

}  // namespace fusebench
