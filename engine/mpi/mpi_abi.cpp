// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mpi/mpi_abi.h"

#include <dlfcn.h>

#include <string>

namespace fusebench::mpi {
namespace {

bool findFunctions(const SharedLibrary& library, Functions& f, std::string& missing) {
  const auto find = [&](const char* name, auto& function) {
    if (library.find(name, function)) return;
    if (missing.empty()) missing = name;
  };
  find("MPI_Init_thread", f.initThread);
  find("MPI_Finalize", f.finalize);
  find("MPI_Comm_rank", f.commRank);
  find("MPI_Comm_size", f.commSize);
  find("MPI_Comm_set_errhandler", f.setErrhandler);
  find("MPI_Error_string", f.errorString);
  find("MPI_Get_library_version", f.libraryVersion);
  find("MPI_Allreduce", f.allreduce);
  find("MPI_Bcast", f.bcast);
  find("MPI_Allgather", f.allgather);
  find("MPI_Reduce_scatter_block", f.reduceScatterBlock);
  find("MPI_Barrier", f.barrier);
  find("MPI_Op_create", f.opCreate);
  return missing.empty();
}

/// Open MPI's handles are addresses of these symbols (its mpi.h, OMPI_PREDEFINED_GLOBAL).
bool findSymbols(const SharedLibrary& library, Handles& h, std::string& missing) {
  const auto find = [&](const char* name, Handle& handle) {
    handle = reinterpret_cast<Handle>(library.symbol(name));
    if (!handle && missing.empty()) missing = name;
  };
  find("ompi_mpi_comm_world", h.world);
  find("ompi_mpi_errors_return", h.errorsReturn);
  find("ompi_mpi_byte", h.byte);
  find("ompi_mpi_int8_t", h.int8);
  find("ompi_mpi_uint8_t", h.uint8);
  find("ompi_mpi_int32_t", h.int32);
  find("ompi_mpi_int64_t", h.int64);
  find("ompi_mpi_uint16_t", h.uint16);
  find("ompi_mpi_float", h.float32);
  find("ompi_mpi_double", h.float64);
  find("ompi_mpi_op_sum", h.sum);
  find("ompi_mpi_op_prod", h.product);
  find("ompi_mpi_op_min", h.min);
  find("ompi_mpi_op_max", h.max);
  return missing.empty();
}

/// MPICH's are these numbers (its mpi.h), which the common ABI of MPICH and its relatives keeps.
constexpr Handles kMpich{.world = 0x44000000,
                         .errorsReturn = 0x54000001,
                         .byte = 0x4c00010d,
                         .int8 = 0x4c000137,
                         .uint8 = 0x4c00013b,
                         .int32 = 0x4c000439,
                         .int64 = 0x4c00083a,
                         .uint16 = 0x4c00023c,
                         .float32 = 0x4c00040a,
                         .float64 = 0x4c00080b,
                         .sum = 0x58000003,
                         .product = 0x58000004,
                         .min = 0x58000002,
                         .max = 0x58000001};

}  // namespace

SharedLibrary open(Flavour flavour, Functions& functions, Handles& handles, std::string& error) {
  const bool open = flavour == Flavour::openMpi;
  const char* const file = open ? "libmpi.so.40" : "libmpich.so.12";
  // Open MPI's own plug-ins look for its symbols among those that all of the process see.
  if (open) dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  SharedLibrary library = SharedLibrary::open(file, error);
  if (!library) return {};
  std::string missing;
  findFunctions(library, functions, missing);
  if (open)
    findSymbols(library, handles, missing);
  else
    handles = kMpich;
  if (missing.empty()) return library;
  error = std::string(file) + " has no " + missing + ": another version is needed";
  return {};
}

}  // namespace fusebench::mpi
