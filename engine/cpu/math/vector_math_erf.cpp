// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/math/families.h"
#include "engine/ops/polynomials.h"

namespace fusebench::cpu {

Vec erfOf(const Vec& x) {
  const Vec a = abs(x);
  const Vec z = a * a;
  const Vec near = mad(a, paired(z, poly::kErfNear), a);
  // 1 - e^P: what P's error is scaled down by erfc. At 3.95 the result is 1 in float.
  const Vec t = lesserElse(a.splat(3.95), a) - 1.0;
  const Vec far = 1.0 - expOfModerateNegative(paired(t, poly::kErfFar));
  return copysign(select(lt(a, 1), near, far), x);
}

Vec erfcOf(const Vec& x) {
  // In double lanes, for |x|: e^(-x^2) / (1 + 2x) times a function of slow change; erfc(-x) = 2 -
  // erfc(x).
  const Vec wide = widen(x);
  const Vec magnitude = abs(wide);
  const Vec a = lesserElse(magnitude.splat(10.1), magnitude);
  const Vec t = (a - 2.0) / (a + 2.0);
  const Vec positive = doubleExp(-(a * a)) * paired(t, poly::kDoubleErfc) / mad(a, 2.0, 1.0);
  return narrow(select(lt(wide, 0), 2.0 - positive, positive));
}

}  // namespace fusebench::cpu
