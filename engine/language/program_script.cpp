// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "engine/language/program_layout.h"
#include "engine/language/script_lines.h"
#include "engine/language/text_pieces.h"

namespace fusebench {
namespace {

/// Lines of a script that may be its program: those of one block that compute.
struct ScriptRegion {
  std::vector<const ScriptLine*> around;  ///< `with` headers that it is in
  const ScriptLine* loop = nullptr;       ///< the innermost loop around it
  std::vector<const ScriptLine*> lines;
  std::string call;    ///< what the one line calls by a function that only runs others
  bool keeps = false;  ///< a line gives a result a name, or takes a step
};

class ScriptWriter {
 public:
  /// `asked`: the text names its lines as the entry.
  ScriptWriter(std::string_view text, const std::vector<Token>& tokens, bool asked)
      : reader_(text, tokens), lines_(reader_.lines()), asked_(asked) {}

  /// Whether the program would be a function that makes the model that it runs.
  bool opens(const ProgramLayout& layout) const { return makingFunction(layout) != nullptr; }

  std::optional<ScriptText> run(const ProgramLayout& layout) {
    for (const ProgramLayout::Part& part : layout.parts)
      if (!part.isClass && layout.onlyDrivers) drivers_.insert(part.name);
    std::vector<ScriptLine> inner;
    if (const ScriptLine* const made = makingFunction(layout)) inner = opened(*made);
    ScriptRegion outer;
    walk(lines_, outer);
    if (!inner.empty()) {
      regions_.clear();
      outer = {};
      walk(inner, outer);
    }
    if (!outer.lines.empty()) regions_.push_back(outer);
    const ScriptRegion* chosen = nullptr;
    for (const ScriptRegion& each : regions_)
      if (!chosen && !each.call.empty()) chosen = &each;
    for (const bool keeps : {true, false})
      for (const bool loops : {true, false})
        for (const ScriptRegion& each : regions_)
          if (!chosen && each.keeps == keeps && (each.loop != nullptr) == loops) chosen = &each;
    if (!chosen) return std::nullopt;
    write(*chosen);
    return std::move(made_);
  }

 private:
  static bool meet(const ScriptNames& a, const ScriptNames& b) {
    return std::ranges::any_of(a, [&](const std::string& each) { return b.contains(each); });
  }
  static void add(ScriptNames& to, const ScriptNames& names) {
    to.insert(names.begin(), names.end());
  }

  /// The program's function, if it makes the model that it runs; null: it does not.
  const ScriptLine* makingFunction(const ProgramLayout& layout) const {
    for (const ScriptLine& line : lines_) {
      if (!reader_.is(line, "def")) continue;
      const std::string& name = reader_.token(line.begin + 1).value;
      const bool runs = (layout.mainPart < 0 || asked_) && layout.drivers.contains(name);
      if (asked_ && runs && hasLoop(line.body)) return &line;
      if (name == layout.entry || layout.onlyDrivers || runs)
        if (std::ranges::any_of(line.body,
                                [&](const ScriptLine& each) { return makesModel(each); }))
          return &line;
    }
    return nullptr;
  }

  bool makesModel(const ScriptLine& line) const {
    const std::size_t equals = reader_.assigned(line);
    for (std::size_t i = equals + 1; equals < line.end && i + 3 < line.end; ++i)
      if (reader_.token(i).is("nn") && reader_.token(i + 1).is(".") &&
          reader_.token(i + 3).is("(") && i <= equals + 3)
        return std::isupper(static_cast<unsigned char>(reader_.token(i + 2).value[0])) != 0 &&
               reader_.token(i + 2).value != "Parameter";
    return false;
  }

