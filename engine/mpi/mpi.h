// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/device/rank_group.h"

namespace fusebench::mpi {

/// Implementations of MPI whose library can be opened at run time. Their handles differ, and each
/// process uses the one whose mpirun started it.
enum class Flavour : std::uint8_t { none, openMpi, mpich };
std::string_view name(Flavour flavour);

/// The implementation whose mpirun started this process, identified by its environment variables;
/// none: no mpirun did.
Flavour startedBy();

/// The group of this process, started by mpirun, which is entered once in the lifetime of the
/// process. Throws std::runtime_error, in one line, if the library cannot be opened or does not
/// start.
std::shared_ptr<RankGroup> enter(Flavour flavour);

/// Leaves the group in an orderly way: all ranks call it. It must not be used after that.
void leave() noexcept;

/// Whether the library of an implementation can be opened here; if not, `why` is one line with the
/// remedy.
bool isThere(Flavour flavour, std::string& why);

}  // namespace fusebench::mpi
