// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/language/ast.h"
#include "engine/language/program_batching.h"
#include "engine/language/program_builder.h"
#include "engine/language/python_object.h"
#include "engine/ops/promotion.h"

namespace fusebench {

struct AtenRow;
struct BuiltText;
struct SourceRecord;
struct Surroundings;
struct SurroundingRow;

/// Python's StopIteration: it ends the loop over an iterator; outside of a loop it is an error.
class StopIteration : public ProgramError {
 public:
  explicit StopIteration(SourcePlace place);
};

/// Evaluates Python: values that are known now become numbers, lists, functions and modules;
/// operations on tensors become ops of the program. Members throw ProgramError where Python would
/// raise, and for code that a program cannot have: choices by the values of tensors, and code that
/// takes more steps, calls or memory than any program needs.
class Evaluator {
 public:
  /// How a statement ends.
  enum class Flow : std::uint8_t { on, leave, next, returned };

  Evaluator(Program& program, ProgramBuilder& builder, Names& names);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  PythonValue evaluate(const ast::Expression& expression);
  Flow execute(const ast::Statement& statement);
  Flow execute(const ast::Block& block);
  /// The modes that a with statement puts around its block: evaluator_modes.cpp.
  BuildModes modesIn(const ast::Statement& with);
  /// Notes the names that it binds, and whether its contexts are left out of the program.
  bool isOwnContext(const ast::Expression& e);
  void noteContexts(const ast::Statement& with);
  /// Puts the mode of a decorator around the whole program. Throws ProgramError for a decorator
  /// that would turn the program into another function.
  void decorateProgram(const ast::Expression& decorator);
  /// The value of the last return.
  const PythonValue& returned() const { return returned_; }
  /// The expression of the last return of the program's own lines, as written.
  const std::string& returnedText() const { return returnedText_; }

  /// Sets the text that places and offsets count in.
  void setText(std::shared_ptr<const std::string> text) { programText_ = text_ = std::move(text); }
  /// Whether tensors that are made become inputs that belong to the program. This is so before the
  /// program begins.
  void setPreparing(bool preparing) {
    preparing_ = preparing ? 1 : 0;
    beside_ = preparing;
  }
  /// The class around the lines that follow, which super() is about. Null: none.
  void setClass(std::shared_ptr<PythonObject> type) { type_ = std::move(type); }
  /// Sets a record of the executed lines; null: there is none. See program_source.h.
  void setRecord(SourceRecord* record) { record_ = record; }
  static bool isModule(const PythonValue& value);
  /// A module and those within it, each after the one that contains it: the expression for it,
  /// empty if there is none, and whether it is in training mode.
  std::vector<std::pair<std::string, bool>> modesWithin(const PythonValue& module,
                                                        SourcePlace place);
  /// Classes of PyTorch's modules that are in training mode only because the text never set their
  /// mode.
  const std::set<std::string>& trainingByDefault() const { return trainingByDefault_; }
  /// The items of a list or tuple.
  std::vector<PythonValue> itemsOf(const PythonValue& list, SourcePlace place) {
    return iterated(list, place);
  }
  /// While this is set, statements are only read for their information about the program: a
  /// statement with an error is left out. Returns the previous object.
  Surroundings* setSurroundings(Surroundings* around) {
    lines_ = around;
    return std::exchange(around_, around);
  }
  /// Where the texts that exec() gets are stored; null: a call of it is an error.
  void setBuilt(std::vector<BuiltText>* built) { built_ = built; }
  /// Names outside of the program's function.
  Names& globals() { return globals_; }
  /// Assigns the ops since the last statement, which belong to none yet, to this statement.
  void finishStatement(const std::string& target, const PythonValue& value, const std::string& text,
                       SourcePlace place);
  /// Forgets ops that belong to no statement: called after an error, when they are removed.
  void forgetPending() { pending_ = program_.ops.size(); }

  PythonValue instantiate(const PythonValue& type, std::vector<CallArgument> arguments,
                          SourcePlace place);
  PythonValue bindMethod(const PythonValue& instance, const std::string& name, SourcePlace place);
  PythonValue functionOf(std::shared_ptr<const ast::Function> function);
  /// Names a module's tensors after the attributes that lead to them, after its own name if it has
  /// one. `expression`: the expression for the module in the text.
  void nameHeld(const PythonValue& instance, const std::string& own, const std::string& expression);
  /// The same for everything that is made outside of the program's function. Modules come before
  /// optimizers, which hold the modules' tensors.
  void nameHeldIn(const Names& names);
  /// Notes that a held tensor of this name is an input already.
  void setHeld(const std::string& name, ValueId input) { heldInputs_[name] = input; }
  /// The tensor for a value: held ones become inputs.
  PythonValue settled(const PythonValue& value);

