// SPDX-License-Identifier: GPL-3.0-or-later
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
