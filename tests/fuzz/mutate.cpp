// SPDX-License-Identifier: GPL-3.0-or-later
// Gives a reader inputs that are nearly right: fusebench-mutate READER COUNT SEED, in a folder of
// its own. Prints one line of JSON with what came of them. A reader may take an input, or refuse it
// by the exception that it documents; anything else ends the program, which leaves the input in the
// file "last-input" of its folder. Without arguments it lists the readers.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "tests/fuzz/mutator.h"
#include "tests/fuzz/readers.h"

namespace fusebench::fuzz {
namespace {

constexpr double kTooSlowSeconds = 20;

/// The input under way, in a file that outlives this process without a write for each.
class LastInput {
 public:
  LastInput() {
    const int file = open("last-input", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, kLongestInput) != 0) std::abort();
    void* made = mmap(nullptr, kLongestInput, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (made == MAP_FAILED) std::abort();
    bytes_ = static_cast<char*>(made);
  }
  void note(const std::string& text) {
    std::memcpy(bytes_, text.data(), std::min(text.size() + 1, kLongestInput));
  }

 private:
  char* bytes_;
};

int mutate(const std::string& name, std::uint64_t count, std::uint64_t seed) {
  const Readers readers = allReaders();
  const auto found = readers.find(name);
  if (found == readers.end()) {
    fmt::print(stderr, "there is no reader {}; without arguments they are listed\n", name);
    return 2;
  }
  const Tried tried = found->second();
  if (tried.corpus.empty()) {
    fmt::print(stderr, "{}: the corpus is empty\n", name);
    return 2;
  }
  for (const std::string& text : tried.corpus) tried.read(text);  // right before it is changed
  Mutator mutator(tried.corpus, seed);
  LastInput last;
  std::uint64_t taken = 0, refused = 0;
  double slowest = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string text = mutator.next();
    last.note(text);
    const auto begin = std::chrono::steady_clock::now();
    readOrRefuse(tried, text) ? ++taken : ++refused;
    slowest = std::max(
        slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (slowest > kTooSlowSeconds) throw std::logic_error("an input took too long");
  }
  fmt::print(
      "{{\"reader\": \"{}\", \"inputs\": {}, \"taken\": {}, \"refused\": {}, "
      "\"slowest_ms\": {:.1f}}}\n",
      name, count, taken, refused, slowest * 1e3);
  return 0;
}

}  // namespace
}  // namespace fusebench::fuzz

int main(int argc, char** argv) {
  using namespace fusebench::fuzz;
  if (argc == 1) {
    for (const auto& [name, ignored] : allReaders()) fmt::print("{}\n", name);
    return 0;
  }
  if (argc != 4) {
    fmt::print(stderr, "usage: fusebench-mutate READER COUNT SEED, in a folder of its own\n");
    return 2;
  }
  try {
    return mutate(argv[1], std::strtoull(argv[2], nullptr, 10),
                  std::strtoull(argv[3], nullptr, 10));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}; see last-input\n", argv[1], error.what());
    return 1;
  }
}
