// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of a text are: functions, classes, the lines around them, and which is the
// program.
#include "engine/language/program_layout.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace fusebench {
namespace {

using Part = ProgramLayout::Part;

/// Index of the compiled function in `name = torch.compile(`, counted from the name.
constexpr int kCompiled = 6;

/// Whether a line gives a name to what torch.compile makes of something.
bool isCompiling(const std::vector<Token>& tokens, std::size_t at) {
  if (at + kCompiled >= tokens.size() || tokens[at].kind != Token::Kind::name) return false;
  const auto is = [&](std::size_t i, std::string_view text) { return tokens[at + i].is(text); };
  return is(1, "=") && tokens[at + 2].value == "torch" && is(3, ".") &&
         tokens[at + 4].value == "compile" && is(5, "(");
}

/// Goes through tokens line by line and notes where functions and classes begin and end.
class LayoutScan {
 public:
  LayoutScan(const std::vector<Token>& tokens, std::string entry)
      : tokens_(tokens), entry_(std::move(entry)) {}

  ProgramLayout run() {
    parts(layout_.parts, true);
    noteNames();
    noteStarts();
    noteDrivers();
    noteCandidates();
    choose();
    return std::move(layout_);
  }

 private:
  bool at(Token::Kind kind) const { return tokens_[next_].kind == kind; }
  bool atEnd() const { return next_ + 1 >= tokens_.size(); }

  void toNextLine() {
    while (!atEnd() && !at(Token::Kind::newline)) ++next_;
    if (!atEnd()) ++next_;
  }

  /// The statements of one block, up to its dedent.
  void parts(std::vector<Part>& found, bool outermost) {
    int begin = -1;  // the first decorator
    while (!atEnd()) {
      if (at(Token::Kind::dedent)) {
        ++next_;
        if (!outermost) return;
        continue;
      }
      if (at(Token::Kind::newline)) {
        ++next_;
        continue;
      }
      if (at(Token::Kind::indent)) {
        ++next_;
        block(outermost);
        continue;
      }
      const Token& first = tokens_[next_];
      if (first.is("@")) {
        if (begin < 0) begin = static_cast<int>(next_);
        toNextLine();
        continue;
      }
      if (first.is("async") && tokens_[next_ + 1].is("def")) {
        if (begin < 0) begin = static_cast<int>(next_);
        ++next_;
      }
      if (tokens_[next_].is("def") || tokens_[next_].is("class"))
        part(found, begin);
      else
        other(outermost);
      begin = -1;
    }
  }

  void part(std::vector<Part>& found, int begin) {
    Part made;
    made.word = static_cast<int>(next_);
    made.begin = begin < 0 ? made.word : begin;
    made.isClass = tokens_[next_].is("class");
    made.name = tokens_[std::min(next_ + 1, tokens_.size() - 1)].value;
    toNextLine();
    if (!atEnd() && at(Token::Kind::indent)) {
      ++next_;
      if (made.isClass)
        parts(made.members, false);
      else
        block(false);
    }
    made.end = static_cast<int>(next_);
    found.push_back(std::move(made));
  }

  void other(bool outermost) {
    if (outermost && tokens_[next_].is("return")) layout_.returns = true;
    if (outermost && tokens_[next_].kind == Token::Kind::name && next_ + 3 < tokens_.size() &&
        tokens_[next_ + 1].is("=") && tokens_[next_ + 3].is("("))
      made_.push_back(static_cast<int>(next_) + 2);
    // f = torch.compile(f) names nothing that was not there; m = torch.compile(M()) makes a module.
    if (outermost && isCompiling(tokens_, next_)) {
      compiled_.insert({static_cast<int>(next_), static_cast<int>(next_) + kCompiled});
      if (next_ + kCompiled + 1 < tokens_.size() && tokens_[next_ + kCompiled + 1].is("("))
        made_.push_back(static_cast<int>(next_) + kCompiled);
    }
    toNextLine();
  }

  /// A block that is looked into only for a return outside of functions.
  void block(bool outermost) {
    int depth = 1;
    bool lineBegins = true;
    for (; depth > 0 && !atEnd(); ++next_) {
      if (at(Token::Kind::indent)) ++depth;
      if (at(Token::Kind::dedent)) --depth;
      if (outermost && lineBegins && tokens_[next_].is("return")) layout_.returns = true;
      lineBegins = at(Token::Kind::newline) || at(Token::Kind::indent) || at(Token::Kind::dedent);
    }
  }

  /// Notes the first and the last place where each name occurs, except as an attribute.
  void noteNames() {
    const std::set<int> made(made_.begin(), made_.end());
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const auto index = static_cast<int>(i);
      if (tokens_[i].kind != Token::Kind::name || made.contains(index) || compiled_.contains(index))
        continue;
      if (i > 0 && tokens_[i - 1].is(".")) continue;
      const auto found = named_.try_emplace(tokens_[i].value, index, index).first;
      found->second.second = index;
    }
  }

