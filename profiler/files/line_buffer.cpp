// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/line_buffer.h"

namespace fusebench {

void LineBuffer::append(std::string_view bytes) {
  pending_ += bytes;
}

std::optional<LineBuffer::Line> LineBuffer::next() {
  const std::size_t end = pending_.find('\n', searched_);
  if (end == std::string::npos) {
    if (pending_.size() > longest_) {
      dropping_ = true;
      pending_.clear();
    }
    searched_ = pending_.size();
    return std::nullopt;
  }
  Line line;
  line.oversized = dropping_ || end > longest_;
  if (!line.oversized) line.text = pending_.substr(0, end);
  if (!line.text.empty() && line.text.back() == '\r') line.text.pop_back();
  pending_.erase(0, end + 1);
  searched_ = 0;
  dropping_ = false;
  return line;
}

}  // namespace fusebench