  /// The lines of a function, with what its first call gives its parameters before them.
  std::vector<ScriptLine> opened(const ScriptLine& function) {
    const std::string& name = reader_.token(function.begin + 1).value;
    std::vector<std::string> given;
    forEachLine(lines_, [&](const ScriptLine& line) {
      if (reader_.is(line, "def") || !given.empty()) return;
      for (std::size_t i = line.begin; i + 1 < line.end; ++i)
        if (reader_.token(i).is(name) && reader_.token(i + 1).is("(") && given.empty())
          given = reader_.arguments(i + 1, line.end);
    });
    const std::vector<std::string> parameters = reader_.arguments(function.begin + 2, function.end);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::string parameter = parameters[i].substr(0, parameters[i].find_first_of(":= "));
      std::string value = i < given.size() ? given[i] : std::string();
      if (const std::size_t at = parameters[i].find('='); value.empty() && at != std::string::npos)
        value = parameters[i].substr(at + 1);
      for (const std::string& each : given)
        if (each.starts_with(parameter + "=")) value = each.substr(parameter.size() + 1);
      if (!value.empty() && value != parameter)
        preset_.push_back({parameter + " = " + value, &function});
    }
    opened_ = name;
    definedAt_ = reader_.lineOf(function);
    openedLast_ = reader_.lastLineOf(function);
    return function.body;
  }

  /// Whether a line is one of the function that is read as lines of the script.
  bool isWithin(const ScriptLine& line) const {
    const int at = reader_.lineOf(line);
    return at > definedAt_ && at <= openedLast_;
  }

  bool calls(const ScriptLine& line) const {
    if (opened_.empty()) return false;
    for (std::size_t i = line.begin; i + 1 < line.end; ++i)
      if (reader_.token(i).is(opened_) && reader_.token(i + 1).is("(")) return true;
    return std::ranges::any_of(line.body, [&](const ScriptLine& each) { return calls(each); });
  }

  template <class Visit>
  void forEachLine(const std::vector<ScriptLine>& lines, const Visit& visit) const {
    for (const ScriptLine& line : lines) {
      visit(line);
      if (!reader_.is(line, "def")) forEachLine(line.body, visit);
    }
  }

  void prepares(const ScriptLine& line) { setup_.push_back(&line); }

  /// Sorts the lines of a block: what prepares, what computes, what reports.
  void walk(const std::vector<ScriptLine>& block, ScriptRegion& region) {
    for (const ScriptLine& line : block) {
      if (reader_.is(line, "def") || reader_.is(line, "class") || reader_.is(line, "import") ||
          reader_.is(line, "from") || reader_.is(line, "@")) {
        prepares(line);
      } else if (reader_.is(line, "if") && reader_.token(line.begin + 1).value == "__name__") {
        walk(line.body, region);
      } else if (reader_.is(line, "for") || reader_.is(line, "while")) {
        loop(line, region);
      } else if (reader_.is(line, "with") && region.lines.empty() &&
                 (hasLoop(line.body) || endsInCall(line.body))) {
        if (line.end - line.begin > 2 && reader_.token(line.end - 2).is("as"))
          contexts_.insert(reader_.token(line.end - 1).value);
        ScriptRegion within;
        within.around = region.around;
        within.around.push_back(&line);
        within.loop = region.loop;
        walk(line.body, within);
        if (!within.lines.empty()) regions_.push_back(within);
      } else {
        simple(line, region);
      }
    }
  }

  static bool isLoop(const ScriptLine& line, const ScriptReader& reader) {
    return reader.is(line, "for") || reader.is(line, "while");
  }
  bool hasLoop(const std::vector<ScriptLine>& block) const {
    return std::ranges::any_of(block, [&](const ScriptLine& line) {
      return isLoop(line, reader_) || !drivenCall(line).empty() ||
             (reader_.is(line, "with") && hasLoop(line.body));
    });
  }

  /// Whether the last line of a block that computes is a call without a name for its result, as
  /// in `with torch.no_grad(): model(x)`.
  bool endsInCall(const std::vector<ScriptLine>& block) const {
    for (std::size_t i = block.size(); i-- > 0;) {
      const ScriptLine& line = block[i];
      if (reader_.is(line, "with")) return endsInCall(line.body);
      if (reader_.reports(line)) continue;
      return isBareCall(line);
    }
    return false;
  }
  bool isBareCall(const ScriptLine& line) const {
    return !line.header && reader_.assigned(line) == line.end && !isStep(line) &&
           callsObject(line.begin, line.end);
  }

