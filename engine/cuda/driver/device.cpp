// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/driver/device.h"

#include <array>
#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench::cuda {
namespace {

std::string uuidText(const Uuid& uuid) {
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", uuid.bytes[i]);
  }
  return text;
}

DeviceInfo describe(const Driver& driver, int index) {
  DeviceInfo info;
  info.index = index;
  DeviceNumber number = 0;
  driver.deviceGet(&number, index);
  std::array<char, 256> name{};
  driver.deviceGetName(name.data(), static_cast<int>(name.size()) - 1, number);
  info.name = name.data();
  Uuid uuid{};
  driver.deviceGetUuid(&uuid, number);
  info.uuid = uuidText(uuid);
  driver.deviceTotalMem(&info.memoryBytes, number);
  const auto attribute = [&](int which) {
    int value = 0;
    driver.deviceGetAttribute(&value, which, number);
    return value;
  };
  // Only nice to know, and newer drivers may stop telling them.
  const auto optional = [&](int which) {
    int value = 0;
    return driver.deviceGetAttribute.attempt(&value, which, number) == kSuccess ? value : 0;
  };
  info.major = attribute(kComputeCapabilityMajor);
  info.minor = attribute(kComputeCapabilityMinor);
  info.multiprocessors = attribute(kMultiprocessorCount);
  info.maxThreadsPerBlock = attribute(kMaxThreadsPerBlock);
  info.l2Bytes = static_cast<std::size_t>(optional(kL2Bytes));
  info.clockKilohertz = optional(kClockKilohertz);
  info.memoryClockKilohertz = optional(kMemoryClockKilohertz);
  info.memoryBusBits = optional(kMemoryBusBits);
  info.memoryPools = optional(kMemoryPoolsSupported) != 0;
  return info;
}

[[noreturn]] void noSuchDevice(std::span<const DeviceInfo> devices, std::string_view wanted,
                               std::string_view trouble) {
  std::string known;
  for (const DeviceInfo& device : devices)
    known += fmt::format("{}cuda:{} ({}, {})", known.empty() ? std::string_view() : said(", "),
                         device.index, device.name, device.uuid);
  throw std::invalid_argument(saying("{} '{}'; there {} {}", trouble, wanted,
                                     devices.size() == 1 ? "is" : "are",
                                     known.empty() ? saying("none") : known));
}

}  // namespace

std::string DeviceInfo::text() const {
  return fmt::format("{}, compute capability {}.{}, {} multiprocessors", name, major, minor,
                     multiprocessors);
}

std::vector<DeviceInfo> listDevices(const Driver& driver) {
  int count = 0;
  driver.deviceGetCount(&count);
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < count; ++i) devices.push_back(describe(driver, i));
  return devices;
}

const DeviceInfo& chooseDevice(std::span<const DeviceInfo> devices, std::string_view wanted) {
  if (devices.empty()) noSuchDevice(devices, wanted, saying("no CUDA device"));
  if (wanted.empty() || wanted == "cuda") return devices.front();
  if (wanted.starts_with("GPU-")) {
    const DeviceInfo* found = nullptr;
    for (const DeviceInfo& device : devices) {
      if (!device.uuid.starts_with(wanted)) continue;
      if (found) noSuchDevice(devices, wanted, saying("several devices begin with"));
      found = &device;
    }
    if (found) return *found;
    noSuchDevice(devices, wanted, saying("no CUDA device"));
  }
  std::string_view digits = wanted;
  if (digits.starts_with("cuda:")) digits.remove_prefix(5);
  int index = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error == std::errc() && end == digits.data() + digits.size())
    for (const DeviceInfo& device : devices)
      if (device.index == index) return device;
  noSuchDevice(devices, wanted, saying("no CUDA device"));
}

const DeviceInfo& deviceOfRank(std::span<const DeviceInfo> devices, std::string_view first,
                               int rank) {
  const DeviceInfo& named = chooseDevice(devices, first);
  const auto at = static_cast<std::size_t>(&named - devices.data());
  return devices[(at + static_cast<std::size_t>(rank)) % devices.size()];
}

thread_local const Device* Device::current_ = nullptr;

Device::Device(std::shared_ptr<const Driver> driver, DeviceInfo info)
    : driver_(std::move(driver)), info_(std::move(info)) {
  driver_->deviceGet(&number_, info_.index);
  try {
    driver_->primaryCtxRetain(&context_, number_);
  } catch (const CudaError& error) {
    throw error.during(saying("opening {}", info_.name));
  }
}

Device::~Device() {
  if (current_ == this) {
    driver_->ctxSetCurrent.attempt(nullptr);
    current_ = nullptr;
  }
  driver_->primaryCtxRelease.attempt(number_);
}

void Device::makeCurrent() const {
  driver_->ctxSetCurrent(context_);
  current_ = this;
}

bool Device::tryUse() const noexcept {
  if (current_ == this) return true;
  if (driver_->ctxSetCurrent.attempt(context_) != kSuccess) return false;
  current_ = this;
  return true;
}

Device::Memory Device::memory() const {
  use();
  Memory memory;
  driver_->memGetInfo(&memory.free, &memory.total);
  return memory;
}

}  // namespace fusebench::cuda
