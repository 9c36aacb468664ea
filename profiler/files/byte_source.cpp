// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "engine/base/saying.h"
#include "profiler/files/descriptor.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/kept_inputs.h"

namespace fusebench {
namespace {

/// Traces of all tools unpack to 10 to 40 times their size; a thousand times is an attack.
constexpr std::uint64_t kLeastUnpacked = std::uint64_t{64} << 20, kMostRatio = 100;

gzFile handle(void* file) {
  return static_cast<gzFile>(file);
}

}  // namespace

ByteSource::ByteSource(const std::string& path, unsigned piece) : path_(path), piece_(piece) {
  // Nonblocking: to open a pipe that nobody writes could take for ever.
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (opened < 0) throw InputError(systemMessage(path, saying("cannot be opened")));
  Descriptor file(opened);
  struct stat status {};
  if (::fstat(opened, &status) != 0)
    throw InputError(systemMessage(path, saying("cannot be read")));
  if (S_ISDIR(status.st_mode)) throw InputError(path + saying(": this is a folder; name a file"));
  // It is read more than once: to see what it is, then to take it in.
  if (!S_ISREG(status.st_mode))
    throw InputError(path +
                     saying(": this is a pipe or a device; save its output to a file first"));
  noteInput(status);
  file_ = gzdopen(opened, "rb");
  if (!file_) throw std::bad_alloc();  // zlib's only reason here
  file.release();
  gzbuffer(handle(file_), piece_);
  size_ = static_cast<std::uint64_t>(status.st_size);
}

ByteSource::~ByteSource() {
  gzclose(handle(file_));
}

/// One piece after the other: where packed data are damaged zlib forgets the piece.
std::size_t ByteSource::read(char* to, std::size_t bytes) {
  std::size_t read = 0;
  while (read < bytes && damage_.empty()) {
    errno = 0;
    const auto piece = static_cast<unsigned>(std::min<std::size_t>(bytes - read, piece_));
    const int got = gzread(handle(file_), to + read, piece);
    int code = Z_OK;
    const char* message = gzerror(handle(file_), &code);
    if (code == Z_ERRNO) throw InputError(systemMessage(path_, saying("cannot be read")));
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_BUF_ERROR)
      damage_ = saying("the compressed file is truncated");
    else if (got < 0)
      damage_ = saying("the compressed file is damaged: {}", message);
    if (got > 0) read += static_cast<std::size_t>(got);
    unpacked_ += got > 0 ? static_cast<std::uint64_t>(got) : 0;
    if (unpacked_ > kLeastUnpacked + kMostRatio * size_)
      damage_ = saying("the compressed file expands to more than {} times its size", kMostRatio);
    if (got < static_cast<int>(piece)) break;
  }
  return read;
}

double ByteSource::share() const {
  if (size_ == 0) return 0;
  const auto at = static_cast<double>(gzoffset(handle(file_)));
  return std::clamp(at / static_cast<double>(size_), 0.0, 1.0);
}

}  // namespace fusebench
