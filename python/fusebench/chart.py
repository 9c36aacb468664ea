# SPDX-License-Identifier: GPL-3.0-or-later
"""The chart of a run as HTML that needs no other file: an SVG that is drawn here, and a script that adds readings."""
from __future__ import annotations

import html
import itertools
import json
import math
from typing import Any, Dict, List, Mapping, Sequence, Tuple

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#882255", "#44aa99", "#999933", "#332288")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 380, 76, 190, 34, 52
_ids = itertools.count(1)

STYLE = """.fb{font:13px system-ui,sans-serif;color:#222;background:#fff;max-width:760px;position:relative}
.fb svg{width:100%;height:auto;display:block}.fb text{font:12px system-ui,sans-serif;fill:#222}
.fb .g{cursor:pointer}.fb .off{opacity:.25}.fb .gone{display:none}
.fb-tip{position:absolute;pointer-events:none;background:#fff;border:1px solid #888;border-radius:4px;padding:5px 8px;
box-shadow:0 1px 4px #0003;white-space:nowrap;display:none;z-index:9}.fb-tip td{padding:0 5px}
.fb table{border-collapse:collapse}.fb th,.fb td{text-align:right;padding:2px 8px}.fb th:first-child,.fb td:first-child{text-align:left}"""

SCRIPT = """(function(){var root=document.getElementById(ID);if(!root)return;
var svg=root.querySelector("svg"),tip=root.querySelector(".fb-tip"),points=DATA,hidden={};
root.querySelectorAll(".g").forEach(function(key){key.addEventListener("click",function(){
 var v=key.getAttribute("data-v");hidden[v]=!hidden[v];key.classList.toggle("off",hidden[v]);
 root.querySelectorAll('.c[data-v="'+v+'"]').forEach(function(c){c.classList.toggle("gone",hidden[v]);});});});
svg.addEventListener("mousemove",function(e){var box=svg.getBoundingClientRect(),x=(e.clientX-box.left)*WIDTH/box.width;
 var near=null;points.forEach(function(p){if(near===null||Math.abs(p.x-x)<Math.abs(near.x-x))near=p;});
 if(!near||x<LEFT-20||x>EDGE){tip.style.display="none";return;}
 tip.textContent="";var head=document.createElement("b");head.textContent=near.title;tip.appendChild(head);
 var table=document.createElement("table");near.rows.forEach(function(r){if(hidden[r.v])return;
  var tr=document.createElement("tr");[r.name,r.value,r.interval,r.speedup].forEach(function(t,i){
   var td=document.createElement("td");td.textContent=t;if(i===0)td.style.color=r.color;tr.appendChild(td);});
  table.appendChild(tr);});tip.appendChild(table);tip.style.display="block";
 tip.style.left=Math.min(e.clientX-box.left+14,Math.max(0,box.width-tip.offsetWidth-4))+"px";
 tip.style.top=(e.clientY-box.top+14)+"px";});
svg.addEventListener("mouseleave",function(){tip.style.display="none";});})();"""


def _time(nanoseconds: float) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1.0)):
        if nanoseconds >= size or unit == "ns":
            return f"{nanoseconds / size:.4g} {unit}" if nanoseconds / size < 1000 else f"{nanoseconds / size:.0f} {unit}"
    return ""


class _Scale:
    """Values to pixels; logarithmic if they spread over more than a factor of 5 and are positive."""

    def __init__(self, values: Sequence[float], begin: float, end: float) -> None:
        low, high = min(values), max(values)
        self.log = low > 0 and high / low > 5
        if low == high:
            low, high = (low * 0.8, high * 1.25) if low > 0 else (low - 1, high + 1)
        elif not self.log:
            low = max(0.0, low - 0.08 * (high - low)) if low >= 0 else low
            high += 0.08 * (high - low)
        self.low, self.high, self.begin, self.end = low, high, begin, end

    def __call__(self, value: float) -> float:
        def place(number: float) -> float:
            return math.log(number) if self.log else number
        value = max(value, self.low) if self.log else value
        share = (place(value) - place(self.low)) / (place(self.high) - place(self.low))
        return self.begin + share * (self.end - self.begin)

    def ticks(self) -> List[float]:
        """About five round values."""
        if self.log:
            decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            all_ = [digit * 10.0 ** decade for decade in decades for digit in (1, 2, 5)]
            inside = [tick for tick in all_ if self.low <= tick <= self.high]
            return inside if len(inside) <= 9 else [t for t in inside if f"{t:e}".startswith("1")]
        step = 10 ** math.floor(math.log10((self.high - self.low) / 4))
        for factor in (5, 2):
            if (self.high - self.low) / (step * factor) >= 3:
                step *= factor
                break
        first = math.ceil(self.low / step)
        return [index * step for index in range(first, math.floor(self.high / step) + 1)]