  /// Whether the text names the part outside of it.
  bool isNamedElsewhere(const Part& part) const {
    const auto found = named_.find(part.name);
    return found != named_.end() &&
           (found->second.first < part.begin || found->second.second >= part.end);
  }

  void noteStarts() {
    for (std::size_t i = 0; i < layout_.parts.size(); ++i) {
      const Part& part = layout_.parts[i];
      const std::pair<int, int> own{static_cast<int>(i), -1};
      layout_.starts[part.begin] = layout_.starts[part.word] = own;
      for (std::size_t m = 0; m < part.members.size(); ++m)
        layout_.starts[part.members[m].begin] = {own.first, static_cast<int>(m)};
    }
  }

  static int mainMember(const Part& part) {
    for (const char* name : {"forward", "__call__"})
      for (std::size_t i = 0; i < part.members.size(); ++i)
        if (part.members[i].name == name) return static_cast<int>(i);
    for (std::size_t i = part.members.size(); i-- > 0;)
      if (!part.members[i].isClass && !part.members[i].name.starts_with("__"))
        return static_cast<int>(i);
    return -1;
  }

  /// Calls visit with the tokens of the lines that run the program: those behind all functions and
  /// classes, and the bodies of functions that only run others.
  template <class Visit>
  void inDrivers(const Visit& visit) const {
    int last = 0;
    for (const Part& part : layout_.parts)
      if (!layout_.drivers.contains(part.name)) last = std::max(last, part.end);
    for (int i = last; i < static_cast<int>(tokens_.size()); ++i)
      visit(static_cast<std::size_t>(i));
    for (const Part& part : layout_.parts)
      if (layout_.drivers.contains(part.name) && part.end <= last)
        for (int i = part.word; i < part.end; ++i) visit(static_cast<std::size_t>(i));
  }

  bool isNameAt(std::size_t i) const {
    return tokens_[i].kind == Token::Kind::name && (i == 0 || !tokens_[i - 1].is("."));
  }

  std::set<std::string_view> parametersOf(const Part& part) const {
    std::set<std::string_view> names;
    int depth = 0;
    for (int i = part.word + 2; i < part.end; ++i) {
      const Token& now = tokens_[static_cast<std::size_t>(i)];
      depth += now.is("(") ? 1 : now.is(")") ? -1 : 0;
      if (depth == 0) break;
      const Token& before = tokens_[static_cast<std::size_t>(i) - 1];
      if (depth == 1 && now.kind == Token::Kind::name && (before.is("(") || before.is(",")))
        names.insert(now.value);
    }
    return names;
  }

  bool isModule(std::string_view name) const {
    return std::ranges::any_of(layout_.parts, [&](const Part& part) {
      return part.isClass && part.name == name &&
             std::ranges::any_of(part.members,
                                 [](const Part& each) { return each.name == "forward"; });
    });
  }
  /// Whether a function starts processes that run another one.
  bool spawns(const Part& part) const {
    for (int i = part.word; i < part.end; ++i)
      if (tokens_[static_cast<std::size_t>(i)].value == "spawn") return true;
    return false;
  }

  /// Functions that time, train or test others.
  void noteDrivers() {
    constexpr std::array<std::string_view, 9> kTiming = {
        "perf_counter", "perf_counter_ns", "elapsed_time",      "timeit",      "do_bench",
        "synchronize",  "Timer",           "blocked_autorange", "process_time"};
    constexpr std::array<std::string_view, 8> kNames = {"main", "test",    "bench",   "run",
                                                        "demo", "profile", "compare", "check"};
    constexpr std::array<std::string_view, 3> kTraining = {"backward", "init_process_group",
                                                           "spawn"};
    std::set<std::string, std::less<>> found;
    std::map<std::string_view, int> counts;  // how many parts have each name
    for (const Part& part : layout_.parts) ++counts[part.name];
    for (const Part& part : layout_.parts) {
      if (part.isClass) continue;
      const bool named = std::ranges::any_of(kNames, [&](std::string_view each) {
        return part.name == each || part.name.starts_with(std::string(each) + "_") ||
               (each == "bench" && part.name.starts_with(each));
      });
      bool times = false, uses = false, calls = false, makes = false, trains = false;
      const std::set<std::string_view> parameters = parametersOf(part);
      for (int i = part.word + 2; i < part.end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (tokens_[at].kind != Token::Kind::name) continue;
        calls |= isNameAt(at) && tokens_[at + 1].is("(") && parameters.contains(tokens_[at].value);
        times |= std::ranges::find(kTiming, tokens_[at].value) != kTiming.end() &&
                 !counts.contains(tokens_[at].value);
        times |= tokens_[at].value == "time" && !isNameAt(at) && tokens_[at + 1].is("(");
        trains |= std::ranges::find(kTraining, tokens_[at].value) != kTraining.end();
        makes |= isNameAt(at) && tokens_[at + 1].is("(") && isModule(tokens_[at].value);
        if (uses || !isNameAt(at)) continue;
        const auto count = counts.find(tokens_[at].value);
        uses = count != counts.end() && count->second > (count->first == part.name ? 1 : 0);
      }
      if ((times && (calls || uses)) || (trains && (makes || spawns(part))) ||
          (named && uses && takesNothing(part)))
        found.insert(part.name);
    }
    const bool all = std::ranges::all_of(
        layout_.parts, [&](const Part& part) { return found.contains(part.name); });
    layout_.onlyDrivers = all && !layout_.parts.empty();
    if (!all) layout_.drivers = std::move(found);
  }

