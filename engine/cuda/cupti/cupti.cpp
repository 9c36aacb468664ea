// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/cupti/cupti.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/cuda/cupti/cupti_errors.h"

namespace fusebench::cuda {
namespace {

/// Numbers of the interfaces before CUDA 13, with what they came with.
constexpr std::array<std::pair<std::uint32_t, const char*>, 10> kCuptisBefore13{{{19, "12.0"},
                                                                                 {20, "12.2"},
                                                                                 {21, "12.3"},
                                                                                 {22, "12.4"},
                                                                                 {23, "12.5"},
                                                                                 {24, "12.6"},
                                                                                 {25, "12.7"},
                                                                                 {26, "12.8"},
                                                                                 {27, "12.9"},
                                                                                 {28, "12.9"}}};
constexpr std::uint32_t kOfThirteen = 130000, kOfFourteen = 140000;

/// "12" of "12.8".
int cudaMajorOf(std::uint32_t version) {
  return version >= kOfThirteen ? static_cast<int>(version / 10000) : 12;
}

std::string cuptiSearchError(const std::vector<LibraryAttempt>& attempts) {
  if (attempts.empty()) return saying("CUPTI was not searched for");
  // A file that a variable names, or one that was found but unfit, explains more than the system's
  // search.
  for (const LibraryAttempt& attempt : attempts)
    if (attempt.candidate.path.find('/') != std::string::npos)
      return saying("no usable CUPTI: {} ({}): {}", attempt.candidate.path,
                    attempt.candidate.origin, attempt.error);
  return saying("{} was not found", attempts.front().candidate.path);
}

}  // namespace

NoCupti::NoCupti(std::vector<LibraryAttempt> attempts)
    : std::runtime_error(cuptiSearchError(attempts)), attempts_(std::move(attempts)) {}

std::string_view NoCupti::remedy() {
  return said(
      "only the GPU's work inside a call is not recorded, and times do not depend on it; CUPTI "
      "comes with the CUDA toolkit 12 or 13 and as the Python package nvidia-cuda-cupti, and "
      "FUSEBENCH_CUPTI names the file");
}

std::string cudaOfCupti(std::uint32_t version) {
  for (const auto& [number, cuda] : kCuptisBefore13)
    if (number == version) return cuda;
  if (version < kOfThirteen || version >= kOfFourteen) return {};
  return fmt::format("{}.{}", version / 10000, version / 100 % 100);
}

std::string Cupti::versionText() const {
  return saying("{} (interface {})", cudaOfCupti(version_), version_);
}

int crashOf(CuptiResult (*function)(std::uint32_t*)) {
  const pid_t child = fork();
  if (child < 0) return 0;  // cannot be found out; the caller continues as if it had not asked
  if (child == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
    std::uint32_t ignored = 0;
    function(&ignored);
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 0;
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/// Why this library cannot be used; empty if it can.
std::string Cupti::bind(SharedLibrary& library, int driver) {
  std::string missing;
  const auto find = [&](auto& function, const char* symbol) {
    if (!library.find(symbol, function))
      missing += missing.empty() ? symbol : std::string(", ") + symbol;
  };
#define FUSEBENCH_FIND(member, symbol, ...) find(functions_.member, #symbol);
  FUSEBENCH_CUPTI_FUNCTIONS(FUSEBENCH_FIND)
#undef FUSEBENCH_FIND
  if (!functions_.getVersion) return saying("not a CUPTI library: missing {}", missing);
  // Seen: a CUPTI 13.2 that ends the process when it is asked its version, with no driver there.
  if (const int signal = crashOf(functions_.getVersion); signal != 0)
    return saying("it crashes (signal {}) when it is asked for its version", signal);
  if (const CuptiResult result = functions_.getVersion(&version_); result != kCuptiSuccess)
    return saying("it does not report its version: {}. A stub?", cuptiErrorText(result));
  if (version_ == 0) return saying("it does not report its version: a stub?");
  const std::string cuda = cudaOfCupti(version_);
  if (cuda.empty())
    return saying("its interface version is {}; those of CUDA 12 and 13 are supported", version_);
  if (!missing.empty()) return saying("it lacks {}", missing);
  if (driver > 0 && cudaMajorOf(version_) > driver / 1000)
    return saying("it is for CUDA {}, and the driver supports CUDA {}.{}", cuda, driver / 1000,
                  driver % 1000 / 10);
  path_ = SharedLibrary::fileOf(reinterpret_cast<const void*>(functions_.getVersion));
  if (path_.empty()) path_ = library.name();
  return {};
}

std::shared_ptr<const Cupti> Cupti::openFirst(const std::vector<LibraryCandidate>& candidates,
                                              int driver) {
  std::shared_ptr<Cupti> made;
  std::vector<LibraryAttempt> attempts;
  const bool found = findLibrary(
      candidates,
      [&](SharedLibrary& library) {
        made.reset(new Cupti);
        std::string error = made->bind(library, driver);
        if (error.empty()) library.keep();
        return error;
      },
      attempts);
  if (!found) throw NoCupti(std::move(attempts));
  made->attempts_ = std::move(attempts);
  return made;
}

std::shared_ptr<const Cupti> Cupti::open(const SearchPlaces& places, int driver) {
  return openFirst(libraryCandidates({"libcupti.so.13", "libcupti.so.12"}, places), driver);
}

std::shared_ptr<const Cupti> Cupti::open(const std::string& library, int driver) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, int>, std::shared_ptr<const Cupti>> opened;
  std::string name = library;
  std::string origin = saying("as requested");
  if (name.empty())
    if (const char* variable = std::getenv("FUSEBENCH_CUPTI"); variable && *variable) {
      name = variable;
      origin = "FUSEBENCH_CUPTI";
    }
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Cupti>& known = opened[{name, driver}];
  if (!known)
    known = name.empty() ? open(SearchPlaces::system(), driver)
                         : openFirst(std::vector<LibraryCandidate>{{name, origin}}, driver);
  return known;
}

}  // namespace fusebench::cuda
