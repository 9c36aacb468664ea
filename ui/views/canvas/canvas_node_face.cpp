// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_style.h"

namespace fusebench {
namespace {

using namespace canvas;

constexpr double kFaceInset = 13, kFaceBetween = 5, kChipPadding = 5, kEnd = 8;
constexpr double kProblemWidth = 200, kFoldMark = 20;
constexpr int kMostProblemLines = 5;
constexpr double kLeastShare = 0.0005;  // less would be written as 0 %

double chipWidth(const CanvasField& field) {
  return std::ceil(QFontMetricsF(chipFont()).horizontalAdvance(field.shown())) + 2 * kChipPadding;
}

bool beforeTitle(const CanvasNode& node, const CanvasField& field) {
  return node.symbol && field.kind == CanvasField::Kind::operand && field.position == 0;
}

/// Height of a problem and its fix, which a node shows in full up to kMostProblemLines lines.
double problemHeight(const QString& words, double width) {
  const QFontMetricsF metrics(problemFont());
  const QRectF wrapped = metrics.boundingRect(QRectF(0, 0, width, 1000), Qt::TextWordWrap, words);
  return std::ceil(std::min(wrapped.height(), kMostProblemLines * metrics.lineSpacing()));
}

/// Lays out titles and chips in rows; a chip that does not fit goes to the next
/// one.
class NodeRows {
 public:
  NodeRows(const CanvasNode& node, double most) : node_(node), most_(most) {
    face_.fields.resize(node.fields.size());
    for (std::size_t i = 0; i < node.fields.size(); ++i)
      if (beforeTitle(node, node.fields[i])) put(face_.fields[i], chipWidth(node.fields[i]));
    const double wanted = std::ceil(QFontMetricsF(titleFont(node.symbol || node.notUnderstood()))
                                        .horizontalAdvance(node.title)) +
                          (node.folded >= 0 ? kFoldMark : 2);
    put(face_.title, std::min(wanted, most_ - kFaceInset - kEnd));
    for (std::size_t i = 0; i < node.fields.size(); ++i)
      if (node.fields[i].kind != CanvasField::Kind::name && face_.fields[i].isEmpty())
        put(face_.fields[i], std::min(chipWidth(node.fields[i]), most_ - kFaceInset - kEnd));
    if (node.share >= kLeastShare)
      put(face_.share,
          std::ceil(QFontMetricsF(chipFont()).horizontalAdvance(shareText(node.share))) +
              2 * kChipPadding);
    face_.size = {std::max(widest_ + kEnd, 0.0), y_ + kRowHeight};
  }
  NodeFace take() { return std::move(face_); }

 private:
  void put(QRectF& place, double width) {
    if (x_ > kFaceInset && x_ + width > most_ - kEnd) {
      x_ = kFaceInset;
      y_ += kChipHeight + 3;
    }
    place = QRectF(x_, y_ + (kRowHeight - kChipHeight) / 2, width, kChipHeight);
    x_ += width + kFaceBetween;
    widest_ = std::max(widest_, place.right());
  }

  const CanvasNode& node_;
  double most_;
  double x_ = kFaceInset, y_ = 0, widest_ = 0;
  NodeFace face_;
};

}  // namespace

NodeFace faceOf(const CanvasNode& node, double width) {
  NodeFace face = NodeRows(node, width > 0 ? width : kMostWidth).take();
  if (width > 0)
    face.size.setWidth(width);
  else if (node.kind == CanvasNode::Kind::op)
    face.size.setWidth(
        std::max(node.problems.isEmpty() ? kLeastWidth : kProblemWidth, face.size.width()));
  if (node.kind != CanvasNode::Kind::op) {
    face.size.setWidth(std::max(64.0, face.title.width() + 2 * kFaceInset));
    face.title = QRectF(0, face.title.y(), face.size.width(), kChipHeight);
  }
  if (!node.problems.isEmpty()) {
    const double across = face.size.width() - kFaceInset - kEnd;
    const double height = problemHeight(node.problems.front(), across);
    face.problem = QRectF(kFaceInset, face.size.height() - 1, across, height);
    face.size.rheight() += height + 4;
  }
  return face;
}

double portX(const CanvasNode& node, int operand, double width) {
  if (node.kind != CanvasNode::Kind::op || node.ports < 2) return 0;
  std::vector<bool> number(static_cast<std::size_t>(node.ports), false);
  for (const CanvasField& field : node.fields)
    if (field.kind == CanvasField::Kind::operand && field.position < node.ports)
      number[static_cast<std::size_t>(field.position)] = true;
  const auto values = std::count(number.begin(), number.end(), false);
  if (values == 1) {
    // The one edge keeps to the middle, so that chains stay straight.
    const auto middle = std::find(number.begin(), number.end(), false) - number.begin();
    const double side = static_cast<double>(operand - middle) / node.ports;
    return std::round(side * 0.7 * width);
  }
  const double from = (operand + 1.0) / (node.ports + 1) - 0.5;
  return std::round(from * width * 0.9);
}

}  // namespace fusebench