Point = Tuple[float, float, float, float]


def _series(data: Mapping[str, Any]) -> Tuple[Dict[str, List[Point]], str, List[str]]:
    """By variant (x, median, low, high) along the first axis; the axis' title; what it is at on the other axes."""
    axes = [axis for axis in data.get("axes", [])]
    series: Dict[str, List[Point]] = {}
    lines: List[str] = []
    for cell in data["cells"]:
        if cell["latency_ns"] is None:
            continue
        others = ", ".join(f"{axis['name']} = {value}" for axis, value in list(zip(axes, cell["at"]))[1:])
        name = str(cell["variant"]) + (f" ({others})" if others else "")
        if name not in series:
            lines.append(name)
        low = cell["ci_low_ns"] if cell["ci_low_ns"] is not None else cell["latency_ns"]
        high = cell["ci_high_ns"] if cell["ci_high_ns"] is not None else cell["latency_ns"]
        series.setdefault(name, []).append((float(cell["at"][0]) if cell["at"] else 0.0, float(cell["latency_ns"]),
                                            float(low), float(high)))
    title = f"{axes[0]['name']}" if axes else ""
    if axes and axes[0].get("unit") and axes[0]["unit"] != axes[0]["name"]:
        title += f" ({axes[0]['unit']})"
    return series, title, lines


def _readings(data: Mapping[str, Any], names: List[str], x: _Scale) -> List[Dict[str, Any]]:
    axes = data.get("axes", [])
    places: Dict[float, Dict[str, Any]] = {}
    for cell in data["cells"]:
        if cell["latency_ns"] is None:
            continue
        others = ", ".join(f"{axis['name']} = {value}" for axis, value in list(zip(axes, cell["at"]))[1:])
        name = str(cell["variant"]) + (f" ({others})" if others else "")
        value = float(cell["at"][0]) if cell["at"] else 0.0
        place = places.setdefault(value, {"x": round(x(value), 1), "rows": [],
                                          "title": f"{axes[0]['name']} = {value:g}" if axes else ""})
        speedup = cell.get("speedup")
        speedup = speedup.get("value") if isinstance(speedup, dict) else speedup
        interval = "" if cell["ci_low_ns"] is None else f"[{_time(cell['ci_low_ns'])}, {_time(cell['ci_high_ns'])}]"
        number = names.index(name)
        place["rows"].append({"v": number, "name": name, "color": COLORS[number % len(COLORS)],
                              "value": _time(cell["latency_ns"]), "interval": interval,
                              "speedup": f"{speedup:.2f}×" if speedup else ""})
    return list(places.values())


