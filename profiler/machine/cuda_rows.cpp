// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/cuda_rows.h"

#include <fmt/format.h>

#include <stdexcept>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/cuda/cupti/activity_collector.h"
#include "engine/cuda/cupti/cupti.h"
#include "engine/cuda/driver/device.h"
#include "engine/cuda/driver/driver.h"
#include "engine/cuda/driver/nvml.h"
#include "engine/cuda/driver/nvrtc.h"
#include "engine/cuda/library/cublas_lt.h"
#include "engine/cuda/library/cudnn.h"
#include "engine/cuda/library/nccl.h"
#include "engine/cuda/runtime/architecture_backend.h"
#include "engine/cuda/runtime/cuda_backend.h"
#include "engine/cuda/runtime/prebuilt_state.h"
#include "engine/sim/sim_backend.h"

namespace fusebench {

LibraryStatus examineNvrtc() {
  LibraryStatus status;
  try {
    const int driver = cuda::driverVersionOf();
    const auto nvrtc = cuda::Nvrtc::open(std::string(), driver);
    const auto& all = nvrtc->architectures();
    status = {true,
              saying("{}, CUDA {}, for sm_{} to sm_{}", nvrtc->path(), nvrtc->versionText(),
                     all.front(), all.back()),
              ""};
    if (nvrtc->isNewerThan(driver)) {
      status.found += saying("; newer than the driver, which may refuse its code");
      status.remedy = saying("update the driver, or install NVRTC {} as well", driver / 1000);
    }
  } catch (const std::exception& error) {
    status = {false, error.what(), std::string(cuda::NoNvrtc::remedy())};
  }
  return status;
}

namespace {

LibraryStatus examineDriver(std::vector<cuda::DeviceInfo>& devices) {
  try {
    const auto driver = cuda::Driver::open();
    LibraryStatus status{true, saying("{}, CUDA {}", driver->path(), driver->versionText()), ""};
    devices = cuda::listDevices(*driver);
    return status;
  } catch (const cuda::NoDriver& none) {
    return {false, none.what(), none.remedy()};
  } catch (const std::exception& error) {
    return {false, error.what(), saying("see whether nvidia-smi works")};
  }
}

LibraryStatus examineNvml() {
  const std::string remedy(cuda::NoNvml::remedy());
  try {
    return {true, cuda::Nvml::open()->path(), remedy};
  } catch (const cuda::NoNvml& none) {
    return {false, none.what(), remedy};
  }
}

LibraryStatus examineCupti() {
  try {
    const auto cupti = cuda::Cupti::open(std::string(), cuda::driverVersionOf());
    return {true, saying("{}, CUDA {}", cupti->path(), cupti->versionText()), ""};
  } catch (const cuda::NoCupti& none) {
    return {false, none.what(), std::string(cuda::NoCupti::remedy())};
  }
}

/// A library, opened to see; `without`: what is so where it is missing.
template <class Library>
LibraryStatus examineLibrary(std::string without) {
  std::string why;
  std::shared_ptr<const Library> found;
  try {
    found = Library::open({}, *cuda::Driver::open(), why);
  } catch (const std::exception&) {  // no driver: another line reports it
    found = Library::find({}, 0, why);
  }
  if (!found) return {false, why, std::move(without)};
  return {true, fmt::format("{}{}{}", found->path(), said(", "), found->versionText()), ""};
}

/// Whether the GPU code that the program carries is of its own op table and code generator.
LibraryStatus examinePrebuilt(bool compiles) {
  const cuda::PrebuiltState state = cuda::prebuiltState();
  std::string found = saying("{} of {} kernels fit this build", state.fitting, state.all);
  if (!state.interpreter) found += saying("; the interpreter of instant does not");
  if (state.whole()) return {true, found, ""};
  return {false, found,
          compiles ? saying("nothing to do: NVRTC compiles the others when they are needed")
                   : saying("install NVRTC, which compiles the others, or use a released version")};
}

void addLibraries(BackendStatus& status) {
  auto& all = status.libraries;
  all.push_back({"", saying("Prebuilt GPU code"), examinePrebuilt(status.compiler.usable)});
  all.push_back(
      {"cublaslt", "cuBLASLt",
       examineLibrary<cuda::CublasLt>(saying(
           "without it matmuls on a GPU run in Fusebench's own kernels, which are far slower"))});
  all.push_back(
      {"cudnn", "cuDNN",
       examineLibrary<cuda::Cudnn>(saying("without it convolutions on a GPU run in Fusebench's own "
                                          "kernels, which are far slower"))});
  all.push_back({"nccl", "NCCL",
                 examineLibrary<cuda::Nccl>(
                     saying("without it ranks on GPUs communicate through host memory, and "
                            "communication does not overlap with other work"))});
}

FoundDevice foundDevice(const cuda::DeviceInfo& gpu) {
  FoundDevice device;
  device.name = fmt::format("cuda:{}", gpu.index);
  device.text = gpu.text();
  device.details = detailsOf(gpu.memoryBytes, gpu.clockKilohertz);
  device.id = gpu.uuid;
  device.told = {{"name", device.name},
                 {"description", device.text},
                 {"uuid", gpu.uuid},
                 {"model", gpu.name},
                 {"compute_capability", fmt::format("{}.{}", gpu.major, gpu.minor)},
                 {"multiprocessors", gpu.multiprocessors},
                 {"memory_bytes", gpu.memoryBytes},
                 {"clock_khz", gpu.clockKilohertz},
                 {"memory_clock_khz", gpu.memoryClockKilohertz}};
  return device;
}

BackendStatus examineCuda(bool libraries) {
  BackendStatus status;
  status.kind = "GPU";
  std::vector<cuda::DeviceInfo> gpus;
  const LibraryStatus driver = examineDriver(gpus);
  status.compiler = examineNvrtc();
  status.clock = examineNvml();
  status.recorder = {"", "CUPTI", examineCupti()};
  if (driver.usable)
    for (const cuda::DeviceInfo& gpu : gpus) status.devices.push_back(foundDevice(gpu));
  if (!driver.usable)
    status.missing = saying("no GPU: ") + driver.found;
  else if (gpus.empty())
    status.missing = saying("no GPU: the driver lists none");
  const bool limited = status.usable() && !status.compiler.usable;
  if (limited) status.limit = saying("only instant runs on a GPU here: {}", status.compiler.found);
  status.libraries.push_back({"cuda_driver", saying("CUDA driver"), driver, "", true});
  status.libraries.push_back(
      {"nvrtc", "NVRTC", status.compiler,
       limited ? saying("; without it only instant runs on a GPU") : std::string(), true});
  if (libraries) addLibraries(status);
  return status;
}

std::string remedyOf(const BackendStatus& status) {
  const LibraryStatus& driver = status.libraries.front().status;
  if (!driver.usable) return driver.remedy;
  if (status.devices.empty())
    return saying("see whether nvidia-smi lists one, and what CUDA_VISIBLE_DEVICES hides");
  return saying("this device cannot be measured on; see whether nvidia-smi works");
}

std::unique_ptr<Backend> makeCuda(const std::string& device, bool recording) {
  if (recording) cuda::attachCollector();
  CudaOptions options;
  options.device = device;
  return makeCudaBackend(options);
}

/// The code of a GPU without the GPU; what has to be computed for it is computed by the CPU.
std::unique_ptr<Backend> makeCodeBackend(const cuda::Architecture& architecture) {
  return cuda::makeArchitectureBackend(architecture,
                                       makeSimBackend(SimOptions(), makeCpuBackend()));
}

bool namesCuda(std::string_view device) {
  return device == "cuda" || device.starts_with("cuda:") || device.starts_with("GPU-");
}

}  // namespace

BackendRow cudaRow() {
  return {.prefix = "cuda",
          .names = namesCuda,
          .make = makeCuda,
          .examine = examineCuda,
          .remedy = remedyOf,
          .demand =
              [](const std::string& device) {
                cuda::chooseDevice(cuda::listDevices(*cuda::Driver::open()), device);
              },
          .ofRank =
              [](const std::string& device, int rank) {
                const auto devices = cuda::listDevices(*cuda::Driver::open());
                return fmt::format("cuda:{}", cuda::deviceOfRank(devices, device, rank).index);
              },
          .isGpu = true};
}

BackendRow architectureRow() {
  return {.prefix = "sm_", .names = namesArchitecture, .make = [](const std::string& name, bool) {
            return makeCodeBackend(cuda::architectureOf(name));
          }};
}

bool namesArchitecture(std::string_view device) {
  return cuda::namesArchitecture(device);
}

std::vector<std::string> architectureNames() {
  std::vector<std::string> names;
  for (const cuda::Architecture& each : cuda::architectures()) names.push_back(each.name());
  return names;
}

std::function<std::unique_ptr<Backend>()> codeMaker(int architecture) {
  for (const cuda::Architecture& each : cuda::architectures())
    if (each.number == architecture) return [each] { return makeCodeBackend(each); };
  return {};
}

}  // namespace fusebench
