// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "engine/base/saying.h"
#include "engine/base/work_limit.h"
#include "profiler/files/descriptor.h"
#include "profiler/files/input_error.h"
#include "profiler/files/kept_inputs.h"
#include "profiler/files/output_file.h"

namespace fusebench {
namespace {

constexpr int kFirstPatience = 2'000, kPatience = 30'000;  ///< ms without a byte from a pipe
constexpr int kStopPatience = 100;  ///< ms until a stop of the thread's work is noticed

void demandNoStop(const std::string& path) {
  if (WorkLimit::state() == WorkLimit::State::stopped)
    throw InputError(saying("{}: reading this file was stopped", path));
}

/// For a pipe or a device: waits for more bytes until the patience with its writer is over.
void awaitBytes(int file, const std::string& path, bool first) {
  pollfd watched{file, POLLIN, 0};
  for (int left = first ? kFirstPatience : kPatience; left > 0; left -= kStopPatience) {
    demandNoStop(path);
    int ready = 0;
    do {
      ready = ::poll(&watched, 1, kStopPatience);
    } while (ready < 0 && errno == EINTR);
    if (ready != 0) return;
  }
  throw InputError(
      path + saying(": this pipe delivers no data; start the program that writes to it first"));
}

}  // namespace

std::string systemMessage(const std::string& path, std::string_view what) {
  return fmt::format("{}: {}: {}", path, what, std::generic_category().message(errno));
}

std::string textToReplace(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string readFile(const std::string& path, std::size_t largest) {
  // Nonblocking: to open a pipe that nobody writes could take for ever.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file) throw InputError(systemMessage(path, saying("cannot be opened")));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0)
    throw InputError(systemMessage(path, saying("cannot be read")));
  if (S_ISDIR(status.st_mode)) throw InputError(saying("{}: this is a folder; name a file", path));
  // It would give bytes for ever; what a shell passes on is a pipe.
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode))
    throw InputError(saying("{}: this is a device; name a file", path));
  noteInput(status);
  const auto demandRoom = [&](std::uint64_t bytes) {
    if (bytes > largest)
      throw InputError(
          saying("{}: larger than {} MiB, the most that can be read here", path, largest >> 20));
  };
  if (S_ISREG(status.st_mode)) demandRoom(static_cast<std::uint64_t>(status.st_size));
  std::string content;
  char buffer[1 << 16];
  bool awaited = S_ISREG(status.st_mode);
  while (true) {
    demandNoStop(path);
    const ssize_t count = ::read(file.get(), buffer, sizeof buffer);
    if (count == 0 && (awaited || !content.empty())) return content;
    if (count == 0 || (count < 0 && errno == EAGAIN)) {
      // A pipe: nobody writes it yet, or its writer is slow.
      awaitBytes(file.get(), path, count == 0);
      awaited = true;
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError(systemMessage(path, saying("cannot be read")));
    content.append(buffer, static_cast<std::size_t>(count));
    demandRoom(content.size());
  }
}

void writeFile(const std::string& path, std::string_view content) {
  OutputFile file(path);
  file.write(content);
  file.finish();
}

}  // namespace fusebench
