// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/backend_table.h"

#include <algorithm>
#include <stdexcept>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"

namespace fusebench {
namespace {

std::vector<BackendRow>& rows() {
  static std::vector<BackendRow> all = shippedBackendRows();
  return all;
}

}  // namespace

bool BackendRow::isNamed(std::string_view device) const {
  if (names) return names(device);
  return device.starts_with(prefix) &&
         (device.size() == prefix.size() || device[prefix.size()] == ':');
}

std::span<const BackendRow> backendTable() {
  return rows();
}

const BackendRow* findBackendRow(std::string_view device) {
  const auto all = backendTable();
  const auto found =
      std::ranges::find_if(all, [&](const BackendRow& row) { return row.isNamed(device); });
  return found == all.end() ? nullptr : &*found;
}

PlanOptions planOptionsOn(std::string_view device, const PlanOptions& row) {
  const BackendRow* const found = findBackendRow(device);
  return found && found->plans ? planOptionsFor(row, found->plans(), {}) : row;
}

AddedBackendRow::AddedBackendRow(const BackendRow& row) {
  rows().push_back(row);
}

AddedBackendRow::~AddedBackendRow() {
  rows().pop_back();
}

std::unique_ptr<Backend> makeBackend(const std::string& device, bool recording) {
  const BackendRow* const row = findBackendRow(device);
  if (!row)
    throw std::invalid_argument(
        saying("there is no device '{}'; fusebench-cli devices lists them", device));
  return row->make(device, recording);
}

bool namesGpu(const std::string& device) {
  const BackendRow* const row = findBackendRow(device);
  return row && row->isGpu;
}

std::string deviceOfRank(const std::string& device, int rank) {
  const BackendRow* const row = findBackendRow(device);
  return row && row->ofRank ? row->ofRank(device, rank) : device;
}

std::string detailsOf(std::uint64_t memoryBytes, int clockKilohertz) {
  std::string text = saying("{} of memory", bytesText(static_cast<double>(memoryBytes)));
  if (clockKilohertz > 0) text += saying(", up to {} MHz", clockKilohertz / 1000);
  return text;
}

}  // namespace fusebench