 private:
  /// Records and evaluates a part of an expression that is evaluated conditionally.
  PythonValue evaluatePart(const ast::Expression& part);
  void notePart(const ast::Expression& part);
  /// Restores the state that a call, a frame or a library function changes.
  struct Saved;
  struct Context;
  struct Generator;
  class OuterFrame;

  // evaluator_names.cpp
  PythonValue name(const ast::Expression& e, bool called);
  void refuseUnassigned(const std::string& word, SourcePlace place) const;
  /// What a name is bound to in the code that is evaluated; null: nothing.
  const PythonValue* lookUp(std::string_view word) const;
  /// The names around code that is defined here. Null for code outside of functions, whose names
  /// are searched last.
  Names* namesAround() const;
  /// Binds a name in the scope that Python would bind it in.
  void bind(const std::string& name, const PythonValue& value, SourcePlace place);
  /// Executes `global` or `nonlocal`.
  void declareElsewhere(const ast::Statement& s);

  // evaluator_expressions.cpp
  PythonValue chain(const ast::Expression& e);
  PythonValue unary(const ast::Expression& e);
  PythonValue compare(const ast::Expression& e);
  PythonValue compareTwo(const std::string& symbol, const PythonValue& a, const PythonValue& b,
                         SourcePlace place);
  /// Index of a key in a dict; nothing: it is not there.
  std::optional<std::size_t> dictEntry(PythonObject& dict, const PythonValue& key,
                                       SourcePlace place);
  void refuseUndefined(const std::string& name, SourcePlace place) const;
  void noteUnfilled(const ast::Statement& s, const ProgramError& error);
  PythonValue contains(const PythonValue& item, const PythonValue& in, SourcePlace place);
  bool same(const PythonValue& a, const PythonValue& b, SourcePlace place);
  PythonValue logical(const ast::Expression& e);
  /// The truth of a tensor of one element, for which a call waits; `condition`: its expression.
  bool branchOn(const PythonValue& tensor, const ast::Expression& condition, SourcePlace place);
  PythonValue conditional(const ast::Expression& e);
  PythonValue sequence(const ast::Expression& e);
  PythonValue dict(const ast::Expression& e);
  PythonValue comprehension(const ast::Expression& e);
  void rounds(const ast::Expression& e, std::size_t clause, const PythonValue& over,
              std::vector<PythonValue>& into);
  PythonValue postfix(const ast::Expression& e);
  PythonValue slice(const ast::Expression& e);
  PythonValue format(const ast::Expression& e);
  PythonValue binary(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                     SourcePlace place);
  std::vector<CallArgument> arguments(const ast::Trailer& trailer);

  // evaluator_modes.cpp
  AutocastMode autocastOf(const std::string& path, const ast::Trailer& call, SourcePlace place);
  std::string pathOf(const ast::Expression& e);
  void enter(BuildModes& modes, const std::string& path, const ast::Expression& e);
  /// The modes that a function's decorators put around its computation.
  BuildModes modesOf(const ast::Function& function);
  /// The value that a function's decorators turn it into.
  PythonValue decorated(PythonValue function);
  /// The call that ops belong to while the code of one of our functions is read, if autocast knows
  /// that function as one op.
  ProgramBuilder::ListedCall listedCallOf(const PythonValue& function, const Names& arguments);

  // evaluator_surroundings.cpp
  Flow executeInside(const ast::Statement& s);
  Flow drive(const ast::Statement& s);
  Flow driveLine(const ast::Statement& s);
  Flow driveBranches(const ast::Statement& s);
  Flow driveLoop(const ast::Statement& s);
  Flow driveBlock(const ast::Block& block);
  void leaveOut(const ast::Statement& s, const ProgramError& error);
  void bindOutside(const ast::Expression& target, const std::string& why, SourcePlace place);
  bool isProgramCall(const PythonValue& callee, const std::vector<CallArgument>& arguments) const;
  /// Records the call that makes an object, if all of its arguments are literals.
  void noteMaking(const PythonValue& type, const std::vector<CallArgument>& arguments);
  void renameHeld(const PythonObject& held);
  void spawn(const std::vector<CallArgument>& given, SourcePlace place);
  /// Whether a call leaves nothing in a program, such as print(); `result` is then its value.
  bool passedOver(const PythonValue& callee, const ast::Trailer& call, PythonValue& result);
  void note(SourcePlace place, const std::string& text);
  Flow attempt(const ast::Statement& s);
  Flow match(const ast::Statement& s);
  bool matches(const PythonValue& value, const ast::Expression& pattern);

