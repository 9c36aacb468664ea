// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

struct PythonObject;

/// The value of a Python expression while the program is being read.
struct PythonValue {
  enum class Kind : std::uint8_t {
    tensor,  ///< a value of the program
    number,  ///< an int or a float that is known now
    flag,    ///< True or False
    text,
    none,
    list,    ///< a tuple, list or set: see `object`
    path,    ///< a dotted name: "torch.exp", "math.pi"
    method,  ///< method `text` of the tensor `value`, or of the one item of `object`
    size,    ///< a number that depends on shapes
    shape,   ///< shape of the tensor `value`
    dict,
    slice,     ///< the three items of `object`
    ellipsis,  ///< ...
    function,  ///< def or lambda; `self`: the object that it is bound to
    type,      ///< a class
    instance,
    superior,  ///< super(): `object` is the class after which to search, and `self`
    held,      ///< a tensor created together with a module: becomes an input where it is used
    iterator,  ///< produces items one at a time, once: see Iterating
    outside,   ///< left out: a time, a name of a line around the program. `text`: why it may not be
               ///< used; empty: values computed from it are left out, too
  };
  Kind kind = Kind::none;
  ValueId value = -1;
  double number = 0;      ///< outside: the line that opens the file it is read from; 0: none
  bool integer = false;   ///< number: an int
  bool inexact = false;   ///< number: an int beyond 2**53 in Python, here a float
  bool wrapped = false;   ///< number: written as torch.tensor(...)
  bool detached = false;  ///< tensor, method: no gradient flows back from this use
  bool tuple = false;     ///< list: a tuple
  SizeId size = -1;       ///< size: its id
  std::string text{};     ///< text, path, method: the text or name
  std::shared_ptr<PythonObject> object{};
  std::shared_ptr<PythonObject> self{};
  SourcePlace place{};

  bool isNumber() const { return kind == Kind::number || kind == Kind::flag; }
  bool isTensor() const { return kind == Kind::tensor; }
  bool isSize() const { return kind == Kind::size; }
  /// A number, known now or once shapes are known.
  bool isScalar() const { return isNumber() || isSize(); }
  /// The items of a list, tuple or slice.
  const std::vector<PythonValue>& items() const;
  /// What messages call it: "a number", "a tensor".
  std::string shown() const;

  static PythonValue tensorOf(ValueId value, SourcePlace place);
  static PythonValue numberOf(double number, bool integer, SourcePlace place);
  static PythonValue flagOf(bool flag, SourcePlace place);
  static PythonValue textOf(std::string text, SourcePlace place);
  static PythonValue pathOf(std::string path, SourcePlace place);
  static PythonValue listOf(std::vector<PythonValue> items, bool tuple, SourcePlace place);
  static PythonValue sliceOfAll(SourcePlace place);  ///< `:`
  static PythonValue outsideOf(std::string why, SourcePlace place);
  /// A value that is computed from one that is left out, and is therefore left out, too.
  static PythonValue outsideFrom(const PythonValue& of, SourcePlace place);
};

/// Python's arithmetic on numbers: + - * / // % ** and comparisons. Throws ProgramError where
/// Python raises (division by zero, a complex result) and for operators that numbers do not have.
PythonValue foldBinary(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                       SourcePlace place);

/// Calls of Python's built-in functions and of those of math and numpy on numbers: "math.sqrt",
/// "float", "max". False if there is none of that name; throws ProgramError where Python raises.
bool foldCall(std::string_view path, std::span<const PythonValue> arguments, SourcePlace place,
              PythonValue& result);

/// "sqrt" of "math.sqrt" or "numpy.sqrt"; empty for other modules.
std::string_view mathName(std::string_view path);

/// Named numbers: "math.pi", "torch.inf". False if there is none of that name.
bool namedNumber(std::string_view path, double& number);

/// A number literal; throws ProgramError.
PythonValue numberLiteral(std::string_view text, SourcePlace place);

}  // namespace fusebench
