"use strict";
// What is chosen stands in the address, so that it is still there after reloading and can be sent on.
(() => {
  const groups = [...document.querySelectorAll("fieldset[data-vocabulary]")];
  const chosen = new URLSearchParams(location.hash.startsWith("#?") ? location.hash.slice(2) : "");

  const show = () => {
    for (const table of document.querySelectorAll("table[data-vocabulary]")) {
      const name = chosen.get(table.dataset.vocabulary);
      let columns = 0;
      for (const part of table.querySelectorAll("[data-choice]")) {
        const hidden = Boolean(name) && part.dataset.choice !== name;
        part.classList.toggle("hidden", hidden);
        if (!hidden && part.parentElement.parentElement.tagName === "THEAD") columns += 1;
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
  show();
})();
