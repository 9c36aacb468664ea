// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_scanner.h"

#include <fmt/format.h>

#include <cstring>

#include "engine/base/saying.h"
#include "profiler/files/input_error.h"

namespace fusebench {
namespace {

constexpr std::size_t kLongestMember = std::size_t{1} << 20;

bool isSpace(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

}  // namespace

TraceScanner::TraceScanner(ByteSource& source, std::string_view list)
    : source_(source), list_(list), window_(kWindow + kPadding) {
  fill();
  if (size_ >= 3 && std::memcmp(window_.data(), "\xEF\xBB\xBF", 3) == 0) at_ = 3;
  skipSpace();
  const int first = peek();
  if (first == '[') {
    arrayRoot_ = foundEvents_ = true;
    place_ = Place::events;
  } else if (first != '{') {
    throw InputError(
        source.path() +
        (first < 0 ? saying(": the file is empty")
                   : saying(": this is not a trace; a trace is JSON and begins with { or [")));
  }
  ++at_;
}

/// Drops the bytes before mark_ and reads on; false at the end, or where the window is full.
bool TraceScanner::fill() {
  if (ended_) return false;
  if (mark_ > 0) {
    std::memmove(window_.data(), window_.data() + mark_, size_ - mark_);
    dropped_ += mark_;
    size_ -= mark_;
    at_ -= mark_;
    mark_ = 0;
  }
  if (size_ + kPadding == window_.size()) {
    if (window_.size() >= kMostWindow) return false;
    window_.resize(std::min(window_.size() * 2, kMostWindow + kPadding));
  }
  const std::size_t got = source_.read(window_.data() + size_, window_.size() - kPadding - size_);
  size_ += got;
  if (got == 0) ended_ = true;
  return got > 0;
}

std::nullopt_t TraceScanner::stop(const std::string& why) {
  place_ = Place::end;
  partial_ = !source_.damage().empty() ? source_.damage()
                                       : saying("{} (byte {} of its text)", why, dropped_ + at_);
  return std::nullopt;
}

int TraceScanner::peek() {
  if (at_ == size_) {
    mark_ = std::min(mark_, at_);
    if (!fill()) return -1;
  }
  return static_cast<unsigned char>(window_[at_]);
}

bool TraceScanner::skipSpace() {
  for (;;) {
    while (at_ < size_ && isSpace(window_[at_])) ++at_;
    if (at_ < size_) return true;
    mark_ = at_;
    if (!fill()) return false;
  }
}

/// The place behind the string that begins at `at`, an offset from mark_. Offsets from mark_ stay
/// right when the window moves.
std::optional<std::size_t> TraceScanner::stringEnd(std::size_t at) {
  for (std::size_t i = at + 1;;) {
    const char* from = window_.data() + mark_ + i;
    const auto* quote = static_cast<const char*>(std::memchr(from, '"', size_ - mark_ - i));
    if (!quote) {
      i = size_ - mark_;
      if (!fill()) return std::nullopt;
      continue;
    }
    const auto end = static_cast<std::size_t>(quote - (window_.data() + mark_));
    std::size_t slashes = 0;
    while (slashes < end - at - 1 && window_[mark_ + end - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) return end + 1;
    i = end + 1;
  }
}

/// The place behind the value that begins at mark_, an offset from there. Nothing if the file or
/// the window ends before.
std::optional<std::size_t> TraceScanner::valueEnd() {
  std::size_t depth = 0;
  for (std::size_t i = 0;;) {
    const std::size_t have = size_ - mark_;
    const char* text = window_.data() + mark_;
    bool refill = true;
    while (i < have) {
      const char c = text[i];
      if (c == '"') {
        const auto end = stringEnd(i);
        if (!end) return std::nullopt;
        i = *end;
        if (depth == 0) return i;
        refill = false;  // the window may have moved
        break;
      }
      if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return i;  // the end of the value's container
        if (--depth == 0) return i + 1;
      } else if (depth == 0 && (c == ',' || (isSpace(c) && i > 0))) {
        return i;
      }
      ++i;
    }
    if (refill && !fill()) return std::nullopt;
  }
}

std::optional<std::string> TraceScanner::key() {
  mark_ = at_;
  const auto end = stringEnd(0);
  if (!end) return std::nullopt;
  std::string text(window_.data() + mark_ + 1, *end - 2);
  at_ = mark_ + *end;
  return text;
}

std::optional<std::string_view> TraceScanner::next() {
  // In a loop: a hostile file may hold any number of lists of events.
  while (place_ != Place::end) {
    const auto event = place_ == Place::root ? nextInRoot() : nextEvent();
    if (event) return event;
  }
  return std::nullopt;
}

std::optional<std::string_view> TraceScanner::nextInRoot() {
  for (;;) {
    if (!skipSpace()) return stop(saying("the file is incomplete"));
    const char c = window_[at_];
    if (c == '}') {
      place_ = Place::end;
      return std::nullopt;
    }
    if (c == ',') {
      ++at_;
      continue;
    }
    // Kineto writes metadata without names in places ("trace_id": ... after an empty one): a key
    // is all that is asked for.
    if (c != '"') return stop(saying("a member's name in quotes is missing"));
    const auto name = key();
    if (!name) return stop(saying("the file ends in the middle of a name"));
    if (!skipSpace() || window_[at_] != ':') return stop(saying("':' is missing after a name"));
    ++at_;
    if (!skipSpace()) return stop(saying("the file ends after a name"));
    if (*name == list_ && window_[at_] == '[') {
      ++at_;
      place_ = Place::events;
      foundEvents_ = true;
      return std::nullopt;
    }
    mark_ = at_;
    const auto end = valueEnd();
    if (!end)
      return stop(ended_ ? saying("the file ends in the middle of \"{}\"", *name)
                         : saying("\"{}\" is larger than 64 MiB", *name));
    if (*end <= kLongestMember) members_[*name] = std::string(window_.data() + mark_, *end);
    at_ = mark_ + *end;
  }
}

std::optional<std::string_view> TraceScanner::nextEvent() {
  for (;;) {
    // An array that is the whole file may lack its end: so says the format.
    if (!skipSpace()) {
      if (arrayRoot_ && source_.damage().empty()) {
        place_ = Place::end;
        return std::nullopt;
      }
      return stop(saying("the file ends in the middle of its events"));
    }
    const char c = window_[at_];
    if (c == ',') {
      ++at_;
      continue;
    }
    if (c == ']') {
      ++at_;
      place_ = arrayRoot_ ? Place::end : Place::root;
      return std::nullopt;
    }
    mark_ = at_;
    const auto end = valueEnd();
    if (!end)
      return stop(ended_ ? saying("the file ends in the middle of an event")
                         : saying("an event is larger than 64 MiB"));
    if (*end == 0) return stop(saying("there is one bracket too many"));
    const std::string_view text(window_.data() + mark_, *end);
    at_ = mark_ + *end;
    return text;
  }
}

}  // namespace fusebench
