// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/copies.h"

#include <array>
#include <span>

namespace fusebench {
namespace {

constexpr Parameter kNonBlocking{.name = "non_blocking",
                                 .kind = Parameter::Kind::flag,
                                 .fallback = 0,
                                 .doc = "the host continues at once if its memory is pinned"};

const std::array<OpRow, 5>& rows() {
  static const std::array<OpRow, 5> all = {{
      {.name = "cuda",
       .spellings = {"x.cuda"},
       .category = Category::making,
       .takes = AcceptedTypes::any,
       .parameters = {kNonBlocking},
       .kind = OpKind::copy,
       .bound = {},
       .doc = "Copied to the device; a tensor that is already there is returned unchanged"},
      {.name = "cpu",
       .spellings = {"x.cpu"},
       .category = Category::making,
       .takes = AcceptedTypes::any,
       .parameters = {kNonBlocking},
       .kind = OpKind::copy,
       .bound = {},
       .doc = "Copied to host memory, with a wait; a tensor that is already there is returned "
              "unchanged"},
      {.name = "pin_memory",
       .spellings = {"x.pin_memory"},
       .category = Category::making,
       .takes = AcceptedTypes::any,
       .kind = OpKind::copy,
       .bound = {},
       .doc = "Copied into pinned host memory, which the device reads directly"},
      {.name = "item",
       .spellings = {"x.item"},
       .category = Category::making,
       .takes = AcceptedTypes::any,
       .kind = OpKind::copy,
       .differentiable = false,
       .bound = {},
       .doc = "The only element of a tensor as a number on the host, which waits for it"},
      {.name = "tensor_copy",
       .spellings = {"torch.tensor"},
       .category = Category::making,
       .takes = AcceptedTypes::any,
       .kind = OpKind::copy,
       .differentiable = false,
       .bound = {},
       .doc = "A copy of the elements in other memory"},
  }};
  return all;
}

}  // namespace

std::span<const OpRow> copyRows() {
  return rows();
}

const OpRow& copyRow(Move move) {
  return rows()[static_cast<std::size_t>(move)];
}

Move moveOf(const OpRow& row) {
  return static_cast<Move>(&row - rows().data());
}

}  // namespace fusebench
