// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/input_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "engine/language/exported_text.h"
#include "engine/language/indexed_inputs.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_exec.h"
#include "engine/language/program_parser.h"
#include "engine/language/program_script.h"
#include "engine/language/program_sizes.h"
#include "engine/language/shape_hints.h"
#include "engine/ops/ops.h"

namespace fusebench {
namespace {

constexpr std::int64_t kUsualRows = 8, kUsualColumns = 16, kUsualImage = 32;
/// Sizes that are tried for one extent, and readings of a text for all.
constexpr std::size_t kMostSizes = 14;
constexpr int kMostTrials = 600;
/// Ops after which a program is only read for a few candidates.
constexpr std::size_t kLongProgram = 400;

/// Reads a text up to the header of its function.
class HeaderReader : public ProgramParser {
 public:
  HeaderReader(std::string_view text, std::vector<Token> tokens)
      : ProgramParser(text, std::move(tokens)) {}

  const Program& read() {
    while (!names_.declared && now().kind != Token::Kind::end) line();
    return program_;
  }
  const ProgramLayout& layout() const { return layout_; }
};

/// How far a program gets on inputs: past what fails, and how.
struct Reached {
  int stage = 0;  ///< 0: it is not read, 1: an op does not fit, 2: all fits
  std::int64_t at = 0;
  std::string error;
  SourcePlace place;

  bool fits() const { return stage == 2; }
  bool operator<(const Reached& other) const {
    return std::pair(stage, at) < std::pair(other.stage, other.at);
  }
};

/// Tries types of inputs on a program.
class Trials {
 public:
  Trials(std::string_view text, std::vector<std::string> names)
      : text_(text), names_(std::move(names)) {
    try {
      general_ = parseProgram(text_, {});
    } catch (const ProgramError& error) {
      why_ = error.what();
    }
  }

  /// For sizes that are named in a module's weights.
  const std::optional<Program>& general() const { return general_; }
  const std::optional<Program>& last() const { return last_; }

  Reached reach(const std::vector<ValueType>& types) {
    ++count_;
    Reached reached;
    ProgramHints hints;
    for (std::size_t i = 0; i < names_.size(); ++i) hints[names_[i]] = types[i];
    const bool again = !general_ || general_->asksDtypes || !sameInputs(*general_);
    try {
      last_ = again ? parseProgram(text_, hints) : *general_;
    } catch (const ProgramError& error) {
      reached.at = error.place().line;
      reached.error = error.what();
      reached.place = error.place();
      return reached;
    }
    reached.stage = 1;
    infer(*last_, hints, reached);
    return reached;
  }
  bool exhausted() const {
    const std::size_t ops = general_ ? general_->ops.size() : 0;
    return count_ > (ops > kLongProgram ? kMostTrials / 8 : kMostTrials);
  }
  const std::vector<ValueType>& values() const { return values_; }

 private:
  /// Whether the program has these inputs and no others, apart from its weights.
  bool sameInputs(const Program& program) const {
    return program.inputs.size() - program.held.size() == names_.size() &&
           std::ranges::all_of(names_, [&](const std::string& name) {
             return std::ranges::find(program.inputs, name) != program.inputs.end();
           });
  }

  void infer(const Program& program, const ProgramHints& hints, Reached& reached) {
    std::vector<ValueType> inputs;
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
      const auto held = std::ranges::find(program.held, static_cast<int>(i), &HeldInput::input);
      const auto hint = hints.find(program.inputs[i]);
      if (held != program.held.end())
        inputs.push_back({held->initial.extents, held->initial.dtype});
      else
        inputs.push_back(hint == hints.end() ? ValueType{{kUsualRows, kUsualColumns}, {}}
                                             : hint->second);
    }
    try {
      values_ = inferTypes(program, inputs);
      reached.stage = 2;
    } catch (const ProgramError& error) {
      reached.error = error.what();
      reached.place = error.place();
      reached.at = opsBefore(program, inputs);
    }
  }