  // evaluator_statements.cpp
  Flow condition(const ast::Statement& s);
  Flow loop(const ast::Statement& s);
  Flow whileLoop(const ast::Statement& s);
  Flow with(const ast::Statement& s);
  void check(const ast::Statement& s);
  void yield(const ast::Statement& s);
  /// The condition of an if or an assert, without `not`, each of which inverts `expected`.
  PythonValue asked(const ast::Expression& e, bool& expected);
  std::string raised(const ast::Statement& s);
  void raise(const ast::Statement& s);
  void defineClass(const ast::Statement& s);
  void noteStatement(const ast::Statement& s);
  Flow forget(const ast::Statement& s);
  void noteNames(const ast::Expression& target, const std::string& text, SourcePlace place);

  // evaluator_assignments.cpp
  void assign(const ast::Expression& target, const PythonValue& value);
  void unpack(const ast::Expression& target, const PythonValue& value);
  void augmented(const ast::Statement& s);
  void remove(const ast::Expression& target);
  struct ItemPlace {
    PythonValue of;
    std::vector<PythonValue> items;
    bool tuple = false;
    SourcePlace place;
  };
  ItemPlace itemPlace(const ast::Expression& target);
  void setAttribute(const PythonValue& of, const std::string& name, const PythonValue& value,
                    SourcePlace place);

  // evaluator_calls.cpp
  PythonValue call(const PythonValue& callee, std::vector<CallArgument> arguments,
                   SourcePlace place);
  PythonValue callFunction(const PythonValue& function, std::vector<CallArgument> arguments,
                           SourcePlace place);
  /// Runs a function's body once its arguments have names. `generator`: set if it is one.
  PythonValue runBody(const PythonValue& function, Names& scope, SourcePlace place,
                      Generator* generator = nullptr);
  void checkCalls(SourcePlace place) const;
  void bindParameters(const PythonValue& function, std::vector<CallArgument>& arguments,
                      SourcePlace place, Names& scope);
  void spellShapes(std::vector<CallArgument>& arguments);
  PythonValue callPath(const PythonValue& callee, std::vector<CallArgument> arguments,
                       SourcePlace place);
  /// Evaluates one of our own expressions with the names of a scope, as in a call of a library
  /// function. Its ops are in a frame of that name, if there are several.
  PythonValue evaluateIn(Names& scope, const ast::Expression& expression, const std::string& name,
                         SourcePlace place);
  // evaluator_transforms.cpp
  /// Calls of the primitives that library/transforms.py uses. False: the path names none.
  bool transformCall(const std::string& path, std::vector<CallArgument>& arguments,
                     SourcePlace place, PythonValue& result);
  /// Maps a function of one example over whole batches: see Batching.
  PythonValue batched(const PythonValue& function, const PythonValue& tensors,
                      Batching::Draws draws, SourcePlace place);
  PythonValue withMembers(const PythonValue& module, const PythonValue& members,
                          const PythonValue& function, SourcePlace place);
  /// A value with its tensors changed, also those in lists and dicts within it.
  PythonValue ofEach(const PythonValue& value, SourcePlace place,
                     const std::function<PythonValue(const PythonValue&)>& change);
  // evaluator_aten.cpp
  void bindAten(const AtenRow& row, const std::string& path, std::vector<CallArgument>& arguments,
                SourcePlace place, Names& scope);
  PythonValue callAten(const std::string& path, std::vector<CallArgument> arguments,
                       SourcePlace place);
  /// Handles the functions other than torch's that the texts of exported graphs call. False: `path`
  /// is none of them.
  bool exportedCall(const std::string& path, std::vector<CallArgument>& arguments,
                    SourcePlace place, PythonValue& result);
  /// A tuple with items that are computed when they are first read: an item that is never read is
  /// not launched. Each has the values that it would have if the call had computed it.
  struct PendingTuple {
    std::weak_ptr<PythonObject> tuple;
    BuildModes modes;  ///< the call's modes
  };
  /// Computes an item of a list or a tuple if it is pending.
  const PythonValue& itemAt(PythonObject& list, std::size_t at, SourcePlace place);
  /// Computes all items of a list or a tuple that are pending; other values are left alone.
  void computeItems(const PythonValue& value, SourcePlace place);
  /// Computes the pending items that read memory of `root`, which is about to be written.
  void computeReadersOf(ValueId root, SourcePlace place);
  bool readsMemoryOf(const PythonValue& value, ValueId root) const;
  // evaluator_ranks.cpp
  std::string pathOfCall(const ast::Expression& e);
  bool rankStatement(const ast::Expression& e);
  bool rankCall(const std::string& path, SourcePlace place, PythonValue& result);
  PythonValue checkpointed(std::vector<CallArgument> arguments, SourcePlace place);
  PythonValue callHooked(const PythonValue& callee, const char* method,
                         std::vector<CallArgument> arguments, SourcePlace place);
  PythonValue callInstance(const PythonValue& callee, std::vector<CallArgument> arguments,
                           SourcePlace place);
  PythonValue callMethod(const PythonValue& callee, std::vector<CallArgument> arguments,
                         SourcePlace place);
  PythonValue inFormat(const PythonValue& self, const std::string& name,
                       std::vector<CallArgument> arguments, SourcePlace place);
  void enterFrame(Frame::Kind kind, const std::string& name, SourcePlace place);