  void loop(const ScriptLine& line, ScriptRegion& region) {
    const ScriptNames mentioned = reader_.mentions(line);
    if (!meet(mentioned, tensors_) && !meet(mentioned, loaders_) && !meet(mentioned, parameters_) &&
        !makesWithin(line))
      return prepares(line);
    if (reader_.reports(line) && !hasLoop(line.body)) return reports(line);
    ScriptRegion round;
    round.around = region.around;
    round.loop = &line;
    const ScriptNames over = reader_.mentions(line.begin, line.end);
    const bool overTensors = meet(over, tensors_) || meet(over, loaders_);
    const ScriptNames targets = reader_.targets(line);
    if (overTensors) add(tensors_, targets), add(rounds_, targets);
    walk(line.body, round);
    if (!round.lines.empty()) regions_.push_back(std::move(round));
  }

  bool makesWithin(const ScriptLine& line) const {
    return std::ranges::any_of(line.body, [&](const ScriptLine& each) {
      return reader_.making(each.begin, each.end) != each.end || makesWithin(each);
    });
  }

  void reports(const ScriptLine& line) {
    add(reported_, reader_.mentions(line));
    noteGradients(line);
  }

  /// Gradients that a report shows: they are results.
  void noteGradients(const ScriptLine& line) {
    for (std::size_t i = line.begin; i + 1 < line.end; ++i) {
      if (!reader_.token(i).is(".") || !reader_.token(i + 1).is("grad")) continue;
      std::size_t first = i - 1;
      while (first > line.begin + 1 && reader_.token(first - 1).is(".")) first -= 2;
      if (reader_.token(first).kind != Token::Kind::name) continue;
      const std::string shown = reader_.textOf(first, i + 2);
      if (std::ranges::find(gradients_, shown) == gradients_.end()) gradients_.push_back(shown);
    }
    for (const ScriptLine& each : line.body) noteGradients(each);
  }

  void simple(const ScriptLine& line, ScriptRegion& region) {
    if (std::string called = drivenCall(line); !called.empty()) {
      if (reader_.reports(line)) reports(line);
      ScriptRegion driven;
      driven.around = region.around;
      driven.loop = region.loop;
      driven.lines.push_back(&line);
      driven.call = std::move(called);
      regions_.push_back(std::move(driven));
      return;
    }
    if (reader_.reports(line)) return reports(line);
    const std::size_t equals = reader_.assigned(line);
    const std::size_t from = equals == line.end ? line.begin : equals + 1;
    const ScriptNames mentioned = reader_.mentions(line), targets = reader_.allTargets(line);
    if (equals == line.end && meet(mentioned, contexts_)) return reports(line);
    const bool makes = reader_.making(from, line.end) != line.end;
    const bool callsModel =
        equals != line.end || !line.header ? callsObject(from, line.end) : false;
    const bool ofRound = meet(mentioned, rounds_) || meet(mentioned, computed_);
    if (!ofRound && !callsModel) {
      const bool tensors =
          meet(mentioned, tensors_) || meet(mentioned, parameters_) || meet(mentioned, loaders_);
      if (reader_.makesObject(line)) {
        add(objects_, targets);
        if (tensors || makes || std::ranges::any_of(mentioned, isOfData)) add(loaders_, targets);
        return prepares(line);
      }
      if (equals != line.end && makes && !tensors) {
        add(mentioned.contains("Parameter") || needsGradient(line) ? parameters_ : tensors_,
            targets);
        return prepares(line);
      }
      if (reader_.moves(line) || !tensors) {
        if (tensors) add(meet(mentioned, parameters_) ? parameters_ : tensors_, targets);
        if (equals != line.end && meet(mentioned, objects_)) add(objects_, targets);
        const bool steps = !region.lines.empty() && equals == line.end && !line.header;
        if (!steps && !(region.loop && isStep(line))) return prepares(line);
      }
    }
    region.keeps |= equals != line.end || line.header || isStep(line);
    region.lines.push_back(&line);
    add(computed_, targets);
  }