  /// How many ops fit, before the one that does not.
  static std::int64_t opsBefore(const Program& program, const std::vector<ValueType>& inputs) {
    std::vector<ValueType> types = inputs;
    SizeValues sizes(program.sizes, [&](ValueId value) {
      return types.at(static_cast<std::size_t>(value)).shape;
    });
    std::size_t check = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
      try {
        for (; check < program.checks.size() &&
               static_cast<std::size_t>(program.checks[check].beforeOp) <= i;
             ++check) {
          const SizeCheck& each = program.checks[check];
          if (each.ofValue()) continue;
          if ((sizes.at(each.condition, each.place).number != 0) != each.expected)
            return static_cast<std::int64_t>(i);
        }
        const Op& op = program.ops[i];
        std::vector<ValueType> operands;
        for (const Operand& operand : op.operands)
          operands.push_back(
              operand.isNumber() ? ValueType{} : types.at(static_cast<std::size_t>(operand.value)));
        types.push_back(inferType(op.dependsOnSizes() ? withNumbers(op, sizes) : op, operands));
      } catch (const std::exception&) {
        return static_cast<std::int64_t>(i);
      }
    }
    return static_cast<std::int64_t>(program.ops.size());
  }

  std::string_view text_;
  std::vector<std::string> names_;
  std::optional<Program> general_, last_;
  std::string why_;
  std::vector<ValueType> values_;
  int count_ = 0;
};

/// Sizes that a text names: those of weights, numbers in it, and sizes in messages about shapes.
class Sizes {
 public:
  void add(std::int64_t size) {
    if (size < 2 || size > 1 << 20 || sizes_.size() >= kMostSizes) return;
    if (std::ranges::find(sizes_, size) == sizes_.end()) sizes_.push_back(size);
  }
  void addHeld(const Program& program) {
    for (const HeldInput& held : program.held)
      for (int d = held.initial.extents.rank(); d-- > 0;) add(held.initial.extents[d]);
  }
  /// The numbers in a message, as in "shapes (8, 16) and (256,) do not fit".
  bool addFrom(const std::string& message) {
    const std::size_t before = sizes_.size();
    for (std::size_t i = 0; i < message.size();) {
      if (!std::isdigit(static_cast<unsigned char>(message[i]))) {
        ++i;
        continue;
      }
      std::int64_t number = 0;
      for (; i < message.size() && std::isdigit(static_cast<unsigned char>(message[i])); ++i)
        number = std::min<std::int64_t>(number * 10 + (message[i] - '0'), 1 << 30);
      add(number);
    }
    return sizes_.size() > before;
  }
  void addTokens(const std::vector<Token>& tokens) {
    for (const Token& token : tokens)
      if (token.kind == Token::Kind::number &&
          std::ranges::all_of(token.value, [](unsigned char c) { return std::isdigit(c); }) &&
          token.value.size() < 7)
        add(std::stoll(token.value));
  }
  const std::vector<std::int64_t>& all() const { return sizes_; }

 private:
  std::vector<std::int64_t> sizes_;
};

/// Shapes that an input might have, the plainest first.
std::vector<ValueType> candidates(const std::vector<std::int64_t>& sizes,
                                  const std::vector<ValueType>& others) {
  std::vector<ValueType> found;
  const auto add = [&](Shape shape, DType dtype = DType::float32) {
    const bool known = std::ranges::any_of(
        found, [&](const ValueType& each) { return each.dtype == dtype && each.shape == shape; });
    if (!known) found.push_back({shape, dtype});
  };
  add({kUsualRows, kUsualColumns});
  for (const ValueType& other : others) add(other.shape, other.dtype);
  for (const std::int64_t size : sizes) add({kUsualRows, size});
  add({kUsualRows, kUsualColumns}, DType::int64);
  add({kUsualRows, kUsualColumns, 2 * kUsualImage});
  for (const std::int64_t size : sizes) add({kUsualRows, kUsualColumns, size});
  for (const std::int64_t size : sizes) add({kUsualRows, size, 2 * kUsualImage});
  add({kUsualRows, 3, kUsualImage, kUsualImage});
  for (const std::int64_t size : sizes) add({kUsualRows, size, kUsualImage, kUsualImage});
  add({2, 4, kUsualColumns, kUsualImage});
  for (const std::int64_t size : sizes) add({2, 4, kUsualColumns, size});
  for (const std::int64_t size : sizes) add({2, size, kUsualColumns, kUsualImage});
  add({kUsualRows}, DType::int64);
  add({kUsualRows});
  add({kUsualColumns});
  for (const std::int64_t size : sizes) add({size});
  add({});
  for (const std::int64_t size : sizes) add({size, size});
  for (const std::int64_t size : sizes) add({kUsualColumns, size});
  for (const std::int64_t size : sizes) add({size, kUsualColumns});
  for (const std::int64_t size : sizes) add({size, 28, 28});
  add({3, kUsualImage, kUsualImage});
  add({kUsualRows, kUsualColumns}, DType::boolean);
  add({kUsualColumns, kUsualColumns}, DType::boolean);
  for (const std::int64_t size : sizes) add({2, size, 4, kUsualImage, kUsualImage});
  for (const std::int64_t rows : sizes)
    for (const std::int64_t size : sizes) add({rows, size});
  for (const std::int64_t rows : sizes)
    for (const std::int64_t size : sizes) add({kUsualRows, rows, size});
  for (const std::int64_t channels : sizes)
    for (const std::int64_t size : sizes) add({2, channels, size, size});
  return found;
}

