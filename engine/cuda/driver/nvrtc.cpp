// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/driver/nvrtc.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench::cuda {

/// NVRTC's interface as far as it is used, written down here so that no header of it is needed:
/// programs are opaque, results are ints of which 0 is success.
struct Nvrtc::Functions {
  using Program = void*;
  int (*version)(int*, int*) = nullptr;
  const char* (*errorString)(int) = nullptr;
  int (*architectureCount)(int*) = nullptr;
  int (*architectures)(int*) = nullptr;
  int (*create)(Program*, const char*, const char*, int, const char* const*,
                const char* const*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*logSize)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*ptxSize)(Program, std::size_t*) = nullptr;
  int (*ptx)(Program, char*) = nullptr;
  int (*cubinSize)(Program, std::size_t*) = nullptr;
  int (*cubin)(Program, char*) = nullptr;
};

namespace {

constexpr int kOldest = 12;

std::string searchError(const std::vector<LibraryAttempt>& attempts) {
  if (attempts.empty()) return saying("NVRTC was not searched for");
  // A file that a variable names, or one that was found but unfit, explains more than the system's
  // search.
  const LibraryAttempt* telling = nullptr;
  for (const LibraryAttempt& attempt : attempts)
    if (!telling && attempt.candidate.path.find('/') != std::string::npos) telling = &attempt;
  if (telling)
    return saying("no usable NVRTC: {} ({}): {}", telling->candidate.path,
                  telling->candidate.origin, telling->error);
  return saying("{} was not found, so no CUDA toolkit is installed",
                attempts.front().candidate.path);
}

}  // namespace

NoNvrtc::NoNvrtc(std::vector<LibraryAttempt> attempts)
    : std::runtime_error(searchError(attempts)), attempts_(std::move(attempts)) {}

std::string_view NoNvrtc::remedy() {
  return said(
      "install the CUDA toolkit 12 or 13, or NVRTC alone (the Python package nvidia-cuda-nvrtc, "
      "for CUDA 12 nvidia-cuda-nvrtc-cu12), or set FUSEBENCH_CUDA_PATH to the folder that contains "
      "it");
}

std::string CodeTarget::text() const {
  return fmt::format("{}_{}", ptx ? "compute" : "sm", architecture);
}

std::vector<std::string> compileOptions(const CompileFlags& flags) {
  // The assembler's report goes into the log; it changes no code.
  std::vector<std::string> options = {"--std=c++17", "--ptxas-options=-v"};
  if (flags.fastMath) {
    options.emplace_back("--use_fast_math");
  } else {
    options.insert(options.end(), {"--ftz=false", "--prec-div=true", "--prec-sqrt=true"});
  }
  // After --use_fast_math, which turns contraction on.
  options.emplace_back(flags.contract || flags.fastMath ? "--fmad=true" : "--fmad=false");
  if (flags.lineInfo) options.emplace_back("--generate-line-info");
  return options;
}

Nvrtc::Nvrtc() : functions_(std::make_unique<Functions>()) {}
Nvrtc::~Nvrtc() {
  // A compiler that other threads may still be in, and whose own clean-up is not ours to time.
  library_.keep();
  builtins_.keep();
}

std::string Nvrtc::versionText() const {
  return fmt::format("{}.{}", major_, minor_);
}

/// Why this library cannot be used; empty if it can.
std::string Nvrtc::bind(SharedLibrary& library) {
  Functions& f = *functions_;
  std::string missing;
  const auto find = [&](auto& function, const char* name) {
    if (!library.find(name, function)) missing += missing.empty() ? name : std::string(", ") + name;
  };
  find(f.version, "nvrtcVersion");
  find(f.errorString, "nvrtcGetErrorString");
  find(f.architectureCount, "nvrtcGetNumSupportedArchs");
  find(f.architectures, "nvrtcGetSupportedArchs");
  find(f.create, "nvrtcCreateProgram");
  find(f.destroy, "nvrtcDestroyProgram");
  find(f.compile, "nvrtcCompileProgram");
  find(f.logSize, "nvrtcGetProgramLogSize");
  find(f.log, "nvrtcGetProgramLog");
  find(f.ptxSize, "nvrtcGetPTXSize");
  find(f.ptx, "nvrtcGetPTX");
  find(f.cubinSize, "nvrtcGetCUBINSize");
  find(f.cubin, "nvrtcGetCUBIN");
  if (f.version && f.version(&major_, &minor_) == 0 && major_ < kOldest)
    return saying("it is version {}; {} or newer is needed", versionText(), kOldest);
  if (!missing.empty()) return saying("it lacks {}", missing);
  if (major_ == 0) return saying("it does not report its version: a stub?");
  int count = 0;
  if (f.architectureCount(&count) != 0 || count <= 0)
    return saying("it supports no architecture: a stub?");
  architectures_.resize(static_cast<std::size_t>(count));
  if (f.architectures(architectures_.data()) != 0)
    return saying("it does not list its architectures");
  std::sort(architectures_.begin(), architectures_.end());
  path_ = SharedLibrary::fileOf(reinterpret_cast<const void*>(f.version));
  if (path_.empty()) path_ = library.name();
  return {};
}

