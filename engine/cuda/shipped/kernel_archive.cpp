// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/shipped/kernel_archive.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <zstd.h>

namespace fusebench::cuda {
namespace {

constexpr std::string_view kMark = "Fusebench kernels 1";
/// Unpacking a block takes about 0.1 ms.
constexpr std::size_t kBlockBytes = std::size_t{128} << 10;
constexpr int kPackingLevel = 19;
/// A guard against damage: hundreds of times what the largest block has.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

/// Little-endian, whatever the host is.
void putNumber(std::string& to, std::uint64_t value, int bytes) {
  for (int b = 0; b < bytes; ++b) to += static_cast<char>(value >> (8 * b) & 0xff);
}
std::uint64_t numberAt(std::string_view from, std::size_t at, int bytes) {
  std::uint64_t value = 0;
  for (int b = 0; b < bytes; ++b)
    value |= std::uint64_t{static_cast<unsigned char>(from[at + static_cast<std::size_t>(b)])}
             << (8 * b);
  return value;
}

/// The next word of a line; the rest stays.
std::string_view nextWord(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

std::size_t countIn(std::string_view word) {
  std::size_t value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

std::string pack(const std::string& block) {
  std::string packed(ZSTD_compressBound(block.size()), '\0');
  const std::size_t bytes =
      ZSTD_compress(packed.data(), packed.size(), block.data(), block.size(), kPackingLevel);
  if (ZSTD_isError(bytes)) throw std::runtime_error("the code of kernels cannot be compressed");
  packed.resize(bytes);
  return packed;
}

}  // namespace

KernelArchive::KernelArchive(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos || !bytes.starts_with(kMark)) return;
  std::string_view line = bytes.substr(kMark.size(), end - kMark.size());
  nextWord(line);
  target_ = nextWord(line);
  nvrtc_ = nextWord(line);
  const std::size_t count = countIn(nextWord(line)), blocks = countIn(nextWord(line));
  bytes.remove_prefix(end + 1);
  if (count > bytes.size() / Row::kBytes || bytes.size() - count * Row::kBytes != blocks) return;
  rows_ = bytes.substr(0, count * Row::kBytes);
  blocks_ = bytes.substr(rows_.size());
  count_ = count;
}

KernelArchive::Row KernelArchive::row(std::size_t number) const {
  const std::size_t at = number * Row::kBytes;
  const auto small = [&](std::size_t offset) {
    return static_cast<std::uint32_t>(numberAt(rows_, at + offset, 4));
  };
  return {{numberAt(rows_, at, 8), numberAt(rows_, at + 8, 8)},
          small(16),
          small(20),
          small(24),
          small(28),
          small(32)};
}

std::optional<KernelArchive::Row> KernelArchive::find(const ShippedKey& key) const {
  std::size_t begin = 0, end = count_;
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    const Row found = row(middle);
    if (found.key == key) return found;
    if (found.key < key)
      begin = middle + 1;
    else
      end = middle;
  }
  return std::nullopt;
}

std::optional<std::string> KernelArchive::code(const ShippedKey& key) const {
  const std::optional<Row> found = find(key);
  if (!found) return std::nullopt;
  if (found->whole > kMostBytes || found->at > found->whole ||
      found->bytes > found->whole - found->at || found->block > blocks_.size() ||
      found->packed > blocks_.size() - found->block)
    return std::nullopt;
  std::string block(found->whole, '\0');
  const std::size_t got =
      ZSTD_decompress(block.data(), block.size(), blocks_.data() + found->block, found->packed);
  if (got != block.size()) return std::nullopt;
  return block.substr(found->at, found->bytes);
}

std::vector<ShippedKey> KernelArchive::keys() const {
  std::vector<ShippedKey> all;
  for (std::size_t i = 0; i < count_; ++i) all.push_back(row(i).key);
  return all;
}

std::string packKernels(std::string_view target, std::string_view nvrtc,
                        const std::vector<std::pair<ShippedKey, std::string>>& kernels) {
  std::vector<KernelArchive::Row> rows;
  std::string blocks, block;
  std::size_t first = 0;  // first of the block's kernels
  const auto finish = [&] {
    const std::string packed = pack(block);
    for (std::size_t i = first; i < rows.size(); ++i) {
      rows[i].block = static_cast<std::uint32_t>(blocks.size());
      rows[i].packed = static_cast<std::uint32_t>(packed.size());
      rows[i].whole = static_cast<std::uint32_t>(block.size());
    }
    blocks += packed;
    block.clear();
    first = rows.size();
  };
  for (const auto& [key, code] : kernels) {
    if (!block.empty() && block.size() + code.size() > kBlockBytes) finish();
    rows.push_back({key, 0, 0, 0, static_cast<std::uint32_t>(block.size()),
                    static_cast<std::uint32_t>(code.size())});
    block += code;
  }
  if (!block.empty()) finish();
  if (blocks.size() > std::numeric_limits<std::uint32_t>::max())
    throw std::runtime_error("too much code for one archive");
  std::ranges::sort(rows, {}, &KernelArchive::Row::key);
  std::string made =
      fmt::format("{} {} {} {} {}\n", kMark, target, nvrtc, rows.size(), blocks.size());
  for (const KernelArchive::Row& row : rows) {
    putNumber(made, row.key.high, 8);
    putNumber(made, row.key.low, 8);
    for (const std::uint32_t number : {row.block, row.packed, row.whole, row.at, row.bytes})
      putNumber(made, number, 4);
  }
  return made + blocks;
}

}  // namespace fusebench::cuda