def figure(data: Mapping[str, Any]) -> str:
    """The chart of a run's JSON: median latency with its 95 % band along the first axis, and the break-evens.

    A click on a name in the legend hides its curve; the pointer shows values. Without scripts it is a plain picture.
    """
    series, axis, names = _series(data)
    if not series:
        return f"<div class=\"fb\">{html.escape(str(data.get('title', '')))}: nothing was measured</div>"
    everything = [point for points in series.values() for point in points]
    x = _Scale([point[0] for point in everything], LEFT, WIDTH - RIGHT)
    y = _Scale([value for point in everything for value in point[1:]], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" xmlns="http://www.w3.org/2000/svg">']
    heading = str(data.get("title", "")) + (" (simulated)" if data.get("simulated") else "")
    parts.append(f'<text x="{LEFT}" y="18" style="font-weight:600;font-size:14px">{html.escape(heading)}</text>')
    for tick in y.ticks():
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{_time(tick)}</text>')
    values = sorted({point[0] for point in everything})
    last = -1e9
    for value in values if axis else []:
        if x(value) - last < 40:
            continue
        last = x(value)
        parts.append(f'<text x="{last:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{value:g}</text>')
    parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{HEIGHT - BOTTOM}" y2="{HEIGHT - BOTTOM}" stroke="#666"/>'
                 f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{html.escape(axis)}</text>'
                 f'<text x="14" y="{HEIGHT / 2}" transform="rotate(-90 14 {HEIGHT / 2})" text-anchor="middle">'
                 "time per call</text>")
    for crossing in data.get("crossings", []):
        first = data["axes"][0]["name"] if data.get("axes") else None
        if crossing["kind"] != "break-even" or crossing["status"] != "found" or crossing["along"] != first:
            continue
        title = html.escape(f"break-even of {crossing['variant']} over {crossing['baseline']}: {crossing['at']:.3g} "
                            f"[{crossing['ci_low']:.3g}, {crossing['ci_high']:.3g}]")
        low, at, high = (min(max(x(crossing[key]), LEFT), WIDTH - RIGHT) for key in ("ci_low", "at", "ci_high"))
        parts.append(f'<g><title>{title}</title><rect x="{low:.1f}" y="{TOP}" width="{max(high - low, 1):.1f}" '
                     f'height="{HEIGHT - BOTTOM - TOP}" fill="#8883"/><line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" '
                     f'y2="{HEIGHT - BOTTOM}" stroke="#555" stroke-dasharray="4 3"/></g>')
    for number, name in enumerate(names):
        points, color = sorted(series[name]), COLORS[number % len(COLORS)]
        upper = [f"{x(p[0]):.1f},{y(p[3]):.1f}" for p in points]
        lower = [f"{x(p[0]):.1f},{y(p[2]):.1f}" for p in reversed(points)]
        line = " ".join(f"{x(p[0]):.1f},{y(p[1]):.1f}" for p in points)
        dash = "" if number < len(COLORS) else ' stroke-dasharray="6 3"'
        parts.append(f'<g class="c" data-v="{number}"><polygon points="{" ".join(upper + lower)}" fill="{color}" '
                     f'opacity=".2"/><polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
        for p in points:
            parts.append(f'<circle cx="{x(p[0]):.1f}" cy="{y(p[1]):.1f}" r="3" fill="{color}"><title>'
                         f"{html.escape(name)}: {_time(p[1])} [{_time(p[2])}, {_time(p[3])}]</title></circle>"
                         f'<line x1="{x(p[0]):.1f}" x2="{x(p[0]):.1f}" y1="{y(p[2]):.1f}" y2="{y(p[3]):.1f}" '
                         f'stroke="{color}"/>')
        top = TOP + 10 + 18 * number
        parts.append(f'</g><g class="g" data-v="{number}"><rect x="{WIDTH - RIGHT + 12}" y="{top - 9}" width="12" '
                     f'height="12" fill="{color}"/><text x="{WIDTH - RIGHT + 30}" y="{top + 1}">{html.escape(name)}'
                     "</text></g>")
    parts.append("</svg>")
    name = f"fusebench-{next(_ids)}-{abs(hash(json.dumps(data, sort_keys=True, default=str))) % 10 ** 8}"
    readings = json.dumps(_readings(data, names, x)).replace("<", "\\u003c")
    script = (SCRIPT.replace("ID", json.dumps(name)).replace("DATA", readings).replace("WIDTH", str(WIDTH))
              .replace("EDGE", str(WIDTH - RIGHT + 20)).replace("LEFT", str(LEFT)))
    return (f'<div class="fb" id="{name}"><style>{STYLE}</style>{"".join(parts)}<div class="fb-tip"></div>'
            f"<script>{script}</script></div>")


def _rows(data: Mapping[str, Any]) -> str:
    axes = [str(axis["name"]) for axis in data.get("axes", [])]
    heads = ["variant", *axes, "time per call", "95 % interval", "speedup", "launches"]
    text = "<table><tr>" + "".join(f"<th>{html.escape(head)}</th>" for head in heads) + "</tr>"
    for cell in data["cells"]:
        speedup = cell.get("speedup")
        speedup = speedup.get("value") if isinstance(speedup, dict) else speedup
        launches = (cell.get("launches") or {}).get("mean")
        measured = cell["latency_ns"] is not None
        row = [str(cell["variant"]), *(str(value) for value in cell["at"]),
               _time(cell["latency_ns"]) if measured else str(cell["error"] or "not measured"),
               f"[{_time(cell['ci_low_ns'])}, {_time(cell['ci_high_ns'])}]" if cell["ci_low_ns"] is not None else "",
               f"{speedup:.2f}×" if speedup else "", f"{launches:g}" if launches is not None else ""]
        text += "<tr>" + "".join(f"<td>{html.escape(value)}</td>" for value in row) + "</tr>"
    return text + "</table>"


def page(title: str, data: Mapping[str, Any], run: str) -> str:
    """A report: a whole page with chart and table. The run is inside, so that Fusebench opens it again."""
    embedded = run.replace("<", "\\u003c")
    return ("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
            "script-src 'unsafe-inline'\">"
            f"<title>{html.escape(title)}</title></head><body style=\"margin:24px\">\n{figure(data)}\n"
            f"<div class=\"fb\">{_rows(data)}</div>\n<script type=\"application/x-fusebench-run\" id=\"run\" "
            f"data-file=\"run.jsonl\">\n{embedded}</script>\n</body></html>\n")