  // evaluator_values.cpp: attributes, items and methods of values that are not tensors.
  PythonValue attribute(const PythonValue& of, const std::string& name, SourcePlace place,
                        bool called);
  const PythonValue* classAttribute(const std::shared_ptr<PythonObject>& type,
                                    std::string_view name) const;
  PythonValue bound(const PythonValue& found, const PythonValue& self) const;
  PythonValue subscript(const PythonValue& of, const std::vector<PythonValue>& items, bool tuple,
                        SourcePlace place);
  /// The items in a tensor's brackets, with lists of ints as tensors of integers.
  std::vector<PythonValue> indexItems(const std::vector<PythonValue>& items, bool tuple,
                                      SourcePlace place);
  PythonValue indexList(const PythonValue& list, bool alone, SourcePlace place);
  /// Applies the ints next to an index first, as PyTorch does: leaves the resulting view and its
  /// items.
  void takeInts(PythonValue& of, std::vector<PythonValue>& items, SourcePlace place);
  /// Several adjacent tensors of integers among an index's items.
  struct IndexRun {
    std::size_t first = 0, count = 0;  ///< items; count 0 if there is only one tensor
    int dim = 0;  ///< dimension that the first one indexes; negative: counted from the end
  };
  IndexRun indexRun(const std::vector<PythonValue>& items, SourcePlace place);
  /// Calls a library function with a tensor, a dimension, and the indices of a run.
  PythonValue callOfIndices(const char* function, const PythonValue& of,
                            const std::vector<PythonValue>& items, const IndexRun& run,
                            SourcePlace place);
  /// Merges several index tensors into one. The dimensions that they index are merged, too.
  void mergeIndices(PythonValue& of, std::vector<PythonValue>& items, SourcePlace place);
  /// Writes at several index tensors, in place. False: there is only one.
  bool putByIndices(const PythonValue& into, std::vector<PythonValue> items,
                    const PythonValue& value, SourcePlace place);
  PythonValue itemOf(const std::vector<PythonValue>& items, const PythonValue& index,
                     const PythonValue& of, SourcePlace place);
  // evaluator_selections.cpp: what a mask selects.
  static bool isSelection(const PythonValue& value);
  static SelectedValues selectionOf(const PythonValue& value);
  /// x[mask] of a tensor.
  PythonValue selection(const PythonValue& of, const std::vector<PythonValue>& items,
                        SourcePlace place);
  PythonValue subscriptOfSelection(const PythonValue& of, const std::vector<PythonValue>& items,
                                   SourcePlace place);
  PythonValue methodOfSelection(const PythonValue& self, const std::string& name,
                                const std::vector<CallArgument>& arguments, SourcePlace place);
  PythonValue callLifted(const char* method, const PythonValue& self,
                         std::vector<PythonValue> first, const std::vector<CallArgument>& arguments,
                         SourcePlace place);
  bool selectionCall(const std::string& path, const std::vector<CallArgument>& arguments,
                     SourcePlace place, PythonValue& result);
  PythonValue elementwise(const PythonValue& function, int lead,
                          const std::vector<PythonValue>& wholes, SourcePlace place);
  void assignItem(const PythonValue& of, const std::vector<PythonValue>& items, bool tuple,
                  const PythonValue& value, SourcePlace place);
  /// All items that a for loop goes through.
  std::vector<PythonValue> iterated(const PythonValue& over, SourcePlace place);
  static PythonValue iteratorOver(std::vector<PythonValue> items, SourcePlace place,
                                  Iterating how = Iterating::items);
  /// iter() of a value: an iterator, or an instance with __next__.
  PythonValue iteratorOf(const PythonValue& over, SourcePlace place);
  /// next() of the result of iteratorOf(); nothing at its end.
  std::optional<PythonValue> nextOf(const PythonValue& iterator, SourcePlace place);
  std::optional<PythonValue> nextItem(PythonObject& from, SourcePlace place);
  // evaluator_generators.cpp
  Context context() const;
  void setContext(const Context& to);
  PythonValue generatorOf(const PythonValue& function, Names& scope, SourcePlace place);
  void goOn(Generator& generator);
  std::optional<PythonValue> nextGiven(const std::shared_ptr<void>& of, SourcePlace place);
  /// Called in a generator: pauses until the next item is requested.
  void give(const PythonValue& item);
  PythonValue listMethod(const PythonValue& self, const std::string& name,
                         const std::vector<CallArgument>& arguments, SourcePlace place);
  PythonValue dictMethod(const PythonValue& self, const std::string& name,
                         const std::vector<CallArgument>& arguments, SourcePlace place);
  PythonValue textMethod(const PythonValue& self, const std::string& name,
                         const std::vector<CallArgument>& arguments, SourcePlace place);
  /// The items of a set of these values.
  std::vector<PythonValue> eachOnce(std::vector<PythonValue> items, SourcePlace place);
  PythonValue topkPlaces(const PythonValue& callee, std::vector<CallArgument> arguments,
                         SourcePlace place);
  /// A value formatted by the part after the colon: "02d", ".3f"; empty: as str() shows it.
  std::string withFormat(const PythonValue& value, std::string_view spec, SourcePlace place);
  /// "%d" % i.
  PythonValue percentFormat(const PythonValue& text, const PythonValue& values, SourcePlace place);
  /// "{}".format(i).
  PythonValue braceFormat(const std::string& raw, const std::vector<CallArgument>& arguments,
                          SourcePlace place);
  /// The text with the values of its braces inserted, those of braces in a format included. `next`:
  /// the value that braces without a name take.
  std::string braced(std::string_view raw, const std::vector<CallArgument>& arguments,
                     std::size_t& next, int depth, SourcePlace place);
  /// The text between an f-string's quotes.
  std::string formatted(const std::string& raw, int depth, SourcePlace place);
  PythonValue converted(const PythonValue& value, std::string_view conversion, SourcePlace place);
  /// A value as it is written in a program: a text has quotes.
  std::string writtenText(const PythonValue& value, SourcePlace place);
  /// A member of a module, with the name that PyTorch gives it: "layers.0.weight".
  struct NamedMember {
    std::string name;
    PythonValue value;
  };
  enum class Members : std::uint8_t { parameters, buffers, modules, children };
  /// Its own tensors and modules, each once.
  std::vector<NamedMember> membersOf(const PythonValue& module) const;
  /// Also those of the modules within it, each once, in PyTorch's order. `prefix`: beginning of
  /// their names. `recurse`: false: only its own.
  std::vector<NamedMember> membersWithin(const PythonValue& module, Members members,
                                         SourcePlace place, const std::string& prefix = {},
                                         bool recurse = true);
  /// Parameters or buffers of a module and of those within it, each once, in PyTorch's order.
  std::vector<PythonValue> heldOf(const PythonValue& module, bool parameters, SourcePlace place);
  bool namedMembers(const PythonValue& self, const std::string& name,
                    const std::vector<CallArgument>& arguments, SourcePlace place,
                    PythonValue& result);
  /// Adds a hook to a module. False: the method is another one.
  bool addHook(const PythonValue& self, const std::string& name,
               const std::vector<CallArgument>& arguments, SourcePlace place, PythonValue& result);
  PythonValue moduleMethod(const PythonValue& self, const std::string& name,
                           const std::vector<CallArgument>& arguments, SourcePlace place);
  /// Whether a module trains: PyTorch's do until .eval().
  PythonValue trainingOf(const PythonValue& module, SourcePlace place);
  /// .train(mode) of a module and those within it; .eval() is .train(False).
  void setTraining(const PythonValue& module, bool training, SourcePlace place);
  using CopiedObjects = std::map<const PythonObject*, std::shared_ptr<PythonObject>>;
  /// copy.deepcopy: an object shared by several is also shared by their copies.
  PythonValue copiedDeep(const PythonValue& value, CopiedObjects& known, SourcePlace place);
  PythonValue copied(const PythonValue& value, bool deep, SourcePlace place);
  std::string shownText(const PythonValue& value, SourcePlace place);
  /// A value as a text contains it: the number that a size has. A message shows the size itself.
  PythonValue inText(const PythonValue& value, SourcePlace place);
  /// Whether a text that is made now is only shown: it is part of a message, or the library's.
  bool isMessage() const { return messages_ > 0 || inLibrary_ > 0; }
  /// The text of a message that no later code reads; nothing: it is not a text.
  std::optional<std::string> messageOf(const ast::Expression& e);

