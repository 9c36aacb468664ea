// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/ops/op_rows_common.h"

namespace fusebench::rows {

inline Expr sigmoid(Expr x) {
  return 1 / (1 + exp(-x));
}

/// x times the cumulative distribution function of the normal distribution, computed with erfc,
/// which keeps its digits in the left tail. There a rounding error e of the argument z = -x /
/// sqrt(2) would be amplified by 2 z^2, so it is corrected to first order: erfc(z + e) = erfc(z) (1
/// - e h), h = 2 exp(-z^2) / (sqrt(pi) erfc(z)), for which z + sqrt(z^2 + 4 / pi) is accurate
/// enough (Abramowitz and Stegun 7.1.13).
inline Expr geluByErfc(Expr x) {
  // 1 / sqrt(2) as the compute type represents it, and the part that this loses: c = r - (r^2 -
  // 1/2) r to first order, in whichever type evaluates it.
  const Expr r = constant(x, kRoot1Of2);
  const Expr low = -fma(r, r, constant(x, -0.5)) * r;
  const Expr z = -(x * r);
  const Expr error = -fma(x, low, fma(x, r, z));
  const Expr steepness = z + sqrt(fma(z, z, constant(x, 4 / kPi)));
  const double nothing = x.type() == TypeClass::float64 ? 40 : 16;  // beyond this, erfc is 0
  const Expr correction = select(z > 0 && z < nothing, 1 - error * steepness, 1);
  return x * 0.5 * (erfc(z) * correction);
}

/// The tanh approximation of gelu: 0.5 (1 + tanh(u)) is 1 / (1 + exp(-2u)).
inline Expr geluByTanh(Expr x) {
  constexpr double kTwiceRoot2OverPi = 1.595769121605730711759784;
  const Expr twice =
      x * fma(x * x, constant(x, kTwiceRoot2OverPi * 0.044715), constant(x, kTwiceRoot2OverPi));
  return x / (1 + exp(-twice));
}

/// log(1 + exp(beta x)) / beta. The rounding error of beta x, which exp would amplify by beta x, is
/// corrected to first order where exp is neither 0 nor infinite.
inline Expr softplus(Expr x, Expr beta, Expr threshold) {
  const Expr scaled = x * beta;
  const bool wide = x.type() == TypeClass::float64;
  const double middle = wide ? -18 : -8, reach = wide ? 727 : 96;
  const Expr e = exp(scaled), error = fma(x, beta, -scaled);
  const Expr better = select(abs(scaled - middle) < reach, fma(e, error, e), e);
  return select(scaled > threshold, x, log1p(better) / beta);
}

/// x tanh(log(1 + e^x)) = x n / (n + 2) with n = e^x (e^x + 2).
inline Expr mish(Expr x) {
  const Expr e = exp(x);
  const Expr n = fma(e, e, 2 * e);
  return select(x > 20, x, x * (n / (n + 2)));
}

// Klambauer et al. 2017, Self-Normalizing Neural Networks.
inline constexpr double kSeluAlpha = 1.6732632423543772848170429916717;
inline constexpr double kSeluScale = 1.0507009873554804934193349852946;

inline const OpRow kActivations[] = {
    {.name = "relu",
     .spellings = {"torch.relu", "F.relu", "x.relu"},
     .category = activation,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return atLeast(x[0], constant(x[0], 0)); },
     .derivative = [](const Flow& f) { return select(f.result <= 0, 0, f.gradient); },
     .tail = Tail::relu,
     .bound = kExact,
     .doc = "x where positive, else 0"},
    {.name = "relu6",
     .spellings = {"F.relu6"},
     .category = activation,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return between(x[0], 0, 6); },
     .derivative = [](const Flow& f) { return select(f.x[0] <= 0 || f.x[0] >= 6, 0, f.gradient); },
     .bound = kExact,
     .doc = "x clamped to the range from 0 to 6"},
    {.name = "leaky_relu",
     .spellings = {"F.leaky_relu"},
     .category = activation,
     .parameters = {{.name = "negative_slope", .fallback = 0.01, .doc = "factor of negative x"}},
     .meaning = [](Args x) { return select(x[0] > 0, x[0], x[0] * x.parameter(0)); },
     .bound = kRounded,
     .doc = "x where positive, else a small multiple of it"},
    {.name = "elu",
     .spellings = {"F.elu"},
     .category = activation,
     .parameters = {{.name = "alpha", .fallback = 1, .doc = "the limit for x to -inf is -alpha"}},
     .meaning = [](Args x) { return select(x[0] > 0, x[0], x.parameter(0) * expm1(x[0])); },
     .bound = kFourUlp,
     .doc = "x where positive, else alpha (exp(x) - 1)"},
    {.name = "selu",
     .spellings = {"torch.selu", "F.selu"},
     .category = activation,
     .meaning =
         [](Args x) {
           return select(x[0] > 0, x[0] * kSeluScale, expm1(x[0]) * (kSeluScale * kSeluAlpha));
         },
     .bound = kFourUlp,
     .doc = "Scaled elu that keeps mean and variance from layer to layer"},
    {.name = "celu",
     .spellings = {"torch.celu", "F.celu"},
     .category = activation,
     .parameters = {{.name = "alpha",
                     .fallback = 1,
                     .low = 1e-6,
                     .doc = "the limit for x to -inf is -alpha"}},
     .meaning =
         [](Args x) {
           return select(x[0] > 0, x[0], x.parameter(0) * expm1(x[0] / x.parameter(0)));
         },
     .bound = {4, 1e-42, 4e-321},  // a denormal x / alpha has lost its last bits
     .doc = "x where positive, else alpha (exp(x / alpha) - 1)"},
    {.name = "gelu",
     .spellings = {"F.gelu"},
     .category = activation,
     .meaning = [](Args x) { return geluByErfc(x[0]); },
     .derivative =
         [](const Flow& f) {
           const Expr x = f.x[0];
           const Expr below = (1 + erf(x * kRoot1Of2)) * 0.5;
           return f.gradient * (below + x * (exp(x * x * -0.5) * (kRoot1Of2 / kRootPi)));
         },
     .inPlace = false,
     .tail = Tail::geluByErf,
     .bound = {4, 1e-43,
               4e-322},  // below x = -13 (in float64, -37), erfc is denormal and has lost bits
     .doc = "x times the normal distribution's cumulative function"},
    {.name = "gelu_tanh",
     .category = activation,
     .meaning = [](Args x) { return geluByTanh(x[0]); },
     .derivative =
         [](const Flow& f) {
           const Expr x = f.x[0], squares = x * x;
           const Expr bent = tanh((squares * 0.044715 + 1) * x * kRoot2OverPi);
           const Expr slope = (squares * (3 * 0.044715) + 1) * kRoot2OverPi;
           return f.gradient * ((bent + 1) * 0.5 + x * 0.5 * ((1 - bent * bent) * slope));
         },
     .tail = Tail::gelu,
     .bound = {4, 4e-8},  // exp amplifies the argument's rounding error by its magnitude
     .doc = "gelu by its tanh approximation"},
    {.name = "silu",
     .spellings = {"F.silu"},
     .category = activation,
     .meaning = [](Args x) { return x[0] / (1 + exp(-x[0])); },
     .derivative =
         [](const Flow& f) {
           const Expr s = sigmoid(f.x[0]);
           return f.gradient * s * (f.x[0] * (1 - s) + 1);
         },
     .tail = Tail::silu,
     .bound = kFourUlpOrTiny,
     .doc = "x sigmoid(x), also called swish"},
    {.name = "mish",
     .spellings = {"F.mish"},
     .category = activation,
     .meaning = [](Args x) { return mish(x[0]); },
     .derivative =
         [](const Flow& f) {
           const Expr x = f.x[0], s = sigmoid(x);
           const Expr bent = tanh(select(x > 20, x, log1p(exp(x))));
           return f.gradient * (bent + x * s * (1 - bent * bent));
         },
     .bound = kFourUlpOrTiny,
     .doc = "x tanh(softplus(x))"},
    {.name = "sigmoid",
     .spellings = {"torch.sigmoid", "F.sigmoid", "torch.special.expit", "x.sigmoid"},
     .category = activation,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return sigmoid(x[0]); },
     .derivative = [](const Flow& f) { return f.gradient * ((1 - f.result) * f.result); },
     .bound = kFourUlpOrTiny,
     .doc = "1 / (1 + exp(-x))"},
    {.name = "logsigmoid",
     .spellings = {"F.logsigmoid"},
     .category = activation,
     .meaning = [](Args x) { return min(x[0], 0) - log1p(exp(-abs(x[0]))); },
     .derivative = [](const Flow& f) { return f.gradient * sigmoid(-f.x[0]); },
     .inPlace = false,
     .bound = kFourUlp,
     .doc = "log(sigmoid(x)) without intermediate underflow"},
    {.name = "softplus",
     .spellings = {"F.softplus"},
     .category = activation,
     .parameters = {{.name = "beta", .fallback = 1, .low = 1e-6, .doc = "sharpness of the bend"},
                    {.name = "threshold",
                     .fallback = 20,
                     .doc = "above this value of beta x the result is x"}},
     .meaning = [](Args x) { return softplus(x[0], x.parameter(0), x.parameter(1)); },
     .derivative =
         [](const Flow& f) {
           const Expr scaled = f.x[0] * f.x.parameter(0);
           return select(scaled > f.x.parameter(1), f.gradient, f.gradient * sigmoid(scaled));
         },
     .inPlace = false,
     .autocast = kSingleOnCuda,
     .bound = kFourUlp,
     .doc = "log(1 + exp(beta x)) / beta, a smooth relu"},
    {.name = "softsign",
     .spellings = {"F.softsign"},
     .category = activation,
     .meaning = [](Args x) { return x[0] / (1 + abs(x[0])); },
     .derivative =
         [](const Flow& f) {
           const Expr below = abs(f.x[0]) + 1;
           return f.gradient / (below * below);
         },
     .inPlace = false,
     .bound = kTwoUlp,
     .doc = "x / (1 + |x|)"},
    {.name = "hardtanh",
     .spellings = {"F.hardtanh"},
     .category = activation,
     .takes = AcceptedTypes::numbers,
     .parameters = {{.name = "min_val", .fallback = -1, .doc = "smallest result"},
                    {.name = "max_val", .fallback = 1, .doc = "largest result"}},
     .meaning = [](Args x) { return atMost(atLeast(x[0], x.parameter(0)), x.parameter(1)); },
     .derivative =
         [](const Flow& f) {
           const Expr x = f.x[0];
           return select(x <= f.x.parameter(0) || x >= f.x.parameter(1), 0, f.gradient);
         },
     .bound = kExact,
     .doc = "x clamped to the range from min_val to max_val"},
    {.name = "hardsigmoid",
     .spellings = {"F.hardsigmoid"},
     .category = activation,
     .meaning = [](Args x) { return between(x[0] + 3, 0, 6) / 6; },
     .derivative =
         [](const Flow& f) { return select(f.x[0] > -3 && f.x[0] < 3, f.gradient / 6, 0); },
     .bound = kTwoUlp,
     .doc = "piecewise linear sigmoid: x / 6 + 1/2, clamped to the range from 0 to 1"},
    {.name = "hardswish",
     .spellings = {"F.hardswish"},
     .category = activation,
     .meaning = [](Args x) { return x[0] * (between(x[0] + 3, 0, 6) / 6); },
     .derivative =
         [](const Flow& f) {
           const Expr x = f.x[0], g = f.gradient;
           return select(x <= -3, 0, select(x < 3, g * (x / 3 + 0.5), g));
         },
     .bound = kTwoUlp,
     .doc = "x hardsigmoid(x)"},
    {.name = "hardshrink",
     .spellings = {"torch.hardshrink", "F.hardshrink", "x.hardshrink"},
     .category = activation,
     .parameters = {{.name = "lambd",
                     .fallback = 0.5,
                     .doc = "half-width of the interval that becomes 0"}},
     .meaning =
         [](Args x) { return select(x[0] >= -x.parameter(0) && x[0] <= x.parameter(0), 0, x[0]); },
     .inPlace = false,
     .roundsNumbers = true,
     .bound = kExact,
     .doc = "0 between -lambd and lambd, else x"},
    {.name = "softshrink",
     .spellings = {"F.softshrink"},
     .category = activation,
     .parameters =
         {{.name = "lambd", .fallback = 0.5, .low = 0, .doc = "how far x moves towards 0"}},
     .meaning =
         [](Args x) {
           const Expr by = x.parameter(0);
           return select(x[0] > by, x[0] - by, select(x[0] < -by, x[0] + by, x[0] * 0));
         },
     .inPlace = false,
     .roundsNumbers = true,
     .bound = kRounded,
     .doc = "x moved towards 0 by lambd, and 0 where it would cross it"},
    {.name = "tanhshrink",
     .spellings = {"F.tanhshrink"},
     .category = activation,
     .meaning = [](Args x) { return x[0] - tanh(x[0]); },
     .derivative =
         [](const Flow& f) {
           const Expr bent = tanh(f.x[0]);
           return f.gradient * (bent * bent);
         },
     .inPlace = false,
     .bound = {4, 1.5e-7},
     .doc = "x - tanh(x)"},
    {.name = "threshold",
     .spellings = {"torch.threshold", "F.threshold"},
     .category = activation,
     .takes = AcceptedTypes::numbers,
     .parameters = {{.name = "threshold", .required = true, .doc = "threshold that x must exceed"},
                    {.name = "value", .required = true, .doc = "replaces x elsewhere"}},
     .meaning = [](Args x) { return select(x[0] <= x.parameter(0), x.parameter(1), x[0]); },
     .bound = kExact,
     .doc = "x where above the threshold, else the value"},
};

}  // namespace fusebench::rows
