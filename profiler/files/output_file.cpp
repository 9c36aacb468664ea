// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "engine/base/saying.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/kept_inputs.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;

std::optional<struct stat> statusOf(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

bool sameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Where a path leads once its last component's links are followed; it need not exist. Nothing for
/// an open file's entry in /proc, which leads to that file whatever its text says.
std::optional<std::string> targetOf(std::string path) {
  constexpr int kMostLinks = 40;  // as the kernel has it
  for (int link = 0; link < kMostLinks; ++link) {
    char text[4096];
    const ssize_t length = ::readlink(path.c_str(), text, sizeof text);
    if (length < 0) return path;
    const fs::path next(std::string(text, static_cast<std::size_t>(length)));
    const fs::path folder = fs::path(path).parent_path();
    std::error_code ignored;
    const fs::path real = fs::canonical(folder.empty() ? "." : folder, ignored);
    if (real.string().starts_with("/proc/") && real.filename() == "fd") return std::nullopt;
    path = next.is_absolute() ? next.string() : (folder / next).string();
  }
  return path;
}

/// The result of the call, repeated until no signal interrupts it.
template <typename Call>
int uninterrupted(Call call) {
  int result = -1;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

int openFile(const std::string& path, int flags) {
  return uninterrupted([&] { return ::open(path.c_str(), flags, 0666); });
}

/// Renames without taking the place of what is there; false with errno set if that fails.
bool renameBeside(const std::string& from, const std::string& to) {
  const auto call = [&] {
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  };
  if (uninterrupted(call) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  // Some file systems cannot do both at once.
  struct stat there {};
  if (::lstat(to.c_str(), &there) == 0) {
    errno = EEXIST;
    return false;
  }
  return uninterrupted([&] { return std::rename(from.c_str(), to.c_str()); }) == 0;
}

/// The owner of an open part: now ours, nobody (it has been renamed), or another process, which
/// writes it.
enum class PartState { mine, gone, written };

PartState lockPart(int file, const std::string& lies) {
  // Some file systems know no locks: then there is nothing to be done.
  if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return PartState::written;
  struct stat opened {};
  const auto there = statusOf(lies);
  const bool same = there && ::fstat(file, &opened) == 0 && sameFile(*there, opened);
  return same ? PartState::mine : PartState::gone;
}

bool isEmpty(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 && status.st_size == 0;
}

/// A name of its own for what a part holds; the caller has it locked.
std::string namedApart(const std::string& target, const std::string& lies) {
  const fs::path path(target);
  for (int number = 1;; ++number) {
    const std::string name =
        fmt::format("{}-unfinished{}{}", path.stem().string(),
                    number == 1 ? "" : fmt::format("-{}", number), path.extension().string());
    std::string apart = (path.parent_path() / name).string();
    if (renameBeside(lies, apart)) return apart;
    if (errno != EEXIST)
      throw InputError(
          systemMessage(lies, saying("could not rename the file that an earlier run left there")));
  }
}

/// Writes all of it; false with errno set if that fails.
bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (count == 0) {
      errno = ENOSPC;
      return false;
    } else if (errno == EAGAIN) {
      pollfd watched{file, POLLOUT, 0};
      ::poll(&watched, 1, 1000);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

OutputFile::OutputFile(const std::string& path, Kind kind) : path_(path), kind_(kind) {
  const auto status = statusOf(path);
  if (!status && errno != ENOENT) fail();
  if (status && S_ISDIR(status->st_mode))
    throw InputError(path + saying(": this is a folder; name a file"));
  if (status && isKeptInput(*status))
    throw InputError(
        saying("{}: this file is also an input and would be lost; name another file", path));
  const auto target = targetOf(path);
  if (!target || (status && !S_ISREG(status->st_mode))) {
    openSpecial(target ? 0 : O_APPEND);
    return;
  }
  target_ = *target;
  if (kind == Kind::growing)
    openGrowing();
  else
    openWhole();
  // Who could not read the file before cannot read the one that takes its place.
  if (status) ::fchmod(file_.get(), status->st_mode & 0777);
}

OutputFile::~OutputFile() {
  const bool ofWorth = kind_ == Kind::growing && good_ > 0;
  if (!finished_ && !special_ && !ofWorth && !lies_.empty()) std::remove(lies_.c_str());
}

void OutputFile::fail() const {
  throw InputError(systemMessage(path_, saying("cannot be written")));
}

/// A pipe that nobody reads is an error at once: to wait for its reader could take for ever.
void OutputFile::openSpecial(int flags) {
  special_ = true;
  file_.set(openFile(path_, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags));
  if (!file_ && errno == ENXIO)
    throw InputError(path_ + saying(": nothing reads this pipe; start its reader first"));
  if (!file_) fail();
  if (const auto status = statusOf(path_); status && S_ISREG(status->st_mode)) lies_ = path_;
}

void OutputFile::openWhole() {
  static std::atomic<unsigned> serial{0};
  // Created, and not a link: in a folder that others may write to, one could have been placed
  // there.
  lies_ = fmt::format("{}.{}-{}.tmp", target_, ::getpid(), serial++);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  file_.set(openFile(lies_, kFlags));
  if (!file_ && errno == EEXIST && ::unlink(lies_.c_str()) == 0)  // a dead process' of that number
    file_.set(openFile(lies_, kFlags));
  if (file_) return;
  lies_.clear();
  fail();
}

void OutputFile::openGrowing() {
  lies_ = target_ + ".part";
  while (true) {
    file_.set(openFile(lies_, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!file_) fail();
    struct stat opened {};
    if (::fstat(file_.get(), &opened) != 0) fail();
    if (!S_ISREG(opened.st_mode) || opened.st_uid != ::geteuid())
      throw InputError(
          saying("{}: cannot be written: {} is there and belongs to another user; remove it, or "
                 "choose another folder",
                 path_, lies_));
    const PartState state = lockPart(file_.get(), lies_);
    if (state == PartState::written)
      throw InputError(
          saying("{}: another run is being written there ({}); wait for it, or name another file",
                 path_, lies_));
    if (state == PartState::gone) continue;
    if (isEmpty(file_.get())) return;
    putAside_ = namedApart(target_, lies_);
  }
}

std::string recoverPart(const std::string& path) {
  const auto target = targetOf(path);
  if (!target) return "";
  const std::string lies = *target + ".part";
  const Descriptor file(openFile(lies, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat opened {};
  if (!file || ::fstat(file.get(), &opened) != 0 || !S_ISREG(opened.st_mode) ||
      opened.st_uid != ::geteuid() || lockPart(file.get(), lies) != PartState::mine)
    return "";
  if (!isEmpty(file.get())) return namedApart(*target, lies);
  ::unlink(lies.c_str());
  return "";
}

void OutputFile::write(std::string_view bytes) {
  if (writeAll(file_.get(), bytes)) {
    good_ += static_cast<std::int64_t>(bytes.size());
    return;
  }
  const int reason = errno;
  // Half a record in the middle would spoil what is written after it.
  if (!special_ && uninterrupted([&] { return ::ftruncate(file_.get(), good_); }) == 0)
    ::lseek(file_.get(), good_, SEEK_SET);
  errno = reason;
  fail();
}

void OutputFile::finish() {
  if (special_) {
    if (file_.close() != 0 && errno != EINTR) fail();
    finished_ = true;
    return;
  }
  // Some file systems tell only at the end that what was written did not arrive. A growing file's
  // lock goes with its descriptor, which therefore outlives the name.
  const bool arrived =
      kind_ == Kind::growing
          ? uninterrupted([&] { return ::fdatasync(file_.get()); }) == 0 || errno == EINVAL
          : file_.close() == 0 || errno == EINTR;
  const auto rename = [&] { return std::rename(lies_.c_str(), target_.c_str()); };
  if (!arrived || uninterrupted(rename) != 0) fail();
  lies_ = target_;
  finished_ = true;
  file_.close();
}

void demandWritable(const std::string& path) {
  const auto status = statusOf(path);
  const bool special = status && !S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode);
  if (special || !targetOf(path)) {
    // To open a pipe and close it again would tell its reader that everything has come.
    if (::access(path.c_str(), W_OK) != 0)
      throw InputError(systemMessage(path, saying("cannot be written")));
    return;
  }
  const OutputFile probe(path);
}

}  // namespace fusebench
