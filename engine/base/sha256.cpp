// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace fusebench {
namespace {

using Words = std::array<std::uint32_t, 64>;

/// The standard's constants: the first 32 bits of the fractional parts of the cube roots of the
/// first 64 primes; and of the square roots of the first eight.
struct Constants {
  Words cubeRoots{};
  std::array<std::uint32_t, 8> squareRoots{};
};

std::uint32_t fraction(long double root) {
  return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

Constants makeConstants() {
  Constants made;
  std::size_t found = 0;
  for (int candidate = 2; found < 64; ++candidate) {
    bool prime = true;
    for (int divisor = 2; divisor * divisor <= candidate; ++divisor)
      prime &= candidate % divisor != 0;
    if (!prime) continue;
    made.cubeRoots[found] = fraction(std::cbrt(static_cast<long double>(candidate)));
    if (found < 8)
      made.squareRoots[found] = fraction(std::sqrt(static_cast<long double>(candidate)));
    ++found;
  }
  return made;
}

const Constants& constants() {
  static const Constants made = makeConstants();
  return made;
}

std::uint32_t bigEndian(const unsigned char* bytes) {
  return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
         static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
}

void addBlock(std::array<std::uint32_t, 8>& hash, const unsigned char* block) {
  const Words& k = constants().cubeRoots;
  Words w{};
  for (std::size_t t = 0; t < 16; ++t) w[t] = bigEndian(block + 4 * t);
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t a = w[t - 15], b = w[t - 2];
    w[t] = w[t - 16] + w[t - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                ((e & f) ^ (~e & g)) + k[t] + w[t];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const std::array<std::uint32_t, 8> worked = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) hash[i] += worked[i];
}

}  // namespace

std::string sha256(std::string_view text) {
  std::array<std::uint32_t, 8> hash = constants().squareRoots;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const std::size_t whole = text.size() / 64 * 64;
  for (std::size_t at = 0; at < whole; at += 64) addBlock(hash, bytes + at);
  // The rest, a single 1 bit, zeros, and the length in bits at the end of a block.
  std::array<unsigned char, 128> tail{};
  const std::size_t rest = text.size() - whole;
  for (std::size_t i = 0; i < rest; ++i) tail[i] = bytes[whole + i];
  tail[rest] = 0x80;
  const std::size_t blocks = rest + 9 <= 64 ? 1 : 2;
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (std::size_t i = 0; i < 8; ++i)
    tail[blocks * 64 - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  for (std::size_t at = 0; at < blocks * 64; at += 64) addBlock(hash, tail.data() + at);
  std::string hex;
  for (std::uint32_t word : hash)
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(word >> shift) & 15];
  return hex;
}

}  // namespace fusebench
