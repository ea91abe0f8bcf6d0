"use strict";
(() => {
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
        button.setAttribute("aria-pressed", String(button.dataset.name === name));
      }
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

  // A pointer opens its table where it stands, a word its meaning; a second tap closes it again.
  const without_ids = (part) => {
    for (const each of [part, ...part.querySelectorAll("[id]")]) each.removeAttribute("id");
    for (const panel of part.querySelectorAll(".opened")) panel.remove();
    for (const link of part.querySelectorAll("[aria-expanded]")) link.removeAttribute("aria-expanded");
    return part;
  };

  const panel_of = (link, target) => {
    const panel = document.createElement("div");
    panel.className = "opened";
    const head = document.createElement("p");
    head.className = "head";
    const title = target.querySelector("h3");
    if (title) {
      const words = document.createElement("span");
      words.append(...[...without_ids(title.cloneNode(true)).childNodes].filter((n) => n.className !== "again"));
      head.append(words);
    }
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "×";
    close.setAttribute("aria-label", document.body.dataset.close);
    close.addEventListener("click", () => {
      shut(link, panel);
      link.focus();
    });
    head.append(close);
    panel.append(head, without_ids((target.querySelector(".body") || target).cloneNode(true)));
    return panel;
  };

  const opened = new WeakMap();
  const shut = (link, panel) => {
    panel.remove();
    opened.delete(link);
    link.setAttribute("aria-expanded", "false");
  };

  document.querySelector("main").addEventListener("click", (event) => {
    const link = event.target.closest("a.pointer, a.term");
    if (!link) return;
    const target = document.getElementById(link.getAttribute("href").slice(1));
    if (!target) return;
    event.preventDefault();
    const panel = opened.get(link);
    if (panel) {
      shut(link, panel);
      return;
    }
    const made = panel_of(link, target);
    (link.closest(".opened > .body") || link.closest(".say, dd, td, p.foot, .orders") || link.parentElement).append(made);
    link.setAttribute("aria-expanded", "true");
    opened.set(link, made);
    show();
    made.scrollIntoView({ block: "nearest", behavior: "smooth" });
  });

  // Boxes to tick are the same ones wherever their table is opened.
  for (const [n, box] of document.querySelectorAll("button.tick").entries()) box.dataset.box = String(n);
  const tick = (box, ticked) => {
    for (const same of document.querySelectorAll(`button.tick[data-box="${box.dataset.box}"]`)) same.setAttribute("aria-pressed", String(ticked));
  };

  // Steps are ticked off while they are played; a new turn begins with none ticked and nothing open.
  document.addEventListener("click", (event) => {
    const step = event.target.closest(".procedure button.number");
    if (step) step.setAttribute("aria-pressed", String(step.getAttribute("aria-pressed") !== "true"));
    const box = event.target.closest("button.tick");
    if (box) tick(box, box.getAttribute("aria-pressed") !== "true");
    const again = event.target.closest("button.again");
    if (!again) return;
    const block = again.closest(".block");
    for (const each of block.querySelectorAll("button.tick")) tick(each, false);
    for (const number of block.querySelectorAll("button.number")) number.setAttribute("aria-pressed", "false");
    for (const link of block.querySelectorAll("[aria-expanded='true']")) if (opened.has(link)) shut(link, opened.get(link));
  });

  show();
})();
