// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "app/cli_format.h"
#include "engine/base/saying.h"
#include "engine/base/standard_streams.h"

namespace fusebench::cli {

std::string barText(const StudyProgress& progress, int columns) {
  std::string right = progress.phase == "done"
                          ? saying(" 100% done")
                          : saying(" {:3.0f}% {}, {} left", 100 * progress.fraction,
                                   saidAs("phase", progress.phase), leftText(progress.secondsLeft));
  const int room = std::clamp(columns - static_cast<int>(columnsOf(right)) - 3, 0, 40);
  if (room < 5) return right;
  const auto full = static_cast<std::size_t>(progress.fraction * room);
  return fmt::format("[{}{}]{}", std::string(full, '#'),
                     std::string(static_cast<std::size_t>(room) - full, '.'), right);
}

ProgressBar::ProgressBar(bool lines)
    : lines_(lines), terminal_(!lines && isatty(STDERR_FILENO) == 1) {}

void ProgressBar::show(const StudyProgress& progress) {
  if (lines_)
    putError(fmt::format("{{\"phase\": \"{}\", \"fraction\": {:.4f}, \"seconds_left\": {:.1f}}}\n",
                         progress.phase, progress.fraction, progress.secondsLeft));
  if (!terminal_) return;
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const std::string line = fmt::format("\r{}\033[K", barText(progress, known ? size.ws_col : 80));
  putError(line);
  shown_ = true;
}

void ProgressBar::clear() {
  if (!shown_) return;
  putError("\r\033[K");
  shown_ = false;
}

}  // namespace fusebench::cli
