// SPDX-License-Identifier: GPL-3.0-or-later
// Makes memory run out in a reader: fusebench-out-of-memory READER MOST [N], in an empty folder.
// For each n, the n-th allocation that the reader makes for a valid input fails, once alone and
// once with all later ones. The reader must read the input whole, report that it read a part,
// refuse it, throw std::bad_alloc, or terminate with the out-of-memory message, and must not leave
// a half-written file. Leaked memory is counted. Tries at most MOST of the n, spread evenly, each
// in a separate process; with N it tries that one alone, in this process. Prints a line of JSON.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "profiler/files/out_of_memory.h"
#include "profiler/run/run.h"
#include "tests/fuzz/readers.h"

// glibc's own, under the names that stay when malloc is ours.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);
}

namespace {

std::atomic<long> requests{0}, live{0};
std::atomic<long> failing{0};  ///< which request fails; 0: none
std::atomic<bool> lasting{false};

bool refused() {
  const long number = ++requests;
  const long at = failing;
  return at != 0 && (lasting ? number >= at : number == at);
}

void* counted(void* memory) {
  if (memory) ++live;
  return memory;
}

void* outOfMemory() {
  errno = ENOMEM;
  return nullptr;
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) {
  return refused() ? outOfMemory() : counted(__libc_malloc(size));
}
void* calloc(std::size_t count, std::size_t size) {
  return refused() ? outOfMemory() : counted(__libc_calloc(count, size));
}
void* realloc(void* memory, std::size_t size) {
  if (refused()) return outOfMemory();
  void* moved = __libc_realloc(memory, size);
  if (!memory && moved) ++live;
  return moved;
}
void* memalign(std::size_t alignment, std::size_t size) {
  return refused() ? outOfMemory() : counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t size) {
  *to = memalign(alignment, size);
  return *to ? 0 : ENOMEM;
}
void free(void* memory) {
  if (memory) --live;
  __libc_free(memory);
}
}