/// Inputs of integers that name places get the range of what they index.
void setRanges(const Program& program, const std::vector<ValueType>& types,
               std::vector<ChosenInput>& inputs) {
  for (const IndexedInput& range : indexedInputs(program, types))
    for (ChosenInput& each : inputs)
      if (each.name == program.inputs[static_cast<std::size_t>(range.input)] &&
          range.low < range.end) {
        each.low = range.low;
        each.high = range.end;
      }
}

/// Names that say places, as labels and tokens do.
bool saysPlaces(const std::string& name) {
  constexpr std::array<std::string_view, 15> kNames = {
      "target", "targets", "label",     "labels",    "idx",     "index",  "indices",  "tokens",
      "token",  "ids",     "input_ids", "token_ids", "classes", "y_true", "positions"};
  return std::ranges::find(kNames, name) != kNames.end();
}

/// Tries shapes for the inputs that have none, one after the other.
class Search {
 public:
  Search(Trials& trials, Sizes& sizes, std::vector<ChosenInput>& inputs,
         std::vector<ShapeHint> hints)
      : trials_(trials), sizes_(sizes), inputs_(inputs), hints_(std::move(hints)) {}

  Reached run() {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (inputs_[i].by == ChosenInput::By::usual) open_.push_back(i);
    settleSymbols();
    startAlike();
    best_ = reach();
    if (!best_.fits() && startsAlike_) {
      for (const std::size_t i : open_) inputs_[i].type = usualFor(inputs_[i].name);
      best_ = reach();
    }
    if (!best_.fits()) tryUsual();
    if (best_.fits()) return finish();
    sizes_.addFrom(best_.error);
    if (!symbols_.empty()) trySymbols();
    if (!best_.fits() && open_.size() > 1) tryAlike();
    for (int pass = 0; pass < 3 && !best_.fits() && !trials_.exhausted(); ++pass) {
      const Reached before = best_;
      for (const std::size_t i : open_) {
        if (best_.fits()) break;
        tryInput(i);
      }
      const bool more = sizes_.addFrom(best_.error);
      if (!(before < best_) && !more) break;
    }
    return finish();
  }

 private:
  Reached finish() {
    for (const std::size_t i : open_)
      if (inputs_[i].type.shape != Shape{kUsualRows, kUsualColumns} ||
          inputs_[i].type.dtype != DType::float32)
        inputs_[i].by = ChosenInput::By::program;
    return best_;
  }
  /// One place for each row, a square matrix, a vector: before sizes are looked for.
  void tryUsual() {
    for (auto i = open_.rbegin(); i != open_.rend() && !best_.fits(); ++i) {
      ChosenInput& each = inputs_[*i];
      std::vector<ValueType> usual{{{kUsualColumns, kUsualColumns}, DType::float32},
                                   {{kUsualColumns}, DType::float32}};
      if (saysPlaces(each.name)) usual = {{{kUsualRows}, DType::int64}};
      for (const ValueType& type : usual) {
        const ValueType before = std::exchange(each.type, type);
        const Reached now = reach();
        if (best_ < now)
          best_ = now;
        else
          each.type = before;
      }
    }
  }
  static ValueType usualFor(const std::string& name) {
    return {{kUsualRows, kUsualColumns}, saysPlaces(name) ? DType::int64 : DType::float32};
  }
  /// Inputs without a shape may have that of another input, as keys and values do.
  void startAlike() {
    const auto said = std::ranges::find_if(inputs_, [](const ChosenInput& each) {
      return each.by != ChosenInput::By::usual && isFloat(each.type.dtype);
    });
    startsAlike_ = said != inputs_.end() && !open_.empty();
    for (const std::size_t i : open_)
      inputs_[i].type =
          startsAlike_ && !saysPlaces(inputs_[i].name) ? said->type : usualFor(inputs_[i].name);
  }