  static bool isOfData(const std::string& name) {
    return name.ends_with("Loader") || name.ends_with("Dataset");
  }

  bool needsGradient(const ScriptLine& line) const {
    for (std::size_t i = line.begin; i < line.end; ++i)
      if (reader_.token(i).value.starts_with("requires_grad")) return true;
    return false;
  }

  /// optimizer.zero_grad(): a method that steps or clears is part of what it precedes.
  bool isStep(const ScriptLine& line) const {
    const std::size_t dot = line.begin + 1;
    if (line.header || dot + 1 >= line.end || !reader_.token(dot).is(".")) return false;
    const std::string& name = reader_.token(dot + 1).value;
    return name == "zero_grad" || name == "step" || name == "backward" || name == "update";
  }

  /// Timer(stmt="model(x)"): the call in a text that is timed.
  std::string timedCall(const ScriptLine& line) const {
    for (std::size_t i = line.begin; i + 2 < line.end && !line.header; ++i) {
      const bool times = reader_.token(i).is("Timer") || reader_.token(i).is("timeit");
      if (!times || !reader_.token(i + 1).is("(")) continue;
      const bool named = reader_.token(i + 2).is("stmt");
      const std::size_t at = named ? i + 4 : i + 2;
      if (at >= line.end || reader_.token(at).kind != Token::Kind::text) continue;
      const std::string& call = reader_.token(at).value;
      const std::string called = call.substr(0, call.find('('));
      if (call.ends_with(')') && (objects_.contains(called) || drivers_.contains(called)))
        return call;
    }
    return {};
  }

  /// timed(model, x): the call that a function makes that only runs others, as model(x).
  std::string drivenCall(const ScriptLine& line) const {
    if (std::string timed = timedCall(line); !timed.empty()) return timed;
    for (std::size_t i = line.begin; i + 2 < line.end && !line.header; ++i) {
      if (!reader_.token(i + 1).is("(") || !drivers_.contains(reader_.token(i).value)) continue;
      std::size_t at = i + 2;
      while (at + 2 < line.end && reader_.token(at + 1).is(".")) at += 2;
      if (reader_.token(at).kind != Token::Kind::name || !reader_.token(at + 1).is(",")) continue;
      const std::size_t end = reader_.endOfCall(i, line.end);
      std::size_t last = at + 2;  // behind the arguments without a keyword
      int depth = 0;
      for (std::size_t k = at + 2; k + 1 <= end; ++k) {
        const Token& token = reader_.token(k);
        const bool closes = depth == 0 && k + 1 == end;
        if (closes || (depth == 0 && token.is(","))) last = k;
        depth += token.is("(") || token.is("[") ? 1 : token.is(")") || token.is("]") ? -1 : 0;
        if (closes || (depth == 0 && token.is("="))) break;
      }
      if (reader_.token(last - 1).is("=")) continue;
      if (!meet(reader_.mentions(at + 2, last), tensors_)) continue;
      return reader_.textOf(i + 2, at + 1) + "(" + reader_.textOf(at + 2, last) + ")";
    }
    return {};
  }

  /// model(torch.randn(2, 3)): a call of an object that a class made, or of a part of the text.
  bool callsObject(std::size_t from, std::size_t end) const {
    for (std::size_t i = from; i + 1 < end; ++i) {
      const Token& name = reader_.token(i);
      if (name.kind == Token::Kind::name && reader_.token(i + 1).is("(") &&
          (i == from || !reader_.token(i - 1).is(".")) && objects_.contains(name.value))
        return true;
    }
    return false;
  }

  void emit(const std::string& text, int depth, const ScriptLine* line) {
    std::string_view rest = text;
    const SourcePlace place = line ? reader_.token(line->begin).place : SourcePlace{1, 1};
    for (int k = 0; !rest.empty(); ++k) {
      const std::string_view one = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      if (k == 0) made_.text.append(static_cast<std::size_t>(4 * depth), ' ');
      made_.text.append(one).append("\n");
      made_.origins.push_back({place.line + k, k == 0 ? 4 * depth + 1 - place.column : 0});
    }
  }

