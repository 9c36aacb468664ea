// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/ranks/rank_host.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "engine/base/spawn.h"
#include "profiler/files/descriptor.h"
#include "profiler/files/files.h"
#include "profiler/files/json_text.h"
#include "profiler/files/line_buffer.h"
#include "profiler/machine/clock.h"
#include "profiler/protocol/captured_command.h"
#include "profiler/protocol/protocol.h"
#include "profiler/protocol/request_queue.h"
#include "profiler/ranks/hangup_order.h"
#include "profiler/ranks/late_ranks.h"
#include "profiler/ranks/rank_rendezvous.h"
#include "profiler/ranks/rank_replies.h"
#include "profiler/run/cell_json.h"
#include "profiler/worker/side_files.h"

namespace fusebench {
namespace {

using nlohmann::json;

constexpr int kTickMilliseconds = 100;
constexpr double kEndSeconds = 3;    ///< that mpirun gets to see that its ranks are gone
constexpr double kWordsSeconds = 3;  ///< and to say what ended one: Open MPI sees to the rest first
constexpr double kWrongSeconds = 3;  ///< that ranks wait for one that has given up
constexpr std::size_t kMostNoise = 1 << 16;
constexpr std::int64_t kFarthestOffset = std::int64_t{1} << 50;

double seconds() {
  return static_cast<double>(nowNanoseconds()) * 1e-9;
}

/// The output of a command; empty if the command fails. No shell reads its name.
std::string outputOf(const std::vector<std::string>& command) {
  constexpr double kMostSeconds = 20;
  try {
    const CapturedCommand done = runCaptured(command, -1, kMostSeconds);
    return done.exitCode == 0 ? done.out + done.err : std::string();
  } catch (const std::runtime_error&) {  // it cannot be started
    return {};
  }
}

/// Processor time that a process has used; below 0: not known.
double processorSeconds(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  if (!std::getline(file, text) || text.find_last_of(')') == std::string::npos) return -1;
  // What follows the name: the state, then ten more fields before the ticks in user and in system.
  std::istringstream fields(text.substr(text.find_last_of(')') + 1));
  std::string skipped;
  for (int field = 0; field < 11; ++field) fields >> skipped;
  double user = 0, system = 0;
  return fields >> user >> system ? (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK))
                                  : -1;
}

struct Rank {
  Descriptor socket;
  LineBuffer lines{kLongestLine};
  pid_t pid = -1;
  int number = -1;         ///< -1: it has not said
  double heard = 0;        ///< when something was last heard of it
  double waiting = 0;      ///< so long, as it said then
  std::int64_t asked = 0;  ///< of its group, so often
  double usedBefore = -1;  ///< processor seconds when that waiting was first heard of
  bool ended = false;

  void hearBeat(const nlohmann::json& beat) {
    const double now = beat["beat"].get<double>();
    if (now <= waiting || usedBefore < 0) usedBefore = processorSeconds(pid);
    waiting = now;
    if (const auto found = beat.find("asked"); found != beat.end() && found->is_number_integer())
      asked = found->get<std::int64_t>();
  }
  /// The fraction of a processor that it uses while it waits.
  double share() const {
    const double used = processorSeconds(pid);
    return used < 0 || usedBefore < 0 || waiting <= 0 ? -1 : (used - usedBefore) / waiting;
  }
};

class RankHost {
 public:
  RankHost(int input, int output, const RankHosting& hosting)
      : input_(input), replies_(output), hosting_(hosting) {}
  ~RankHost() { endAll(); }

  int run() {
    std::string why;
    try {
      why = start();
    } catch (const std::runtime_error& error) {
      why = error.what();
    }
    if (!why.empty()) return refuse(why);
    while (!done_) {
      turn();
      watch();
    }
    return code_;
  }

 private:
  struct Open {
    Request request;
    std::vector<std::optional<Reply>> replies;  ///< per rank
    std::vector<double> heard;                  ///< when they came
  };

