// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/lexer.h"

#include <algorithm>
#include <array>

#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Longest first, so that the first that fits is the one.
constexpr std::array<std::string_view, 43> kSymbols = {
    "**=", "//=", ">>=", "<<=", "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", ":=",
    "+=",  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "@=", "+",  "-",  "*",  "/",  "%",  "@",
    "<",   ">",   "=",   "(",   ")",   "[",  "]",  ",",  ":",  ".",  ";",  "~",  "&"};
constexpr std::array<std::string_view, 4> kMoreSymbols = {"|", "^", "{", "}"};

class Lexer {
 public:
  explicit Lexer(std::string_view text, std::vector<LexerProblem>* problems = nullptr)
      : text_(text), problems_(problems) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = lineBegin_ = 3;
  }

  std::vector<Token> run() {
    while (at_ < text_.size()) line();
    if (!open_.empty()) failOpen();
    while (indents_.size() > 1) closeBlock();
    add(Token::Kind::end, at_, {});
    return std::move(tokens_);
  }

 private:
  /// Throws, or notes the problem of this logical line if it is the first.
  void fail(SourcePlace place, const std::string& message) {
    if (!problems_) failProgram(place, message);
    if (problems_->empty() || problems_->back().begin != logicalBegin_)
      problems_->push_back({logicalBegin_, place, message});
  }

  void failOpen() { fail(open_.back().place, "'" + open_.back().value + "' is never closed"); }

  /// Columns count characters, not bytes: continuation bytes of UTF-8 do not count.
  /// Counts on from the place asked for last, so that long lines take linear time.
  SourcePlace placeOf(std::size_t offset) {
    if (countedLine_ != line_ || offset < counted_) {
      countedLine_ = line_;
      counted_ = lineBegin_;
      column_ = 1;
    }
    for (; counted_ < offset && counted_ < text_.size(); ++counted_)
      if ((static_cast<unsigned char>(text_[counted_]) & 0xC0u) != 0x80u) ++column_;
    return {line_, column_};
  }

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void add(Token::Kind kind, std::size_t begin, std::string value) {
    tokens_.push_back({kind, std::move(value), placeOf(begin), begin, at_});
  }

  bool atLineEnd() const { return peek() == '\n' || (peek() == '\r' && peek(1) == '\n'); }

  void nextLine() {
    at_ += peek() == '\r' ? 2 : 1;
    ++line_;
    lineBegin_ = at_;
  }

  void closeBlock() {
    indents_.pop_back();
    add(Token::Kind::dedent, at_, {});
  }

  /// One logical line, or a blank one.
  void line() {
    int width = 0;
    for (; peek() == ' ' || peek() == '\t' || peek() == '\f'; ++at_)
      width = peek() == '\t' ? (width / 8 + 1) * 8 : width + 1;
    if (peek() == '#') skipComment();
    if (at_ >= text_.size()) return;
    if (atLineEnd()) return nextLine();
    logicalBegin_ = at_;
    indentation(width);
    const Start start{at_, line_, lineBegin_, tokens_.size()};
    bool joins = true;
    while (at_ < text_.size()) {
      if (atLineEnd()) {
        if (open_.empty() || !joins) break;
        nextLine();
        if (problems_ && endsUnclosed(start.line)) joins = returnTo(start);
        continue;
      }
      token();
      if (problems_ && at_ >= text_.size() && !open_.empty() && joins && line_ != start.line)
        joins = returnTo(start);
    }
    if (problems_ && !open_.empty()) {
      failOpen();
      open_.clear();
    }
    add(Token::Kind::newline, at_, {});
    if (at_ < text_.size()) nextLine();
  }

  /// A position to continue from.
  struct Start {
    std::size_t at;
    int line;
    std::size_t lineBegin;
    std::size_t tokens;
  };

  /// Whether the current physical line shows that a bracket before it was left open: the first word
  /// of a statement is never inside a bracket, and no statement is that long.
  bool endsUnclosed(int firstLine) const {
    if (line_ - firstLine > kMostLines || at_ >= text_.size()) return true;
    const std::string_view rest = text_.substr(at_);
    const std::size_t code = std::min(rest.find_first_not_of(" \t"), rest.size());
    for (std::string_view word : {"return ", "def ", "class ", "import ", "from ", "with "})
      if (rest.substr(code, word.size()) == word) return true;
    return false;
  }

  /// Goes back to read the logical line again, up to its first line's end.
  bool returnTo(const Start& start) {
    if (!problems_->empty() && problems_->back().begin == logicalBegin_) problems_->pop_back();
    open_.clear();
    at_ = start.at;
    line_ = start.line;
    lineBegin_ = start.lineBegin;
    countedLine_ = 0;
    tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(start.tokens), tokens_.end());
    return false;
  }

  void indentation(int width) {
    if (indents_.empty()) indents_.push_back(width);
    if (width > indents_.back()) {
      indents_.push_back(width);
      add(Token::Kind::indent, at_, {});
    }
    while (width < indents_.back() && indents_.size() > 1) closeBlock();
    if (width < indents_.back()) {  // left of the first line: pasted text began further in
      indents_.back() = width;
    } else if (width > indents_.back()) {
      fail(placeOf(at_), "this line's indentation does not match any block above it");
    }
  }

  void skipComment() {
    while (at_ < text_.size() && !atLineEnd()) ++at_;
  }

  void token() {
    const char c = peek();
    if (c == ' ' || c == '\t' || c == '\f') {
      ++at_;
    } else if (c == '#') {
      skipComment();
    } else if (c == '\\') {
      continuation();
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      number();
    } else if (stringStart() > 0) {
      string();
    } else if (isLetter(c)) {
      const std::size_t begin = at_;
      while (isLetter(peek()) || isDigit(peek())) ++at_;
      add(Token::Kind::name, begin, std::string(text_.substr(begin, at_ - begin)));
    } else {
      symbol();
    }
  }

  void continuation() {
    const std::size_t begin = at_++;
    while (peek() == ' ' || peek() == '\t') ++at_;
    if (atLineEnd()) return nextLine();
    fail(placeOf(begin), "found '\\'; it is only allowed at the end of a line");
  }

  void number() {
    const std::size_t begin = at_;
    const bool prefixed = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X' || peek(1) == 'b' ||
                                            peek(1) == 'B' || peek(1) == 'o' || peek(1) == 'O');
    while (isDigit(peek()) || isLetter(peek()) || peek() == '.' ||
           (!prefixed && (peek() == '+' || peek() == '-') &&
            (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') && at_ > begin))
      ++at_;
    add(Token::Kind::number, begin, std::string(text_.substr(begin, at_ - begin)));
  }

  /// Length of a string's prefix and first quote; 0 if no string starts here.
  std::size_t stringStart() const {
    std::size_t n = 0;
    while (n < 2 && std::string_view("rRbBuUfF").find(peek(n)) != std::string_view::npos &&
           peek(n) != '\0')
      ++n;
    return peek(n) == '"' || peek(n) == '\'' ? n + 1 : 0;
  }

  void string() {
    const std::size_t begin = at_;
    const SourcePlace place = placeOf(begin);
    at_ += stringStart() - 1;
    const char quote = peek();
    const std::size_t quotes = peek(1) == quote && peek(2) == quote ? 3 : 1;
    at_ += quotes;
    std::string value;
    const std::string closing(quotes, quote);
    while (text_.substr(at_, quotes) != closing) {
      if (at_ >= text_.size() || (quotes == 1 && atLineEnd())) return openString(begin, place);
      if (atLineEnd()) {
        value += '\n';
        nextLine();
        continue;
      }
      if (peek() == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') value += text_[at_++];
      value += text_[at_++];
    }
    at_ += quotes;
    tokens_.push_back({Token::Kind::text, std::move(value), place, begin, at_});
  }

  /// The rest of the line is taken for the string.
  void openString(std::size_t begin, SourcePlace place) {
    fail(place, "this string is never closed");
    if (place.line != line_) {
      at_ = begin;
      line_ = place.line;
      lineBegin_ = text_.substr(0, begin).rfind('\n') + 1;
      countedLine_ = 0;
    }
    while (at_ < text_.size() && !atLineEnd()) ++at_;
    tokens_.push_back({Token::Kind::text, {}, place, begin, at_});
  }

  void symbol() {
    const std::string_view rest = text_.substr(at_);
    const auto fits = [&](std::string_view s) { return rest.substr(0, s.size()) == s; };
    auto found = std::find_if(kSymbols.begin(), kSymbols.end(), fits);
    std::string_view s;
    if (found != kSymbols.end()) s = *found;
    for (std::string_view more : kMoreSymbols)
      if (s.empty() && fits(more)) s = more;
    if (s.empty()) {
      const std::string shown = character();
      fail(placeOf(at_), "found " + shown + ", which cannot start anything in Python");
      ++at_;
      return;
    }
    const std::size_t begin = at_;
    at_ += s.size();
    add(Token::Kind::symbol, begin, std::string(s));
    brackets();
  }

  void brackets() {
    const Token& t = tokens_.back();
    if (t.is("(") || t.is("[") || t.is("{")) return open_.push_back(t);
    if (!t.is(")") && !t.is("]") && !t.is("}")) return;
    const std::string opening = t.is(")") ? "(" : t.is("]") ? "[" : "{";
    if (open_.empty() || open_.back().value != opening) {
      fail(t.place, "found '" + t.value + "' without the '" + opening + "' that it closes");
      return tokens_.pop_back();
    }
    open_.pop_back();
  }

  /// The current character, whole even if it takes several bytes.
  std::string character() const {
    std::size_t length = 1;
    while ((static_cast<unsigned char>(peek(length)) & 0xC0u) == 0x80u && length < 4) ++length;
    const std::string bytes(text_.substr(at_, length));
    const unsigned char first = static_cast<unsigned char>(bytes[0]);
    if (first < 0x20 || first == 0x7F || (first >= 0x80 && length == 1))
      return "an unprintable character";
    return "'" + bytes + "'";
  }

  static constexpr int kMostLines = 200;  ///< in one statement, when looking for a closing bracket

  std::string_view text_;
  std::vector<LexerProblem>* problems_;  ///< null: throw
  std::size_t logicalBegin_ = 0;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t lineBegin_ = 0;
  int countedLine_ = 0, column_ = 1;  // see placeOf
  std::size_t counted_ = 0;
  std::vector<int> indents_;
  std::vector<Token> open_;
  std::vector<Token> tokens_;
};

}  // namespace

std::string Token::shown() const {
  switch (kind) {
    case Kind::newline:
      return "the end of the line";
    case Kind::indent:
      return "a deeper indentation";
    case Kind::dedent:
      return "the end of the block";
    case Kind::end:
      return "the end of the program";
    case Kind::text:
      return "a string";
    default:
      return "'" + value + "'";
  }
}

std::vector<Token> tokenize(std::string_view text) {
  return Lexer(text).run();
}

std::vector<Token> tokenizeTolerantly(std::string_view text, std::vector<LexerProblem>& problems) {
  return Lexer(text, &problems).run();
}

}  // namespace fusebench