namespace fusebench::fuzz {
namespace {

namespace fs = std::filesystem;

/// Files that were written under a temporary name and left.
std::size_t halfWritten() {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator("."))
    if (const auto ending = entry.path().extension(); ending == ".tmp" || ending == ".part") {
      fs::remove(entry.path());
      ++count;
    }
  return count;
}

enum class Came : int { nothing, ranOut, refused, whole, partial, other, ended };

/// The outcome of a read, as one process reports it to another.
struct Once {
  Came came = Came::nothing;
  long requests = 0, lost = 0;
  char problem[200] = {};
};

/// Reads with the n-th request failing; 0: with none. `whole`: what is right.
Once readWith(const Tried& tried, const std::string& text, long n, bool fromThenOn,
              const std::string& whole) {
  Once once;
  const long before = live;
  {
    std::optional<std::string> taken;
    requests = 0;
    lasting = fromThenOn;
    failing = n;
    try {
      taken = readOrRefuse(tried, text);
      once.came = taken ? Came::whole : Came::refused;
    } catch (const std::bad_alloc&) {
      once.came = Came::ranOut;
    } catch (const std::system_error& error) {
      once.came = error.code() == std::errc::not_enough_memory ? Came::ranOut : Came::other;
      std::strncpy(once.problem, error.what(), sizeof once.problem - 1);
    } catch (const std::exception& error) {
      failing = 0;
      once.came = Came::other;
      std::strncpy(once.problem, error.what(), sizeof once.problem - 1);
    }
    failing = 0;
    once.requests = requests;
    if (taken && *taken != whole) once.came = Came::other;
    if (taken && taken->starts_with("partial")) once.came = Came::partial;
  }
  once.lost = live - before;
  return once;
}

/// The same in a process of its own, which may end.
Once readApart(const Tried& tried, const std::string& text, long n, bool fromThenOn,
               const std::string& whole, Once* shared) {
  *shared = {};
  const int said = memfd_create("said", 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(said, STDERR_FILENO);
    *shared = readWith(tried, text, n, fromThenOn, whole);
    // Memory that is kept for later may have been allocated after the failure: once is not a leak.
    for (int again = 0; again < 2 && shared->lost > 0; ++again)
      shared->lost = readWith(tried, text, n, fromThenOn, whole).lost;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Once once = *shared;
  char line[400] = {};
  if (pread(said, line, sizeof line - 1, 0) < 0) line[0] = 0;
  close(said);
  if (WIFSIGNALED(status)) {
    once.came = Came::other;
    const auto end = fmt::format_to_n(once.problem, sizeof once.problem - 1, "signal {}: {}",
                                      WTERMSIG(status), line);
    *end.out = 0;
  } else if (WEXITSTATUS(status) != 0) {
    once.came = std::strstr(line, "out of memory") ? Came::ended : Came::other;
  }
  return once;
}

/// Readers and writers that mutated inputs do not help to test: saving what was read.
void addSavers(Readers& readers) {
  readers["saving a run"] = [] {
    const std::string path = (fs::current_path() / "saved").string();
    return Tried{[path](const std::string& text) -> std::optional<std::string> {
                   const Run run = parseRun(text, "f");
                   saveRun(run, path);
                   return runText(loadRun(path));
                 },
                 {sampleRun()}};
  };
}

struct Counts {
  long requests = 0, tried = 0;
  std::map<Came, long> came;
  long losing = 0, mostLost = 0;  ///< tries after which memory was not given back, and how much
};

void tryOne(const Tried& tried, const std::string& text, long most, Counts& counts) {
  auto* shared = static_cast<Once*>(
      mmap(nullptr, sizeof(Once), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const auto whole = readOrRefuse(tried, text);
  if (!whole) return;  // valid, but there is nothing to read
  // Memory that the first reads allocate and keep is not a leak.
  for (int warm = 0; warm < 3; ++warm) readWith(tried, text, 0, false, *whole);
  const Once undisturbed = readWith(tried, text, 0, false, *whole);
  if (undisturbed.came != Came::whole || undisturbed.lost != 0)
    throw std::logic_error("reading it twice is not the same");
  counts.requests += undisturbed.requests;
  const long step = std::max(1L, (undisturbed.requests + most - 1) / most);
  for (long n = 1; n <= undisturbed.requests; n += step)
    for (const bool fromThenOn : {false, true}) {
      const Once once = readApart(tried, text, n, fromThenOn, *whole, shared);
      const auto fail = [&](const std::string& what) {
        throw std::logic_error(fmt::format("request {} of {} fails{}: {}", n, undisturbed.requests,
                                           fromThenOn ? ", and all after it" : "", what));
      };
      ++counts.tried;
      ++counts.came[once.came];
      if (once.came == Came::other)
        fail(once.problem[0] ? once.problem : "something else was read without a word");
      if (once.came == Came::nothing) fail("the process ended without a word");
      if (halfWritten() > 0) fail("a half-written file was left");
      // The library for JSON gives nothing back of an object that it was still making.
      constexpr long kMostLost = 100;
      if (once.lost > kMostLost) fail(fmt::format("{} pieces of memory were lost", once.lost));
      counts.losing += once.lost > 0;
      counts.mostLost = std::max(counts.mostLost, once.lost);
    }
  munmap(shared, sizeof(Once));
}

/// The n-th request alone, in this process: to look at what was found with a debugger.
void tryHere(const Tried& tried, const std::string& text, long n) {
  const auto whole = readOrRefuse(tried, text);
  for (int warm = 0; warm < 4; ++warm) readWith(tried, text, 0, false, whole.value_or(""));
  readWith(tried, text, n, false, whole.value_or(""));
}

int run(const std::string& name, long most, long here) {
  Readers readers = allReaders();
  addSavers(readers);
  const auto found = readers.find(name);
  if (found == readers.end()) {
    fmt::print(stderr, "there is no reader {}\n", name);
    return 2;
  }
  const Tried tried = found->second();
  std::vector<std::string> texts = tried.corpus;
  // Takes the smallest inputs, because each is read as often as it allocates memory.
  std::sort(texts.begin(), texts.end(),
            [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  constexpr std::size_t kTexts = 4;
  if (texts.size() > kTexts) texts.resize(kTexts);
  Counts counts;
  for (const std::string& text : texts)
    here > 0 ? tryHere(tried, text, here) : tryOne(tried, text, most, counts);
  const auto& came = counts.came;
  const auto of = [&came](Came which) { return came.contains(which) ? came.at(which) : 0; };
  fmt::print(
      "{{\"reader\": \"{}\", \"requests\": {}, \"inputs\": {}, \"ran_out\": {}, \"ended\": {}, "
      "\"refused\": {}, \"whole\": {}, \"partial\": {}, \"losing\": {}, "
      "\"most_lost\": {}}}\n",
      name, counts.requests, counts.tried, of(Came::ranOut), of(Came::ended), of(Came::refused),
      of(Came::whole), of(Came::partial), counts.losing, counts.mostLost);
  return 0;
}

}  // namespace
}  // namespace fusebench::fuzz

int main(int argc, char** argv) {
  using namespace fusebench::fuzz;
  if (argc != 3 && argc != 4) {
    fmt::print(stderr, "usage: fusebench-out-of-memory READER MOST [N], in a folder of its own\n");
    return 2;
  }
  fusebench::prepareForOutOfMemory("fusebench-out-of-memory", 0);
  try {
    return run(argv[1], std::strtol(argv[2], nullptr, 10),
               argc == 4 ? std::strtol(argv[3], nullptr, 10) : 0);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[1], error.what());
    return 1;
  }
}
