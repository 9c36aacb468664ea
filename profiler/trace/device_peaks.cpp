// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/device_peaks.h"

#include <algorithm>
#include <cctype>

namespace fusebench {
namespace {

constexpr std::string_view kH100Sheet = "NVIDIA H100 Tensor Core GPU data sheet",
                           kH200Sheet = "NVIDIA H200 Tensor Core GPU data sheet",
                           kA100Sheet = "NVIDIA A100 Tensor Core GPU data sheet",
                           kAdaPaper = "NVIDIA Ada GPU architecture whitepaper";

/// Rates with sparsity, which some data sheets give alone, are halved. Where a row is a special
/// case of a later one, it comes first.
constexpr DevicePeak kPeaks[] = {
    {"GH200", "144G", 67, 67, 494.7, 989.4, 1978.9, 4900, "NVIDIA GH200 Superchip data sheet"},
    {"GH200", "", 67, 67, 494.7, 989.4, 1978.9, 4000, "NVIDIA GH200 Superchip data sheet"},
    {"H200 NVL", "", 60, 60, 417.5, 835.5, 1670.5, 4800, kH200Sheet},
    {"H200", "", 67, 67, 494.7, 989.4, 1978.9, 4800, kH200Sheet},
    {"H100 NVL", "", 60, 60, 417.5, 835.5, 1670.5, 3900, kH100Sheet},
    {"H100", "PCIe", 51, 51, 378, 756, 1513, 2000, kH100Sheet},
    {"H100", "", 67, 67, 494.7, 989.4, 1978.9, 3350, kH100Sheet},
    {"A100", "80GB PCIe", 19.5, 19.5, 156, 312, 0, 1935, kA100Sheet},
    {"A100", "80GB", 19.5, 19.5, 156, 312, 0, 2039, kA100Sheet},
    {"A100", "", 19.5, 19.5, 156, 312, 0, 1555, kA100Sheet},
    {"A30", "", 10.3, 10.3, 82, 165, 0, 933, "NVIDIA A30 data sheet"},
    {"A40", "", 0.58, 37.4, 74.8, 149.7, 0, 696, "NVIDIA A40 data sheet"},
    {"RTX A6000", "", 0.6, 38.7, 77.4, 154.8, 0, 768, "NVIDIA RTX A6000 data sheet"},
    {"NVIDIA A10", "", 0.49, 31.2, 62.5, 125, 0, 600, "NVIDIA A10 data sheet"},
    {"L40S", "", 1.4, 91.6, 183, 362, 733, 864, "NVIDIA L40S data sheet"},
    {"NVIDIA L4", "", 0.49, 30.3, 60, 121, 242.5, 300, "NVIDIA L4 data sheet"},
    {"RTX 6000 Ada", "", 1.4, 91.1, 182.1, 364.2, 728.5, 960, "NVIDIA RTX 6000 Ada data sheet"},
    {"RTX 4090 D", "", 1.1, 73.5, 73.5, 147, 294, 1008, "NVIDIA GeForce RTX 4090 D specifications"},
    {"RTX 4090", "", 1.3, 82.6, 82.6, 165.2, 330.3, 1008, kAdaPaper},
    {"V100S", "", 8.2, 16.4, 0, 130, 0, 1134, "NVIDIA V100 data sheet"},
    {"V100", "PCI", 7, 14, 0, 112, 0, 900, "NVIDIA V100 data sheet"},
    {"V100", "", 7.8, 15.7, 0, 125, 0, 900, "NVIDIA V100 data sheet"},
    {"T4", "", 0.25, 8.1, 0, 65, 0, 320, "NVIDIA T4 data sheet"},
    {"MI325X", "", 163.4, 163.4, 653.7, 1307.4, 2614.9, 6000, "AMD Instinct MI325X data sheet"},
    {"MI300X", "", 163.4, 163.4, 653.7, 1307.4, 2614.9, 5300, "AMD Instinct MI300X data sheet"},
    {"MI250X", "", 47.9, 47.9, 0, 191.5, 0, 1638,
     "AMD Instinct MI250X data sheet, one of two dies"},
    {"MI210", "", 45.3, 45.3, 0, 181, 0, 1638, "AMD Instinct MI210 data sheet"},
};

/// Whether a name contains a whole word: "NVIDIA L40" does not contain L4.
bool hasWord(std::string_view text, std::string_view word) {
  const auto goesOn = [text](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if (!goesOn(at + word.size()) && (at == 0 || !goesOn(at - 1))) return true;
  return false;
}

}  // namespace

std::span<const DevicePeak> devicePeaks() {
  return kPeaks;
}

const DevicePeak* peakOf(std::string_view device) {
  if (device.find("Laptop") != std::string_view::npos) return nullptr;  // slower, by the same name
  const auto found = std::ranges::find_if(kPeaks, [device](const DevicePeak& peak) {
    return hasWord(device, peak.model) && device.find(peak.also) != std::string_view::npos;
  });
  return found == std::end(kPeaks) ? nullptr : found;
}

double peakFor(const DevicePeak& peak, std::string_view dtype) {
  if (dtype == "float64") return peak.float64;
  if (dtype == "float32") return peak.float32;
  if (dtype == "float16" || dtype == "bfloat16") return peak.half;
  if (dtype.starts_with("float8")) return peak.float8;
  return 0;
}

}  // namespace fusebench