  std::vector<ValueType> types() const {
    std::vector<ValueType> all;
    for (const ChosenInput& each : inputs_) all.push_back(each.type);
    return all;
  }
  Reached reach() { return trials_.reach(types()); }

  /// Shapes that are written with names get sizes, one for each name.
  void settleSymbols() {
    for (const ShapeHint& hint : hints_)
      for (const std::string& dim : hint.dims)
        if (!dim.empty() && !std::isdigit(static_cast<unsigned char>(dim.front())))
          symbols_.emplace(dim, usualSize(dim));
    applySymbols();
  }
  void applySymbols() {
    for (const ShapeHint& hint : hints_)
      for (ChosenInput& each : inputs_) {
        if (each.name != hint.name || each.by == ChosenInput::By::call) continue;
        Shape shape;
        for (const std::string& dim : hint.dims)
          shape.push(std::isdigit(static_cast<unsigned char>(dim.front())) ? std::stoll(dim)
                                                                           : symbols_.at(dim));
        each.type = {shape, hint.dtype.value_or(each.type.dtype)};
      }
  }
  void trySymbols() {
    for (auto& [name, size] : symbols_)
      for (const std::int64_t other : sizes_.all()) {
        if (best_.fits() || trials_.exhausted()) return;
        const std::int64_t before = std::exchange(size, other);
        applySymbols();
        const Reached now = reach();
        if (best_ < now)
          best_ = now;
        else
          size = before;
        applySymbols();
      }
  }

  /// All that is open may be of one shape, as queries, keys and values are.
  void tryAlike() {
    std::vector<ValueType> found = types();
    for (const ValueType& each : candidates(sizes_.all(), {})) {
      if (best_.fits() || trials_.exhausted()) break;
      for (const std::size_t i : open_)
        if (!saysPlaces(inputs_[i].name)) inputs_[i].type = each;
      const Reached now = reach();
      if (!(best_ < now)) continue;
      best_ = now;
      found = types();
    }
    for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i].type = found[i];
  }

  void tryInput(std::size_t i) {
    std::vector<ValueType> others;
    std::vector<std::int64_t> sizes = sizes_.all();
    for (std::size_t other = 0; other < inputs_.size(); ++other) {
      if (other == i) continue;
      others.push_back(inputs_[other].type);
      for (const std::int64_t extent : inputs_[other].type.shape)
        if (std::ranges::find(sizes, extent) == sizes.end() && extent > 1) sizes.push_back(extent);
    }
    ValueType best = inputs_[i].type;
    std::vector<ValueType> tried = candidates(sizes, others);
    if (saysPlaces(inputs_[i].name))
      std::stable_partition(tried.begin(), tried.end(),
                            [](const ValueType& each) { return each.dtype == DType::int64; });
    for (const ValueType& each : tried) {
      if (best_.fits() || trials_.exhausted()) break;
      inputs_[i].type = each;
      const Reached now = reach();
      if (!(best_ < now)) continue;
      best_ = now;
      best = each;
    }
    inputs_[i].type = best;
  }

  Trials& trials_;
  Sizes& sizes_;
  std::vector<ChosenInput>& inputs_;
  std::vector<ShapeHint> hints_;
  std::map<std::string, std::int64_t> symbols_;
  std::vector<std::size_t> open_;
  bool startsAlike_ = false;
  Reached best_;
};

}  // namespace

std::string ChosenInput::shown() const {
  std::string text = fmt::format("{} set to {}", name, toString(type.shape));
  if (type.dtype != DType::float32) text += fmt::format(" {}", info(type.dtype).name);
  if (high > low) text += fmt::format(" from {} to {}", low, high - 1);
  return text;
}

