// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/doubles/cuda/host_compiler.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <regex>
#include <set>

namespace fusebench::test {
namespace {

namespace fs = std::filesystem;

// The address sanitizer instruments kernels as well, to find reads outside of a tensor.
#if defined(__SANITIZE_ADDRESS__)
#define FB_SANITIZED " -fsanitize=address -g1"
#else
#define FB_SANITIZED ""
#endif
// The headers declare C's mathematical functions only, which halves the time of a compile.
constexpr const char* kFlags =
    " -std=c++17 -O0 -w -pipe -fPIC -ffp-contract=off -fvisibility=hidden"
    " -D_GLIBCXX_INCLUDE_NEXT_C_HEADERS" FB_SANITIZED " ";
// Only the math library is linked; the program that loads the result provides any sanitizer.
constexpr const char* kLinkFlags = " -shared -nostdlib ";

std::string fileText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string hash(const std::string& text) {
  // Two 64-bit FNV-1a hashes with different starts: enough to tell sources apart.
  std::string result;
  for (std::uint64_t h : {0xcbf29ce484222325u, 0x9ae16a3b2f90404fu}) {
    for (unsigned char c : text) h = (h ^ c) * 0x100000001b3u;
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(h));
    result += digits.data();
  }
  return result;
}

struct Ran {
  int status = -1;
  std::string output;
};
Ran run(const std::string& command) {
  Ran result;
  // Not with the double in the compiler, too, where a program was started with it.
  FILE* pipe = popen(("env -u LD_PRELOAD " + command + " 2>&1").c_str(), "r");
  if (!pipe) return result;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    result.output.append(buffer.data(), n);
  result.status = pclose(pipe);
  return result;
}

std::string quoted(const fs::path& path) {
  return "'" + path.string() + "'";
}

/// The cache, which contains the shim and its precompiled header. Made once for each version of the
/// shim; processes that start together wait for the first one.
class Folder {
 public:
  Folder() {
    const std::string shim = fileText(FUSEBENCH_DOUBLE_SHIM);
    const char* set = std::getenv("FUSEBENCH_DOUBLE_CACHE");
    const fs::path base = set && *set ? fs::path(set)
                                      : fs::temp_directory_path() /
                                            ("fusebench-cuda-double-" + std::to_string(getuid()));
    path_ = base / hash(shim + kFlags + kLinkFlags + FUSEBENCH_DOUBLE_COMPILER);
    fs::create_directories(path_);
    const std::string lockName = (path_ / "lock").string();
    FILE* lock = fopen(lockName.c_str(), "w");
    if (lock) flock(fileno(lock), LOCK_EX);
    if (!fs::exists(path_ / "kernel_shim.h.gch")) {
      std::ofstream(path_ / "kernel_shim.h", std::ios::binary) << shim;
      run(std::string(FUSEBENCH_DOUBLE_COMPILER) + kFlags + "-x c++-header " +
          quoted(path_ / "kernel_shim.h") + " -o " + quoted(path_ / "part.gch"));
      std::error_code ignored;
      fs::rename(path_ / "part.gch", path_ / "kernel_shim.h.gch", ignored);
    }
    if (lock) fclose(lock);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

const fs::path& folder() {
  static const Folder made;
  return made.path();
}

/// The source with the shim before it and what the library looks up behind it.
std::string hostSource(const std::string& source) {
  static const std::regex kernel(
      R"(__global__\s+void\s+(?:__launch_bounds__\s*\(([^),]*)[^)]*\)\s*)?([A-Za-z_]\w*)\s*\()");
  const bool together = source.find("__syncthreads") != std::string::npos ||
                        source.find("__shfl") != std::string::npos;
  std::string text = "#include \"kernel_shim.h\"\n#line 1 \"kernel.cu\"\n" + source + "\n";
  std::set<std::string> names;
  for (std::sregex_iterator found(source.begin(), source.end(), kernel), end; found != end; ++found)
    if (names.insert((*found)[2]).second) {
      const std::string bound = (*found)[1].matched ? (*found)[1].str() : "0";
      text +=
          "FB_KERNEL(" + (*found)[2].str() + (together ? ", true, " : ", false, ") + bound + ")\n";
    }
  return text;
}

}  // namespace

HostCompiled compileForHost(const std::string& source) {
  static std::atomic<unsigned> serial = 0;
  HostCompiled result;
  const std::string text = hostSource(source);
  const std::string name = hash(text);
  const fs::path library = folder() / (name + ".so");
  const auto load = [&] {
    const std::string bytes = fileText(library);
    result.library.assign(bytes.begin(), bytes.end());
    return !bytes.empty();
  };
  if (load()) return result;
  const std::string part = name + "-" + std::to_string(getpid()) + "-" + std::to_string(++serial);
  const fs::path input = folder() / (part + ".cpp"), output = folder() / (part + ".so");
  std::ofstream(input, std::ios::binary) << text;
  const Ran ran = run(std::string(FUSEBENCH_DOUBLE_COMPILER) + kFlags + kLinkFlags + "-I " +
                      quoted(folder()) + " " + quoted(input) + " -lm -o " + quoted(output));
  result.compilerRan = true;
  result.log = ran.output;
  std::error_code ignored;
  if (ran.status == 0) {
    fs::rename(output, library, ignored);
    load();
  }
  fs::remove(input, ignored);
  return result;
}

}  // namespace fusebench::test