  // evaluator_dataclasses.cpp
  /// Makes a class a dataclass if it has the decorator. `s`: its statement.
  void decorateClass(PythonObject& type, const ast::Statement& s);
  void addOwnFields(PythonObject& type, const ast::Statement& s, DataClass& data, bool keywordOnly);
  /// The nearest class whose __init__ makes objects of a type, if it is a dataclass; otherwise
  /// null.
  static const PythonObject* madeByFields(const PythonObject& type);
  /// The nearest dataclass among a type and its bases; null: none.
  static const DataClass* dataOf(const std::shared_ptr<PythonObject>& type);
  /// The values that a call gives to fields; throws for other arguments. `shown`: the call.
  std::map<std::string_view, PythonValue> givenFields(const std::string& shown,
                                                      const DataClass& data,
                                                      const std::vector<CallArgument>& arguments,
                                                      SourcePlace place);
  void makeFromFields(const PythonValue& made, const DataClass& data,
                      std::vector<CallArgument> arguments, SourcePlace place);
  void putAttribute(PythonObject& of, const std::string& name, const PythonValue& value,
                    SourcePlace place);
  /// dataclasses.replace and similar functions. False: it is none of them.
  bool dataclassCall(const std::string& path, std::vector<CallArgument>& arguments,
                     SourcePlace place, PythonValue& result);
  PythonValue plainData(const PythonValue& value, bool tuple, SourcePlace place);

