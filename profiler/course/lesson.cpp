// SPDX-License-Identifier: GPL-3.0-or-later
// Reading lessons: Markdown whose fenced blocks "lesson", "experiment", "predict", "run", "seen",
// "ask" and "pytorch" are not text.
#include "profiler/course/lesson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "profiler/catalogue/catalogue.h"
#include "profiler/course/queue_picture.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/resources.h"

namespace fusebench::course {
namespace {

std::string_view stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<double> numberIn(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

constexpr std::pair<std::string_view, double> kUnits[] = {
    {"ns", 1},    {"us", 1e3},     {"µs", 1e3},           {"ms", 1e6},      {"s", 1e9},
    {"bytes", 1}, {"KiB", 1024},   {"MiB", 1024. * 1024}, {"GiB", 1 << 30}, {"times", 1},
    {"calls", 1}, {"launches", 1}, {"statements", 1},     {"elements", 1},  {"", 1},
};

/// What a grid shows at most: so many cells in a line, so large a stride.
constexpr std::int64_t kLongestInGrid = 12, kLargestInGrid = 9999;

/// A fenced block: its kind, its lines, and its position.
struct Block {
  std::string kind, text;
  int line = 0;  ///< number of its first line
};

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  Lesson read() {
    std::string prose, line;
    while (next(line)) {
      const std::string_view bare = stripped(line);
      const std::string kind =
          bare.starts_with("```") ? std::string(bare.substr(3)) : std::string();
      if (kind == "grid") {
        prose += gridText(blockOf(kind));
        continue;
      }
      if (kind == "queue") {
        prose += queueText(blockOf(kind));
        continue;
      }
      if (!isOurs(kind)) {
        prose += line + "\n";
        noteTitle(bare);
        continue;
      }
      endProse(prose);
      take(blockOf(kind));
    }
    endProse(prose);
    finish();
    return std::move(lesson_);
  }

  /// The block may be before the heading.
  LessonHead readHead() {
    LessonHead head;
    std::string line;
    bool hasBlock = false;
    while (!(hasBlock && !lesson_.title.empty()) && next(line)) {
      const std::string_view bare = stripped(line);
      noteTitle(bare);
      if (bare != "```lesson") continue;
      const Block block = blockOf("lesson");
      for (const auto& [key, value] : headFields(block))
        if (key == "minutes") head.minutes = minutesIn(block, value);
      hasBlock = true;
    }
    head.title = std::move(lesson_.title);
    if (head.title.empty()) failOfTitle();
    return head;
  }

 private:
  using Fields = std::vector<std::pair<std::string, std::string>>;
  Fields headFields(const Block& block) const {
    return fields(block, {"minutes", "experiment", "device", "time"});
  }

  [[noreturn]] void failOfTitle() const {
    fail(1, saying("a lesson must begin with a heading, \"# What is asked\""));
  }

  int minutesIn(const Block& block, const std::string& value) const {
    const auto minutes = numberIn(value);
    if (!minutes || !(*minutes >= 1 && *minutes <= 600))
      fail(block.line, saying("minutes: a whole number from 1 to 600"));
    return static_cast<int>(*minutes);
  }

  static bool isOurs(const std::string& kind) {
    constexpr std::string_view kOurs[] = {"lesson", "experiment", "predict", "run",
                                          "seen",   "ask",        "pytorch"};
    return std::find(std::begin(kOurs), std::end(kOurs), kind) != std::end(kOurs);
  }

  [[noreturn]] void fail(int line, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", file_, line, what));
  }

  bool next(std::string& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = std::string(text_.substr(at_, end - at_));
    at_ = end + 1;
    ++line_;
    return true;
  }

  Block blockOf(const std::string& kind) {
    Block block{kind, {}, line_ + 1};
    std::string line;
    while (next(line)) {
      if (stripped(line) == "```") return block;
      block.text += line + "\n";
    }
    fail(block.line - 1,
         saying("the block \"{}\" is not closed; end it with ``` on a separate line", kind));
  }

  void noteTitle(std::string_view line) {
    if (lesson_.title.empty() && line.starts_with("# ")) lesson_.title = stripped(line.substr(2));
  }

  void endProse(std::string& prose) {
    if (!stripped(prose).empty() && prose.find_first_not_of(" \t\r\n") != std::string::npos)
      lesson_.parts.push_back({LessonPart::Kind::text, std::move(prose), 0});
    prose.clear();
  }

  /// "key: value" lines of a block; `choice` may come more than once.
  std::vector<std::pair<std::string, std::string>> fields(
      const Block& block, std::initializer_list<std::string_view> known) const {
    std::vector<std::pair<std::string, std::string>> found;
    std::string_view rest = block.text;
    for (int line = block.line; !rest.empty(); ++line) {
      const std::size_t end = rest.find('\n');
      const std::string_view one = stripped(rest.substr(0, end));
      rest = rest.substr(end + 1);
      if (one.empty()) continue;
      const std::size_t colon = one.find(':');
      const std::string_view key = stripped(one.substr(0, colon));
      if (colon == std::string_view::npos ||
          std::find(known.begin(), known.end(), key) == known.end())
        fail(line, saying("\"{}\" is not a line of a block \"{}\"; write \"key: value\" with one "
                          "of the keys {}",
                          one.substr(0, 40), block.kind, listed(known)));
      found.emplace_back(key, stripped(one.substr(colon + 1)));
    }
    return found;
  }

  /// Numbers with commas between them.
  std::vector<std::int64_t> integersIn(const Block& block, const std::string& key,
                                       std::string_view text) const {
    std::vector<std::int64_t> numbers;
    while (!text.empty()) {
      const std::size_t comma = text.find(',');
      const std::string_view word = stripped(text.substr(0, comma));
      std::int64_t value = 0;
      const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (problem != std::errc() || end != word.data() + word.size() || value < 0 ||
          value > kLargestInGrid)
        fail(block.line,
             saying("{}: \"{}\" must be a whole number from 0 to {}", key, word, kLargestInGrid));
      numbers.push_back(value);
      text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    return numbers;
  }

  /// A tensor of one or two dimensions as a table: each cell has the position of its element in
  /// memory.
  std::string gridText(const Block& block) const {
    std::string label;
    std::vector<std::int64_t> extents, strides, offset{0};
    for (const auto& [key, value] : fields(block, {"label", "extents", "strides", "offset"})) {
      if (key == "label") label = value;
      if (key == "extents") extents = integersIn(block, key, value);
      if (key == "strides") strides = integersIn(block, key, value);
      if (key == "offset") offset = integersIn(block, key, value);
    }
    if (extents.empty() || extents.size() > 2 || strides.size() != extents.size() ||
        offset.size() != 1 || std::ranges::any_of(extents, [](std::int64_t extent) {
          return extent < 1 || extent > kLongestInGrid;
        }))
      fail(block.line, saying("a grid has one or two extents from 1 to {} and as many strides, "
                              "such as \"extents: 3, 4\" and \"strides: 4, 1\"",
                              kLongestInGrid));
    std::string text = "\n" +
                       saying("{} (strides {}); each cell shows the offset in memory:", label,
                              fmt::format("{}", fmt::join(strides, ", "))) +
                       "\n\n";
    const bool rows = extents.size() == 2;
    const std::int64_t columns = extents.back();
    text += rows ? "| |" : "|";
    for (std::int64_t c = 0; c < columns; ++c)
      text += fmt::format(" [{}{}] |", rows ? ":, " : "", c);
    text += "\n|";
    for (std::int64_t c = rows ? -1 : 0; c < columns; ++c) text += "---|";
    for (std::int64_t r = 0; r < (rows ? extents[0] : 1); ++r) {
      text += rows ? fmt::format("\n| **[{}]** |", r) : "\n|";
      for (std::int64_t c = 0; c < columns; ++c)
        text += fmt::format(" {} |", offset[0] + (rows ? r * strides[0] : 0) + c * strides.back());
    }
    return text + "\n\n";
  }

  double timeIn(const Block& block, const std::string& key, const std::string& value) const {
    double time = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), time);
    if (problem != std::errc() || end != value.data() + value.size() ||
        !(time >= kLeastDrawnTime) || time > kMostDrawnTime)
      fail(block.line, fmt::format("{}: \"{}\" is no time in microseconds from {} to {}", key,
                                   value, kLeastDrawnTime, kMostDrawnTime));
    return time;
  }

