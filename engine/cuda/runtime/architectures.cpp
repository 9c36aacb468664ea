// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/architectures.h"

#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench::cuda {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::string_view kPrefix = "sm_";

constexpr std::array kArchitectures = {
    Architecture{75, "Tesla T4", 40, 1'590'000, 5'001'000, 256, 4 * kMiB},
    Architecture{80, "NVIDIA A100-SXM4-80GB", 108, 1'410'000, 1'593'000, 5120, 40 * kMiB},
    Architecture{86, "NVIDIA GeForce RTX 3090", 82, 1'695'000, 9'751'000, 384, 6 * kMiB},
    Architecture{89, "NVIDIA GeForce RTX 4090", 128, 2'520'000, 10'501'000, 384, 72 * kMiB},
    Architecture{90, "NVIDIA H100 80GB HBM3", 132, 1'980'000, 2'619'000, 5120, 50 * kMiB},
    Architecture{100, "NVIDIA B200", 148, 1'965'000, 3'906'000, 8192, 126 * kMiB},
    Architecture{120, "NVIDIA GeForce RTX 5090", 170, 2'407'000, 14'001'000, 512, 96 * kMiB},
};

}  // namespace

std::string Architecture::name() const {
  return fmt::format("{}{}", kPrefix, number);
}

DeviceInfo Architecture::device() const {
  DeviceInfo info;
  info.name = card;
  info.major = number / 10;
  info.minor = number % 10;
  info.multiprocessors = multiprocessors;
  info.clockKilohertz = clockKilohertz;
  info.memoryClockKilohertz = memoryClockKilohertz;
  info.memoryBusBits = memoryBusBits;
  info.l2Bytes = l2Bytes;
  return info;
}

std::span<const Architecture> architectures() {
  return kArchitectures;
}

bool namesArchitecture(std::string_view name) {
  return name.starts_with(kPrefix);
}

const Architecture& architectureOf(std::string_view name) {
  std::string known;
  for (const Architecture& each : kArchitectures) {
    if (each.name() == name) return each;
    known += (known.empty() ? "" : ", ") + each.name();
  }
  throw std::invalid_argument(
      saying("unknown GPU architecture '{}'; choose one of {}", name, known));
}

}  // namespace fusebench::cuda
