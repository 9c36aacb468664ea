// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/backend.h"

namespace fusebench {

/// One library that measuring on a device needs: its path, or what is missing and how to get it.
struct LibraryStatus {
  bool usable = false;
  std::string found;   ///< one line, for usable and unusable libraries
  std::string remedy;  ///< empty if usable and nothing needs to be improved
};

/// The same with its name.
struct NamedLibrary {
  std::string key;   ///< in `devices --json`; empty: the doctor alone lists it
  std::string name;  ///< "NVRTC"
  LibraryStatus status;
  std::string limit = {};  ///< what the doctor adds if it is missing: "; without it ..."; or empty
  bool required = false;   ///< without it, nothing or not everything can be measured
};

/// A device that a backend can open.
struct FoundDevice {
  std::string name;             ///< for --device: "cuda:0"
  std::string text;             ///< "NVIDIA H100 80GB HBM3, compute capability 9.0, ..."
  std::string details;          ///< "78.6 GiB of memory, up to 1980 MHz"
  std::string id;               ///< its UUID; may be empty
  nlohmann::ordered_json told;  ///< its object in `devices --json`
};

/// The libraries and devices of one kind on this machine.
struct BackendStatus {
  std::string kind;                     ///< what users call its devices: "GPU"
  std::vector<NamedLibrary> libraries;  ///< in the order in which the doctor lists them
  NamedLibrary recorder;   ///< what records the activity inside a call; without a name: nothing can
  LibraryStatus compiler;  ///< of kernels
  LibraryStatus clock;     ///< what reads the clock of devices
  std::vector<FoundDevice> devices;  ///< those that can be opened
  std::string missing;               ///< why there is none, in one line; empty: there are some
  std::string limit;                 ///< what cannot run on them, and why; empty: everything can

  bool usable() const { return !devices.empty(); }
};

/// A kind of device: one row of a table, and everything that the rest of the program knows about
/// its vendor.
struct BackendRow {
  std::string_view prefix;  ///< "cuda": names of its devices are it, and "cuda:..."
  /// Whether a name is one of its devices, where names have other forms, too; null: by the prefix.
  bool (*names)(std::string_view device) = nullptr;
  /// Opens a device. `recording`: its work is to be recorded. Throws std::runtime_error or
  /// std::invalid_argument naming what is missing.
  std::unique_ptr<Backend> (*make)(const std::string& device, bool recording) = nullptr;
  /// Looks for its libraries and devices here; throws nothing. `libraries`: optional ones, too,
  /// which takes longer. Null: there is nothing that could be missing.
  BackendStatus (*examine)(bool libraries) = nullptr;
  /// The advice for a user whose devices cannot be used; null with `examine`.
  std::string (*remedy)(const BackendStatus& status) = nullptr;
  /// For a name that is none of its devices, throws std::invalid_argument, naming the available
  /// ones. Null: every name of the right form is valid.
  void (*demand)(const std::string& device) = nullptr;
  /// The device of one of several ranks of this machine, counted from 0; null: they share one.
  std::string (*ofRank)(const std::string& device, int rank) = nullptr;
  /// What plans for its devices depend on, as far as this is known without opening one; null: it is
  /// not known.
  PlanTraits (*plans)() = nullptr;
  /// Its devices are separate hardware next to the processor.
  bool isGpu = false;

  bool isNamed(std::string_view device) const;
};

/// The rows of the backends that ship, separate from the other functions of the table, so that
/// programs without backends can use these.
std::vector<BackendRow> shippedBackendRows();

/// In the order in which names are tried and the doctor lists them.
std::span<const BackendRow> backendTable();
/// Null: no backend has a device of this name.
const BackendRow* findBackendRow(std::string_view device);

/// How an executor's plans are made for a device, as far as that is known without opening one.
PlanOptions planOptionsOn(std::string_view device, const PlanOptions& row);

/// Adds a row while this object exists: for tests and for programs with their own backend. Not
/// while another thread uses the table.
class AddedBackendRow {
 public:
  explicit AddedBackendRow(const BackendRow& row);
  ~AddedBackendRow();
  AddedBackendRow(const AddedBackendRow&) = delete;
  AddedBackendRow& operator=(const AddedBackendRow&) = delete;
};

/// The backend of a device: "cpu", a GPU by one of its names, a GPU architecture ("sm_90"), for its
/// code alone, or a simulated device ("sim:h100"), whose time is then this process' clock.
/// `recording`: device activity is to be recorded, for which the collector of this process is
/// attached first; Backend::collectorStatus() says whether that succeeded. Throws
/// std::runtime_error or std::invalid_argument saying what is missing.
std::unique_ptr<Backend> makeBackend(const std::string& device, bool recording = false);

/// Whether a name is one of a GPU: "cuda", "cuda:1", "GPU-..." (by UUID).
bool namesGpu(const std::string& device);

/// The device of one of this machine's ranks, counted from 0, for a program that runs on `device`:
/// each rank has a GPU of its own as long as there are any, starting at the named one.
std::string deviceOfRank(const std::string& device, int rank);

/// "78.6 GiB of memory, up to 1980 MHz"; without the latter where the clock is 0.
std::string detailsOf(std::uint64_t memoryBytes, int clockKilohertz);

}  // namespace fusebench
