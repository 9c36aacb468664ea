// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "profiler/files/descriptor.h"

namespace fusebench {

/// A file on its way to a name. What is written lies beside that name until finish() renames it, so
/// that a reader never sees half a file. Links are followed: what they point to is replaced, not
/// they. What is no regular file (a device, a pipe) is written to as it is and stays what it is.
/// A file that is an input of this command is refused (kept_inputs.h).
/// Everything throws InputError, naming the path and the system's reason.
class OutputFile {
 public:
  enum class Kind {
    whole,  ///< all or nothing: goes with this object unless finished
    /// Of worth before it is finished: lies in "<path>.part", which stays whatever happens
    /// once something is written, and which one process at a time may write. What an earlier one
    /// left there is put aside first.
    growing,
  };
  explicit OutputFile(const std::string& path, Kind kind = Kind::whole);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends all of it, or (of a regular file) nothing: where a disk is full the file ends with
  /// what the last call wrote.
  void write(std::string_view bytes);
  /// Puts what was written to its place. Nothing may be written afterwards.
  void finish();

  const std::string& path() const { return path_; }  ///< as it was given
  /// Where the bytes lie at this moment; empty if that is no file to be read again.
  const std::string& lies() const { return lies_; }
  /// Where that lies which a growing file found left behind by one that was never finished (its
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

/// Gives what lies in "<path>.part", and which nobody writes any more, a name of its own beside it:
/// "run.jsonl.part" becomes "run-unfinished.jsonl", or "run-unfinished-2.jsonl" if that is taken.
/// That name; empty if there is no such file, another process writes it, or it is empty (then it is
/// removed). Throws InputError if it cannot be renamed.
std::string recoverPart(const std::string& path);

/// Finds out whether something can be written there, and leaves nothing; throws InputError.
void demandWritable(const std::string& path);

}  // namespace fusebench
