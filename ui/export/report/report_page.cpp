// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report/report_page.h"

namespace fusebench {

const char* reportStyle() {
  return R"css(
:root { color-scheme: light; --text: #1A1F27; --muted: #5B6675; --border: #D3D9E2; --raised: #F3F5F8;
  --accent: #0B66C3; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 60rem; color: var(--text); background: #fff;
  font: 16px/1.55 Inter, "Inter Variable", "Noto Sans", "DejaVu Sans", Helvetica, Arial, sans-serif;
  font-feature-settings: "calt" 0; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 .8rem; padding-bottom: .3rem; border-bottom: 1px solid var(--border); }
h3 { font-size: 1.02rem; margin: 1.8rem 0 .5rem; }
p { margin: .5rem 0; }
a { color: var(--accent); text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
.lead { font-size: 1.18rem; margin-bottom: 1rem; }
.muted, figcaption, caption { color: var(--muted); font-size: .9rem; }
nav ol { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; list-style: none; margin: 1rem 0 0; padding: 0; }
.point { border-left: 4px solid var(--border); padding: .1rem 0 .1rem .9rem; margin: .9rem 0; }
.point p { margin: .1rem 0; }
figure { margin: 1rem 0 1.6rem; position: relative; }
figcaption { margin-top: .3rem; }
.chart { position: relative; border: 1px solid var(--border); border-radius: 6px; overflow: hidden; }
.chart svg { display: block; width: 100%; height: auto; }
.chart:focus-visible, button:focus-visible, pre:focus-visible { outline: 2px solid var(--accent);
  outline-offset: 1px; }
.legend { display: flex; flex-wrap: wrap; gap: .4rem; margin-bottom: .5rem; }
button { font: inherit; font-size: .9rem; color: var(--text); background: #fff; border: 1px solid var(--border);
  border-radius: 6px; padding: .2rem .7rem; cursor: pointer; }
button:hover { background: var(--raised); }
button i { display: inline-block; width: .75em; height: .75em; border-radius: 2px; margin-right: .45em; }
button[aria-pressed=false] { color: var(--muted); text-decoration: line-through; }
button[aria-pressed=false] i { opacity: .25; }
.reading { position: absolute; pointer-events: none; background: #fff; border: 1px solid var(--border);
  border-radius: 6px; box-shadow: 0 4px 14px rgba(26, 31, 39, .14); padding: .5rem .7rem; font-size: .85rem;
  white-space: nowrap; z-index: 2; }
.reading b { display: block; margin-bottom: .2rem; }
.reading table { width: auto; font-size: inherit; }
.reading td { border: 0; padding: .05rem .5rem .05rem 0; }
.reading i { display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin-right: .5em; }
.table { overflow-x: auto; margin: 1rem 0 1.6rem; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; }
caption { text-align: left; padding-bottom: .4rem; }
th { text-align: left; font-weight: 600; border-bottom: 2px solid var(--border); vertical-align: bottom; }
th, td { padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--border); }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number, td.name { white-space: nowrap; }
dl { display: grid; grid-template-columns: minmax(9rem, 15rem) 1fr; gap: .25rem 1rem; font-size: .92rem; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { background: var(--raised); border-radius: 6px; padding: .8rem 1rem; overflow: auto; max-height: 36rem;
  font: .84rem/1.5 "JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono", monospace;
  font-feature-settings: "calt" 0; }
.picture img { max-width: 100%; height: auto; }
footer { margin-top: 3rem; border-top: 1px solid var(--border); padding-top: 1rem; color: var(--muted);
  font-size: .9rem; }
footer button { margin: 0 .5rem .5rem 0; }
@media print { button, .legend { display: none; } pre { max-height: none; } section { break-before: auto; }
  figure, .point, tr { break-inside: avoid; } }
)css";
}

const char* reportScript() {
  return R"js(
"use strict";
(function () {
  const svgName = "http://www.w3.org/2000/svg";

  function element(name, attributes, parent) {
    const made = document.createElementNS(svgName, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    parent.appendChild(made);
    return made;
  }

  function isHidden(group) {
    const shown = document.getElementById(group);
    return shown !== null && shown.style.display === "none";
  }

  function card(reading) {
    const made = document.createElement("div");
    made.className = "reading";
    made.setAttribute("role", "status");
    const title = document.createElement("b");
    title.textContent = reading.title;
    made.appendChild(title);
    const table = document.createElement("table");
    for (const row of reading.rows) {
      if (isHidden(row.group)) continue;
      const line = table.insertRow();
      line.dataset.name = row.name;
      const name = line.insertCell();
      if (row.swatch) name.appendChild(document.createElement("i")).style.background = row.swatch;
      name.appendChild(document.createTextNode(row.name));
      name.style.color = row.color || "";
      for (const key of ["value", "interval", "beside", "note"])
        line.insertCell().textContent = row[key] || "";
    }
    made.appendChild(table);
    return made;
  }

  // Places of a map and bars: what is read is where one points, and the arrow keys go to neighbours.
  function watchSpots(figure, chart, spots) {
    const svg = chart.querySelector("svg");
    const box = svg.viewBox.baseVal;
    let at = -1, mark = null, shown = null;

    function hide() {
      if (mark) mark.remove();
      if (shown) shown.remove();
      mark = shown = null;
      at = -1;
    }

    function show(index) {
      hide();
      at = index;
      const [x, y, width, height] = spots[index].area;
      mark = element("rect", {x: x, y: y, width: width, height: height, fill: "none", rx: 2,
                              stroke: "#1A1F27", "stroke-width": 1.5, "pointer-events": "none"}, svg);
      shown = card(spots[index]);
      figure.appendChild(shown);
      // Beside or below it, so that it hides nothing of what it speaks of.
      const scale = svg.clientWidth / box.width;
      const room = figure.clientWidth - shown.offsetWidth;
      let left = (x + width) * scale + 8, top = y * scale;
      if (left > room) left = x * scale - 8 - shown.offsetWidth;
      if (left < 0) {
        left = Math.max(0, Math.min(x * scale + 24, room));
        top = (y + height) * scale + 6;
      }
      shown.style.left = left + "px";
      shown.style.top = chart.offsetTop + top + "px";
    }

    function middle(spot) {
      return [spot.area[0] + spot.area[2] / 2, spot.area[1] + spot.area[3] / 2];
    }

    function neighbour(across, down) {
      if (at < 0) return 0;
      const [x, y] = middle(spots[at]);
      let best = at, least = Infinity;
      spots.forEach(function (spot, index) {
        const [toX, toY] = middle(spot);
        const along = (toX - x) * across + (toY - y) * down;
        const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * across);
        if (along > 1 && along + 4 * aside < least) {
          least = along + 4 * aside;
          best = index;
        }
      });
      return best;
    }

    chart.addEventListener("pointermove", function (event) {
      const area = svg.getBoundingClientRect();
      const x = (event.clientX - area.left) * box.width / area.width;
      const y = (event.clientY - area.top) * box.height / area.height;
      const found = spots.findIndex(({area: [left, top, width, height]}) =>
        x >= left && x < left + width && y >= top && y < top + height);
      if (found < 0) hide();
      else if (found !== at) show(found);
    });
    chart.addEventListener("pointerleave", hide);
    chart.addEventListener("blur", hide);
    chart.addEventListener("keydown", function (event) {
      if (event.key === "Escape") hide();
      const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
                   ArrowDown: [0, 1]}[event.key];
      if (!way) return;
      event.preventDefault();
      show(neighbour(way[0], way[1]));
    });
  }

  function watch(figure) {
    const data = figure.querySelector(".readings");
    const chart = figure.querySelector(".chart");
    if (!data || !chart) return;
    const readings = JSON.parse(data.textContent);
    if (readings.length > 0 && readings[0].area) return watchSpots(figure, chart, readings);
    const svg = chart.querySelector("svg");
    const box = svg.viewBox.baseVal;
    const plot = svg.querySelector("clipPath rect");
    const top = Number(plot.getAttribute("y")), bottom = top + Number(plot.getAttribute("height"));
    let at = -1, marks = null, shown = null;

    function hide() {
      if (marks) marks.remove();
      if (shown) shown.remove();
      marks = shown = null;
      at = -1;
    }

    function show(index) {
      hide();
      at = index;
      const reading = readings[index];
      marks = element("g", {"pointer-events": "none"}, svg);
      element("line", {x1: reading.x, x2: reading.x, y1: top, y2: bottom, stroke: "#5B6675"}, marks);
      for (const row of reading.rows)
        if (row.y !== undefined && !isHidden(row.group))
          element("circle", {cx: reading.x, cy: row.y, r: 5.5, fill: "none", stroke: "#1A1F27",
                             "stroke-width": 1.5}, marks);
      shown = card(reading);
      figure.appendChild(shown);
      const scale = svg.clientWidth / box.width;
      const room = figure.clientWidth - shown.offsetWidth;
      let left = reading.x * scale + 14;
      if (left > room) left = reading.x * scale - 14 - shown.offsetWidth;
      shown.style.left = Math.max(0, Math.min(left, room)) + "px";
      // Above or below, where it hides fewer points.
      function hidden(from) {
        const to = from + shown.offsetHeight / scale;
        const first = left / scale, last = first + shown.offsetWidth / scale;
        return readings.filter(r => r.x >= first && r.x <= last).reduce((sum, r) =>
          sum + r.rows.filter(row => row.y >= from && row.y <= to && !isHidden(row.group)).length, 0);
      }
      const above = top + 6, below = bottom - 6 - shown.offsetHeight / scale;
      const y = hidden(below) < hidden(above) ? below : above;
      shown.style.top = chart.offsetTop + y * scale + "px";
    }

    chart.addEventListener("pointermove", function (event) {
      const area = svg.getBoundingClientRect();
      const x = (event.clientX - area.left) * box.width / area.width;
      let nearest = 0;
      for (let i = 1; i < readings.length; ++i)
        if (Math.abs(readings[i].x - x) < Math.abs(readings[nearest].x - x)) nearest = i;
      if (nearest !== at) show(nearest);
    });
    chart.addEventListener("pointerleave", hide);
    chart.addEventListener("blur", hide);
    chart.addEventListener("keydown", function (event) {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (event.key === "Escape") hide();
      if (step === undefined) return;
      event.preventDefault();
      show(at < 0 ? (step > 0 ? 0 : readings.length - 1)
                  : Math.max(0, Math.min(readings.length - 1, at + step)));
    });
    figure.addEventListener("curveshidden", hide);
  }

  document.querySelectorAll("figure").forEach(watch);
  document.querySelectorAll("[data-group]").forEach(function (button) {
    button.addEventListener("click", function () {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      document.getElementById(button.dataset.group).style.display = on ? "" : "none";
      button.closest("figure").dispatchEvent(new Event("curveshidden"));
    });
  });
  document.querySelectorAll("[data-save]").forEach(function (button) {
    button.addEventListener("click", function () {
      const source = document.getElementById(button.dataset.save);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([source.textContent.trim() + "\n"]));
      link.download = source.dataset.file;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  });
})();
)js";
}

}  // namespace fusebench
