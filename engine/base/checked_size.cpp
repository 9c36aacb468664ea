// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/checked_size.h"

namespace fusebench {

SizeOverflow::SizeOverflow()
    : std::overflow_error("a tensor of these sizes is larger than any memory") {}

void throwSizeOverflow() {
  throw SizeOverflow();
}

}  // namespace fusebench