  // evaluator_named_tuples.cpp
  /// Makes a class derived from typing.NamedTuple one whose objects are tuples.
  void decorateTuple(PythonObject& type, const ast::Statement& s);
  /// collections.namedtuple("C", "a b"). False: another function.
  bool tupleCall(const std::string& path, const std::vector<CallArgument>& arguments,
                 SourcePlace place, PythonValue& result);
  PythonValue makeTuple(const PythonValue& type, const DataClass& data,
                        const std::vector<CallArgument>& arguments, SourcePlace place);
  /// A field of a tuple with names, or an attribute of its class. False: it has none of this name.
  bool tupleAttribute(const PythonValue& of, const std::string& name, SourcePlace place,
                      PythonValue& result);
  /// The same for the class itself: ._fields, ._make. False: it is another class.
  bool tupleClassAttribute(const PythonValue& of, const std::string& name, SourcePlace place,
                           PythonValue& result);
  /// ._replace and ._asdict. False: another method.
  bool tupleMethod(const PythonValue& self, const std::string& name,
                   const std::vector<CallArgument>& arguments, SourcePlace place,
                   PythonValue& result);
  /// functools.partial(f, ...): a value that is called as f with these arguments before the others.
  PythonValue partialOf(const std::vector<CallArgument>& arguments, SourcePlace place);
  PythonValue callPartial(const PythonValue& callee, std::vector<CallArgument> arguments,
                          SourcePlace place);

  // evaluator_own_gradients.cpp
  enum class Linear : std::uint8_t { no, yes, pointwise };
  /// Whether a value depends on another one linearly, by the ops after `firstOp`.
  Linear linearity(ValueId from, ValueId to, std::size_t firstOp) const;
  void forgetOps(std::size_t ops, std::size_t checks);
  /// A value whose derivative is what a function's own backward computes; none if backward is not
  /// linear. `inputs`: those of the function, None for what has no gradient.
  PythonValue carrier(const PythonValue& backward, const PythonValue& made,
                      const std::vector<PythonValue>& inputs, SourcePlace place);
  bool sameShape(const PythonValue& made, const std::vector<PythonValue>& inputs);

  // evaluator_collections.cpp: defaultdict, Counter and deque.
  bool collectionCall(const std::string& path, std::vector<CallArgument>& arguments,
                      SourcePlace place, PythonValue& result);
  void count(const PythonValue& counter, const CallArgument& what, double sign, SourcePlace place);
  std::optional<PythonValue> missingEntry(const PythonValue& dict, const PythonValue& key,
                                          SourcePlace place);
  bool counterMethod(const PythonValue& self, const std::string& name,
                     const std::vector<CallArgument>& arguments, SourcePlace place,
                     PythonValue& result);
  void shortened(const PythonValue& deque, bool left, SourcePlace place);
  bool dequeMethod(const PythonValue& self, const std::string& name,
                   const std::vector<CallArgument>& arguments, SourcePlace place,
                   PythonValue& result);

  // evaluator_attributes.cpp
  enum class Attribute : std::uint8_t { none, data, method };
  /// The kind of attribute that a value has under a name.
  Attribute attributeKind(const PythonValue& of, const std::string& name);

  // evaluator_known.cpp: tensors of numbers that are known while the program is read.
  /// The numbers that a tensor consists of; nothing: they are not known.
  static std::optional<std::vector<PythonValue>> knownItems(const PythonValue& value,
                                                            SourcePlace place);
  /// A call or a method of a tensor of known numbers whose result is known too: int(), .item(),
  /// .tolist() or a fold such as sum(). False: it is none of these.
  bool knownCall(const std::string& path, const std::vector<CallArgument>& arguments,
                 SourcePlace place, PythonValue& result);
  std::optional<PythonValue> knownFold(std::string_view name, const PythonValue& of,
                                       SourcePlace place);
  /// torch.tensor(x.shape): notes the tensor's items.
  static void noteItems(const std::string& path, const std::vector<CallArgument>& arguments,
                        std::shared_ptr<PythonObject>& items);

