"use strict";
(() => {
  document.documentElement.classList.add("alive");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const glide = (part, block) => part.scrollIntoView({ block, behavior: calm.matches ? "auto" : "smooth" });

  // What is chosen stands in the address, so that it is still there after reloading and can be sent on.
  const groups = [...document.querySelectorAll("fieldset[data-vocabulary]")];
  const chosen = new URLSearchParams(location.hash.startsWith("#?") ? location.hash.slice(2) : "");

  const show = () => {
    for (const table of document.querySelectorAll("[data-vocabulary]:not(fieldset)")) {
      const name = chosen.get(table.dataset.vocabulary);
      let columns = 0;
      for (const part of table.querySelectorAll("[data-choice]")) {
        const hidden = Boolean(name) && part.dataset.choice !== name;
        part.classList.toggle("hidden", hidden);
        if (!hidden && part.closest("thead")) columns += 1;
      }
      for (const cell of table.querySelectorAll("td.all")) cell.colSpan = Math.max(columns, 1);
      for (const cell of table.querySelectorAll(".section th")) cell.colSpan = Math.max(columns, 1) + 1;
    }
    for (const group of groups) {
      const name = chosen.get(group.dataset.vocabulary) || "";
      for (const button of group.querySelectorAll("button")) {
        const pressed = button.dataset.name === name;
        button.setAttribute("aria-pressed", String(pressed));
        if (pressed) group.querySelector("output").textContent = name ? button.title : "";
      }
    }
    // Whoever has no finger to push a wide table with can reach it and use the arrow keys.
    for (const wide of document.querySelectorAll(".scroll")) {
      if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
      else wide.removeAttribute("tabindex");
    }
  };

  for (const group of groups) {
    group.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.name) chosen.set(group.dataset.vocabulary, button.dataset.name);
      else chosen.delete(group.dataset.vocabulary);
      history.replaceState(null, "", "#?" + chosen.toString());
      show();
    });
  }

  // The contents lead to a table and leave what is chosen in the address.
  document.querySelector("nav").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    const target = link && document.getElementById(link.getAttribute("href").slice(1));
    if (!target) return;
    event.preventDefault();
    history.pushState(null, "", location.href);
    target.querySelector("h3").focus({ preventScroll: true });
    glide(target, "start");
  });

  // A pointer opens its table where it stands, a word its meaning; a second tap or Escape closes it again.
  const opened = new Map();

  const shut = (link) => {
    const panel = opened.get(link);
    for (const inner of panel.querySelectorAll("[aria-expanded='true']")) if (opened.has(inner)) shut(inner);
    panel.remove();
    opened.delete(link);
    link.setAttribute("aria-expanded", "false");
  };

  const copy_of = (part) => {
    const copy = part.cloneNode(true);
    for (const each of [copy, ...copy.querySelectorAll("[id], h3")]) {
      each.removeAttribute("id");
      each.removeAttribute("tabindex");
    }
    for (const extra of copy.querySelectorAll(".opened, .next")) extra.remove();
    for (const link of copy.querySelectorAll("[aria-expanded]")) link.setAttribute("aria-expanded", "false");
    return copy;
  };

  const panel_of = (link, target) => {
    const panel = document.createElement("div");
    panel.className = "opened";
    panel.tabIndex = -1;
    panel.setAttribute("role", "group");
    panel.setAttribute("aria-label", link.getAttribute("aria-label") || link.textContent);
    const head = document.createElement("p");
    head.className = "head";
    const title = target.querySelector("h3");
    if (title) {
      const words = document.createElement("span");
      words.append(...copy_of(title).childNodes);
      head.append(words);
    }
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "×";
    close.setAttribute("aria-label", document.body.dataset.close);
    close.addEventListener("click", () => {
      shut(link);
      link.focus();
    });
    head.append(close);
    panel.append(head, copy_of(target.querySelector(".body") || target));
    return panel;
  };

  const place = (link, panel) => {
    const table = link.closest(".scroll");
    if (table) table.after(panel);
    else (link.closest(".opened > .body, .say, dd, p.foot, .orders") || link.parentElement).append(panel);
  };

  for (const link of document.querySelectorAll("main :is(a.pointer, a.term)")) link.setAttribute("aria-expanded", "false");

  document.querySelector("main").addEventListener("click", (event) => {
    const link = event.target.closest("a.pointer, a.term");
    const target = link && document.getElementById(link.getAttribute("href").slice(1));
    if (!target) return;
    event.preventDefault();
    if (opened.has(link)) {
      shut(link);
      return;
    }
    const panel = panel_of(link, target);
    place(link, panel);
    link.setAttribute("aria-expanded", "true");
    opened.set(link, panel);
    show();
    panel.focus({ preventScroll: true });
    glide(panel, "nearest");
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !opened.size) return;
    const inside = document.activeElement.closest(".opened");
    const [link] = [...opened].reverse().find(([, panel]) => panel === inside) || [...opened].pop();
    shut(link);
    link.focus();
  });

  // Steps are ticked off while they are played, boxes as they are filled; both also where their table is open
  // under a step. Ticks outlast reloading (a phone drops pages that it does not show) and go with the tab.
  const TICKS = ".procedure button.number, button.tick";
  const kept = document.body.dataset.page;
  const ticks = [...document.querySelectorAll(TICKS)];
  for (const [n, each] of ticks.entries()) each.dataset.tick = String(n);
  const is_ticked = (each) => each.getAttribute("aria-pressed") === "true";
  const tick = (name, on) => {
    for (const each of document.querySelectorAll(`button[data-tick="${name}"]`)) each.setAttribute("aria-pressed", String(on));
  };
  const keep = () => {
    try {
      sessionStorage.setItem(kept, JSON.stringify(ticks.filter(is_ticked).map((each) => each.dataset.tick)));
    } catch { /* A browser that keeps nothing for pages from a disk. */ }
  };
  try {
    for (const name of JSON.parse(sessionStorage.getItem(kept) || "[]")) tick(name, true);
  } catch { /* As above. */ }

  // A new turn begins with no step ticked, in its own box and in those that it leads to.
  const begin_again = (box) => {
    const turn = box.dataset.box === "turn";
    const blocks = turn ? document.querySelectorAll(".block:not([data-box='round'], [data-box='once'])") : [box];
    for (const block of blocks) {
      for (const link of block.querySelectorAll("[aria-expanded='true']")) if (opened.has(link)) shut(link);
      for (const each of block.querySelectorAll(turn ? "button.number" : TICKS)) tick(each.dataset.tick, false);
    }
  };

  document.addEventListener("click", (event) => {
    const own = event.target.closest(TICKS);
    if (own) tick(own.dataset.tick, !is_ticked(own));
    const again = event.target.closest("button.again");
    if (again) {
      const box = again.closest(".block");
      begin_again(box);
      (box.querySelector(TICKS) || box.querySelector("h3")).focus({ preventScroll: true });
      glide(box, "start");
    }
    if (own || again) keep();
  });

  addEventListener("resize", show);
  show();
})();