  /// Why the ranks could not start; empty: they are there.
  std::string start() {
    if (!hosting_.refusal.empty()) return hosting_.refusal;
    const std::string version = outputOf({hosting_.mpirun, "--version"});
    if (version.empty())
      return saying("{} ranks need MPI, and {} was not found: install openmpi-bin or mpich",
                    hosting_.ranks, shownText(hosting_.mpirun));
    int noise[2];
    if (pipe2(noise, O_CLOEXEC) != 0) return saying("could not create a pipe for mpirun");
    noise_.set(noise[0]);
    const Descriptor theirs(noise[1]);
    RankHosting own = hosting_;
    own.command.insert(own.command.end(), {"--rank", rendezvous_.path()});
    mpirun_ = spawnInThisGroup(mpirunCommand(own, version, geteuid() == 0), -1, theirs.get(),
                               theirs.get());
    const double deadline = seconds() + hosting_.startSeconds;
    while (met() < hosting_.ranks) {
      acceptOne();
      turnRanks();
      if (!problem_.empty()) return problem_;
      if (mpirunEnded())
        return saying("{} could not start the ranks: {}", shownText(hosting_.mpirun), lastNoise());
      if (seconds() > deadline)
        return saying("{} of {} ranks arrived within {:.0f} s", met(), hosting_.ranks,
                      hosting_.startSeconds);
    }
    rendezvous_.remove();
    std::ranges::sort(ranks_, {}, [](const auto& rank) { return rank->number; });
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      if (ranks_[r]->number != static_cast<int>(r))
        return saying("the ranks must be numbered from 0");
    for (std::size_t r = 0; r < ranks_.size(); ++r) hangups_.watch(ranks_[r]->socket.get(), r);
    return {};
  }

  int met() const {
    return static_cast<int>(
        std::ranges::count_if(ranks_, [](const auto& rank) { return rank->number >= 0; }));
  }

  void acceptOne() {
    pollfd watched{rendezvous_.socket(), POLLIN, 0};
    poll(&watched, 1, kTickMilliseconds / 5);
    const int accepted = ::accept4(rendezvous_.socket(), nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted < 0) return;
    ranks_.push_back(std::make_unique<Rank>());
    ranks_.back()->socket.set(accepted);
    ranks_.back()->heard = seconds();
  }

  /// Reports once why nothing can be measured here, with the first request.
  int refuse(const std::string& why) {
    LineBuffer lines(kLongestLine);
    char bytes[4096];
    while (true) {
      const ssize_t count = ::read(input_, bytes, sizeof bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return 1;
      lines.append({bytes, static_cast<std::size_t>(count)});
      while (const auto line = lines.next()) {
        try {
          const Request request = parseRequest(line->text);
          if (request.verb == Verb::quit) return 1;
          replies_.write(
              okLine(request.id, {{"protocol", kProtocolVersion}, {"unavailable", why}}));
        } catch (const ProtocolError& wrong) {
          replies_.write(errorLine(wrong.id(), ErrorKind::request, wrong.what()));
        }
      }
    }
  }

  /// Waits a moment for whatever comes, and deals with it.
  void turn() {
    std::vector<pollfd> watched = {{input_, POLLIN, 0}};
    if (noise_) watched.push_back({noise_.get(), POLLIN, 0});
    for (const auto& rank : ranks_)
      if (!rank->ended && verdict_.empty()) watched.push_back({rank->socket.get(), POLLIN, 0});
    poll(watched.data(), watched.size(), kTickMilliseconds);
    if (watched[0].revents != 0) readRequests();
    if (!verdict_.empty()) return;
    turnRanks();
  }

  static bool isReadable(int descriptor) {
    pollfd watched{descriptor, POLLIN, 0};
    return poll(&watched, 1, 0) > 0;
  }

  void turnRanks() {
    readNoise();
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      Rank& rank = *ranks_[r];
      char bytes[1 << 16];
      while (!rank.ended && isReadable(rank.socket.get())) {
        const ssize_t count = ::read(rank.socket.get(), bytes, sizeof bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
          rank.ended = true;
          break;
        }
        rank.heard = seconds();
        rank.lines.append({bytes, static_cast<std::size_t>(count)});
      }
      while (const auto line = rank.lines.next()) hear(rank, r, line->text);
    }
  }

