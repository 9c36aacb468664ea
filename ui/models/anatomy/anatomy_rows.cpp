// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/anatomy/anatomy_rows.h"

#include <cmath>
#include <vector>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

using Side = AnatomyRow::Side;

std::vector<AnatomyRow::Piece> piecesOf(const PartTimes& times,
                                        const std::vector<CallPart>& parts) {
  std::vector<AnatomyRow::Piece> pieces;
  for (const CallPart part : parts) pieces.push_back({part, times[static_cast<std::size_t>(part)]});
  return pieces;
}

AnatomyRow deviceRow(const AnatomyModel& model, int b, const AnatomyBar& bar) {
  AnatomyRow row{b, Side::device};
  row.label = uiText("on the device");
  row.title = uiText("%1 on the device").arg(bar.name);
  if (!bar.device) {
    row.problem = bar.deviceProblem;
    return row;
  }
  for (const DevicePart part : model.deviceParts())
    row.pieces.push_back({part, bar.device->parts[static_cast<std::size_t>(part)]});
  row.total = bar.device->total;
  return row;
}

}  // namespace

std::vector<AnatomyRow> anatomyRows(const AnatomyModel& model, const std::set<int>& open) {
  std::vector<AnatomyRow> rows;
  for (int b = 0; b < static_cast<int>(model.bars().size()); ++b) {
    const AnatomyBar& bar = model.bars()[static_cast<std::size_t>(b)];
    const bool opened = open.contains(bar.variant);
    rows.push_back(
        {b, Side::host, -1, bar.name, bar.name, piecesOf(bar.parts, model.parts()), bar.total, {}});
    int number = 0;
    if (opened)
      for (const AnatomyBar::Launch& launch : bar.launches)
        rows.push_back({b,
                        Side::host,
                        number++,
                        launch.label,
                        launch.label,
                        piecesOf(launch.parts, model.parts()),
                        launch.total,
                        {}});
    if (!bar.device && bar.deviceProblem.isEmpty()) continue;
    rows.push_back(deviceRow(model, b, bar));
    number = 0;
    if (opened && bar.device)
      for (const DeviceBar::Launch& launch : bar.device->launches)
        rows.push_back({b,
                        Side::device,
                        number++,
                        launch.label,
                        uiText("%1 on the device").arg(launch.label),
                        {{DevicePart::kernels, launch.kernels}},
                        launch.kernels,
                        {}});
  }
  return rows;
}

QString pieceShare(const AnatomyRow& row, const AnatomyRow::Piece& piece) {
  return QStringLiteral("%1%").arg(std::lround(row.total > 0 ? 100 * piece.time / row.total : 0));
}

QString pieceText(const AnatomyRow& row, const AnatomyRow::Piece& piece) {
  return QStringLiteral("%1: %2 (%3%)")
      .arg(partName(piece.part), formatTime(piece.time),
           QString::number(row.total > 0 ? 100 * piece.time / row.total : 0, 'f', 1));
}

}  // namespace fusebench
