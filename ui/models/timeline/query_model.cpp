// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/query_model.h"

#include <QElapsedTimer>
#include <algorithm>
#include <exception>
#include <numeric>
#include <utility>

#include "profiler/trace/trace_builder.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr qsizetype kLongestCell = 400;  ///< characters; the tip has more of it
constexpr qsizetype kLongestTip = 4000;

bool isNumber(const QueryValue& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

double numberIn(const QueryValue& value) {
  const auto* const integer = std::get_if<std::int64_t>(&value);
  return integer ? double(*integer) : std::get<double>(value);
}

/// NULL, then numbers, then texts, as SQLite orders them.
bool comesBefore(const QueryValue& a, const QueryValue& b) {
  const auto rank = [](const QueryValue& value) {
    return isNumber(value) ? 1 : std::holds_alternative<std::string>(value) ? 2 : 0;
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  if (rank(a) == 2) return std::get<std::string>(a) < std::get<std::string>(b);
  if (rank(a) == 0) return false;
  const auto *one = std::get_if<std::int64_t>(&a), *other = std::get_if<std::int64_t>(&b);
  return one && other ? *one < *other : numberIn(a) < numberIn(b);
}

int columnNamed(const QueryResult& result, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = std::ranges::find(result.columns, name);
    if (found != result.columns.end()) return int(found - result.columns.begin());
  }
  return -1;
}

}  // namespace

void QueryRows::setResult(std::shared_ptr<const QueryResult> result) {
  beginResetModel();
  result_ = std::move(result);
  order_.resize(result_ ? result_->rows.size() : 0);
  std::iota(order_.begin(), order_.end(), 0U);
  endResetModel();
}

int QueryRows::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(order_.size());
}

int QueryRows::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !result_ ? 0 : int(result_->columns.size());
}

QVariant QueryRows::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const QueryValue& value = result_->rows[placeOf(index.row())][std::size_t(index.column())];
  const auto* const integer = std::get_if<std::int64_t>(&value);
  switch (role) {
    case Qt::DisplayRole:
      if (std::holds_alternative<std::monostate>(value)) return QStringLiteral("–");
      return integer ? formatCount(*integer) : text(textOf(value)).left(kLongestCell);
    case Qt::ToolTipRole:
      if (isNumber(value) && result_->columns[std::size_t(index.column())].ends_with("_ns"))
        return formatTime(numberIn(value));
      return std::holds_alternative<std::string>(value)
                 ? QVariant(text(textOf(value)).left(kLongestTip))
                 : QVariant();
    case Qt::TextAlignmentRole:
      return int((isNumber(value) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant QueryRows::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || !result_) return {};
  const auto column = std::size_t(section);
  if (role == Qt::DisplayRole) return text(result_->columns[column]);
  if (role != Qt::TextAlignmentRole) return {};
  // Above numbers it is aligned as they are.
  const bool numbers = !order_.empty() && isNumber(result_->rows.front()[column]);
  return int((numbers ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

void QueryRows::sort(int column, Qt::SortOrder order) {
  if (!result_ || column >= columnCount()) return;
  emit layoutAboutToBeChanged();
  const std::vector<std::uint32_t> before = order_;
  std::iota(order_.begin(), order_.end(), 0U);
  if (column >= 0) {
    const auto at = std::size_t(column);
    std::ranges::stable_sort(order_, [&](std::uint32_t a, std::uint32_t b) {
      const QueryValue &one = result_->rows[a][at], &other = result_->rows[b][at];
      return order == Qt::AscendingOrder ? comesBefore(one, other) : comesBefore(other, one);
    });
  }
  // A selection stays with its rows.
  std::vector<int> places(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) places[order_[i]] = int(i);
  const QModelIndexList old = persistentIndexList();
  QModelIndexList now;
  for (const QModelIndex& one : old)
    now << createIndex(places[before[std::size_t(one.row())]], one.column());
  changePersistentIndexList(old, now);
  emit layoutChanged();
}

QString QueryRows::csv(const std::vector<int>& rows) const {
  if (!result_) return {};
  QueryResult shown{result_->columns, {}, {}};
  if (rows.empty())
    for (const std::uint32_t place : order_) shown.rows.push_back(result_->rows[place]);
  for (const int row : rows) shown.rows.push_back(result_->rows[placeOf(row)]);
  return text(queryCsv(shown));
}

QueryModel::QueryModel(TimelineModel& timeline, QObject* parent)
    : QObject(parent), timeline_(timeline), task_(this) {
  connect(&timeline_, &TimelineModel::tracesChanged, this, [this] {
    if (index_ >= timeline_.shown().size()) index_ = 0;
    task_.cancel();
    take({});
  });
}

void QueryModel::run(const QString& sql) {
  if (index_ >= timeline_.shown().size()) return;
  const auto trace = timeline_.shown()[index_].trace;
  asked_ = trace;
  task_.start(
      [trace, sql = sql.toStdString()](const std::stop_token& stop) {
        Answer answer;
        QElapsedTimer clock;
        clock.start();
        try {
          answer.result = std::make_shared<const QueryResult>(
              queryTrace(trace, sql, [&stop] { return !stop.stop_requested(); }));
        } catch (const Canceled&) {
        } catch (const std::bad_alloc&) {
          answer.error = uiText("Not enough memory for this query; ask for less");
        } catch (const std::exception& error) {
          answer.error = text(error.what()).simplified();
        }
        answer.seconds = double(clock.nsecsElapsed()) * 1e-9;
        return answer;
      },
      [this](Answer answer) { take(std::move(answer)); });
  emit changed();
}

void QueryModel::cancel() {
  if (!task_.busy()) return;
  task_.cancel();
  emit changed();
}

void QueryModel::take(Answer answer) {
  error_ = std::move(answer.error);
  seconds_ = answer.seconds;
  eventColumn_ = fromColumn_ = lengthColumn_ = -1;
  if (answer.result) {
    eventColumn_ = columnNamed(*answer.result, {"event"});
    fromColumn_ = columnNamed(*answer.result, {"from_ns", "start_ns"});
    lengthColumn_ = columnNamed(*answer.result, {"gap_ns", "dur_ns"});
  }
  rows_.setResult(std::move(answer.result));
  emit changed();
}

bool QueryModel::goTo(int row) {
  const auto trace = asked_.lock();
  const auto shown = std::ranges::find(timeline_.shown(), trace, &TimelineModel::Shown::trace);
  if (!trace || shown == timeline_.shown().end() || row < 0 || row >= rows_.rowCount())
    return false;
  const auto& values = rows_.result()->rows[rows_.placeOf(row)];
  const auto integerAt = [&](int column) -> std::optional<std::int64_t> {
    if (column < 0) return std::nullopt;
    const auto* const value = std::get_if<std::int64_t>(&values[std::size_t(column)]);
    return value ? std::optional(*value) : std::nullopt;
  };
  const auto place = std::size_t(shown - timeline_.shown().begin());
  if (const auto event = integerAt(eventColumn_);
      event && *event >= 0 && *event < std::int64_t(trace->size())) {
    timeline_.goTo({place, EventId(*event)});
    return true;
  }
  const auto from = integerAt(fromColumn_);
  if (!from || *from < 0 || *from > trace->length()) return false;
  const std::int64_t length = std::clamp<std::int64_t>(integerAt(lengthColumn_).value_or(0), 1,
                                                       trace->length() - *from + 1);
  timeline_.showTime({*from, *from + length});
  return true;
}

}  // namespace fusebench

#include "moc_query_model.cpp"
