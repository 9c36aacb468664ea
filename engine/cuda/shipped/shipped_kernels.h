// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/embedded_file.h"
#include "engine/cuda/codegen/codegen.h"
#include "engine/cuda/driver/nvrtc.h"
#include "engine/cuda/shipped/kernel_archive.h"

namespace fusebench::cuda {

/// Eager's kernels as they ship (see fusebench::shippedKernels()), so that eager needs no NVRTC:
/// machine code for the architectures below, and PTX for the oldest, which the driver of any other
/// device compiles by itself. They are in resources/eager, are part of the program, and are
/// generated again by `fusebench-prebuild` for each release.

/// 10 * major + minor: the first architecture of each major version, whose code serves the others
/// of that version.
inline constexpr std::array kShippedArchitectures = {75, 80, 90, 100, 120};
inline constexpr int kShippedPtx = 75;

/// A source that ships, and its name for messages.
struct ShippedSource {
  std::string name, text;
  CompileFlags flags;
};
/// All of them, without duplicates: those of eager's kernels with 32-bit indices, and
/// emptySource().
std::vector<ShippedSource> shippedSources();

/// A kernel that does nothing, in a form that a backend launches: one warp, no arguments.
Source emptySource();

/// The key by which code made from a source is found.
ShippedKey shippedKeyOf(const std::string& source, const CompileFlags& flags);

/// The shipped code for devices of this architecture, 10 * major + minor: machine code, and PTX.
/// Both are null if there is none. `nvrtc`: version of the NVRTC that compiles other kernels here,
/// or empty for none; code of another version is not used together with it, since math functions
/// differ between releases, and all executors must return the same bits.
struct ShippedArchives {
  const KernelArchive* machineCode = nullptr;  ///< null if none serves
  const KernelArchive* ptx = nullptr;
};
ShippedArchives shippedFor(int architecture, std::string_view nvrtc);
/// Whether this kernel's code is in one of them.
bool isAmong(const ShippedArchives& shipped, const Kernel& kernel);

/// The file of all shipped sources for one target; code that is in this program already and was
/// made by the same NVRTC is taken from there. Throws std::runtime_error.
std::string prebuildKernels(const Nvrtc& nvrtc, const CodeTarget& target);

/// The files of resources/eager.
std::span<const EmbeddedFile> eagerKernels();

/// The bytes that are in this program, by target ("sm_90"); empty if there are none.
std::string_view shippedBytes(std::string_view target);

}  // namespace fusebench::cuda
