// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/allocator.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace fusebench::cpu {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// New pages, which nobody has touched; what a huge page has no room in takes small ones.
void* mapped(std::size_t bytes, bool huge) {
  const bool aligns = huge && bytes >= kHugePage;
  const std::size_t asked = aligns ? bytes + kHugePage : bytes;
  void* const found =
      ::mmap(nullptr, asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) return nullptr;
  if (!aligns) {
    // A system that makes large pages of whatever it can would do so here, too.
    ::madvise(found, bytes, MADV_NOHUGEPAGE);
    return found;
  }
  char* const from = static_cast<char*>(found);
  const std::size_t before =
      (kHugePage - reinterpret_cast<std::uintptr_t>(from) % kHugePage) % kHugePage;
  if (before > 0) ::munmap(from, before);
  constexpr std::size_t kSmallPage = 4096;
  const std::size_t whole = (bytes + kSmallPage - 1) / kSmallPage * kSmallPage;
  if (before + whole < asked) ::munmap(from + before + whole, asked - before - whole);
  ::madvise(from + before, whole, MADV_HUGEPAGE);
  return from + before;
}

}  // namespace

void* PoolAllocator::take(std::size_t bytes, Pages pages) {
  if (pages == Pages::kept) return std::aligned_alloc(64, bytes);
  return mapped(bytes, isHuge(pages));
}

void PoolAllocator::giveBack(void* data, std::size_t bytes, Pages pages) noexcept {
  if (pages == Pages::kept)
    std::free(data);
  else
    ::munmap(data, bytes);
}

}  // namespace fusebench::cpu