  // evaluator_layouts.cpp: where a tensor's elements are in memory.
  /// A method of a tensor, or of its storage, that returns layout data. False: it is not one.
  bool layoutMethod(const PythonValue& self, const std::string& name,
                    const std::vector<CallArgument>& arguments, SourcePlace place,
                    PythonValue& result);
  /// The same for attributes: .nbytes, .itemsize.
  bool layoutAttribute(const PythonValue& self, const std::string& name, SourcePlace place,
                       PythonValue& result);
  ValueLayout knownLayout(const PythonValue& self, const std::string& name, SourcePlace place);
  static bool isStorage(const PythonValue& value);

  /// eval() and exec() of a known text. False: it is neither.
  bool textCall(const PythonValue& callee, const std::vector<CallArgument>& arguments,
                const ast::Expression& e, PythonValue& result);

  // evaluator_builtins.cpp
  bool builtin(const std::string& name, std::vector<CallArgument>& arguments, SourcePlace place,
               PythonValue& result);
  PythonValue range(const std::vector<CallArgument>& arguments, SourcePlace place);
  PythonValue lengthOf(const PythonValue& value, SourcePlace place);
  bool isInstance(const PythonValue& value, const PythonValue& type, SourcePlace place);
  /// Throws where an int beyond 2**53, which is not exact here, meets integers.
  void refuseInexact(const std::string& path, const PythonValue* self,
                     const std::vector<CallArgument>& arguments, SourcePlace place);
  int order(const PythonValue& a, const PythonValue& b, SourcePlace place);
  OperandType operandTypeOf(const PythonValue& value, const std::string& path, SourcePlace place);
  bool scalarCall(const std::string& path, const std::vector<CallArgument>& arguments,
                  SourcePlace place, PythonValue& result);

  // evaluator_sizes.cpp
  bool truth(const PythonValue& value, SourcePlace place, const std::string& what);
  std::int64_t knownInteger(const PythonValue& value, const std::string& what, SourcePlace place);
  PythonValue extentOf(ValueId tensor, int dim, SourcePlace place);
  /// All extents; the rank must be known.
  std::vector<PythonValue> extents(const PythonValue& shape, SourcePlace place);
  std::vector<PythonValue> unpackedShape(const PythonValue& shape, std::size_t before,
                                         std::size_t after, bool rest, SourcePlace place);
  PythonValue shapeItem(const PythonValue& shape, const PythonValue& index, SourcePlace place);
  /// size(), dim(), numel() of a tensor.
  PythonValue tensorSize(const PythonValue& tensor, const std::string& name,
                         const std::vector<CallArgument>& arguments, SourcePlace place);

  // evaluator_held.cpp: tensors that are made before the program begins.
  bool heldCall(const std::string& path, const std::vector<CallArgument>& arguments,
                SourcePlace place, PythonValue& result);
  bool numpyCall(const std::string& name, const std::vector<CallArgument>& arguments,
                 SourcePlace place, PythonValue& result);
  bool heldMethod(const PythonValue& self, const std::string& name,
                  const std::vector<CallArgument>& arguments, SourcePlace place,
                  PythonValue& result);
  bool heldBinary(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                  SourcePlace place, PythonValue& result);
  bool heldSubscript(const PythonValue& of, const std::vector<PythonValue>& items,
                     PythonValue& result);
  /// model.half(), model.to(torch.bfloat16): converts all of its float tensors to another dtype.
  void castModule(const PythonValue& module, const std::string& name,
                  const std::vector<CallArgument>& arguments, SourcePlace place);
  void initialize(const std::string& name, const std::vector<CallArgument>& arguments,
                  SourcePlace place);
  PythonValue held(InitialValues initial, SourcePlace place) const;
  Shape extentsGiven(const std::vector<CallArgument>& arguments, std::size_t first,
                     SourcePlace place);
  void numbersOf(const PythonValue& list, InitialValues& into, int depth, SourcePlace place);

  /// Whether the lines that are evaluated are outside of any function and are themselves the
  /// program.
  bool inScript() const { return calls_ == 0 && preparing_ == 0 && !main_.declared; }

  // evaluator_operators.cpp
  bool ownOperator(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                   SourcePlace place, PythonValue& result);
  bool ownOperatorInPlace(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                          SourcePlace place, PythonValue& result);
  PythonValue imaginary(const std::string& literal, SourcePlace place);
  bool complexCall(const std::string& path, const PythonValue* self,
                   const std::vector<CallArgument>& arguments, SourcePlace place,
                   PythonValue& result);
  bool libraryObjectCall(const std::string& path, const std::vector<CallArgument>& arguments,
                         SourcePlace place, PythonValue& result);