  void emitLine(const ScriptLine& line, int depth) {
    if (!line.header) return emit(written(line), depth, &line);
    emit(reader_.textOf(line.begin, line.end) + ":", depth, &line);
    bool empty = true;
    for (const ScriptLine& each : line.body) {
      emitLine(each, depth + 1);
      empty = false;
    }
    if (empty) emit("pass", depth + 1, &line);
    for (const ScriptLine& each : line.rest) emitLine(each, depth);
  }

  /// A line's text, with the inputs that it makes under the names that they got.
  std::string written(const ScriptLine& line) const {
    const auto found = rewritten_.find(&line);
    if (found != rewritten_.end()) return found->second;
    const std::size_t at = reader_.assigned(line);
    const std::string text = reader_.textOf(line.begin, line.end);
    if (at == line.end || at != line.begin + 1 ||
        !parameters_.contains(reader_.token(line.begin).value))
      return text;
    // w -= lr * w.grad changes the script's tensor, which a function can do by a method.
    for (const auto& [symbol, method] : {std::pair{"+=", "add_"}, std::pair{"-=", "sub_"},
                                         std::pair{"*=", "mul_"}, std::pair{"/=", "div_"}})
      if (reader_.token(at).is(symbol))
        return fmt::format("{}.{}({})", reader_.token(line.begin).value, method,
                           reader_.textOf(at + 1, line.end));
    return text;
  }

  /// loss = net(torch.randn(4, 3)): the tensor becomes an input with a name.
  void nameInputs(const ScriptRegion& region) {
    for (const ScriptLine* line : region.lines) {
      if (line->header || !region.call.empty()) continue;
      std::string text;
      std::size_t at = line->begin;
      for (std::size_t i = reader_.making(at, line->end); i < line->end;
           i = reader_.making(at, line->end)) {
        const std::size_t end = reader_.endOfCall(i, line->end);
        if (meet(reader_.mentions(i, end), computed_) || meet(reader_.mentions(i, end), tensors_) ||
            i == at) {
          break;
        }
        const std::string name = "input_" + std::to_string(named_.size());
        named_.emplace_back(name, std::pair{reader_.textOf(i, end), line});
        text += reader_.textOf(at, i) + name;
        at = end;
      }
      if (at == line->begin) continue;
      if (at < line->end) text += reader_.textOf(at, line->end);
      rewritten_[line] = text;
    }
  }

  void write(const ScriptRegion& region) {
    nameInputs(region);
    made_.round = region.loop != nullptr;
    made_.first = reader_.lineOf(*region.lines.front());
    made_.last = reader_.lastLineOf(*region.lines.back());
    emit(std::string(kEntryComment) + std::string(kScriptEntry), 0, nullptr);
    for (const ScriptLine* line : setup_)
      if (!isWithin(*line) && !calls(*line) && reader_.lineOf(*line) != definedAt_)
        emitLine(*line, 0);
    for (const auto& [line, from] : preset_) emit(line, 0, from);
    for (const ScriptLine* line : setup_)
      if (isWithin(*line)) emitLine(*line, 0);
    for (const auto& [name, made] : named_) emit(name + " = " + made.first, 0, made.second);
    const ScriptLine* const top = region.lines.front();
    const std::vector<std::string> inputs = inputsOf(region);
    std::string listed;
    for (const std::string& each : inputs) listed += (listed.empty() ? "" : ", ") + each;
    emit(fmt::format("def {}({}):", kScriptEntry, listed), 0, top);
    int depth = 1;
    for (const ScriptLine* with : region.around)
      emit(reader_.textOf(with->begin, with->end) + ":", depth++, with);
    const ScriptLine* const last = region.lines.back();
    std::vector<std::string> results = resultsOf(region);
    bool loss = false;
    if (!region.call.empty()) emit("return " + region.call, depth, last);
    for (const ScriptLine* line : region.lines) {
      if (!region.call.empty()) break;
      const bool bare = isBareCall(*line);
      if (const std::size_t dot = backwardOf(*line); bare && dot < line->end) {
        // model(x).sum().backward(): the loss gets a name, which is a result.
        emit(fmt::format("{} = {}", kLoss, reader_.textOf(line->begin, dot)), depth, line);
        emit(fmt::format("{}{}", kLoss, reader_.textOf(dot, line->end)), depth, line);
        loss = true;
        continue;
      }
      if (bare && (line != last || !results.empty())) continue;
      if (bare && line == last)
        emit("return " + written(*line), depth, line);
      else
        emitLine(*line, depth);
    }
    if (loss && results.empty()) results.emplace_back(kLoss);
    std::string returned;
    for (const std::string& each : results) returned += (returned.empty() ? "" : ", ") + each;
    if (!returned.empty() && region.call.empty()) emit("return " + returned, depth, last);
    const std::string call = fmt::format("{}({})", kScriptEntry, listed);
    const bool rounds = region.loop && reader_.is(*region.loop, "for") &&
                        std::ranges::any_of(inputs, [&](const std::string& each) {
                          return reader_.targets(*region.loop).contains(each);
                        });
    if (rounds) emit(reader_.textOf(region.loop->begin, region.loop->end) + ":", 0, region.loop);
    emit(call, rounds ? 1 : 0, top);
  }

