// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/host_memory.h"

#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench {
namespace {

std::unique_ptr<CopyQueue> copiesOf(Backend& backend) {
  std::unique_ptr<CopyQueue> made = backend.makeCopyQueue();
  if (!made)
    throw std::invalid_argument(
        saying("the {} backend copies nothing from and to host memory", backend.name()));
  return made;
}

}  // namespace

HostMemory::HostMemory(Backend& backend)
    : copies_(copiesOf(backend)), pageable_(*copies_, false), pinned_(*copies_, true) {}

void readTensor(Backend& backend, void* to, const Tensor& from, std::size_t bytes) {
  if (from.memory == Memory::device) return backend.copyOut(to, from, bytes);
  backend.synchronize();
  std::memcpy(to, from.data(), bytes);
}

}  // namespace fusebench
