// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// An event of PyTorch's allocator.
struct MemoryEvent {
  enum class Kind : std::uint8_t {
    allocate,
    release,      ///< the program gave a block back
    reserve,      ///< the allocator got memory from the driver
    giveBack,     ///< the allocator gave memory back to the driver
    outOfMemory,  ///< an allocation failed
  };
  Kind kind = Kind::allocate;
  Nanoseconds time = 0;  ///< from the first event of all devices
  std::uint64_t address = 0;
  std::int64_t size = 0;    ///< bytes
  std::uint32_t stack = 0;  ///< in MemorySnapshot::stacks; 0: not recorded
};

/// A part of the memory that the allocator has from the driver, as the snapshot found it.
struct MemoryBlock {
  std::uint64_t address = 0;
  std::int64_t size = 0;
  std::uint32_t stack = 0;
  bool isAllocated = false;
};

struct MemoryDevice {
  int number = 0;
  std::vector<MemoryEvent> events;  ///< in order of time
  std::vector<MemoryBlock> blocks;
  std::int64_t reserved = 0;  ///< when the snapshot was made
};

/// A snapshot of PyTorch's memory: torch.cuda.memory._snapshot(), written as JSON.
struct MemorySnapshot {
  /// A call in the program.
  struct Frame {
    /// How well a frame says whose memory it is; a larger one says it better.
    enum class Tells : std::uint8_t { little, anOperator, aBackward, code };
    std::string text;  ///< "forward (src/model.py:12)"
    Tells tells = Tells::little;
  };
  std::string title;
  std::vector<MemoryDevice> devices;  ///< that have events or memory
  std::vector<Frame> frames;
  std::vector<std::vector<std::uint32_t>> stacks{{}};  ///< frames, the innermost first
  bool hasTimes = true;                                ///< false: events are a microsecond apart
  std::uint64_t malformed = 0;  ///< events without an address, a size or a known action

  Nanoseconds length() const;
  /// The innermost frame of Python that is not PyTorch's own, else an operator of the backward
  /// pass, else any operator; "" without frames.
  std::string siteOf(std::uint32_t stack) const;
};

/// Whether the file is, by its begin, such a JSON; plain or packed by gzip.
bool looksLikeMemorySnapshot(const std::string& path);
/// Throws InputError, naming the place, the cause and the remedy, and what `progress` does.
MemorySnapshot readMemorySnapshot(const std::string& path, const TraceProgress& progress = {});

/// Whether the file is, by its begin, a Python pickle, which is what _dump_snapshot() writes.
bool looksLikePickle(const std::string& path);
/// Why a pickle is not read, and the command that makes JSON of it.
std::string pickleRefusal(const std::string& path);

}  // namespace fusebench
