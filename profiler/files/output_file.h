// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "profiler/files/descriptor.h"

namespace fusebench {

/// A file that is written under a temporary name. Its data is next to the final name until finish()
/// renames it, so that a reader never sees an incomplete file. Links are followed: their target is
/// replaced, not the link. A path that is not a regular file (a device, a pipe) is written to
/// directly and not replaced. A file that is an input of this command is refused (kept_inputs.h).
/// All functions throw InputError, naming the path and the system's reason.
class OutputFile {
 public:
  enum class Kind {
    whole,  ///< all or nothing: deleted with this object unless finished
    /// Usable before it is finished: the data is in "<path>.part", which is kept in any case once
    /// something is written, and which only one process at a time may write. A part left by an
    /// earlier process is renamed first.
    growing,
  };
  explicit OutputFile(const std::string& path, Kind kind = Kind::whole);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends all of it, or (for a regular file) nothing: if the disk is full, the file ends after
  /// the last complete call.
  void write(std::string_view bytes);
  /// Moves the file to its final name. Nothing may be written afterwards.
  void finish();

  const std::string& path() const { return path_; }  ///< as it was given
  /// The path of the data at this moment; empty if that is not a file that can be read again.
  const std::string& lies() const { return lies_; }
  /// The path of the part that a growing file found, left by an earlier file that was never
  /// finished (its process was killed, or the disk was full): see recoverPart(). Empty if there was
  /// none.
  const std::string& putAside() const { return putAside_; }

 private:
  void openSpecial(int flags);
  void openWhole();
  void openGrowing();
  [[noreturn]] void fail() const;

  std::string path_, target_, lies_, putAside_;
  Kind kind_;
  Descriptor file_;
  std::int64_t good_ = 0;  ///< bytes that completed calls wrote
  bool special_ = false;   ///< not a regular file: it cannot be renamed or truncated
  bool finished_ = false;
};

/// Renames "<path>.part", if no process writes it any more, to a name next to it: "run.jsonl.part"
/// becomes "run-unfinished.jsonl", or "run-unfinished-2.jsonl" if that is taken. Returns that name;
/// empty if there is no such file, another process writes it, or it is empty (then it is removed).
/// Throws InputError if it cannot be renamed.
std::string recoverPart(const std::string& path);

/// Checks whether the path can be written, and leaves nothing behind; throws InputError.
void demandWritable(const std::string& path);

}  // namespace fusebench
