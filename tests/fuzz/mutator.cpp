// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <array>

namespace fusebench::fuzz {

Mutator::Mutator(const std::vector<std::string>& corpus, std::uint64_t seed)
    : corpus_(corpus), random_(seed) {}

std::string Mutator::next() {
  std::string text = corpus_[below(corpus_.size())];
  for (std::size_t changes = 1 + below(6); changes > 0; --changes) change(text);
  if (text.size() > kLongestInput) text.resize(kLongestInput);
  return text;
}

void Mutator::change(std::string& text) {
  static const std::array<std::string, 24> kPieces = {
      "[",    "]",       "{",    "}",       "\"",       ",",
      ":",    "null",    "-1",   "1e999",   "0.0",      "9223372036854775808",
      "true", "\\u0000", "\xff", "\x1b[2J", "\xc2\x9b", "\n",
      "'",    "(",       ")",    "=",       "torch.",   std::string(300, '[')};
  const std::size_t at = below(text.size() + 1);
  const std::size_t length = std::min(below(below(4) ? 8 : 400), text.size() - at);
  switch (below(8)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(below(256));
      break;
    case 2:
      text.insert(at, kPieces[below(kPieces.size())]);
      break;
    case 3:
      text.erase(at, length);
      break;
    case 4:
      text.insert(below(text.size() + 1), text.substr(at, length));
      break;
    case 5:
      text.replace(at, length, kPieces[below(kPieces.size())]);
      break;
    case 6: {
      const std::string& other = corpus_[below(corpus_.size())];
      text.insert(at, other.substr(below(other.size() + 1), below(200)));
      break;
    }
    default:
      if (below(10) == 0) text.resize(at);
  }
}

}  // namespace fusebench::fuzz
