// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/device_ranks.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench::cuda {
namespace {

/// "GPU-..." with its end.
constexpr std::size_t kUuidBytes = 48;

/// Whether all ranks say so.
bool allSay(RankGroup& group, bool own) {
  std::uint8_t said = own ? 1 : 0;
  group.allReduce(&said, &said, 1, DType::uint8, Combine::min);
  return said != 0;
}

/// Whether the user wants NCCL to let several ranks share a GPU, as 2.30 and later do with this
/// variable of theirs (NCCL's user guide, "Environment Variables"); earlier ones refuse when asked.
bool mayShareGpus() {
  const char* const value = std::getenv("NCCL_MULTI_RANK_GPU_ENABLE");
  return value && std::string_view(value) == "1";
}

/// Two ranks that have one GPU, which NCCL refuses; empty: each has its own.
std::string sharedGpu(const Device& device, RankGroup& group) {
  std::array<char, kUuidBytes> own{};
  const std::string& uuid = device.info().uuid;
  std::memcpy(own.data(), uuid.data(), std::min(uuid.size(), kUuidBytes - 1));
  const auto ranks = static_cast<std::size_t>(group.size());
  std::vector<char> all(ranks * kUuidBytes);
  group.allGather(own.data(), all.data(), kUuidBytes);
  for (std::size_t a = 0; a < ranks; ++a)
    for (std::size_t b = a + 1; b < ranks; ++b)
      if (std::memcmp(&all[a * kUuidBytes], &all[b * kUuidBytes], kUuidBytes) == 0)
        return saying(
            "ranks {} and {} share {}, and NCCL needs a GPU for each (2.30 and later share one "
            "where NCCL_MULTI_RANK_GPU_ENABLE=1)",
            a, b, &all[a * kUuidBytes]);
  return {};
}

}  // namespace

std::unique_ptr<DeviceRanks> makeDeviceRanks(std::shared_ptr<const Device> device,
                                             std::shared_ptr<RankGroup> group,
                                             const std::string& library) {
  // All ranks make the calls to the group, whatever each of them finds.
  std::string why = sharedGpu(*device, *group), missing;
  if (allSay(*group, mayShareGpus())) why.clear();
  const auto nccl = Nccl::open(library, device->driver(), missing);
  const bool all = allSay(*group, nccl != nullptr);
  if (why.empty() && !all) why = nccl ? saying("another rank has no NCCL") : missing;
  if (why.empty()) {
    NcclId id{};
    NcclResult made = kNcclSuccess;
    if (group->rank() == 0) made = nccl->getUniqueId(&id);
    group->broadcast(&id, sizeof id, 0);
    std::unique_ptr<DeviceRanks> ranks;
    if (!allSay(*group, made == kNcclSuccess))
      why = fmt::format("{}: {}", nccl->getUniqueId.name, nccl->resultText(made));
    else
      ranks = makeNcclRanks(device, nccl, id, *group, why);
    if (allSay(*group, ranks != nullptr)) return ranks;
    if (why.empty()) why = saying("NCCL refuses another rank");
  }
  return makeHostRanks(std::move(device), std::move(group), std::move(why));
}

}  // namespace fusebench::cuda
