"use strict";
(function () {
  const root = document.documentElement;
  root.classList.add("js");

  // --- two runs: one output at a time, one draw at a time
  const runs = Array.from(document.querySelectorAll("article.run"));
  const places = runs.map(() => 0);
  let current = 0;

  function show() {
    runs.forEach((run, number) => {
      run.hidden = number !== current;
      const moments = Array.from(run.querySelectorAll(".moment"));
      moments.forEach((moment, place) => { moment.hidden = place !== places[number]; });
      run.querySelectorAll(".column").forEach((column) => {
        column.classList.toggle("current", Number(column.dataset.number) === places[number] + 1);
      });
      run.querySelector(".status").textContent = "draw " + (places[number] + 1) + " of " + moments.length;
      run.querySelector(".previous").setAttribute("aria-disabled", String(places[number] === 0));
      run.querySelector(".next").setAttribute("aria-disabled", String(places[number] === moments.length - 1));
      run.querySelectorAll(".phase").forEach((button) => {
        button.setAttribute("aria-pressed", String(button.dataset.phase === moments[places[number]].dataset.phase));
      });
    });
    document.querySelectorAll("button.choose").forEach((button) => {
      button.setAttribute("aria-pressed", String(Number(button.dataset.run) === current));
    });
    const moment = runs[current].querySelectorAll(".moment")[places[current]];
    document.querySelectorAll(".source .line").forEach((line) => {
      line.classList.toggle("current", line.dataset.line === moment.dataset.line);
    });
    const column = runs[current].querySelector(".column.current");
    if (column) {
      const frame = column.closest(".scroll");
      const off = column.getBoundingClientRect().left - frame.getBoundingClientRect().left;
      if (off < 0 || off > frame.clientWidth - 90) { frame.scrollLeft += off - frame.clientWidth / 2 + 45; }
    }
    const program = document.querySelector(".together > section");
    const line = document.querySelector(".source .current");
    if (program && line && program.scrollHeight > program.clientHeight) {
      const top = line.getBoundingClientRect().top - program.getBoundingClientRect().top;
      if (top < 0 || top > program.clientHeight - 80) { program.scrollTop += top - program.clientHeight / 2; }
    }
  }

  function go(place) {
    const last = runs[current].querySelectorAll(".moment").length - 1;
    places[current] = Math.max(0, Math.min(last, place));
    show();
  }

  if (runs.length) {
    runs.forEach((run) => {
      run.querySelector(".previous").addEventListener("click", () => go(places[current] - 1));
      run.querySelector(".next").addEventListener("click", () => go(places[current] + 1));
      run.querySelectorAll(".phase").forEach((button) => {
        button.addEventListener("click", () => {
          const moments = Array.from(run.querySelectorAll(".moment"));
          go(moments.findIndex((moment) => moment.dataset.phase === button.dataset.phase));
        });
      });
      run.querySelectorAll(".column").forEach((column) => {
        column.addEventListener("click", () => go(Number(column.dataset.number) - 1));
      });
    });
    document.querySelectorAll("button.choose").forEach((button) => {
      button.addEventListener("click", () => { current = Number(button.dataset.run); show(); });
    });
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
      if (event.target.closest && event.target.closest("input, .scroll")) { return; }
      const last = runs[current].querySelectorAll(".moment").length - 1;
      const target = { ArrowLeft: places[current] - 1, ArrowRight: places[current] + 1, Home: 0, End: last }[event.key];
      if (target === undefined) { return; }
      if ((event.key === "Home" || event.key === "End") && !event.target.closest("#stepper")) { return; }
      event.preventDefault();
      go(target);
    });
    show();
  }

  // --- the list of all: by verdict and by text
  const search = document.getElementById("search");
  if (search) {
    let verdict = "";
    const rows = Array.from(document.querySelectorAll("table.index tbody tr"));
    const filter = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      rows.forEach((row) => {
        const fits = (!verdict || row.dataset.verdict === verdict) && words.every((word) => row.dataset.text.includes(word));
        row.hidden = !fits;
        count += fits ? 1 : 0;
      });
      document.querySelector(".found").textContent = count + " of " + rows.length + " shown";
    };
    document.querySelectorAll("button.verdicts").forEach((button) => {
      button.addEventListener("click", () => {
        verdict = button.dataset.verdict;
        document.querySelectorAll("button.verdicts").forEach((other) => {
          other.setAttribute("aria-pressed", String(other === button));
        });
        filter();
      });
    });
    search.addEventListener("input", filter);
    search.form.addEventListener("submit", (event) => event.preventDefault());
    filter();
  }

  // --- on paper nothing is folded
  window.addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((item) => { item.open = true; });
  });
})();