  // evaluator_library.cpp
  /// The library's function for a call with an argument that the op's row does not take; null: the
  /// row suffices. `self`: 1 for a method, otherwise 0.
  const PythonValue* fullerForm(std::string_view path, const std::vector<CallArgument>& arguments,
                                std::size_t self);
  /// The library's definition of a function or class of PyTorch; null if there is none.
  const PythonValue* libraryFind(const std::string& path);
  const PythonValue* libraryNamed(std::string_view name);
  /// Reads the library's definitions, once.
  void readLibrary();

  /// Counts work; throws past the limit. `count`: number of items that are made.
  void step(SourcePlace place, std::size_t count = 1);
  /// Counts steps for items that are only read, which costs far less than one step per item.
  void search(SourcePlace place, std::size_t among);
  /// Throws if putting `value` into `into` would make an object that contains itself.
  void refuseCycle(const PythonValue& value, const PythonObject& into, SourcePlace place);
  void refuseCounting(const PythonValue& of, const std::string& name, const PythonValue& value,
                      SourcePlace place);
  /// Notes that a call reads an entry of a dict that outlives it.
  void noteRead(const PythonValue& dict, const PythonValue& key) const;
  /// The same as refuseCounting() for such an entry.
  void refuseCountingEntry(const PythonValue& dict, const PythonValue& key,
                           const PythonValue& before, const PythonValue& value, SourcePlace place);
  /// Counts the depth of nested calls.
  struct Deeper {
    Deeper(Evaluator& of, SourcePlace place);
    ~Deeper() { --depth; }
    int& depth;
  };
  std::string sourceOf(std::size_t begin, std::size_t end) const;

  Program& program_;
  ProgramBuilder& builder_;
  Names& main_;   ///< names of the program's own lines
  Names* names_;  ///< names of the code that is evaluated
  Names globals_;
  std::deque<Names> scopes_;  ///< scopes of calls: functions made in them may outlive these
  Names library_;
  bool libraryRead_ = false;
  std::shared_ptr<const std::string> programText_;
  std::shared_ptr<const std::string> text_;
  std::vector<PendingTuple> pendingTuples_;
  std::size_t pending_ = 0;  ///< the first op that belongs to no statement yet
  PythonValue returned_;
  Generator* generator_ = nullptr;      ///< the running one
  std::vector<Generator*> generators_;  ///< all generators
  std::string returnedText_;
  std::shared_ptr<PythonObject> type_;  ///< the class around the function that runs
  /// By function: see assignedIn().
  std::map<const ast::Function*, std::shared_ptr<const std::set<std::string, std::less<>>>>
      assigned_;
  std::map<std::string, ValueId> heldInputs_;
  std::set<std::string> trainingByDefault_;
  int preparing_ = 0;
  int batching_ = 0;  ///< depth of functions that batched() records: their lines are not statements
  bool beside_ = false;  ///< the running code is outside the program's function, and runs once
  int inLibrary_ = 0;
  int inWhile_ = 0;      ///< depth of conditions of `while` that are evaluated
  bool quoted_ = false;  ///< evaluating an expression of an f-string, which has its own offsets
  int messages_ = 0;     ///< depth of messages whose text is being made
  SourceRecord* record_ = nullptr;
  Surroundings* around_ = nullptr;
  Surroundings* lines_ = nullptr;  ///< the same, also within methods that the lines call
  std::vector<BuiltText>* built_ = nullptr;
  int frame_ = -1;
  int calls_ = 0;
  int depth_ = 0;
  std::int64_t steps_ = 0;
  int unfilledLine_ = 0;  ///< a line that calls exec and is left out; 0: there is none
  std::string unfilledWhy_;
  int temporaries_ = 0;
};

/// The names that a function with this body binds, and does not declare to be of another scope.
std::shared_ptr<const std::set<std::string, std::less<>>> assignedIn(const ast::Block& body);

/// As Python shows it: 1e-05, 100000.0, inf.
std::string shownFloat(double number);

/// The longest list that a loop, a repetition or a generator may make.
inline constexpr std::size_t kLongestList = 100000;

/// A piece of a text on one line: line breaks and comments become single spaces.
std::string onOneLine(std::string_view text);

/// The full name of a module that pasted code uses without its import; empty if there is none.
std::string_view knownModule(std::string_view name);
bool isPythonBuiltin(std::string_view name);
/// Whether a function is defined with this decorator: "property".
bool hasDecorator(const PythonValue& function, std::string_view name);
/// Whether a dotted name is an operation registered by PyTorch: "torch.ops.aten.add.Tensor".
bool isAtenPath(std::string_view path);

}  // namespace fusebench
