// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/values_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/base/saying.h"
#include "engine/device/host_memory.h"
#include "profiler/files/files.h"

namespace fusebench {
namespace {

using nlohmann::json;

constexpr std::size_t kAlignment = 64;

std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Elements from the first to the last of a view, gaps included.
std::int64_t extentOf(const Shape& shape, const Strides& strides) {
  if (elementCount(shape) == 0) return 0;
  std::int64_t extent = 1;
  for (int d = 0; d < shape.rank(); ++d) extent += (shape[d] - 1) * strides[d];
  return extent;
}

/// Hands out places one after the other.
class FilePlaces {
 public:
  json place(std::string_view dtype, std::size_t size, const Shape& shape, const Strides& strides) {
    json tensor = {{"dtype", dtype}, {"shape", json::array()}, {"strides", json::array()}};
    for (const std::int64_t extent : shape) tensor["shape"].push_back(extent);
    for (int d = 0; d < shape.rank(); ++d) tensor["strides"].push_back(strides[d]);
    const std::int64_t count = extentOf(shape, strides);
    tensor["at"] = at_;
    tensor["count"] = count;
    at_ += aligned(static_cast<std::size_t>(count) * size);
    return tensor;
  }
  json doubles(const Shape& shape) {
    return place("float64", sizeof(double), shape, contiguousStrides(shape));
  }

 private:
  std::size_t at_ = 0;
};

void put(std::ofstream& file, const void* data, std::size_t bytes) {
  static constexpr char kZeros[kAlignment] = {};
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  file.write(kZeros, static_cast<std::streamsize>(aligned(bytes) - bytes));
}

}  // namespace

void ValuesFile::describe(std::string note, bool separate) {
  note_ = std::move(note);
  separate_ = separate;
}

void ValuesFile::add(const std::vector<Tensor>& inputs, std::vector<ReferenceTensor> results,
                     std::vector<std::vector<double>> scales) {
  entries_.push_back({inputs, std::move(results), std::move(scales)});
}

void ValuesFile::write(const std::string& path) const {
  json head = {{"fusebench", "values"}, {"version", 1}, {"note", note_}, {"separate", separate_}};
  head["entries"] = json::array();
  FilePlaces places;
  for (const Entry& entry : entries_) {
    json inputs = json::array(), results = json::array(), scales = json::array();
    for (const Tensor& input : entry.inputs) {
      inputs.push_back(
          places.place(info(input.dtype).name, info(input.dtype).size, input.shape, input.strides));
      if (input.memory != Memory::device)
        inputs.back()["memory"] = input.memory == Memory::pinned ? "pinned" : "host";
    }
    for (const ReferenceTensor& result : entry.results)
      results.push_back(places.doubles(result.type.shape));
    for (std::size_t i = 0; i < entry.scales.size(); ++i)
      scales.push_back(places.doubles(entry.results[i].type.shape));
    head["entries"].push_back({{"inputs", inputs}, {"results", results}, {"scales", scales}});
  }

  const std::string temporary = path + ".part";
  errno = 0;
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  const std::string line = head.dump() + "\n";
  put(file, line.data(), line.size());
  std::vector<std::byte> raw;
  for (const Entry& entry : entries_) {
    for (const Tensor& input : entry.inputs) {
      raw.resize(static_cast<std::size_t>(extentOf(input.shape, input.strides)) *
                 info(input.dtype).size);
      if (!raw.empty()) readTensor(backend_, raw.data(), input, raw.size());
      put(file, raw.data(), raw.size());
    }
    for (const ReferenceTensor& result : entry.results)
      put(file, result.values.data(), result.values.size() * sizeof(double));
    for (const std::vector<double>& scale : entry.scales)
      put(file, scale.data(), scale.size() * sizeof(double));
  }
  file.close();
  if (file && std::rename(temporary.c_str(), path.c_str()) == 0) return;
  const std::string message = systemMessage(path, saying("cannot be written"));
  std::remove(temporary.c_str());
  throw std::runtime_error(message + saying("; set TMPDIR to a folder with free space"));
}

}  // namespace fusebench
