#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts what a trace holds without any code of the project.

    independent_count.py TRACE...               prints a line of figures for each
    independent_count.py --against CLI TRACE... asks `CLI analyze --json` for the same; exit 1 where
                                                they differ

Chrome traces of the PyTorch profiler (JSON, packed or not) and databases of Nsight Systems. Read
slowly, whole, and in the most obvious way. Times in nanoseconds.
"""
import collections
import decimal
import gzip
import json
import sqlite3
import subprocess
import sys

WORK = {"kernel": "kernels", "gpu_memcpy": "copies", "gpu_memset": "fills", "graph": "whole_graphs"}


def nanoseconds(microseconds):
    exact = decimal.Decimal(str(microseconds)) * 1000
    return int(exact.to_integral_value(rounding=decimal.ROUND_HALF_UP))


def union(times):
    total, end = 0, None
    for start, stop in sorted(times):
        if end is None or start > end:
            total, end = total + stop - start, stop
        elif stop > end:
            total, end = total + stop - end, stop
    return total


def of_json(path):
    opened = gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")
    with opened as file:
        data = json.loads(file.read().decode("utf-8", "replace"), parse_float=decimal.Decimal)
    events = data["traceEvents"] if isinstance(data, dict) else data
    works, calls, recorded, marks = [], collections.defaultdict(list), [], 0
    spans = 0
    for event in events:
        phase = event.get("ph")
        marks += phase in ("i", "I", "R")
        if phase != "X":
            continue
        start = nanoseconds(event["ts"])
        stop = start + nanoseconds(event.get("dur", 0))
        category = event.get("cat", "").split(",")[0].lower()
        if category == "trace":
            continue
        if category in WORK and start == stop:
            continue
        recorded += [start, stop]
        arguments = event.get("args", {})
        number = int(arguments.get("correlation", 0) or 0)
        if category in WORK:
            works.append((WORK[category], start, stop, number, arguments.get("graph node id", 0)))
        elif category != "user_annotation" and category != "gpu_user_annotation":
            spans += 1
        if category in ("cuda_runtime", "cuda_driver", "launch") and number:
            calls[number].append((start, stop))
    return works, calls, recorded, marks, spans


def of_database(path):
    database = sqlite3.connect(path)
    tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    works, calls, recorded = [], collections.defaultdict(list), []
    kinds = {"CUPTI_ACTIVITY_KIND_KERNEL": "kernels", "CUPTI_ACTIVITY_KIND_MEMCPY": "copies",
             "CUPTI_ACTIVITY_KIND_MEMSET": "fills",
             "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": "whole_graphs"}
    for table, kind in kinds.items():
        if table not in tables:
            continue
        for start, stop, number in database.execute(
                f'SELECT start, "end", correlationId FROM {table}'):
            if start < stop:
                works.append((kind, start, stop, number or 0, 0))
                recorded += [start, stop]
    for table in tables:
        columns = [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
        if table in ("CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER", "OSRT_API",
                     "CUDNN_EVENTS", "CUBLAS_EVENTS", "NVTX_EVENTS",
                     "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION") and "start" in columns:
            number = "correlationId" if table.endswith(("RUNTIME", "DRIVER")) else "0"
            for start, stop, joins in database.execute(
                    f'SELECT start, "end", {number} FROM "{table}"'):
                if stop is not None and start <= stop:
                    recorded += [start, stop]
                    if joins:
                        calls[joins].append((start, stop))
    return works, calls, recorded, 0, 0


def count(path):
    with open(path, "rb") as file:
        database = file.read(15) == b"SQLite format 3"
    works, calls, recorded, marks, spans = of_database(path) if database else of_json(path)
    found = {name: sum(work[0] == name for work in works) for name in WORK.values()}
    found["graph_nodes"] = sum(bool(work[4]) for work in works)
    found["busy_ns"] = union((work[1], work[2]) for work in works) if works else None
    found["recorded_ns"] = max(recorded) - min(recorded)
    found["joined"] = sum(bool(calls.get(work[3])) for work in works)
    found["total_ns"] = sum(work[2] - work[1] for work in works)
    if not works:
        found["spans"] = spans
    return found


def asked(program, path):
    report = json.loads(subprocess.run([program, "analyze", "--json", path], check=True,
                                       capture_output=True).stdout)
    one = report["traces"]
    assert len(one) == 1, f"{path}: {len(one)} parts"
    one = one[0]
    found = {name: one["counts"][name] for name in (*WORK.values(), "graph_nodes")}
    found["busy_ns"] = one["busy_ns"]
    found["recorded_ns"] = one["recorded_ns"]
    found["joined"] = one["delays"]["joined"] + one["delays"]["before_their_call"]
    found["total_ns"] = (sum(name["total_ns"] for name in one["names"])
                         if one["busy_ns"] is not None else 0)
    if one["busy_ns"] is None:
        found["spans"] = one["counts"]["spans"]
    return found


def main(arguments):
    program = None
    if arguments[:1] == ["--against"]:
        program, arguments = arguments[1], arguments[2:]
    differ = 0
    for path in arguments:
        mine = count(path)
        line = f"{path}: " + " ".join(f"{key} {value}" for key, value in mine.items())
        if program:
            theirs = asked(program, path)
            wrong = [key for key in mine if mine[key] != theirs[key]]
            differ += bool(wrong)
            line += "  " + ("agrees" if not wrong else
                            "; ".join(f"DIFFERS {key}: {theirs[key]}" for key in wrong))
        print(line)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
