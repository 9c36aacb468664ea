// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/contract_rule.h"

#include <algorithm>

#include "engine/base/shape.h"

namespace fusebench {
namespace {

/// Letters of the dimensions that broadcast, starting at the last: upper case, which the equations
/// of rows do not have. A user's equation may have them: then others are taken.
constexpr std::string_view kBatchLetters = "ZYXWVUTS";

/// Reads one tensor's part of an equation.
class ContractTermReader {
 public:
  ContractTermReader(std::string_view text, int rank, std::string_view batch)
      : text_(text), rank_(rank), batch_(batch) {}

  std::vector<ContractDim> read() {
    int firm = 0, soft = 0;
    bool dots = false;
    for (std::size_t at = 0; at < text_.size();) {
      if (text_[at] == '.') {
        dots = true;
        at += 3;
      } else if (const std::size_t end = endOf(at); end < text_.size() && text_[end] == '?') {
        ++soft;
        at = end + 1;
      } else {
        ++firm;
        at = end;
      }
    }
    // Dimensions that may be missing are there as far as the rank goes.
    int room = rank_ - firm;
    if (room < 0 || (!dots && room > soft)) return failRank(firm, firm + soft, dots);
    const int softs = std::min(soft, room);
    int left = dots ? room - softs : 0, skipped = soft - softs;
    std::vector<ContractDim> dims;
    for (std::size_t at = 0; at < text_.size();) {
      if (text_[at] == '.') {
        for (; left > 0; --left) {
          if (left > static_cast<int>(batch_.size()))
            throw ContractError("a tensor has at most 8 dimensions");
          ContractDim& dim = dims.emplace_back();
          dim.outer = batch_[static_cast<std::size_t>(left - 1)];
          dim.batch = true;
        }
        at += 3;
        continue;
      }
      const std::size_t end = endOf(at);
      const bool optional = end < text_.size() && text_[end] == '?';
      if (!(optional && skipped-- > 0)) dims.push_back(dimAt(at));
      at = end + (optional ? 1 : 0);
    }
    return dims;
  }

 private:
  std::size_t endOf(std::size_t at) const {
    return text_[at] == '[' || text_[at] == '(' || text_[at] == '<' ? at + 4 : at + 1;
  }
  ContractDim dimAt(std::size_t at) {
    if (text_[at] == '[')
      return {ContractDim::Kind::split, text_[at + 1], text_[at + 2], -1, false};
    if (text_[at] == '(')
      return {ContractDim::Kind::window, text_[at + 1], text_[at + 2], windows_++, false};
    if (text_[at] == '<')
      return {ContractDim::Kind::spread, text_[at + 1], text_[at + 2], windows_++, false};
    return {ContractDim::Kind::loop, text_[at], 0, -1, false};
  }
  [[noreturn]] std::vector<ContractDim> failRank(int least, int most, bool more) const {
    throw ContractError("it has " + std::to_string(rank_) + " dimension" + (rank_ == 1 ? "" : "s") +
                        ", but should have " + std::to_string(least) +
                        (more           ? " or more"
                         : most > least ? " to " + std::to_string(most)
                                        : std::string()));
  }