  /// Launches and the kernels that they start, as two lanes.
  std::string queueText(const Block& block) const {
    std::string label;
    QueueModel model;
    for (const auto& [key, value] :
         fields(block, {"label", "launch", "kernel", "launches", "depth"})) {
      if (key == "label") label = value;
      if (key == "launch") model.launch = timeIn(block, key, value);
      if (key == "kernel") model.kernel = timeIn(block, key, value);
      if (key != "launches" && key != "depth") continue;
      const std::vector<std::int64_t> numbers = integersIn(block, key, value);
      const int least = key == "launches" ? 1 : 0;
      if (numbers.size() != 1 || numbers[0] < least || numbers[0] > kMostDrawnLaunches)
        fail(block.line, fmt::format("{}: \"{}\" must be a whole number from {} to {}", key, value,
                                     least, kMostDrawnLaunches));
      (key == "launches" ? model.launches : model.depth) = static_cast<int>(numbers[0]);
    }
    return fmt::format("\n{}\n\n{}\n\n*{}*\n\n", label, queueImage(model), queueSentence(model));
  }

  static std::string listed(std::initializer_list<std::string_view> words) {
    std::string text;
    for (const std::string_view word : words)
      text += (text.empty() ? "" : ", ") + std::string(word);
    return text;
  }

