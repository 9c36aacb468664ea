// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "engine/ops/expr.h"

namespace fusebench::test {

/// A primitive's value to far more than float's precision, from the C library's double (for a few,
/// long double) functions: the definition of correct for the accuracy tests. Truth is 1 or 0.
double exactUnary(Primitive primitive, float x);
double exactBinary(Primitive primitive, float x, float y);

/// |got - exact| in units in the last place of the float format at `exact` (2^-149 for denormals).
/// 0 for the same infinity, both NaN; infinity where one is NaN, or where only one rounds to
/// infinity beyond half a unit. A zero of the wrong sign where `exact` is a zero counts as
/// infinity, too.
double ulpError(float got, double exact);

/// Largest error that an op row may promise for the primitive.
double bound(Primitive primitive);

}  // namespace fusebench::test
