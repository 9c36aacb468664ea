// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>

#include "engine/ops/op_rows_activations.h"
#include "engine/ops/op_rows_arithmetic.h"
#include "engine/ops/op_rows_collectives.h"
#include "engine/ops/op_rows_comparisons.h"
#include "engine/ops/op_rows_contractions.h"
#include "engine/ops/op_rows_functions.h"
#include "engine/ops/op_rows_indexing.h"
#include "engine/ops/op_rows_integers.h"
#include "engine/ops/op_rows_making.h"
#include "engine/ops/op_rows_orders.h"
#include "engine/ops/op_rows_reductions.h"
#include "engine/ops/op_rows_views.h"

/// The op table: one row an op, and nothing else in the project names one. A row's meaning is a
/// formula over primitives, written so that float32 evaluation with primitives good to 1 or 2 ULP
/// keeps the row's bound; the double reference evaluates the same formula. Special values are
/// PyTorch's.
///
/// To add an op, add a row to the section it belongs to, and an independent statement of it to
/// tests/engine/values/ops_by_mpfr.py. Where NVRTC is available, run fusebench-prebuild, because
/// instant's kernel ships and contains the rows. Palette, help, parser and tests follow.
///
/// This header is for ops.cpp only; other code uses opRows().
namespace fusebench::rows {

/// The sections, in palette order.
inline const std::array<std::span<const OpRow>, 22> kSections = {{
    kArithmetic, kPowers,      kExponentials, kTrigonometry, kHyperbolics, kSpecials,
    kRoundings,  kActivations, kComparisons,  kSelections,   kReductions,  kBits,
    kCasts,      kQuantizing,  kViews,        kPlaced,       kMaking,      kContractions,
    kScans,      kIndexed,     kOrders,       kCollectives,
}};
/// Rows that no text names; they come after all others.
inline const std::span<const OpRow> kUnwritten = kChecks;

}  // namespace fusebench::rows