  void hear(Rank& rank, std::size_t r, const std::string& line) {
    const json said = jsonOf(line);
    if (said.is_object() && said.contains("beat") && said["beat"].is_number()) {
      rank.hearBeat(said);
      return;
    }
    try {
      if (said.is_object() && said.contains("rank")) {
        rank.number = static_cast<int>(integerMember(said, "rank", 0, 1 << 20));
        rank.pid = static_cast<pid_t>(integerMember(said, "pid", 1, std::int64_t{1} << 31));
        return;
      }
      if (said.is_object() && said.contains("problem")) {
        problem_ = stringMember(said, "problem");
        return;
      }
      const Reply reply = parseReply(line);
      if (reply.working) {
        if (r == 0) replies_.write(line + "\n");
        return;
      }
      if (reply.id) collect(r, reply);
    } catch (const std::runtime_error& wrong) {
      fail(saying("invalid message from rank {}: {}", r, wrong.what()));
    }
  }

  void collect(std::size_t r, const Reply& reply) {
    const auto found = open_.find(*reply.id);
    if (found == open_.end()) return;
    Open& open = found->second;
    open.replies.resize(ranks_.size());
    open.heard.resize(ranks_.size());
    if (!open.replies[r]) open.heard[r] = seconds();
    open.replies[r] = reply;
    if (!std::ranges::all_of(open.replies, [](const auto& each) { return each.has_value(); }))
      return;
    std::vector<Reply> all;
    for (auto& each : open.replies) all.push_back(std::move(*each));
    replies_.write(togetherLine(open.request, all));
    const bool quits = open.request.verb == Verb::quit;
    open_.erase(found);
    if (quits) done_ = true;
  }

  void readRequests() {
    char bytes[1 << 16];
    const ssize_t count = ::read(input_, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) {  // the requesting process is gone
      done_ = true;
      return;
    }
    requests_.append({bytes, static_cast<std::size_t>(count)});
    while (const auto line = requests_.next()) {
      if (line->oversized) {
        replies_.write(
            errorLine(std::nullopt, ErrorKind::request, saying("the line is longer than 1 MiB")));
        continue;
      }
      try {
        pass(parseRequest(line->text));
      } catch (const ProtocolError& wrong) {
        replies_.write(errorLine(wrong.id(), ErrorKind::request, wrong.what()));
      }
    }
  }

  void pass(const Request& request) {
    if (!verdict_.empty()) {  // they are gone, which nobody has been told yet
      const bool quits = request.verb == Verb::quit || request.verb == Verb::stop;
      replies_.write(quits ? okLine(request.id) : lastWordsLine(request.id, verdict_));
      done_ = true;
      return;
    }
    if (request.verb == Verb::values || request.verb == Verb::compare) {
      replies_.write(errorLine(request.id, ErrorKind::unsupported,
                               saying("ranks cannot pass their values to other workers")));
      return;
    }
    if (request.verb == Verb::read) {
      readSideFile(request);
      return;
    }
    Request passed = request;
    if (passed.verb == Verb::trace && passed.body.contains("deliver")) {
      // All of them write into a folder of this process, which hands out what they wrote.
      passed.body.erase("deliver");
      try {
        passed.body["file"] = sideFiles_.folder() + "/calls";
      } catch (const std::runtime_error& wrong) {
        replies_.write(errorLine(request.id, ErrorKind::failed, wrong.what()));
        return;
      }
    }
    open_[request.id] = {passed, {}, {}};
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      Request own = requestFor(passed, static_cast<int>(r));
      const std::string line = requestLine(own.id, own.verb, std::move(own.body));
      ::send(ranks_[r]->socket.get(), line.data(), line.size(), MSG_NOSIGNAL);
    }
  }

