// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/report_columns.h"

#include <fmt/format.h>

#include "profiler/files/csv_text.h"

namespace fusebench {
namespace {

using ReportJson = nlohmann::ordered_json;

/// A column whose value is a member of the row.
template <auto kMember, class Row>
ReportJson memberOf(const TraceReport&, const Row& row) {
  return row.*kMember;
}

ReportJson launchBoundShare(const TraceReport&, const DeviceBreakdown& one) {
  return one.kernels > 0 ? static_cast<double>(one.shorter) / static_cast<double>(one.kernels)
                         : 0.0;
}

const Lane& laneOf(const TraceReport& report, const Saving& one) {
  return report.trace->lanes()[one.lane];
}

constexpr ReportColumn<DeviceBreakdown> kDeviceReportColumns[] = {
    {"device",
     [](const TraceReport&, const DeviceBreakdown& one) -> ReportJson { return one.device.name; },
     ColumnForm::text},
    {"total_ns", memberOf<&DeviceBreakdown::total>},
    {"computing_ns", memberOf<&DeviceBreakdown::computing>},
    {"communication_ns", memberOf<&DeviceBreakdown::communication>},
    {"memory_ns", memberOf<&DeviceBreakdown::memory>},
    {"idle_ns", memberOf<&DeviceBreakdown::idle>},
    {"collectives_ns", memberOf<&DeviceBreakdown::collectives>},
    {"overlap_ns", memberOf<&DeviceBreakdown::overlap>},
    {"host_wait_ns", memberOf<&DeviceBreakdown::hostWait>},
    {"kernel_wait_ns", memberOf<&DeviceBreakdown::kernelWait>},
    {"other_wait_ns", memberOf<&DeviceBreakdown::otherWait>},
    {"kernels", memberOf<&DeviceBreakdown::kernels>},
    {"shorter_than_launch", memberOf<&DeviceBreakdown::shorter>},
    {"launch_bound_share", launchBoundShare, ColumnForm::number, ColumnOf::csv},
    {"most_queued", memberOf<&DeviceBreakdown::mostQueued>},
    {"mean_queued", memberOf<&DeviceBreakdown::meanQueued>},
};

constexpr ReportColumn<SpanTotal> kNameReportColumns[] = {
    {"name",
     [](const TraceReport& report, const SpanTotal& one) -> ReportJson {
       return report.trace->nameText(one.name);
     },
     ColumnForm::text},
    {"kind",
     [](const TraceReport&, const SpanTotal& one) -> ReportJson { return nameOf(one.kind); },
     ColumnForm::word},
    {"count", memberOf<&SpanTotal::count>},
    {"total_ns", memberOf<&SpanTotal::total>},
    {"self_ns", memberOf<&SpanTotal::self>},
    {"share", memberOf<&SpanTotal::share>},
    {"mean_ns", memberOf<&SpanTotal::mean>, ColumnForm::tenths, ColumnOf::csv},
    {"min_ns", memberOf<&SpanTotal::least>, ColumnForm::number, ColumnOf::csv},
    {"max_ns", memberOf<&SpanTotal::most>, ColumnForm::number, ColumnOf::csv},
};

constexpr ReportColumn<ClassTotal> kClassReportColumns[] = {
    {"class",
     [](const TraceReport&, const ClassTotal& one) -> ReportJson { return nameOf(one.kind); },
     ColumnForm::word},
    {"count", memberOf<&ClassTotal::count>},
    {"total_ns", memberOf<&ClassTotal::total>},
    {"share", memberOf<&ClassTotal::share>},
};

ReportJson laneName(const TraceReport& report, const Saving& one) {
  return laneOf(report, one).name;
}

constexpr ReportColumn<Saving> kSavingReportColumns[] = {
    // Lines begin with the process, objects with the row.
    {"lane", laneName, ColumnForm::text, ColumnOf::json},
    {"process",
     [](const TraceReport& report, const Saving& one) -> ReportJson {
       return laneOf(report, one).processName;
     },
     ColumnForm::text},
    {"lane", laneName, ColumnForm::text, ColumnOf::csv},
    {"kernels", memberOf<&Saving::kernels>, ColumnForm::text},
    {"count", memberOf<&Saving::count>},
    {"runs", [](const TraceReport&, const Saving& one) -> ReportJson { return one.runs.size(); }},
    {"first_at_ns",
     [](const TraceReport&, const Saving& one) -> ReportJson {
       return one.runs.front().time.from;
     }},
    {"now_ns", memberOf<&Saving::now>},
    {"busy_ns", memberOf<&Saving::busy>},
    {"one_kernel_ns",
     [](const TraceReport&, const Saving& one) -> ReportJson {
       return one.fusible ? ReportJson(one.oneKernel) : ReportJson();
     }},
    {"one_graph_ns", memberOf<&Saving::oneGraph>},
    {"saved_ns", [](const TraceReport&, const Saving& one) -> ReportJson { return one.saved(); }},
};

/// A time that is known where all calls met the other ranks'.
template <auto kMember>
ReportJson whereMet(const TraceReport&, const CollectiveTotal& one) {
  return one.met == one.count ? ReportJson(one.*kMember) : ReportJson();
}

template <auto kMember>
ReportJson wherePositive(const TraceReport&, const CollectiveTotal& one) {
  return one.*kMember > 0 ? ReportJson(one.*kMember) : ReportJson();
}

constexpr ReportColumn<CollectiveTotal> kCollectiveReportColumns[] = {
    {"collective", memberOf<&CollectiveTotal::name>, ColumnForm::text, ColumnOf::csv},
    {"name", memberOf<&CollectiveTotal::name>, ColumnForm::text, ColumnOf::json},
    {"dtype",
     [](const TraceReport&, const CollectiveTotal& one) -> ReportJson {
       return one.dtype.empty() ? ReportJson() : ReportJson(one.dtype);
     },
     ColumnForm::word},
    {"bytes",
     [](const TraceReport&, const CollectiveTotal& one) -> ReportJson {
       return one.bytes < 0 ? ReportJson() : ReportJson(one.bytes);
     }},
    {"ranks", wherePositive<&CollectiveTotal::ranks>},
    {"count", memberOf<&CollectiveTotal::count>},
    {"total_ns", memberOf<&CollectiveTotal::total>},
    {"waiting_ns", whereMet<&CollectiveTotal::waiting>},
    {"transfer_ns", whereMet<&CollectiveTotal::transfer>},
    // An unknown rate is 0 in lines.
    {"algorithm_gb_per_s", memberOf<&CollectiveTotal::algorithmBandwidth>, ColumnForm::number,
     ColumnOf::csv},
    {"algorithm_gb_per_s", wherePositive<&CollectiveTotal::algorithmBandwidth>, ColumnForm::number,
     ColumnOf::json},
    {"bus_gb_per_s", memberOf<&CollectiveTotal::busBandwidth>, ColumnForm::number, ColumnOf::csv},
    {"bus_gb_per_s", wherePositive<&CollectiveTotal::busBandwidth>, ColumnForm::number,
     ColumnOf::json},
};

}  // namespace

std::span<const ReportColumn<DeviceBreakdown>> deviceColumns() {
  return kDeviceReportColumns;
}
std::span<const ReportColumn<SpanTotal>> nameColumns() {
  return kNameReportColumns;
}
std::span<const ReportColumn<ClassTotal>> classColumns() {
  return kClassReportColumns;
}
std::span<const ReportColumn<Saving>> savingColumns() {
  return kSavingReportColumns;
}

std::span<const ReportColumn<CollectiveTotal>> collectiveColumns() {
  return kCollectiveReportColumns;
}

std::string csvOf(const ReportJson& value, ColumnForm form) {
  if (value.is_null()) return "";
  if (form == ColumnForm::text) return csvField(value.get<std::string>());
  if (form == ColumnForm::word) return value.get<std::string>();
  if (form == ColumnForm::tenths) return fmt::format("{:.1f}", value.get<double>());
  return value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
}

}  // namespace fusebench
