// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/driver/library_search.h"

namespace fusebench {
struct Kernel;
}

namespace fusebench::cuda {

/// What NVRTC should generate: machine code for one architecture, or PTX, which a driver compiles
/// further.
struct CodeTarget {
  bool ptx = false;
  int architecture = 0;  ///< 10 * major + minor: 90

  std::string text() const;  ///< "sm_90" or "compute_90"
  friend bool operator==(const CodeTarget&, const CodeTarget&) = default;
};

/// The resources of a multiprocessor that one entry needs, from the assembler's report; not for
/// PTX.
struct EntryResources {
  std::string entry;
  int registers = 0;    ///< per thread
  int stackBytes = 0;   ///< per thread
  int spillStores = 0;  ///< bytes spilled to local memory for lack of registers, per thread
  int spillLoads = 0;
  int sharedBytes = 0;  ///< per block
};

struct CompiledCode {
  CodeTarget target;
  std::string bytes;  ///< a cubin, or PTX text
  std::string log;    ///< the compiler's output
  std::vector<EntryResources> resources;
};

/// The compiler's options besides the source and the target.
struct CompileFlags {
  bool contract = false;  ///< multiplications and additions may become fma
  bool fastMath = false;  ///< approximate division, roots and functions; denormals become 0
  bool lineInfo = false;  ///< line numbers of the source are recorded in the code
};
/// NVRTC's options for them. IEEE arithmetic unless fastMath.
std::vector<std::string> compileOptions(const CompileFlags& flags);

/// No NVRTC can be used here. what() has the reason in one line; attempts() what was tried;
/// remedy() what the user can do.
class NoNvrtc : public std::runtime_error {
 public:
  explicit NoNvrtc(std::vector<LibraryAttempt> attempts);
  const std::vector<LibraryAttempt>& attempts() const { return attempts_; }
  static std::string_view remedy();

 private:
  std::vector<LibraryAttempt> attempts_;
};

/// NVIDIA's run-time compiler, opened at run time. Needs no GPU and no driver. Several threads may
/// compile at once. Stays open to the end of the process.
class Nvrtc {
 public:
  struct Functions;

  /// Opens `library` (a path or name); if empty, the environment's FUSEBENCH_CUDA_NVRTC, or the
  /// first usable one of libraryCandidates(): versions 13 and 12 are supported. `driverVersion`:
  /// version of the driver that is to load the code, 1000 times its major version or more; an NVRTC
  /// of a newer major version is taken only if there is no other. 0: not known. Throws NoNvrtc. The
  /// same library is opened once.
  static std::shared_ptr<const Nvrtc> open(const std::string& library = {}, int driverVersion = 0);
  static std::shared_ptr<const Nvrtc> open(const SearchPlaces& places, int driverVersion = 0);
  ~Nvrtc();

  const std::string& path() const { return path_; }  ///< path of the file
  int major() const { return major_; }
  int minor() const { return minor_; }
  std::string versionText() const;  ///< "13.0"
  /// Whether its code is for newer drivers than one of this version (see open()).
  bool isNewerThan(int driverVersion) const;
  /// Architectures that it compiles for, ascending: 75, 80, ...
  const std::vector<int>& architectures() const { return architectures_; }
  /// All candidates that were tried until this one was taken.
  const std::vector<LibraryAttempt>& attempts() const { return attempts_; }

  /// The best target for a device: its own machine code, or, for a device newer than this NVRTC,
  /// the newest PTX. Nothing for a device that is too old.
  std::optional<CodeTarget> targetFor(int major, int minor) const;

  /// Compiles a source. `name` is the kernel's, for messages. Throws std::runtime_error with the
  /// name and the first error of the compiler's log.
  CompiledCode compile(const std::string& source, const std::string& name, const CodeTarget& target,
                       const std::vector<std::string>& options) const;

 private:
  Nvrtc();
  static std::shared_ptr<const Nvrtc> openFirst(const std::vector<LibraryCandidate>& candidates,
                                                int driverVersion);
  std::string bind(SharedLibrary& library);
  void openBuiltins();

  std::unique_ptr<Functions> functions_;
  SharedLibrary library_, builtins_;
  std::string path_;
  int major_ = 0, minor_ = 0;
  std::vector<int> architectures_;
  std::vector<LibraryAttempt> attempts_;
};

/// Registers, spills and shared memory of each entry in the assembler's report.
std::vector<EntryResources> resourcesIn(std::string_view log);

/// The first line of a log with an error; otherwise its first line.
std::string firstError(std::string_view log);

}  // namespace fusebench::cuda