/// NVRTC opens its built-in definitions by their bare name when it first compiles, which fails
/// outside the system's search path. Opened before by full path, they are found.
void Nvrtc::openBuiltins() {
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  const std::string file =
      (folder / fmt::format("libnvrtc-builtins.so.{}", versionText())).string();
  std::error_code failed;
  std::string ignored;  // if they are needed and not there, compiling says so
  if (std::filesystem::exists(file, failed)) builtins_ = SharedLibrary::open(file, ignored);
}

bool Nvrtc::isNewerThan(int driverVersion) const {
  return driverVersion > 0 && major_ > driverVersion / 1000;
}

std::shared_ptr<const Nvrtc> Nvrtc::openFirst(const std::vector<LibraryCandidate>& candidates,
                                              int driverVersion) {
  std::shared_ptr<Nvrtc> made, tooNew;
  std::vector<LibraryAttempt> attempts;
  const bool found = findLibrary(
      candidates,
      [&](SharedLibrary& library) {
        std::shared_ptr<Nvrtc> one(new Nvrtc);
        std::string error = one->bind(library);
        if (!error.empty()) return error;
        one->library_ = std::move(library);
        if (!one->isNewerThan(driverVersion)) {
          made = std::move(one);
          return error;
        }
        error = saying("it is {}, newer than the driver's CUDA {}.{}", one->versionText(),
                       driverVersion / 1000, driverVersion % 1000 / 10);
        if (!tooNew) tooNew = std::move(one);
        return error;
      },
      attempts);
  // It may still serve: what it makes is refused by most drivers, and they say so.
  if (!found) made = std::move(tooNew);
  if (!made) throw NoNvrtc(std::move(attempts));
  made->attempts_ = std::move(attempts);
  made->openBuiltins();
  return made;
}

std::shared_ptr<const Nvrtc> Nvrtc::open(const SearchPlaces& places, int driverVersion) {
  return openFirst(libraryCandidates({"libnvrtc.so.13", "libnvrtc.so.12"}, places), driverVersion);
}

std::shared_ptr<const Nvrtc> Nvrtc::open(const std::string& library, int driverVersion) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, int>, std::shared_ptr<const Nvrtc>> opened;
  std::string name = library;
  std::string origin = saying("as requested");
  if (name.empty())
    if (const char* variable = std::getenv("FUSEBENCH_CUDA_NVRTC")) {
      name = variable;
      origin = "FUSEBENCH_CUDA_NVRTC";
    }
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Nvrtc>& known = opened[{name, driverVersion / 1000}];
  if (!known)
    known = name.empty() ? open(SearchPlaces::system(), driverVersion)
                         : openFirst(std::vector<LibraryCandidate>{{name, origin}}, driverVersion);
  return known;
}

std::optional<CodeTarget> Nvrtc::targetFor(int major, int minor) const {
  const int device = 10 * major + minor;
  const auto& all = architectures_;
  if (std::find(all.begin(), all.end(), device) != all.end()) return CodeTarget{false, device};
  const auto above = std::upper_bound(all.begin(), all.end(), device);
  if (above == all.begin()) return std::nullopt;
  // Machine code runs on later minor versions of its major one, PTX on all that are newer.
  const int best = *std::prev(above);
  return CodeTarget{best / 10 != device / 10, best};
}

CompiledCode Nvrtc::compile(const std::string& source, const std::string& name,
                            const CodeTarget& target,
                            const std::vector<std::string>& options) const {
  const Functions& f = *functions_;
  const auto fail = [&](const std::string& why) {
    return std::runtime_error(saying("NVRTC {} cannot compile kernel {} for {}: {}", versionText(),
                                     name, target.text(), why));
  };
  const auto check = [&](int result) {
    if (result != 0) throw fail(f.errorString(result));
  };
  std::vector<std::string> all = options;
  all.push_back("--gpu-architecture=" + target.text());
  std::vector<const char*> words;
  for (const std::string& option : all) words.push_back(option.c_str());

  struct Program {
    const Functions& f;
    void* handle = nullptr;
    ~Program() {
      if (handle) f.destroy(&handle);
    }
  } program{f};
  check(f.create(&program.handle, source.c_str(), "kernel.cu", 0, nullptr, nullptr));
  const int result = f.compile(program.handle, static_cast<int>(words.size()), words.data());
  CompiledCode code;
  code.target = target;
  const auto read = [&](auto sizeOf, auto get) {
    std::size_t size = 0;
    check(sizeOf(program.handle, &size));
    std::string text(size, '\0');
    if (size > 0) check(get(program.handle, text.data()));
    return text;
  };
  code.log = read(f.logSize, f.log);
  while (!code.log.empty() && (code.log.back() == '\0' || code.log.back() == '\n'))
    code.log.pop_back();
  if (result != 0) throw fail(code.log.empty() ? f.errorString(result) : firstError(code.log));
  code.bytes = target.ptx ? read(f.ptxSize, f.ptx) : read(f.cubinSize, f.cubin);
  if (target.ptx)
    while (!code.bytes.empty() && code.bytes.back() == '\0') code.bytes.pop_back();
  if (code.bytes.empty()) throw fail(saying("it produced nothing"));
  code.resources = resourcesIn(code.log);
  return code;
}

}  // namespace fusebench::cuda
