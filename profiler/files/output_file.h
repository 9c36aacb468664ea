// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "profiler/files/descriptor.h"

namespace fusebench {

/// A file that is written under a temporary name. Its data are next to the final name until
/// finish() renames it, so that a reader never sees half a file. Links are followed: their target
/// is replaced, not the link. A path that is not a regular file (a device, a pipe) is written to
/// directly and stays what it is. A file that is an input of this command is refused
/// (kept_inputs.h). Everything throws InputError, naming the path and the system's reason.
class OutputFile {
 public:
  enum class Kind {
    whole,  ///< all or nothing: goes with this object unless finished
    /// Useful before it is finished: the data are in "<path>.part", which stays in any case once
    /// something is written, and which only one process at a time may write. A part left by an
    /// earlier process is put aside first.
    growing,
  };
  explicit OutputFile(const std::string& path, Kind kind = Kind::whole);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends all of it, or (for a regular file) nothing: where a disk is full the file ends after
  /// the last complete call.
  void write(std::string_view bytes);
  /// Moves the file to its final name. Nothing may be written afterwards.
  void finish();

  const std::string& path() const { return path_; }  ///< as it was given
  /// The path of the data at this moment; empty if that is not a file that can be read again.
  const std::string& lies() const { return lies_; }
  /// The path of the part that a growing file found, left by one that was never finished (its
  /// process was killed, its disk was full): see recoverPart(). Empty if there was none.
  const std::string& putAside() const { return putAside_; }

 private:
  void openSpecial(int flags);
  void openWhole();
  void openGrowing();
  [[noreturn]] void fail() const;

  std::string path_, target_, lies_, putAside_;
  Kind kind_;
  Descriptor file_;
  std::int64_t good_ = 0;  ///< bytes that whole calls wrote
  bool special_ = false;   ///< no regular file: nothing can be renamed or taken back
  bool finished_ = false;
};

/// Renames "<path>.part", if no process writes it any more, to a name next to it: "run.jsonl.part"
/// becomes "run-unfinished.jsonl", or "run-unfinished-2.jsonl" if that is taken. Returns that name;
/// empty if there is no such file, another process writes it, or it is empty (then it is removed).
/// Throws InputError if it cannot be renamed.
std::string recoverPart(const std::string& path);

/// Finds out whether something can be written there, and leaves nothing; throws InputError.
void demandWritable(const std::string& path);

}  // namespace fusebench
