// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/run/report_runs.h"

#include <zlib.h>

#include <algorithm>

namespace fusebench {
namespace {

constexpr std::size_t kMostRunBytes = std::size_t{256} << 20;

/// The unpacked content of a PDF's stream; empty if it is not packed so, or is not a run.
std::string runInStream(std::string_view packed) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(packed.size(), 1u << 30));
  std::string text;
  char piece[1 << 15];
  int code = Z_OK;
  while (code == Z_OK && text.size() < kMostRunBytes) {
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    code = inflate(&stream, Z_NO_FLUSH);
    text.append(piece, sizeof piece - stream.avail_out);
    if (!text.empty() && !text.starts_with('{')) break;
  }
  inflateEnd(&stream);
  if (code != Z_STREAM_END || !isRunText(text)) text.clear();
  return text;
}

std::vector<std::string> runsInPdf(std::string_view content) {
  constexpr std::string_view kOpening = "stream", kEnd = "endstream";
  std::vector<std::string> runs;
  for (std::size_t at = content.find(kOpening); at != std::string_view::npos;
       at = content.find(kOpening, at)) {
    std::size_t from = at + kOpening.size();
    if (from < content.size() && content[from] == '\r') ++from;
    if (from < content.size() && content[from] == '\n') ++from;
    const std::size_t to = content.find(kEnd, from);
    if (to == std::string_view::npos) break;
    std::string run = runInStream(content.substr(from, to - from));
    if (!run.empty()) runs.push_back(std::move(run));
    at = to + kEnd.size();
  }
  return runs;
}

}  // namespace

bool isRunText(std::string_view text) {
  return text.starts_with('{') &&
         text.substr(0, text.find('\n')).find(R"("fusebench":"run")") != std::string_view::npos;
}

bool isReportName(std::string_view path) {
  const auto endsIn = [path](std::string_view ending) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return path.size() >= ending.size() &&
           std::ranges::equal(path.substr(path.size() - ending.size()), ending, {}, lower);
  };
  return endsIn(".html") || endsIn(".pdf");
}

std::vector<std::string> runsInReport(std::string_view content) {
  if (content.starts_with("%PDF-")) return runsInPdf(content);
  const std::string opening = std::string("<script type=\"") + kEmbeddedRunType + '"';
  std::vector<std::string> runs;
  for (std::size_t start = content.find(opening); start != std::string_view::npos;
       start = content.find(opening, start + 1)) {
    const std::size_t from = content.find(">\n", start), to = content.find("</script>", start);
    if (from == std::string_view::npos || to == std::string_view::npos || to < from) break;
    runs.emplace_back(content.substr(from + 2, to - from - 2));
  }
  return runs;
}

}  // namespace fusebench