  static bool preparesInputs(const std::string& name) {
    for (std::string_view word :
         {"make_", "get_", "create_", "build_", "generate_", "init_", "load_", "set_", "seed_"})
      if (name.starts_with(word)) return true;
    return false;
  }

  /// Parts that the lines behind them use: one of them is the program.
  void noteCandidates() {
    std::set<std::string_view> used;
    inDrivers([&](std::size_t i) {
      if (isNameAt(i)) used.insert(tokens_[i].value);
    });
    for (std::size_t i = 0; i < layout_.parts.size(); ++i) {
      const Part& part = layout_.parts[i];
      if (!used.contains(part.name) || layout_.drivers.contains(part.name)) continue;
      if (part.isClass && mainMember(part) < 0) continue;
      if (!part.isClass && (preparesInputs(part.name) || takesNothing(part))) continue;
      candidates_.push_back(i);
      layout_.entries.push_back(part.name);
    }
  }
  bool takesNothing(const Part& part) const {
    const auto open = static_cast<std::size_t>(part.word) + 2;
    return open + 1 < tokens_.size() && tokens_[open].is("(") && tokens_[open + 1].is(")");
  }

  void choosePart(std::size_t i) {
    const Part& part = layout_.parts[i];
    layout_.mainMember = part.isClass ? mainMember(part) : -1;
    if (!part.isClass || layout_.mainMember >= 0) layout_.mainPart = static_cast<int>(i);
  }

  void choose() {
    if (layout_.returns) return;
    for (std::size_t i = 0; i < layout_.parts.size(); ++i)
      if (layout_.parts[i].name == entry_) choosePart(i);
    // A module before functions, the last one before others.
    for (const bool classes : {true, false})
      for (std::size_t c = candidates_.size(); c-- > 0 && layout_.mainPart < 0;)
        if (!classes || layout_.parts[candidates_[c]].isClass) choosePart(candidates_[c]);
    for (const bool unnamed : {true, false})
      for (std::size_t i = layout_.parts.size(); i-- > 0 && layout_.mainPart < 0;) {
        const Part& part = layout_.parts[i];
        if (layout_.drivers.contains(part.name) || (unnamed && isNamedElsewhere(part))) continue;
        choosePart(i);
      }
    if (layout_.mainPart < 0) return;
    const Part& main = layout_.parts[static_cast<std::size_t>(layout_.mainPart)];
    layout_.entry = main.name;
    for (const int made : made_)
      if (main.isClass && made >= main.end &&
          tokens_[static_cast<std::size_t>(made)].value == main.name)
        layout_.made = made;
    if (layout_.made < 0 && main.isClass) findMaking(main);
  }

  /// Where lines that run the program make its object, within a block or a call.
  void findMaking(const Part& main) {
    inDrivers([&](std::size_t i) {
      if (layout_.made >= 0 || !isNameAt(i) || tokens_[i].value != main.name) return;
      if (i + 1 >= tokens_.size() || !tokens_[i + 1].is("(")) return;
      layout_.made = static_cast<int>(i);
      // The rest of the expression may call the object.
      layout_.madeWithin = !tokens_[i - 1].is("=");
    });
  }

  const std::vector<Token>& tokens_;
  std::string entry_;                    ///< the part that the text says is the program
  std::vector<std::size_t> candidates_;  ///< in parts
  ProgramLayout layout_;
  std::map<std::string_view, std::pair<int, int>> named_;  ///< first and last token of each name
  std::vector<int> made_;   ///< tokens of what is called in `name = Class(`
  std::set<int> compiled_;  ///< tokens of names in `name = torch.compile(name`
  std::size_t next_ = 0;
};

}  // namespace

std::string entryOf(std::string_view text) {
  while (text.starts_with('#')) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(kEntryComment)) {
      std::string_view name = line.substr(kEntryComment.size());
      while (name.ends_with(' ') || name.ends_with('\r')) name.remove_suffix(1);
      return std::string(name);
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

ProgramLayout layoutOf(const std::vector<Token>& tokens, std::string_view text) {
  return LayoutScan(tokens, entryOf(text)).run();
}

}  // namespace fusebench
