// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/dtype.h"
#include "engine/base/shared_library.h"
#include "engine/mpi/mpi.h"

namespace fusebench::mpi {

/// A handle of a communicator, a datatype or an op: in Open MPI the address of a symbol, in MPICH a
/// number of 32 bits. Both are passed as a pointer when a function is called.
using Handle = std::intptr_t;

/// How to combine two elements: MPI_User_function.
using UserFunction = void (*)(void* from, void* into, int* count, Handle* type);

/// The functions that are called.
struct Functions {
  int (*initThread)(int*, char***, int required, int* provided) = nullptr;
  int (*finalize)() = nullptr;
  int (*commRank)(Handle comm, int* rank) = nullptr;
  int (*commSize)(Handle comm, int* size) = nullptr;
  int (*setErrhandler)(Handle comm, Handle handler) = nullptr;
  int (*errorString)(int code, char* text, int* length) = nullptr;
  int (*libraryVersion)(char* text, int* length) = nullptr;
  int (*allreduce)(const void*, void*, int count, Handle type, Handle op, Handle comm) = nullptr;
  int (*bcast)(void*, int count, Handle type, int root, Handle comm) = nullptr;
  int (*allgather)(const void*, int, Handle, void*, int, Handle, Handle comm) = nullptr;
  int (*reduceScatterBlock)(const void*, void*, int, Handle type, Handle op, Handle comm) = nullptr;
  int (*barrier)(Handle comm) = nullptr;
  int (*opCreate)(UserFunction, int commutes, Handle* op) = nullptr;
};

/// Handles of what is used.
struct Handles {
  Handle world = 0, errorsReturn = 0;
  Handle byte = 0, int8 = 0, uint8 = 0, int32 = 0, int64 = 0, uint16 = 0, float32 = 0, float64 = 0;
  Handle sum = 0, product = 0, min = 0, max = 0;
};

inline constexpr int kSuccess = 0;
inline constexpr int kThreadSerialized = 2;
inline constexpr int kLongestVersion = 8192;  ///< MPICH's; Open MPI's is 256
inline constexpr int kLongestError = 512;     ///< MPICH's; Open MPI's is 256

/// Opens the library and looks up all symbols. Returns an empty library on failure; then `error` is
/// the reason.
SharedLibrary open(Flavour flavour, Functions& functions, Handles& handles, std::string& error);

}  // namespace fusebench::mpi
