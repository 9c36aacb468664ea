// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/ops/ops.h"

namespace fusebench {

/// The copies in programs. Their rows are not in the table: no kernels are generated for them.
enum class Move : std::uint8_t {
  toDevice,  ///< x.cuda(), x.to("cuda"): the same tensor if it is there already
  toHost,    ///< x.cpu(), x.to("cpu"): likewise; into pinned memory if the host does not wait
             ///< for it
  pin,       ///< x.pin_memory()
  fetch,     ///< x.item(): one element, for which the host waits; the value stays where it is
  again      ///< torch.tensor(x): new memory of the same kind
};

std::span<const OpRow> copyRows();
const OpRow& copyRow(Move move);
/// Which copy a row of kind `copy` stands for.
Move moveOf(const OpRow& row);

}  // namespace fusebench