  Unit unitNamed(const Block& block, const std::string& word) const {
    for (const auto& [name, scale] : kUnits)
      if (name == word) return {word == "us" ? "µs" : word, scale};
    std::string known;
    for (const auto& [name, scale] : kUnits)
      if (!name.empty()) known += (known.empty() ? "" : ", ") + std::string(name);
    fail(block.line, saying("there is no unit \"{}\"; the units are {}", word, known));
  }

  Quantity quantityNamed(const Block& block, const std::string& text) {
    try {
      Quantity quantity = parseQuantity(text);
      asked_.emplace_back(quantity, block.line);
      return quantity;
    } catch (const InputError& error) {
      fail(block.line, error.what());
    }
  }

  void take(const Block& block) {
    if (block.kind == "lesson") return takeHead(block);
    if (block.kind == "experiment") return takeExperiment(block);
    if (block.kind == "predict") return takePrediction(block);
    if (block.kind == "ask") return takeQuestion(block);
    if (block.kind == "pytorch") return takeCode(block);
    lesson_.parts.push_back(
        {block.kind == "run" ? LessonPart::Kind::run : LessonPart::Kind::seen, {}, 0});
  }

  void takeHead(const Block& block) {
    for (const auto& [key, value] : headFields(block)) {
      if (key == "device") lesson_.device = value;
      if (key == "time") lesson_.quick = value != "full";
      if (key == "minutes") lesson_.minutes = minutesIn(block, value);
      if (key != "experiment") continue;
      const std::vector<std::string> known = shippedExperiments();
      if (std::find(known.begin(), known.end(), value) == known.end())
        fail(block.line, saying("experiment: there is no shipped experiment \"{}\"; write one into "
                                "a block \"experiment\"",
                                value));
      lesson_.shippedExperiment = value;
      lesson_.experiment = parseExperiment(resourceText("experiments/" + value + ".json"), value);
      hasExperiment_ = true;
    }
  }

  void takeExperiment(const Block& block) {
    lesson_.experiment =
        parseExperiment(block.text, saying("{} (experiment, line {})", file_, block.line));
    lesson_.shippedExperiment.clear();
    hasExperiment_ = true;
  }

  void takeCode(const Block& block) {
    if (stripped(block.text).find_first_not_of('\n') == std::string_view::npos)
      fail(block.line, saying("a block \"pytorch\" must contain Python code to run"));
    lesson_.parts.push_back({LessonPart::Kind::code, block.text, 0});
  }

  void takePrediction(const Block& block) {
    Prediction prediction;
    bool valued = false;
    for (const auto& [key, value] : fields(block, {"ask", "value", "unit"})) {
      if (key == "ask") prediction.ask = value;
      if (key == "unit") prediction.unit = unitNamed(block, value);
      if (key == "value") prediction.value = quantityNamed(block, value), valued = true;
    }
    if (prediction.ask.empty() || !valued)
      fail(block.line, saying("a prediction needs the lines \"ask\" and \"value\""));
    if (prediction.value.isName())
      fail(block.line, saying("a prediction must be a number, not a name"));
    lesson_.parts.push_back({LessonPart::Kind::predict, {}, lesson_.predictions.size()});
    lesson_.predictions.push_back(std::move(prediction));
  }

  [[noreturn]] void failOfWhy(const Block& block) const {
    fail(block.line, saying("why: each line explains the \"choice\" line above it, one "
                            "line per choice"));
  }

  void takeQuestion(const Block& block) {
    Question question;
    bool valued = false;
    for (const auto& [key, value] :
         fields(block, {"ask", "value", "unit", "within", "choice", "why"})) {
      if (key == "ask") question.ask = value;
      if (key == "unit") question.unit = unitNamed(block, value);
      if (key == "value") question.value = quantityNamed(block, value), valued = true;
      if (key == "choice") question.choices.push_back(choiceIn(block, value));
      if (key == "why") {
        std::string& why = question.choices.empty() ? question.why : question.choices.back().why;
        if (!why.empty() || value.empty()) failOfWhy(block);
        why = value;
      }
      if (key != "within") continue;
      const auto tolerance = numberIn(value);
      if (!tolerance || !(*tolerance >= 0))
        fail(block.line, saying("within: a number such as 0.1"));
      question.tolerance = *tolerance;
    }
    if (!question.why.empty() && !question.choices.empty()) failOfWhy(block);
    if (question.ask.empty() || !valued)
      fail(block.line, saying("a question needs the lines \"ask\" and \"value\""));
    if (question.value.isName() && question.choices.empty())
      fail(block.line,
           saying("which variant it is can only be asked with choices; add \"choice\" lines"));
    lesson_.parts.push_back({LessonPart::Kind::ask, {}, lesson_.questions.size()});
    lesson_.questions.push_back(std::move(question));
  }

