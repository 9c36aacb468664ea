// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_ranks.h"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <thread>

#include "engine/base/saying.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/kernel_table.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_parts.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostRanks = 4096;

/// The names in a folder; none of one that cannot be listed. The standard library's iterator would
/// end the program where memory is short.
std::vector<std::string> namesIn(const std::string& directory) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listed(opendir(directory.c_str()), closedir);
  if (!listed && errno == ENOMEM) throw std::bad_alloc();
  std::vector<std::string> names;
  while (listed) {
    const dirent* const entry = readdir(listed.get());
    if (!entry) break;
    names.emplace_back(entry->d_name);
  }
  return names;
}

std::vector<std::string> tracesIn(const std::string& directory) {
  std::vector<std::string> files;
  for (std::string& name : namesIn(directory)) {
    const std::string path = (std::filesystem::path(directory) / name).string();
    std::error_code unseen;
    if (name.starts_with('.') || !std::filesystem::is_regular_file(path, unseen) ||
        !looksLikeTrace(path))
      continue;
    files.push_back(std::move(name));
    if (files.size() == kMostRanks) break;
  }
  std::ranges::sort(files);
  return files;
}

/// "rank3", "rank_3", "rank-3" in a name, else its first number before a point: "host_3.172.pt".
std::optional<int> rankInName(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto numberAt = [&](std::size_t at) -> std::optional<int> {
    int value = 0;
    const auto [end, error] = std::from_chars(name.data() + at, name.data() + name.size(), value);
    return error == std::errc() ? std::optional(value) : std::nullopt;
  };
  const std::size_t word = name.find("rank");
  if (word == std::string::npos) return std::nullopt;
  std::size_t at = word + 4;
  if (at < name.size() && (name[at] == '_' || name[at] == '-' || name[at] == '.')) ++at;
  return numberAt(at);
}

/// Kernels of collectives in order of their starts.
std::vector<EventId> collectiveEvents(const Trace& trace) {
  std::vector<bool> collective(trace.names(), false);
  for (NameId name = 0; name < collective.size(); ++name)
    collective[name] = isCollective(trace.nameText(name));
  std::vector<EventId> found;
  for (EventId e = 0; e < trace.size(); ++e)
    if (trace.kind(e) == SpanKind::kernel && collective[trace.nameId(e)]) found.push_back(e);
  std::ranges::stable_sort(found, {}, [&](EventId e) { return trace.start(e); });
  return found;
}

/// Whether all have the same collectives, one for one and in the same order.
bool haveCollectivesInCommon(const TraceRanks& ranks) {
  std::vector<std::string> first;
  for (const TraceRank& rank : ranks.ranks) {
    std::vector<std::string> names;
    for (const EventId e : collectiveEvents(*rank.trace)) names.emplace_back(rank.trace->name(e));
    if (names.empty() || (&rank != &ranks.ranks.front() && names != first)) return false;
    first = std::move(names);
  }
  return true;
}

Nanoseconds medianTime(std::vector<Nanoseconds> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

/// Lays clocks on each other so that collectives end together; false without any that all have.
bool alignByCollectives(TraceRanks& ranks) {
  std::vector<std::vector<EventId>> collectives;
  std::size_t common = std::numeric_limits<std::size_t>::max();
  for (const TraceRank& rank : ranks.ranks) {
    collectives.push_back(collectiveEvents(*rank.trace));
    common = std::min(common, collectives.back().size());
  }
  // TraceRanks that recorded other numbers of them cannot be matched one to one.
  const bool alike =
      std::ranges::all_of(collectives, [common](const auto& of) { return of.size() == common; });
  if (common == 0 || !alike || ranks.ranks.size() < 2) return false;
  ranks.collectives = common;
  const Trace& first = *ranks.ranks.front().trace;
  for (std::size_t r = 0; r < ranks.ranks.size(); ++r) {
    const Trace& trace = *ranks.ranks[r].trace;
    std::vector<Nanoseconds> apart;
    for (std::size_t c = 0; c < common; ++c)
      apart.push_back(first.end(collectives[0][c]) - trace.end(collectives[r][c]));
    ranks.ranks[r].shift = medianTime(std::move(apart));
  }
  for (std::size_t c = 0; c < common; ++c) {
    std::vector<Nanoseconds> starts;
    for (std::size_t r = 0; r < ranks.ranks.size(); ++r)
      starts.push_back(ranks.ranks[r].trace->start(collectives[r][c]) + ranks.ranks[r].shift);
    const Nanoseconds earliest = *std::ranges::min_element(starts);
    ++ranks.ranks[static_cast<std::size_t>(std::ranges::max_element(starts) - starts.begin())].last;
    for (std::size_t r = 0; r < ranks.ranks.size(); ++r)
      ranks.ranks[r].lateness +=
          static_cast<double>(starts[r] - earliest) / static_cast<double>(common);
  }
  return true;
}

void align(TraceRanks& ranks) {
  if (!ranks.related) {
    ranks.aligned = saying(
        "not ranks of one run: neither ranks in the files or their names nor the same collectives");
    return;
  }
  const bool byCollectives = alignByCollectives(ranks);
  const bool haveOrigins = std::ranges::all_of(
      ranks.ranks, [](const TraceRank& rank) { return rank.trace->origin() > 0; });
  constexpr Nanoseconds kMostApart = 86'400'000'000'000;  // a day: other clocks
  if (byCollectives) {
    ranks.aligned = saying("clocks aligned by the ends of {} collectives", ranks.collectives);
  } else if (haveOrigins) {
    const Nanoseconds first = ranks.ranks.front().trace->origin();
    const bool oneClock = std::ranges::all_of(ranks.ranks, [&](const TraceRank& rank) {
      return std::abs(rank.trace->origin() - first) < kMostApart;
    });
    for (TraceRank& rank : ranks.ranks) rank.shift = oneClock ? rank.trace->origin() - first : 0;
    ranks.aligned =
        oneClock ? saying("clocks are not aligned: there are no collectives to align them with")
                 : saying("each rank begins at 0: there are no collectives and no common clock");
  } else {
    ranks.aligned = saying("each rank begins at 0: there are no collectives and no common clock");
  }
  Nanoseconds least = std::numeric_limits<Nanoseconds>::max();
  for (const TraceRank& rank : ranks.ranks) least = std::min(least, rank.shift);
  for (TraceRank& rank : ranks.ranks) rank.shift -= least;
}

}  // namespace