  void readSideFile(const Request& request) {
    try {
      replies_.write(okLine(
          request.id, sideFiles_.read(stringMember(request.body, "file"),
                                      integerMember(request.body, "offset", 0, kFarthestOffset))));
    } catch (const std::runtime_error& wrong) {
      replies_.write(errorLine(request.id, ErrorKind::failed, wrong.what()));
    }
  }

  void readNoise() {
    char bytes[4096];
    while (noise_ && isReadable(noise_.get())) {
      const ssize_t count = ::read(noise_.get(), bytes, sizeof bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        noise_.close();
        return;
      }
      said_.append(bytes, static_cast<std::size_t>(count));
      if (said_.size() > kMostNoise) said_.erase(0, said_.size() - kMostNoise);
    }
  }

  /// The last line that says something.
  std::string lastNoise() {
    readNoise();
    std::string last, line;
    for (const char c : said_ + "\n") {
      if (c != '\n') {
        line += c;
        continue;
      }
      if (line.find_first_not_of(" \t-=|\r") != std::string::npos) last = line;
      line.clear();
    }
    return last.empty() ? saying("it printed nothing") : shownText(last);
  }

  // ---- what goes wrong ----

  void watch() {
    if (done_ || !verdict_.empty()) return;
    const double now = seconds();
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      Rank& rank = *ranks_[r];
      if (rank.ended) return fail(howItEnded(r));
      if (now - rank.heard > hosting_.silentSeconds)
        return fail(saying("{} has not responded for {:.0f} s: it hangs or is stopped", shown(r),
                           now - rank.heard));
    }
    if (const std::string what = whoIsLate(now); !what.empty()) fail(what);
  }

  std::string shown(std::size_t r) const {
    return saying("rank {} of {} (process {})", r, ranks_.size(), ranks_[r]->pid);
  }

  /// Whether the ranks have been kept for too long by some of them; empty: no.
  std::string whoIsLate(double now) const {
    for (const auto& [id, open] : open_) {
      if (open.replies.empty() && !anyWaits()) continue;
      // A rank that failed is not part of what the others wait for.
      const double patience = std::min(kWrongSeconds, hosting_.lateSeconds);
      const bool allKept = std::ranges::all_of(
          seen(open, now), [&](const auto& rank) { return rank.kept > patience; });
      for (std::size_t r = 0; r < open.replies.size() && allKept; ++r)
        if (open.replies[r] && !open.replies[r]->ok)
          return fmt::format("{}: {}", shown(r), open.replies[r]->message);
      const auto late = lateRanks(seen(open, now), hosting_.lateSeconds);
      if (!late.empty()) return sentenceOfLate(late);
    }
    return {};
  }

  /// The state of each rank, as far as this request goes.
  std::vector<RankSeen> seen(const Open& open, double now) const {
    std::vector<RankSeen> all(ranks_.size());
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      all[r].answered = r < open.replies.size() && open.replies[r].has_value();
      all[r].kept = all[r].answered ? now - open.heard[r] : ranks_[r]->waiting;
      all[r].asked = ranks_[r]->asked;
      if (all[r].kept > hosting_.lateSeconds) all[r].busy = ranks_[r]->share();
    }
    return all;
  }

  std::string sentenceOfLate(const std::vector<std::size_t>& late) const {
    if (late.size() == ranks_.size())
      return saying("all {} ranks have been waiting for one another for {:.0f} s", ranks_.size(),
                    hosting_.lateSeconds);
    if (late.size() == 1)
      return saying("{} is late: the others wait for it, the first of them for {:.0f} s",
                    shown(late.front()), hosting_.lateSeconds);
    return saying(
        "ranks {} of {} are late: the others wait for them, the first of them for {:.0f} s",
        fmt::join(late, ", "), ranks_.size(), hosting_.lateSeconds);
  }

  bool anyWaits() const {
    return std::ranges::any_of(ranks_, [](const auto& rank) { return rank->waiting > 0; });
  }

  /// Which rank has ended and how, which mpirun says a moment later.
  std::string howItEnded(std::size_t noticed) {
    const std::size_t closed = hangups_.first(noticed);
    const double deadline = seconds() + kWordsSeconds;
    do {
      readNoise();
      const int signal = numberAfter("signal ");
      if (signal > 0 && signal < NSIG) {
        // Open MPI names the rank that got the signal. On a busy machine the others may be
        // terminated while that one is still closing its files. (MPICH names a process, but not
        // always the right one.)
        const int named = numberAfter("process rank ");
        const bool known = named >= 0 && named < static_cast<int>(ranks_.size());
        return saying("{} was killed by signal {} ({})",
                      shown(known ? static_cast<std::size_t>(named) : closed), signal,
                      strsignal(signal));
      }
      ::usleep(20'000);
    } while (seconds() < deadline);
    return saying("{} exited before its work was finished", shown(closed));
  }

  /// The number that follows a word in what mpirun said; -1: there is none.
  int numberAfter(std::string_view word) const {
    const auto at = said_.find(word);
    if (at == std::string::npos) return -1;
    const char* const first = said_.data() + at + word.size();
    int number = -1;
    const auto [end, error] = std::from_chars(first, said_.data() + said_.size(), number);
    return error == std::errc() ? number : -1;
  }

  /// The ranks are terminated before the failure is reported. If no request is in progress, the
  /// next one gets the report.
  void fail(const std::string& what) {
    code_ = 1;
    endAll();
    if (open_.empty()) {
      verdict_ = what;
      return;
    }
    for (const auto& [id, open] : open_) replies_.write(lastWordsLine(id, what));
    open_.clear();
    done_ = true;
  }

  bool mpirunEnded() {
    if (mpirun_ > 0 && ::waitpid(mpirun_, nullptr, WNOHANG) == mpirun_) mpirun_ = -1;
    return mpirun_ <= 0;
  }

  void waitForEnd(double most) {
    for (const double deadline = seconds() + most; !mpirunEnded() && seconds() < deadline;) {
      readNoise();
      ::usleep(10'000);
    }
  }

  /// Nothing is left running, whatever state it is in.
  void endAll() {
    if (code_ == 0) {
      for (const auto& rank : ranks_) ::shutdown(rank->socket.get(), SHUT_RDWR);
      waitForEnd(kEndSeconds);
      if (mpirunEnded()) return;
    }
    for (const auto& rank : ranks_)
      if (rank->pid > 0) ::kill(rank->pid, SIGKILL);
    waitForEnd(kEndSeconds);
    if (mpirunEnded()) return;
    ::kill(mpirun_, SIGKILL);
    ::waitpid(mpirun_, nullptr, 0);
  }

  int input_;
  ReplyWriter replies_;
  const RankHosting& hosting_;
  RankRendezvous rendezvous_;
  SideFiles sideFiles_;
  LineBuffer requests_{kLongestLine};
  std::vector<std::unique_ptr<Rank>> ranks_;
  HangupOrder hangups_;
  std::map<std::int64_t, Open> open_;
  pid_t mpirun_ = -1;
  Descriptor noise_;
  std::string said_, problem_;
  std::string verdict_;  ///< what became of the ranks; empty: they are there
  bool done_ = false;
  int code_ = 0;
};

}  // namespace

std::vector<std::string> mpirunCommand(const RankHosting& hosting, const std::string& version,
                                       bool root) {
  std::vector<std::string> command = {hosting.mpirun};
  if (version.find("Open MPI") != std::string::npos ||
      version.find("OpenRTE") != std::string::npos) {
    if (root) command.emplace_back("--allow-run-as-root");
    // More ranks than processors are slow, not wrong; where they run the system decides, for each
    // may have threads of its own.
    command.insert(command.end(), {"--oversubscribe", "--bind-to", "none"});
  }
  command.insert(command.end(), {"-n", std::to_string(hosting.ranks)});
  command.insert(command.end(), hosting.command.begin(), hosting.command.end());
  return command;
}

int hostRanks(int input, int output, const RankHosting& hosting) {
  return RankHost(input, output, hosting).run();
}

}  // namespace fusebench
