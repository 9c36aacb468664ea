// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/language/ast.h"
#include "engine/language/python_value.h"

namespace fusebench {

/// The bindings of names at a point of a program: in a function's call, or in the text around
/// functions.
struct Names {
  /// The code that the names belong to. Functions do not see the names of a class around them.
  enum class Of : std::uint8_t { lines, classBody, comprehension };
  std::map<std::string, PythonValue, std::less<>> bound;
  bool declared = false;   ///< a def header lists the inputs; else an unknown name is a new input
  Names* outer = nullptr;  ///< the names to search next
  Of of = Of::lines;
  /// Names that a function's own lines bind, wherever they do; null: not known.
  std::shared_ptr<const std::set<std::string, std::less<>>> assigned{};
  /// Names that a statement declares to be of another scope: whether it is `global`.
  std::map<std::string, bool, std::less<>> elsewhere{};
};

/// The items that an iterator produces: its object's items. Or its object's items are iterators,
/// preceded by a function for `mapped` and `filtered`, and it produces tuples of their items, pairs
/// of a count and an item, the function's results, or the items that the function is true for. Or a
/// generator's items.
enum class Iterating : std::uint8_t { items, zipped, counted, mapped, filtered, generated };

/// A field of a dataclass.
struct DataField {
  std::string name;
  bool hasFallback = false;
  PythonValue fallback{};
  PythonValue factory{};     ///< makes a value for each object; kind none: there is none
  bool init = true;          ///< the class is called with it
  bool keywordOnly = false;  ///< passed by keyword only
  bool stored = true;        ///< false: an InitVar, which only __post_init__ gets
};

/// The settings and fields that @dataclass gives a class.
struct DataClass {
  std::vector<DataField> fields;  ///< those of its bases first
  bool frozen = false;
  bool init = true;    ///< its objects are made from the fields
  bool equal = true;   ///< objects are equal if all fields are
  bool tuple = false;  ///< its objects are tuples whose items have names: typing.NamedTuple
};

/// Throws if a field without a default follows one that has a default. `name`: the class.
void refuseOrder(const DataClass& data, const std::string& name, SourcePlace place);

/// Positions in a dict of keys that are texts or numbers, as most are. Added keys are found at the
/// next search; call forget() after an item is removed.
class KeyPlaces {
 public:
  using Entries = std::vector<std::pair<PythonValue, PythonValue>>;
  /// A text that equal keys share; empty: the key is neither a text nor a number.
  static std::string shared(const PythonValue& key);

  /// Takes in added entries. Returns their number.
  std::size_t follow(const Entries& entries);
  std::optional<std::size_t> find(const std::string& shared) const;
  /// The places of keys that are neither texts nor numbers.
  const std::vector<std::size_t>& others() const { return others_; }
  void forget();

 private:
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::size_t> others_;
  std::size_t followed_ = 0;
};

/// What values share: two names for one list see each other's changes, as in Python.
struct PythonObject {
  PythonObject() = default;
  /// Releases what it holds one after the other: lists may be nested deeper than the stack allows.
  ~PythonObject();
  PythonObject(const PythonObject&) = delete;
  PythonObject& operator=(const PythonObject&) = delete;

  std::vector<PythonValue> items;                            ///< list, slice, iterator
  std::vector<std::pair<PythonValue, PythonValue>> entries;  ///< dict, in order
  /// Dict: a line that may put keys into it and is left out, and why; 0: there is none.
  int leftOutLine = 0;
  std::string leftOutWhy;
  KeyPlaces keys;  ///< dict: positions of keys in `entries`
  std::map<std::string, PythonValue, std::less<>> attributes;  ///< instance, class
  std::vector<std::string> order;  ///< instance: its modules' names, in order
  std::string name;                ///< class: its own; instance: the name that it was assigned to
  std::string path;                ///< instance, held: the expression for it
  std::shared_ptr<PythonObject> type;  ///< instance, tuple with names: its class
  /// Function: the class that contains it.
  std::weak_ptr<PythonObject> around;
  std::shared_ptr<const DataClass> data;             ///< class: a dataclass
  std::vector<std::shared_ptr<PythonObject>> bases;  ///< class
  std::shared_ptr<const ast::Function> function;
  /// Function that a decorator put in the place of another: that one's decorators.
  std::vector<std::string> decorators;
  std::vector<PythonValue> fallbacks;  ///< function: its parameters' defaults; kind none: none
  Names* scope = nullptr;              ///< function: where it was defined
  bool library = false;                ///< function, class: ours, not the text's
  bool lazy = false;      ///< list, dict: functions in it are evaluated to results when read
  bool outlives = false;  ///< instance, dict: made once, outside of the program's function
  /// Attributes or keys that a call uses of such an object: whether the call reads it before it
  /// sets it.
  std::map<std::string, bool, std::less<>> asked;
  Iterating iterating = Iterating::items;  ///< iterator
  std::size_t next = 0;                    ///< iterator: number of items produced
  std::int64_t start = 0;                  ///< iterator: the first count
  std::shared_ptr<void> generator;         ///< iterator: the evaluator's own
  InitialValues initial;                   ///< held
  ValueId input = -1;                      ///< held: the input that it has become
  bool parameter = false;                  ///< held: it is trained
};

/// Whether `is` holds for a class or any of its bases.
template <class Is>
bool comesFrom(const PythonObject* of, const Is& is) {
  std::vector<const PythonObject*> open{of};
  for (std::size_t i = 0; i < open.size() && i < 1000; ++i) {
    if (is(*open[i])) return true;
    for (const auto& base : open[i]->bases) open.push_back(base.get());
  }
  return false;
}

/// Whether a class is one of PyTorch's optimizers or scales their losses. Such an object is made
/// next to the model and keeps its state from call to call.
inline bool isStepper(const std::shared_ptr<PythonObject>& type) {
  return type && type->library &&
         (type->name.starts_with("optim_") || type->name.starts_with("lr_scheduler_") ||
          type->name.ends_with("amp_GradScaler"));
}

/// Whether `of` is reachable from `from`: putting `from` into `of` would make an object that
/// contains itself. `visited`: number of objects that were examined.
bool reaches(const PythonValue& from, const PythonObject& of, std::size_t& visited);

}  // namespace fusebench