bool looksLikeRanks(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) && !tracesIn(path).empty();
}

bool opensAsTrace(const std::string& path) {
  return looksLikeRanks(path) || looksLikeTrace(path);
}

std::vector<std::shared_ptr<const Trace>> openTraces(const std::string& path,
                                                     const TraceProgress& progress) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error))
    return partsOf(importTrace(path, progress), progress);
  std::filesystem::path directory(path);
  if (!directory.has_filename()) directory = directory.parent_path();
  const TraceRanks ranks = importRanks(path, progress);
  if (ranks.related) return {joinedRanks(ranks, directory.filename().string(), progress)};
  std::vector<std::shared_ptr<const Trace>> apart;
  for (const TraceRank& each : ranks.ranks)
    for (auto& part : partsOf(each.trace)) apart.push_back(std::move(part));
  return apart;
}

TraceRanks importRanks(const std::string& directory, const TraceProgress& progress) {
  const std::vector<std::string> files = tracesIn(directory);
  if (files.empty())
    throw InputError(directory + saying(": there is no trace in this directory; PyTorch's "
                                        "tensorboard_trace_handler writes one file per rank"));
  TraceRanks ranks;
  std::vector<std::shared_ptr<const Trace>> traces(files.size());
  std::vector<std::string> failures(files.size());
  std::atomic<std::size_t> next = 0, done = 0;
  std::atomic<bool> canceled = false;
  std::mutex saying;
  const auto read = [&] {
    for (std::size_t i; (i = next++) < files.size() && !canceled;) try {
        traces[i] =
            importTrace((std::filesystem::path(directory) / files[i]).string(), [&](double) {
              const std::scoped_lock lock(saying);
              if (progress &&
                  !progress(static_cast<double>(done) / static_cast<double>(files.size())))
                canceled = true;
              return !canceled;
            });
        ++done;
      } catch (const Canceled&) {
        canceled = true;
      } catch (const std::exception& error) {
        failures[i] = error.what();
      }
  };
  {
    const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> threads;
    for (std::size_t t = 1; t < std::min(most, files.size()); ++t) threads.emplace_back(read);
    read();
  }
  if (canceled) throw Canceled();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!traces[i]) {
      ranks.skipped.push_back(failures[i]);
      continue;
    }
    const int own = traces[i]->rank();
    const int number = own >= 0 ? own : rankInName(files[i]).value_or(-1);
    ranks.ranks.push_back({.number = number, .file = files[i], .trace = std::move(traces[i])});
  }
  if (ranks.ranks.empty()) throw InputError(ranks.skipped.front());
  // Numbers that are missing or given twice do not count.
  std::set<int> numbers;
  for (const TraceRank& rank : ranks.ranks) numbers.insert(rank.number);
  const bool numbered = numbers.size() == ranks.ranks.size() && *numbers.begin() >= 0;
  if (!numbered)
    for (std::size_t i = 0; i < ranks.ranks.size(); ++i)
      ranks.ranks[i].number = static_cast<int>(i);
  std::ranges::sort(ranks.ranks, {}, &TraceRank::number);
  ranks.related = numbered || ranks.ranks.size() == 1 || haveCollectivesInCommon(ranks);
  align(ranks);
  return ranks;
}

std::shared_ptr<const Trace> joinedRanks(const TraceRanks& ranks, const std::string& title,
                                         const TraceProgress& progress) {
  std::vector<ShiftedTrace> shifted;
  for (const TraceRank& rank : ranks.ranks)
    shifted.push_back({rank.trace, rank.shift, saying("rank {}", rank.number)});
  std::string note = saying("{} ranks, {}", ranks.ranks.size(), ranks.aligned);
  return shiftedTraces(shifted, title, note, progress);
}

}  // namespace fusebench
