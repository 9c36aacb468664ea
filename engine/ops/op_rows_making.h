// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/ops/op_rows_common.h"

namespace fusebench::rows {

inline constexpr Parameter kMadeSize{
    .name = "size", .kind = Parameter::Kind::sizes, .required = true, .doc = "extents"};
/// Parameters whose names begin with an underscore are set by the language, not by a caller.
inline constexpr Parameter kStream{
    .name = "_stream", .fallback = 0, .doc = "which of the program's sequences of random numbers"};

/// The value in the class that a row computes in, which is the class of its numbers.
inline Expr inClassOf(Expr value, Expr number) {
  return {value.graph, value.graph->converted(value.id, number.type())};
}
inline Expr inClass(Expr value, TypeClass type) {
  return {value.graph, value.graph->converted(value.id, type)};
}

/// An int64 constant from two 32-bit halves: a double cannot represent all of them.
inline Expr wholeOf(Expr sibling, std::uint32_t high, std::uint32_t low) {
  ExprGraph& graph = *sibling.graph;
  const Expr upper{&graph, graph.constant(high, TypeClass::int64)};
  const Expr lower{&graph, graph.constant(low, TypeClass::int64)};
  const Expr bits{&graph, graph.constant(32, TypeClass::int64)};
  return apply(Primitive::bitOr, apply(Primitive::shiftLeft, upper, bits), lower);
}

inline Expr upperHalf(Expr value) {
  return apply(Primitive::bitAnd, apply(Primitive::shiftRight, value, constant(value, 32)),
               constant(value, 4294967295.0));
}
inline Expr halvesSwapped(Expr value) {
  return apply(Primitive::bitOr, upperHalf(value),
               apply(Primitive::shiftLeft, value, constant(value, 32)));
}

/// 32 random bits for a counter and a key, as a non-negative int64: Widynski, "Squares: A fast
/// counter-based RNG", 2020, four rounds.
inline Expr randomBits(Expr counter, Expr key) {
  const Expr y = counter * key, z = y + key;
  Expr x = halvesSwapped(y * y + y);
  x = halvesSwapped(x * x + z);
  x = halvesSwapped(x * x + y);
  return upperHalf(x * x + z);
}

/// The odd key of a sequence: multiples of the fractional part of the golden ratio are irregular.
inline Expr keyOf(Expr stream) {
  const Expr number = inClass(stream, TypeClass::int64);
  const Expr scattered = (number + 1) * wholeOf(number, 0x9e3779b9u, 0x7f4a7c15u) +
                         wholeOf(number, 0x548c9decu, 0xbce65295u);
  return apply(Primitive::bitOr, scattered, constant(number, 1));
}

/// From [0, 1): 24 bits as float32, all 32 as float64.
inline Expr uniformOf(Expr bits, Expr like) {
  if (like.type() == TypeClass::float64) return inClassOf(bits, like) * 0x1p-32;
  return inClassOf(apply(Primitive::shiftRight, bits, constant(bits, 8)), like) * 0x1p-24;
}

/// start + place * step, rounded once.
inline Expr onLine(Expr place, Expr start, Expr step) {
  return fma(inClassOf(place, start), step, start);
}

inline Expr givenNumber(Args x) {
  return x.parameter(1);
}

/// The number at a position among the parameters from `first` to `end` (excluded), by repeated
/// halving.
inline Expr numberAt(Args x, int first, int end) {
  if (end - first == 1) return x.parameter(first);
  const int middle = (first + end) / 2;
  return select(x[0] < constant(x[0], middle - 1), numberAt(x, first, middle),
                numberAt(x, middle, end));
}

/// Tensors that each call creates from numbers and from the position of each element. Random
/// numbers are the same in every call and in every executor, as after torch.manual_seed; their
/// distributions are PyTorch's, their bits are not.
inline const OpRow kMaking[] = {
    {.name = "zeros",
     .spellings = {"torch.zeros", "torch.zeros_like", "x.new_zeros"},
     .category = making,
     .arity = 0,
     .takes = AcceptedTypes::any,
     .parameters = {kMadeSize, {.name = "_value", .fallback = 0, .doc = "every element"}},
     .kind = OpKind::make,
     .madeWhereRead = true,
     .meaning = givenNumber,
     .bound = kExact,
     .doc = "Zeros"},
    {.name = "ones",
     .spellings = {"torch.ones", "torch.ones_like", "x.new_ones"},
     .category = making,
     .arity = 0,
     .takes = AcceptedTypes::any,
     .parameters = {kMadeSize, {.name = "_value", .fallback = 1, .doc = "every element"}},
     .kind = OpKind::make,
     .madeWhereRead = true,
     .meaning = givenNumber,
     .bound = kExact,
     .doc = "Ones"},
    {.name = "full",
     .spellings = {"torch.full", "torch.full_like", "x.new_full"},
     .category = making,
     .arity = 0,
     .takes = AcceptedTypes::any,
     .parameters = {kMadeSize, {.name = "fill_value", .required = true, .doc = "every element"}},
     .kind = OpKind::make,
     .madeWhereRead = true,
     .meaning = givenNumber,
     .bound = kExact,
     .doc = "A tensor filled with one number"},
    {.name = "empty",
     .spellings = {"torch.empty", "torch.empty_like", "x.new_empty"},
     .category = making,
     .arity = 0,
     .takes = AcceptedTypes::any,
     .parameters = {kMadeSize, {.name = "_value", .fallback = 0, .doc = "every element"}},
     .kind = OpKind::make,
     .madeWhereRead = true,
     .meaning = givenNumber,
     .bound = kExact,
     .doc = "Uninitialized elements; here zeros, so that results do not depend on old memory"},
    {.name = "tensor",
     .spellings = {"torch.tensor", "torch.as_tensor", "torch.FloatTensor"},
     .category = making,
     .arity = 0,
     .takes = AcceptedTypes::any,
     .parameters = {{.name = "data",
                     .kind = Parameter::Kind::sizes,
                     .required = true,
                     .doc = "numbers, or lists of them of equal length"}},
     .kind = OpKind::make,
     .madeWhereRead = true,
     .listsNumbers = true,
     .places = IndexInputs::flat,
     .meaning = [](Args x) { return numberAt(x, 1, x.parameters()); },
     .bound = kExact,
     .doc = "A tensor of the numbers in a list"},
    {.name = "eye",
     .spellings = {"torch.eye"},
     .category = making,
     .arity = 0,
     .takes = AcceptedTypes::any,
     .parameters =
         {{.name = "n", .kind = Parameter::Kind::sizes, .required = true, .high = 1, .doc = "rows"},
          {.name = "m",
           .kind = Parameter::Kind::sizes,
           .fallback = -1,
           .high = 1,
           .doc = "columns (default: as many as rows)"},
          {.name = "_value", .fallback = 1, .doc = "of the diagonal"}},
     .kind = OpKind::make,
     .places = IndexInputs::rowColumn,
     .meaning = [](Args x) { return select(x[0] == x[1], x.parameter(2), 0); },
     .bound = kExact,
     .doc = "Ones on the diagonal, zeros elsewhere"},
    {.name = "arange",
     .spellings = {"torch.arange"},
     .category = making,
     .arity = 0,
     .takes = AcceptedTypes::any,
     .parameters = {{.name = "_size",
                     .kind = Parameter::Kind::sizes,
                     .fallback = 0,
                     .high = 1,
                     .doc = "extent"},
                    {.name = "start", .fallback = 0, .doc = "the first"},
                    {.name = "end", .required = true, .doc = "the end, which is not included"},
                    {.name = "step", .fallback = 1, .doc = "difference of consecutive numbers"}},
     .kind = OpKind::make,
     .madeWhereRead = true,
     .places = IndexInputs::flat,
     .meaning = [](Args x) { return onLine(x[0], x.parameter(1), x.parameter(3)); },
     .bound = kRounded,
     .doc = "Numbers from start in equal steps, without the end"},
    {.name = "linspace",
     .spellings = {"torch.linspace"},
     .category = making,
     .arity = 0,
     .parameters = {{.name = "start", .required = true, .doc = "the first"},
                    {.name = "end", .required = true, .doc = "the last"},
                    {.name = "steps",
                     .kind = Parameter::Kind::sizes,
                     .required = true,
                     .high = 1,
                     .doc = "how many"},
                    {.name = "_step", .fallback = 0, .doc = "difference of consecutive numbers"},
                    {.name = "_last", .fallback = 0, .doc = "number of values before the last"}},
     .kind = OpKind::make,
     .madeWhereRead = true,
     .places = IndexInputs::flat,
     .meaning =
         [](Args x) {
           const Expr last = inClass(x.parameter(4), TypeClass::int64);
           return select(x[0] + x[0] <= last, onLine(x[0], x.parameter(0), x.parameter(3)),
                         onLine(x[0] - last, x.parameter(1), x.parameter(3)));
         },
     .bound = kRounded,
     .doc = "A number of values from start to end in equal steps, including the end"},
    {.name = "rand",
     .spellings = {"torch.rand", "torch.rand_like"},
     .category = making,
     .arity = 0,
     .parameters = {kMadeSize, kStream},
     .kind = OpKind::make,
     .places = IndexInputs::flat,
     .meaning =
         [](Args x) { return uniformOf(randomBits(x[0], keyOf(x.parameter(1))), x.parameter(1)); },
     .bound = kExact,
     .doc = "Random numbers, uniform from [0, 1)"},
    {.name = "randn",
     .spellings = {"torch.randn", "torch.randn_like"},
     .category = making,
     .arity = 0,
     .parameters = {kMadeSize, kStream},
     .kind = OpKind::make,
     .places = IndexInputs::flat,
     // Box and Muller, 1958: a radius and an angle from two uniform numbers, the first of which is
     // not 0.
     .meaning =
         [](Args x) {
           const Expr key = keyOf(x.parameter(1)), stream = x.parameter(1);
           const Expr first = 1 - uniformOf(randomBits(x[0] * 2, key), stream);
           const Expr second = uniformOf(randomBits(x[0] * 2 + 1, key), stream);
           // The cosine of the angle as a sine, shifted by a quarter turn: the arguments are exact.
           const Expr turn = 0.25 - second;
           const Expr folded = select(turn < -0.25, -0.5 - turn, turn);
           return sqrt(log(first) * -2) * sin(folded * (2 * kPi));
         },
     .bound = kFourUlp,
     .doc = "Random numbers, normal with mean 0 and standard deviation 1"},
    {.name = "randint",
     .spellings = {"torch.randint", "torch.randint_like"},
     .category = making,
     .arity = 0,
     .takes = AcceptedTypes::any,
     .parameters = {{.name = "low", .fallback = 0, .doc = "the least"},
                    {.name = "high", .required = true, .doc = "end of the range, not included"},
                    kMadeSize,
                    kStream},
     .kind = OpKind::make,
     .places = IndexInputs::flat,
     .meaning =
         [](Args x) {
           const Expr low = inClass(x.parameter(0), TypeClass::int64);
           const Expr count = inClass(x.parameter(1), TypeClass::int64) - low;
           const Expr made = low + fmod(randomBits(x[0], keyOf(x.parameter(3))), count);
           return inClassOf(made, x.parameter(0));
         },
     .bound = kExact,
     .doc = "Random integers from low to high, without high; at most 2^32 of them"},
};

inline constexpr Parameter kDiagonal{
    .name = "diagonal",
    .fallback = 0,
    .doc = "the diagonal that bounds the triangle; above 0: above the main diagonal",
    .whole = true};

/// Element-wise ops that depend on the position of an element.
inline const OpRow kPlaced[] = {
    {.name = "tril",
     .spellings = {"torch.tril", "x.tril"},
     .category = making,
     .takes = AcceptedTypes::any,
     .parameters = {kDiagonal},
     .places = IndexInputs::rowColumn,
     .meaning =
         [](Args x) {
           const Expr border = inClass(x.parameter(0), TypeClass::int64);
           return select(x[2] - x[1] <= border, number(x[0]), 0);
         },
     .bound = kExact,
     .doc = "Lower triangle of matrices: elements above a diagonal become 0"},
    {.name = "triu",
     .spellings = {"torch.triu", "x.triu"},
     .category = making,
     .takes = AcceptedTypes::any,
     .parameters = {kDiagonal},
     .places = IndexInputs::rowColumn,
     .meaning =
         [](Args x) {
           const Expr border = inClass(x.parameter(0), TypeClass::int64);
           return select(x[2] - x[1] >= border, number(x[0]), 0);
         },
     .bound = kExact,
     .doc = "Upper triangle of matrices: elements below a diagonal become 0"},
    {.name = "dropout",
     .spellings = {"torch.dropout"},
     .category = making,
     .parameters = {{.name = "p",
                     .required = true,
                     .low = 0,
                     .high = 1,
                     .doc = "probability that an element becomes 0"},
                    {.name = "train",
                     .kind = Parameter::Kind::flag,
                     .required = true,
                     .low = 0,
                     .high = 1,
                     .doc = "if False, the op does nothing"},
                    kStream},
     .places = IndexInputs::flat,
     .meaning =
         [](Args x) {
           const Expr share = x.parameter(0) * x.parameter(1);
           const Expr drawn = uniformOf(randomBits(x[1], keyOf(x.parameter(2))), x.parameter(0));
           return select(drawn >= share, x[0] / (1 - share), 0);
         },
     .bound = kTwoUlp,
     .doc = "Elements set to 0 at random, the others multiplied by 1 / (1 - p)"},
};

}  // namespace fusebench::rows