namespace {

PastedProgram readWritten(std::string_view given, const std::string& entry) {
  PastedProgram pasted;
  const std::optional<std::string> graph = graphOfPrinted(given);
  pasted.text = graph ? *graph : std::string(given);
  if (!entry.empty() && entryOf(given) != entry)
    pasted.text = std::string(kEntryComment) + entry + "\n" + pasted.text;
  const std::vector<Token> tokens = tokenize(pasted.text);
  HeaderReader reader(pasted.text, tokens);
  const Program header = reader.read();
  const ProgramLayout& layout = reader.layout();
  if (!entry.empty() && layout.entry != entry) {
    std::vector<std::string_view> known;
    for (const auto& part : layout.parts) known.push_back(part.name);
    const std::vector<std::string> near = nearest(entry, known);
    failProgram({1, 1}, "no function or class named '" + entry + "' in the text" +
                            (near.empty() ? "" : "; did you mean '" + near[0] + "'?"));
  }
  std::vector<std::string> names;
  const std::set<std::string> mayLack = optionalParameters(pasted.text, tokens, layout);
  for (std::size_t i = 0; i < header.inputs.size(); ++i) {
    const std::string& name = header.inputs[i];
    const bool brought =
        std::ranges::find(header.held, static_cast<int>(i), &HeldInput::input) != header.held.end();
    const bool called =
        std::ranges::find(header.given, name, &GivenInput::name) != header.given.end();
    if (!brought && (called || !mayLack.contains(name))) names.push_back(name);
  }
  if (names.empty() && header.held.empty()) names = header.inputs;
  std::optional<Program> script;
  if (layout.mainPart < 0) {  // lines that are themselves the program
    script = parseProgram(pasted.text, {});
    names.clear();
    for (std::size_t i = 0; i < script->inputs.size(); ++i)
      if (std::ranges::find(script->held, static_cast<int>(i), &HeldInput::input) ==
          script->held.end())
        names.push_back(script->inputs[i]);
  }
  const std::vector<GivenInput>& said = script ? script->given : header.given;
  for (const std::string& name : names) {
    ChosenInput input{name, {{kUsualRows, kUsualColumns}, DType::float32}};
    const auto known = std::ranges::find(said, name, &GivenInput::name);
    if (known != said.end()) {
      input.type = {known->extents, known->dtype};
      input.by = ChosenInput::By::call;
      input.initial = known->initial;
      input.code = known->code;
    }
    pasted.inputs.push_back(input);
  }
  std::vector<ShapeHint> hints = shapeHints(pasted.text, tokens, layout);
  std::erase_if(hints, [&](const ShapeHint& hint) {
    for (ChosenInput& each : pasted.inputs)
      if (each.name == hint.name && each.by == ChosenInput::By::usual) {
        each.by = ChosenInput::By::annotation;
        return false;
      }
    return true;
  });
  Trials trials(pasted.text, names);
  Sizes sizes;
  if (trials.general()) sizes.addHeld(*trials.general());
  sizes.addTokens(tokens);
  const Reached reached = Search(trials, sizes, pasted.inputs, hints).run();
  if (!trials.last()) failProgram(reached.place, reached.error);
  if (reached.fits()) setRanges(*trials.last(), trials.values(), pasted.inputs);
  // Labels whose places are compared, not indexed, name one of the classes.
  const auto scores = std::ranges::find_if(pasted.inputs, [](const ChosenInput& each) {
    return isFloat(each.type.dtype) && each.type.shape.rank() > 1;
  });
  for (ChosenInput& each : pasted.inputs)
    if (each.type.dtype == DType::int64 && each.high == 0 && saysPlaces(each.name) &&
        scores != pasted.inputs.end())
      each.high = scores->type.shape[1];
  pasted.notes = trials.last()->notes;
  pasted.entries = trials.last()->entries;
  pasted.entry = trials.last()->entry;
  for (const ChosenInput& each : pasted.inputs) pasted.notes.push_back({0, each.shown()});
  return pasted;
}

/// A script is read as the program that it has, and stays as it is written.
PastedProgram readScript(std::string_view given, const std::string& entry) {
  const bool named = entry == kScriptEntry;
  std::string text(given);
  if (named && entryOf(given) != entry) text = std::string(kEntryComment) + entry + "\n" + text;
  const std::optional<ScriptText> script = entry.empty() || named ? scriptText(text) : std::nullopt;
  if (!script) return readWritten(given, entry);
  try {
    PastedProgram pasted = readWritten(script->text, {});
    script->toOriginal(pasted.notes);
    pasted.text = std::move(text);
    pasted.entries.clear();
    pasted.entry.clear();
    return pasted;
  } catch (const ProgramError& error) {
    throw script->original(error);
  }
}

}  // namespace

PastedProgram readPasted(std::string_view given, const std::string& entry) {
  const WorkLimit limit;
  const std::optional<ExpandedText> expanded = expandedText(given);
  if (!expanded) return readScript(given, entry);
  try {
    PastedProgram pasted = readScript(expanded->text, entry);
    pasted.notes.insert(pasted.notes.begin(), expanded->notes.begin(), expanded->notes.end());
    return pasted;
  } catch (const ProgramError& error) {
    throw expanded->original(error);
  }
}

}  // namespace fusebench
