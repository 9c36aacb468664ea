// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/doctor/doctor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "engine/base/quantity_text.h"
#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/device/object_cache.h"
#include "engine/mpi/mpi.h"
#include "profiler/doctor/device_list.h"
#include "profiler/experiment/experiment.h"
#include "profiler/files/resources.h"
#include "profiler/machine/backend_table.h"
#include "profiler/machine/clock.h"
#include "profiler/machine/environment.h"
#include "profiler/machine/machine.h"
#include "profiler/measure/calibration.h"
#include "profiler/protocol/process.h"
#include "profiler/protocol/sandbox.h"
#include "profiler/protocol/worker_client.h"

namespace fusebench {
namespace {

using Status = DoctorCheck::Status;
namespace fs = std::filesystem;

DoctorCheck checkBackend(Backend* backend, const std::string& error) {
  if (backend) return {"processor", Status::good, saidAgain(backend->description()), ""};
  return {"processor", Status::bad, error,
          saying("nothing can be measured without the CPU backend; reinstall Fusebench")};
}

DoctorCheck checkVectors() {
  const auto units = vectorUnits();
  if (units.empty())
    return {
        saying("vector unit"), Status::note, saying("cannot be read here (is /proc mounted?)"),
        saying(
            "kernels are still compiled for this processor, which the line \"processor\" names")};
  return {saying("vector unit"), Status::good, units.front(), ""};
}

/// The hardware units for products of int8 and of 16-bit floats on this machine.
DoctorCheck checkNarrow(Backend* backend) {
  const std::vector<NarrowUnit> units = narrowUnits();
  if (units.empty())
    return {saying("narrow products"), Status::good, saying("this kind of processor is unknown"),
            ""};
  std::string there, missing;
  for (const NarrowUnit& unit : units) {
    std::string& list = unit.there ? there : missing;
    list += fmt::format("{}{}", list.empty() ? std::string_view() : said(", "),
                        saying("{} ({})", unit.name, said(unit.serves)));
  }
  const std::string found = fmt::format(
      "{}{}{}", there, there.empty() || missing.empty() ? std::string_view() : said("; "),
      missing.empty() ? "" : saying("no {}", missing));
  // The backend wants factors along the depth for its own kernels alone.
  const LibraryTraits library = backend ? backend->libraryTraits() : LibraryTraits();
  if (library.byteProducts.alongDepth)
    return {saying("narrow products"), Status::good, found,
            saying("int8 layers run in Fusebench's AVX2 kernels (vpmaddwd): exact, at most about "
                   "twice float32's rate")};
  if (units.front().there)
    return {saying("narrow products"), Status::good, found,
            library.name.empty() ? std::string()
                                 : saying("int8 layers run in {}, with VNNI", library.name)};
  return {saying("narrow products"), Status::note, found,
          saying("int8 layers run in plain loops here, which are far slower than float32")};
}

DoctorCheck checkCache() {
  const ObjectCache cache(ObjectCache::defaultFolder());
  if (cache.problem().empty())
    return {saying("kernel cache"), Status::good, cache.folder().string() + saying(" is writable"),
            ""};
  return {saying("kernel cache"), Status::note,
          cache.problem() + saying(": kernels are compiled again at every start"),
          saying("set XDG_CACHE_HOME to a folder of your own that nobody else can write to")};
}

DoctorCheck checkClock() {
  const double cost = clockCostNanoseconds();
  const std::string source =
      firstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource")
          .value_or(saying("unknown source"));
  const std::string found = saying("one reading costs {:.0f} ns ({})", cost, source);
  if (cost < 200) return {"clock", Status::good, found, ""};
  return {"clock", Status::note, found,
          saying("samples are made longer to make up for it; clocksource=tsc would be cheaper")};
}

DoctorCheck checkGovernor() {
  const std::string set = governor();
  if (set.empty())
    return {
        "governor", Status::note,
        saying("cannot be read (usual in a virtual machine or container)"),
        saying(
            "the clock speed may change while measuring: trust the intervals and the drift mark")};
  if (set == "performance") return {"governor", Status::good, set, ""};
  return {"governor", Status::note, set,
          saying("for steadier times: sudo cpupower frequency-set -g performance")};
}

DoctorCheck checkTurbo() {
  const std::string state = turbo();
  if (state == "on")
    return {"turbo", Status::note, saying("on"),
            saying("the clock depends on temperature and load: times may drift; turn turbo off in "
                   "the firmware for steadier times")};
  return {"turbo", Status::good, state.empty() ? saying("cannot be read") : saying("off"), ""};
}

DoctorCheck checkLoad() {
  double load = 0;
  if (getloadavg(&load, 1) != 1) return {"load", Status::note, saying("unknown"), ""};
  const std::string found =
      saying("{:.2f} on {} threads", load, std::thread::hardware_concurrency());
  if (load < 0.5) return {"load", Status::good, found, ""};
  return {"load", Status::note, found,
          saying("other programs disturb the measurement: close them or wait")};
}

DoctorCheck checkMemory() {
  const auto available = static_cast<double>(availableMemory());
  const std::string found =
      saying("{} of {} free", bytesText(available), bytesText(static_cast<double>(totalMemory())));
  if (available >= 1e9) return {"memory", Status::good, found, ""};
  return {"memory", Status::note, found,
          saying("large tensors will be unavailable: close other programs")};
}

DoctorCheck checkVirtual() {
  const std::string inside = virtualisation();
  if (inside.empty()) return {"machine", Status::good, saying("no sign of virtualization"), ""};
  return {"machine", Status::note, saying("this is {}", saidAgain(inside)),
          saying("other VMs on this host may add noise: trust the intervals and repeat")};
}

DoctorCheck checkResources() {
  const std::string path = resourcePath("experiments/fusion_study.json");
  std::error_code ignored;
  if (fs::exists(path, ignored))
    return {"experiments", Status::good, fs::path(path).parent_path().string(), ""};
  return {"experiments", Status::good, saying("the copies inside the program"), ""};
}

/// Whether matrix products and convolutions have a library.
DoctorCheck checkLibrary(const Backend& backend) {
  const LibraryTraits library = backend.libraryTraits();
  if (!library.missing.empty())
    return {"oneDNN", Status::note, library.missing,
            saying("without it matmuls and convolutions run in Fusebench's own loops, which are "
                   "far slower")};
  return {"oneDNN", Status::good, library.name, ""};
}

/// Whether several ranks can run.
DoctorCheck checkMpi() {
  std::string found, why;
  for (const mpi::Flavour flavour : {mpi::Flavour::openMpi, mpi::Flavour::mpich})
    if (mpi::isThere(flavour, why))
      found +=
          fmt::format("{}{}", found.empty() ? std::string_view() : said(", "), mpi::name(flavour));
  if (found.empty())
    return {"MPI", Status::note, saying("none was found"),
            saying("to measure with several ranks install openmpi-bin or mpich")};
  return {"MPI", Status::good,
          found + saying("; ranks use the MPI library whose mpirun starts them"), ""};
}

/// The sandbox of a process that measures on the CPU, as such a process reports it.
DoctorCheck checkSandbox(const std::vector<std::string>& worker) {
  const auto note = [](const std::string& found) -> DoctorCheck {
    return {
        saying("sandbox"), Status::note, found,
        saying("measuring works without it; Linux 5.13 or later with Landlock and seccomp, or a "
               "container that permits them, keeps a hostile program from files, the network "
               "and other programs")};
  };
  constexpr double kPatience = 30;
  try {
    WorkerClient client(startWorker(worker), {});
    const Reply reply = client.ask(Verb::hello, nlohmann::json::object(), kPatience);
    client.quit();
    if (!reply.ok) return note(saying("could not be tried: {}", reply.message));
    const SandboxState state = sandboxStateOf(reply.result.value("sandbox", nlohmann::json()));
    if (!state.whole())
      return note(saying("not available: {}", state.lacking.empty() ? "?" : state.lacking));
    return {saying("sandbox"), Status::good,
            saying("workers on the CPU open no connection, start no program, write only temporary "
                   "files and the kernel cache"),
            "", toJson(state)};
  } catch (const std::runtime_error& error) {
    return note(saying("could not be tried: {}", error.what()));
  }
}

/// A device's clock, as far as it can be read.
DoctorCheck checkClockOf(Backend& backend, const std::string& device, const LibraryStatus& reader) {
  const std::string name = saying("{} clock", device);
  const auto clock = backend.clockState();
  if (!clock) {
    const std::string why =
        reader.usable ? saying("{} does not report it", reader.found) : reader.found;
    return {name, Status::note, saying("not known: {}", why), reader.remedy};
  }
  if (!clock->throttled.empty())
    return {name, Status::note, saying("{} MHz, {}", clock->megahertz, clock->throttled),
            saying("samples taken meanwhile are dropped: let it cool down first")};
  return {name, Status::good,
          saying("{} MHz now; samples are dropped while it is throttled", clock->megahertz), ""};
}

/// The costs of a call's steps on a device, and its clock.
void checkDevice(const BackendRow& row, const BackendStatus& status, const std::string& device,
                 std::vector<DoctorCheck>& checks) {
  const std::string costs = saying("{} costs", device);
  try {
    const auto backend = makeBackend(device);
    if (const auto calibration = calibrate(*backend))
      checks.push_back({costs, Status::good, sentence(*calibration), "", toJson(*calibration)});
    else
      checks.push_back({costs, Status::note,
                        saying("not known: an empty kernel cannot be compiled here"),
                        status.compiler.remedy});
    checks.push_back(checkClockOf(*backend, device, status.clock));
  } catch (const std::exception& error) {
    checks.push_back({costs, Status::bad, error.what(),
                      status.compiler.usable && !status.compiler.remedy.empty()
                          ? status.compiler.remedy
                          : row.remedy(status)});
  }
}

/// Whether what a device does can be recorded.
DoctorCheck checkRecording(const BackendRow& row, const BackendStatus& status,
                           std::vector<std::string> worker) {
  const std::string& name = status.recorder.name;
  const LibraryStatus& recorder = status.recorder.status;
  if (!recorder.usable)
    return {name, Status::note, saying("{}: {}", said("off"), recorder.found), recorder.remedy};
  if (!status.usable())
    return {name, Status::note, saying("no driver or no GPU to record; it is {}", recorder.found),
            saying("nothing to do to measure on the CPU; for a GPU see the other lines")};
  worker.insert(worker.end(), {"--device", std::string(row.prefix)});
  const RecordingState tried = askRecording(worker, {});
  return {name, tried.works() ? Status::good : Status::note,
          tried.state.empty() ? tried.found : saying("{}: {}", said(tried.state), tried.found),
          tried.remedy};
}

/// A line for each library, one for recording, one for the devices; then what each device costs.
void checkRow(const BackendRow& row, const std::vector<std::string>& worker,
              std::vector<DoctorCheck>& checks) {
  const BackendStatus status = row.examine(/*libraries=*/true);
  bool complete = true;
  for (const auto& [key, name, library, limit, required] : status.libraries) {
    const bool good = library.usable && library.remedy.empty();
    checks.push_back(
        {name, good ? Status::good : Status::note, library.found + limit, library.remedy});
    complete = complete && (library.usable || !required);
  }
  if (!status.recorder.name.empty()) checks.push_back(checkRecording(row, status, worker));
  if (!status.usable()) {
    // A missing library has a line of its own, with its remedy.
    checks.push_back(
        {status.kind, Status::note, status.missing,
         complete ? row.remedy(status)
                  : saying("nothing to do to measure on the CPU; for a GPU see the lines above")});
    return;
  }
  std::string devices;
  for (const FoundDevice& device : status.devices)
    devices += saying("{}{} {}, {}", devices.empty() ? std::string_view() : said("; "), device.name,
                      saidAgain(device.text), device.details);
  checks.push_back({status.kind, Status::good, devices, ""});
  for (const FoundDevice& device : status.devices) checkDevice(row, status, device.name, checks);
}

}  // namespace

std::string_view name(Status status) {
  constexpr std::array<std::string_view, 3> kNames = {"good", "note", "bad"};
  return kNames[static_cast<std::size_t>(status)];
}

std::vector<DoctorCheck> examine(Backend* backend, const std::string& backendError,
                                 const std::vector<std::string>& worker) {
  std::vector<DoctorCheck> checks = {checkBackend(backend, backendError),
                                     checkVectors(),
                                     checkNarrow(backend),
                                     checkCache(),
                                     checkClock(),
                                     checkGovernor(),
                                     checkTurbo(),
                                     checkLoad(),
                                     checkMemory(),
                                     checkVirtual(),
                                     checkResources()};
  if (backend) checks.push_back(checkLibrary(*backend));
  checks.push_back(checkMpi());
  checks.push_back(checkSandbox(worker));
  for (DoctorCheck& check : examineBackends(worker)) checks.push_back(std::move(check));
  return checks;
}

std::vector<DoctorCheck> examineBackends(const std::vector<std::string>& worker) {
  std::vector<DoctorCheck> checks;
  for (const BackendRow& row : backendTable())
    if (row.examine) checkRow(row, worker, checks);
  return checks;
}

}  // namespace fusebench
