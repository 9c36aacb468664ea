// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/course/queue_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "profiler/catalogue/catalogue.h"

namespace fusebench::course {
namespace {

constexpr std::string_view kScheme = "queue:";
constexpr int kPlainColumns = 64;

/// A line of `kPlainColumns` characters: spans as blocks with an edge each, the rest as dots.
std::string plainLane(const std::vector<QueueSpan>& spans, double end, char edge, char inside) {
  std::string lane(kPlainColumns, '.');
  for (const QueueSpan& span : spans) {
    const auto column = [&](double time) {
      return std::clamp(static_cast<int>(std::lround(time / end * kPlainColumns)), 0,
                        kPlainColumns);
    };
    const int from = std::min(column(span.begin), kPlainColumns - 1);
    const int to = std::max(column(span.end), from + 1);
    for (int c = from; c < to; ++c) lane[static_cast<std::size_t>(c)] = c == from ? edge : inside;
  }
  return lane;
}

std::string plainPicture(const QueueModel& model) {
  const QueuePicture picture = pictureOf(model);
  return fmt::format("```\n{}  {}\n{}  {}\n```\n",
                     plainLane(picture.launches, picture.end, 'L', '-'), said("Host"),
                     plainLane(picture.kernels, picture.end, 'K', '='), said("Device"));
}

}  // namespace

double QueuePicture::idleShare() const {
  double sum = 0;
  for (const QueueSpan& span : idle) sum += span.end - span.begin;
  return end > 0 ? sum / end : 0;
}

QueuePicture pictureOf(const QueueModel& model) {
  QueuePicture picture;
  double host = 0, device = 0;
  for (int i = 0; i < model.launches; ++i) {
    if (model.depth > 0 && i >= model.depth) {
      const double room = picture.kernels[static_cast<std::size_t>(i - model.depth)].end;
      if (room > host) picture.waits.push_back({host, room});
      host = std::max(host, room);
    }
    picture.launches.push_back({host, host + model.launch});
    host += model.launch;
    const double begin = std::max(host, device);
    if (begin > device) picture.idle.push_back({device, begin});
    device = begin + model.kernel;
    picture.kernels.push_back({begin, device});
  }
  picture.end = std::max(host, device);
  return picture;
}

std::string queueSentence(const QueueModel& model) {
  const QueuePicture picture = pictureOf(model);
  return saying(
      "{} launches of {} µs, kernels of {} µs: the device is idle for {:.0f}% of {:.4g} µs.",
      model.launches, model.launch, model.kernel, 100 * picture.idleShare(), picture.end);
}

std::string queueImage(const QueueModel& model) {
  return fmt::format("![{}]({}launch={};kernel={};launches={};depth={})",
                     said("Launches and kernels over time"), kScheme, model.launch, model.kernel,
                     model.launches, model.depth);
}

std::optional<QueueModel> queueOf(std::string_view address) {
  if (!address.starts_with(kScheme)) return std::nullopt;
  address.remove_prefix(kScheme.size());
  QueueModel model;
  const auto take = [&](std::string_view name, auto& number) {
    if (!address.starts_with(name)) return false;
    address.remove_prefix(name.size());
    const auto [end, problem] =
        std::from_chars(address.data(), address.data() + address.size(), number);
    address.remove_prefix(static_cast<std::size_t>(end - address.data()));
    return problem == std::errc();
  };
  if (!take("launch=", model.launch) || !take(";kernel=", model.kernel) ||
      !take(";launches=", model.launches) || !take(";depth=", model.depth) || !address.empty())
    return std::nullopt;
  const auto drawn = [](double time) { return time >= kLeastDrawnTime && time <= kMostDrawnTime; };
  if (!drawn(model.launch) || !drawn(model.kernel) || model.launches < 1 ||
      model.launches > kMostDrawnLaunches || model.depth < 0 || model.depth > kMostDrawnLaunches)
    return std::nullopt;
  return model;
}

std::string withPlainPictures(std::string_view markdown) {
  std::string text;
  while (true) {
    const std::size_t begin = markdown.find("![");
    const std::size_t address =
        begin == std::string_view::npos ? begin : markdown.find("](", begin);
    const std::size_t end =
        address == std::string_view::npos ? address : markdown.find(')', address);
    if (end == std::string_view::npos) return text + std::string(markdown);
    const auto model = queueOf(markdown.substr(address + 2, end - address - 2));
    if (model) {
      text += markdown.substr(0, begin);
      text += plainPicture(*model);
    } else {
      text += markdown.substr(0, end + 1);
    }
    markdown.remove_prefix(end + 1);
  }
}

}  // namespace fusebench::course