  std::string_view text_;
  int rank_;
  std::string_view batch_;
  int windows_ = 0;
};

/// PyTorch's is_channels_last_strides_2d.
bool hasChannelsLast(const Shape& shape, const Strides& strides) {
  if (shape.rank() != 4 || strides[1] == 0) return false;
  std::int64_t least = 0;
  for (const int d : {1, 3, 2, 0}) {
    if (shape[d] == 0 || strides[d] < least || (d == 0 && least == strides[1])) return false;
    least = strides[d] * std::max<std::int64_t>(1, shape[d]);
  }
  return true;
}

/// The result's part, without what no operand has.
std::string presentIn(std::string_view result, const ContractForm& form, int batches,
                      std::string_view batch) {
  const auto has = [&](char letter) {
    for (const auto& dims : form.tensors)
      for (const ContractDim& dim : dims)
        if (dim.outer == letter || dim.inner == letter) return true;
    return false;
  };
  std::string text;
  for (std::size_t at = 0; at < result.size(); ++at) {
    if (result[at] == '.') {
      for (int b = batches; b > 0; --b) text += batch[static_cast<std::size_t>(b - 1)];
      at += 2;
    } else if (at + 1 < result.size() && result[at + 1] == '?') {
      if (has(result[at])) text += result[at];
      ++at;
    } else {
      text += result[at];
    }
  }
  return text;
}

}  // namespace

ContractForm contractForm(std::string_view indices, int addend, std::span<const int> ranks) {
  const std::size_t arrow = indices.find("->");
  std::string_view terms = indices.substr(0, arrow), last = indices.substr(arrow + 2);
  std::string batch;  // letters that the equation does not have
  for (const char letter : kBatchLetters)
    if (indices.find(letter) == std::string_view::npos) batch += letter;
  ContractForm form;
  form.addend = addend;
  int batches = 0;
  for (std::size_t o = 0; o < ranks.size(); ++o) {
    const std::size_t comma = std::min(terms.find(','), terms.size());
    const std::string_view term = terms.substr(0, comma);
    terms.remove_prefix(std::min(comma + 1, terms.size()));
    if (term == "*") {
      form.tensors.emplace_back();
      continue;
    }
    try {
      form.tensors.push_back(ContractTermReader(term, ranks[o], batch).read());
    } catch (const ContractError& error) {
      static constexpr const char* kOrdinals[] = {"first", "second", "third"};
      throw ContractError("its " + std::string(kOrdinals[o]) +
                          " operand does not fit: " + error.what());
    }
    const auto count = std::ranges::count(form.tensors.back(), true, &ContractDim::batch);
    batches = std::max(batches, static_cast<int>(count));
  }
  const std::string result = presentIn(last, form, batches, batch);
  std::vector<ContractDim> dims;
  for (std::size_t at = 0; at < result.size(); ++at) {
    const bool split = result[at] == '[';
    ContractDim dim{split ? ContractDim::Kind::split : ContractDim::Kind::loop,
                    result[split ? at + 1 : at], split ? result[at + 2] : '\0', -1, false};
    dim.batch = batch.find(dim.outer) != std::string::npos;
    dims.push_back(dim);
    if (split) at += 3;
  }
  if (addend >= 0) {
    auto& added = form.tensors[static_cast<std::size_t>(addend)];
    const int rank = ranks[static_cast<std::size_t>(addend)];
    if (added.empty() && rank > 0) {
      if (rank > static_cast<int>(dims.size()))
        throw ContractError("what is added has more dimensions than the product");
      added.assign(dims.end() - rank, dims.end());
    }
  }
  form.tensors.push_back(std::move(dims));
  const auto add = [&form](char letter) {
    if (letter != 0 && form.letters.find(letter) == std::string::npos) form.letters += letter;
  };
  for (const ContractDim& dim : form.result()) {
    add(dim.outer);
    add(dim.inner);
  }
  form.kept = form.letters.size();
  for (const auto& tensor : form.tensors)
    for (const ContractDim& dim : tensor) {
      add(dim.outer);
      add(dim.inner);
    }
  return form;
}

std::string termText(const std::vector<ContractDim>& dims) {
  std::string text;
  for (const ContractDim& dim : dims) {
    switch (dim.kind) {
      case ContractDim::Kind::loop:
        text += dim.outer;
        break;
      case ContractDim::Kind::split:
        text += {'[', dim.outer, dim.inner, ']'};
        break;
      case ContractDim::Kind::window:
        text += {'(', dim.outer, dim.inner, ')'};
        break;
      case ContractDim::Kind::spread:
        text += {'<', dim.outer, dim.inner, '>'};
        break;
    }
  }
  return text;
}

DimOrder contractOrder(const ContractForm& form, std::span<const Shape> shapes,
                       std::span<const Strides> strides) {
  const auto isWindow = [](const ContractDim& dim) {
    return dim.kind == ContractDim::Kind::window || dim.kind == ContractDim::Kind::spread;
  };
  DimOrder order(static_cast<int>(form.result().size()));
  if (form.result().size() != 4 || std::ranges::count_if(form.tensors[0], isWindow) != 2)
    return order;
  for (std::size_t o = 0; o < std::min<std::size_t>(2, shapes.size()); ++o)
    if (hasChannelsLast(shapes[o], strides[o])) {
      order[1] = 2;
      order[2] = 3;
      order[3] = 1;
      break;
    }
  return order;
}

std::int64_t WindowSettings::counted(std::int64_t at, std::int64_t size, std::int64_t extent,
                                     bool countsPadding) const {
  const std::int64_t first = place(at, 0);
  if (countsPadding) return std::min(first + size, extent + padding) - first;
  std::int64_t inside = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int64_t here = place(at, i);
    inside += here >= 0 && here < extent;
  }
  return inside;
}

void failLoop(const ContractForm& form, char letter, std::int64_t one, std::int64_t other) {
  std::string where;
  for (std::size_t o = 0; o < form.operands(); ++o)
    for (std::size_t d = 0; d < form.tensors[o].size(); ++d)
      if (form.tensors[o][d].outer == letter || form.tensors[o][d].inner == letter)
        where += (where.empty() ? "dimension " : " and dimension ") + std::to_string(d) +
                 " of operand " + std::to_string(o + 1);
  throw ContractError(where + " have to be equal, but are " + std::to_string(one) + " and " +
                      std::to_string(other));
}

void failWindow(std::int64_t extent, std::int64_t padding, std::int64_t window) {
  throw ContractError("a window of " + std::to_string(window) + " does not fit into " +
                      std::to_string(extent) + " elements" +
                      (padding > 0 ? " padded by " + std::to_string(padding) : std::string()));
}

void failPadding(std::int64_t padding, std::int64_t window) {
  throw ContractError("padding is at most half of a window, but is " + std::to_string(padding) +
                      " of " + std::to_string(window));
}

void failGroups(std::int64_t extent, std::int64_t groups) {
  throw ContractError(std::to_string(extent) + " channels cannot be divided into " +
                      std::to_string(groups) + " groups");
}

}  // namespace fusebench