  /// The dot of the `.backward(...)` in which a line ends; its end: it does not.
  std::size_t backwardOf(const ScriptLine& line) const {
    for (std::size_t i = line.begin + 1; i + 2 < line.end; ++i)
      if (reader_.token(i).is(".") && reader_.token(i + 1).is("backward") &&
          reader_.endOfCall(i, line.end) == line.end)
        return i;
    return line.end;
  }

  /// Tensors of the lines before that the lines take, in order.
  std::vector<std::string> inputsOf(const ScriptRegion& region) const {
    std::vector<std::string> inputs;
    ScriptNames bound;
    const ScriptNames ofLoop = region.loop ? reader_.targets(*region.loop) : ScriptNames();
    for (const ScriptLine* line : region.lines) {
      const std::size_t equals = reader_.assigned(*line);
      const bool augmented = equals != line->end && !reader_.token(equals).is("=");
      const std::size_t from = equals == line->end || augmented ? line->begin : equals + 1;
      std::vector<std::string> names;
      collect(*line, from, names);
      for (const std::string& name : names)
        if (!bound.contains(name) && std::ranges::find(inputs, name) == inputs.end() &&
            ((tensors_.contains(name) && !objects_.contains(name)) || ofLoop.contains(name)))
          inputs.push_back(name);
      add(bound, reader_.targets(*line));
    }
    for (const auto& [name, made] : named_) inputs.push_back(name);
    // A call in a text may name tensors that the line around it does not.
    for (std::string_view rest = region.call; !rest.empty();) {
      const auto end =
          static_cast<std::size_t>(std::ranges::find_if_not(rest, isNameCharacter) - rest.begin());
      const std::string name(rest.substr(0, end));
      if (tensors_.contains(name) && std::ranges::find(inputs, name) == inputs.end())
        inputs.push_back(name);
      rest.remove_prefix(std::max<std::size_t>(end, 1));
    }
    return inputs;
  }

  void collect(const ScriptLine& line, std::size_t from, std::vector<std::string>& names) const {
    for (std::size_t i = from; i < line.end; ++i)
      for (const std::string& each : reader_.mentions(i, i + 1))
        if (i == line.begin || !reader_.token(i - 1).is(".")) names.push_back(each);
    for (const ScriptLine& each : line.body) collect(each, each.begin, names);
  }