  /// "it grows | 1.5 .. ", "they agree | 0.9 .. 1.1", "static | = static"
  Choice choiceIn(const Block& block, const std::string& value) const {
    const std::size_t bar = value.rfind('|');
    if (bar == std::string::npos)
      fail(block.line, saying("choice: \"{}\" does not state when it is right; add \"| LOW .. "
                              "HIGH\" or \"| = NAME\"",
                              value));
    Choice choice;
    choice.text = stripped(std::string_view(value).substr(0, bar));
    const std::string_view when = stripped(std::string_view(value).substr(bar + 1));
    if (when.starts_with("=")) {
      choice.word = stripped(when.substr(1));
      return choice;
    }
    const std::size_t dots = when.find("..");
    if (dots == std::string_view::npos)
      fail(block.line, saying("choice: after the bar write LOW .. HIGH, or = NAME"));
    const auto end = [&](std::string_view text) -> std::optional<double> {
      if (stripped(text).empty()) return std::nullopt;
      const auto number = numberIn(stripped(text));
      if (!number) fail(block.line, saying("choice: \"{}\" must be a number", stripped(text)));
      return number;
    };
    choice.low = end(when.substr(0, dots));
    choice.high = end(when.substr(dots + 2));
    return choice;
  }

  void finish() {
    if (lesson_.title.empty()) failOfTitle();
    if (!hasExperiment_)
      fail(1, saying("a lesson needs an experiment: a line \"experiment: NAME\" in its block "
                     "\"lesson\", or a block \"experiment\""));
    for (const auto& [quantity, line] : asked_)
      if (const std::string problem = problemOf(quantity, lesson_.experiment); !problem.empty())
        fail(line, problem);
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 0;
  Lesson lesson_;
  bool hasExperiment_ = false;
  std::vector<std::pair<Quantity, int>> asked_;
};

}  // namespace

Lesson parseLesson(std::string_view text, std::string_view file) {
  Lesson lesson = Reader(text, file).read();
  lesson.source = text;
  return lesson;
}

std::string asOneFile(const Lesson& lesson) {
  if (lesson.shippedExperiment.empty()) return lesson.source;
  // A block "experiment" after the one that names it is put in its place.
  constexpr std::string_view kFence = "```";
  const std::size_t begin = lesson.source.find("```lesson");
  const std::size_t end = lesson.source.find(kFence, begin + kFence.size()) + kFence.size();
  return lesson.source.substr(0, end) +
         fmt::format("\n\n```experiment\n{}```",
                     resourceText("experiments/" + lesson.shippedExperiment + ".json")) +
         lesson.source.substr(end);
}

std::vector<std::string> shippedLessons() {
  std::vector<std::string> names;
  const std::string order = resourceText("lessons/order");
  for (std::size_t at = 0; at < order.size();) {
    const std::size_t end = std::min(order.find('\n', at), order.size());
    if (end > at) names.push_back(order.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

namespace {

std::string shippedFile(const std::string& name, const std::string& language) {
  return language == "en" ? name + ".fblesson" : name + "." + language + ".fblesson";
}

}  // namespace

LessonHead shippedLessonHead(const std::string& name) {
  const std::string file = shippedFile(name, language());
  return Reader(resourceText("lessons/" + file), file).readHead();
}

Lesson shippedLesson(const std::string& name, const std::string& language) {
  const std::string file = shippedFile(name, language);
  Lesson lesson = parseLesson(resourceText("lessons/" + file), file);
  lesson.name = name;
  return lesson;
}

Lesson findLesson(const std::string& given) {
  const std::vector<std::string> known = shippedLessons();
  if (std::find(known.begin(), known.end(), given) != known.end())
    return shippedLesson(given, language());
  if (given.find('/') == std::string::npos && given.find('.') == std::string::npos)
    throw InputError(
        saying("{}: there is no such lesson; shipped ones: {}", given, fmt::join(known, ", ")));
  Lesson lesson = parseLesson(readFile(given, kLargestWritten), given);
  lesson.name = std::filesystem::path(given).stem().string();
  return lesson;
}

}  // namespace fusebench::course
