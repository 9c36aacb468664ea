// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "engine/base/quantity_text.h"
#include "engine/base/ticks.h"
#include "engine/cuda/library/call_library.h"

namespace fusebench::cuda {

/// A text that two requests share exactly if the same way is the fastest for both.
inline std::string searchKey(const std::string& library, const LibraryRequest& request) {
  std::string key =
      fmt::format("fastest way, {}, {}, {}", library, request.device, canonicalText(request.call));
  for (std::size_t i = 0; i < request.call.integers(); ++i)
    key += fmt::format(" {}", request.integers[i]);
  for (const std::uint32_t alignment : request.alignments) key += fmt::format(" %{}", alignment);
  return key;
}

/// Makes a call use the fastest of the ways that its library lists: from the cache, or by timing
/// them all; if no time can be measured, the library's own choice. A call has a type Way,
/// candidates(most) (never none; the library's choice first), take(way), textOf(way),
/// takeAgain(text) (false: it does not fit) and say(text).
template <class Call>
void takeFastestWay(Call& made, const LibraryRequest& request, const std::string& library,
                    int most) {
  const std::string key = searchKey(library, request);
  if (request.cache)
    if (const auto known = request.cache->find(key); known && made.takeAgain(*known))
      return made.say("the fastest way, as found before\n");
  const std::vector<typename Call::Way> candidates = made.candidates(request.time ? most : 1);
  made.take(candidates.front());
  if (!request.time)
    return made.say("the library's choice: ways are tried out when it is first launched\n");
  const std::int64_t begin = steadyNanoseconds();
  double shortest = 0;
  int tried = 0;
  typename Call::Way best = candidates.front();
  for (const typename Call::Way& candidate : candidates) {
    made.take(candidate);
    const double nanoseconds = request.time(made);
    if (nanoseconds <= 0) continue;  // it refused
    if (tried++ == 0 || nanoseconds < shortest) {
      shortest = nanoseconds;
      best = candidate;
    }
  }
  made.take(best);
  if (tried == 0) return;
  if (request.cache) request.cache->store(key, Call::textOf(best));
  made.say(fmt::format("the fastest of {} ways: {}, found in {}\n", tried, timeText(shortest),
                       timeText(static_cast<double>(steadyNanoseconds() - begin))));
}

}  // namespace fusebench::cuda