  /// Names that the script shows, or else the one that the lines compute last.
  std::vector<std::string> resultsOf(const ScriptRegion& region) const {
    std::vector<std::string> all, shown;
    for (const ScriptLine* line : region.lines)
      for (const std::string& each : reader_.allTargets(*line)) {
        if (asksForSizes(*line) || each == "_") continue;
        std::erase(all, each);
        all.push_back(each);
      }
    for (const std::string& each : all)
      if (reported_.contains(each)) shown.push_back(each);
    if (shown.empty() && !all.empty()) shown.push_back(all.back());
    for (const std::string& each : gradients_) {
      const std::string root = each.substr(0, each.find('.'));
      if (parameters_.contains(root) || objects_.contains(root)) shown.push_back(each);
    }
    return shown;
  }

  bool asksForSizes(const ScriptLine& line) const {
    for (std::size_t i = line.begin; i < line.end; ++i)
      for (std::string_view each :
           {"size", "shape", "stride", "is_contiguous", "data_ptr", "numel", "element_size", "len"})
        if (reader_.token(i).is(each) && reader_.assigned(line) != line.end &&
            i > reader_.assigned(line) && i + 3 >= line.end)
          return true;
    return false;
  }

  static constexpr std::string_view kLoss = "the_loss";

  ScriptReader reader_;
  std::vector<ScriptLine> lines_;
  bool asked_;
  ScriptNames contexts_;  ///< names that `with` gives, such as that of a profiler
  ScriptNames drivers_, tensors_, parameters_, loaders_, rounds_, objects_, computed_, reported_;
  std::vector<std::string> gradients_;
  std::vector<const ScriptLine*> setup_;
  std::vector<ScriptRegion> regions_;
  std::vector<std::pair<std::string, std::pair<std::string, const ScriptLine*>>> named_;
  std::map<const ScriptLine*, std::string> rewritten_;
  std::vector<std::pair<std::string, const ScriptLine*>> preset_;  ///< parameters of `opened_`
  std::string opened_;  ///< the function that is read as lines of the script
  int definedAt_ = 0, openedLast_ = 0;
  ScriptText made_;
};

}  // namespace

SourcePlace ScriptText::original(SourcePlace place) const {
  if (place.line < 1 || place.line > static_cast<int>(origins.size())) return place;
  const Origin& from = origins[static_cast<std::size_t>(place.line) - 1];
  return {from.line, std::max(1, place.column - from.columns)};
}

ProgramError ScriptText::original(const ProgramError& error) const {
  return ProgramError(original(error.place()), error.what());
}

void ScriptText::toOriginal(std::vector<ProgramNote>& notes) const {
  std::erase_if(notes, [](const ProgramNote& each) {
    return each.text.starts_with(std::string(kScriptEntry) + " is the program") ||
           each.text.find(": they call the program, which gives its inputs") != std::string::npos;
  });
  for (ProgramNote& each : notes) {
    const int now = original({each.line, 1}).line;
    const std::string said = fmt::format("line {}:", each.line);
    if (each.text.starts_with(said))
      each.text = fmt::format("line {}:", now) + each.text.substr(said.size());
    each.line = now;
  }
  const std::string lines =
      first == last ? fmt::format("line {}", first) : fmt::format("lines {} to {}", first, last);
  notes.push_back({first, round ? fmt::format("{}: the program is one iteration of the loop", lines)
                                : fmt::format("{}: these lines are the program", lines)});
  std::ranges::stable_sort(notes, {}, &ProgramNote::line);
}

std::optional<ScriptText> scriptText(std::string_view text) {
  std::vector<Token> tokens;
  try {
    tokens = tokenize(text);
  } catch (const ProgramError&) {  // said when the program is read
    return std::nullopt;
  }
  const ProgramLayout layout = layoutOf(tokens, text);
  const bool has = layout.mainPart >= 0 && !layout.onlyDrivers;
  const std::string entry = entryOf(text);
  const bool written =
      std::ranges::any_of(layout.parts, [](const auto& part) { return part.name == kScriptEntry; });
  const bool asked = entry == kScriptEntry && !written;
  if (layout.returns || (!entry.empty() && !asked)) return std::nullopt;
  ScriptWriter writer(text, tokens, asked);
  if (has && !asked && !writer.opens(layout)) return std::nullopt;
  return writer.run(layout);
}

}  // namespace fusebench
