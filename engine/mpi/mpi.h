// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/device/rank_group.h"

namespace fusebench::mpi {

/// Implementations of MPI whose library can be opened at run time. They differ in what their
/// handles are, and each process is of the one whose mpirun started it.
enum class Flavour : std::uint8_t { none, openMpi, mpich };
std::string_view name(Flavour flavour);

/// The implementation whose mpirun started this process, told by what it put into the environment;
/// none: no mpirun did.
Flavour startedBy();

/// The group of this process, which mpirun started, entered once in the life of the process. Throws
/// std::runtime_error, in one line, where the library cannot be opened or does not start.
std::shared_ptr<RankGroup> enter(Flavour flavour);

/// Leaves the group in good order: all ranks do so. Nothing is asked of it after that.
void leave() noexcept;

/// Whether the library of an implementation can be opened here; if not, `why` is one line with the
/// remedy.
bool isThere(Flavour flavour, std::string& why);

}  // namespace fusebench::mpi
