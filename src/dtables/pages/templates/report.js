"use strict";
document.documentElement.classList.add("alive");
// The list of turns: made of packed data when a language is first shown, details when a turn is opened.
const STEP = 50;
const FIELDS = { file: 0, line: 1, turn: 2, game: 3, ask: 4, rule: 5, why: 6, field: 7, played: 8, right: 9, context: 10, house: 11, place: 12, others: 13 };

const make = (name, properties = {}, ...children) => {
  const part = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") part.className = value;
    else if (key in part) part[key] = value;
    else part.setAttribute(key, value);
  }
  part.append(...children.filter((child) => child !== null && child !== ""));
  return part;
};
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const unpacked = async (text) => {
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};

class Turns {
  constructor(main) {
    this.main = main;
    this.code = main.dataset.code;
    this.place = main.querySelector("[data-turns]");
    this.words = JSON.parse(main.querySelector("[data-words]").textContent);
    this.numbers = new Intl.NumberFormat(this.code);
    this.pieces = new Map();
    this.limit = STEP;
  }

  async start() {
    if (!("DecompressionStream" in window)) {
      this.place.replaceChildren(make("p", { class: "card" }, this.words.too_old));
      return;
    }
    const list = this.main.querySelector("[data-list]");
    [this.asks, this.rules, this.heads, this.rows] = await unpacked(list.textContent);
    this.texts = this.rows.map((row) => this.text(row).toLocaleLowerCase(this.code));
    this.tools();
    for (const button of this.main.querySelectorAll(".only")) {
      button.addEventListener("click", () => this.only(button.dataset.rule));
    }
    this.show();
  }

  text(row) {
    const parts = [row[FIELDS.turn], row[FIELDS.game], row[FIELDS.file], row[FIELDS.why], row[FIELDS.played], row[FIELDS.right]];
    return [...parts, ...row[FIELDS.others].flat(), ...row[FIELDS.context].map(([, value]) => value), ...row[FIELDS.house], this.rules[row[FIELDS.rule]][0]].join(" ");
  }

  // -- controls --------------------------------------------------------------------------------

  choice(label, options) {
    const select = make("select", {}, ...options.map(([value, text]) => make("option", { value }, text)));
    select.addEventListener("change", () => this.again());
    return [make("label", {}, label, select), select];
  }

  tools() {
    const words = this.words;
    this.search = make("input", { type: "search" });
    this.search.addEventListener("input", () => this.again());
    const any = ["", words.any];
    const [rule, rules] = this.choice(words.rule, [any, ...this.rules.map(([text], n) => [n, `${n + 1}. ${text}`])]);
    const [ask, asks] = this.choice(words.ask, [any, ...this.asks.map((text, n) => [n, text])]);
    const [order, orders] = this.choice(words.order, [["", words.by_rule], ["log", words.by_log]]);
    this.rule = rules; this.ask = asks; this.order = orders;
    this.contexts = this.heads.map((head, n) => this.values(head, n)).filter((one) => one !== null);
    const button = (text, act) => { const one = make("button", { type: "button" }, text); one.addEventListener("click", act); return one; };
    this.status = make("span", { class: "status", role: "status" });
    this.list = make("div");
    this.more = button("", () => { this.limit += STEP; this.show(); });
    this.more.className = "more";
    const buttons = make("div", { class: "buttons" }, this.status,
      button(words.open, () => this.each(true)), button(words.close, () => this.each(false)),
      button(words.clear, () => this.clear()), button(words.export, () => this.save()));
    const tools = make("div", { class: "tools" }, make("label", {}, words.search, this.search), rule,
      this.asks.length > 1 ? ask : null, ...this.contexts.map((one) => one.label), order, buttons);
    this.place.replaceChildren(tools, this.list, this.more);
  }

  values(head, n) {
    const found = [...new Set(this.rows.flatMap((row) => row[FIELDS.context].filter(([h]) => h === n).map(([, value]) => value)))];
    if (found.length < 2 || found.length > 12) return null;
    found.sort((a, b) => a.localeCompare(b, this.code, { numeric: true }));
    const [label, select] = this.choice(head, [["", this.words.any], ...found.map((one) => [one, one])]);
    return { head: n, label, select };
  }

  only(rule) {
    this.clear();
    this.rule.value = rule;
    this.again();
    this.main.querySelector(`#${this.code}-turns`).focus({ preventScroll: true });
    this.place.scrollIntoView();
  }

  clear() {
    this.search.value = this.rule.value = this.ask.value = this.order.value = "";
    for (const one of this.contexts) one.select.value = "";
    this.again();
  }

  again() { this.limit = STEP; this.show(); }

  // -- the list --------------------------------------------------------------------------------

  fitting() {
    const words = this.search.value.toLocaleLowerCase(this.code).split(/\s+/).filter(Boolean);
    const same = (select, value) => select.value === "" || Number(select.value) === value;
    const found = this.rows.map((row, n) => n).filter((n) => {
      const row = this.rows[n];
      return same(this.rule, row[FIELDS.rule]) && same(this.ask, row[FIELDS.ask])
        && this.contexts.every(({ head, select }) => select.value === "" || row[FIELDS.context].some(([h, value]) => h === head && value === select.value))
        && words.every((word) => this.texts[n].includes(word));
    });
    if (this.order.value === "") found.sort((a, b) => this.rows[a][FIELDS.rule] - this.rows[b][FIELDS.rule] || a - b);
    return found;
  }

  show() {
    this.found = this.fitting();
    const shown = this.found.slice(0, this.limit);
    const known = new Map([...this.list.children].map((one) => [one.dataset.turn, one]));
    this.list.replaceChildren(...shown.map((n) => known.get(String(n)) ?? this.item(n)));
    if (!shown.length) this.list.replaceChildren(make("p", {}, this.words.none));
    const [all, count] = [this.rows.length, this.found.length].map((one) => this.numbers.format(one));
    this.status.textContent = filled(this.words.shown, { shown: count, all });
    const rest = Math.min(STEP, this.found.length - shown.length);
    this.more.hidden = rest <= 0;
    this.more.textContent = filled(this.words.more, { count: rest });
  }

  item(n) {
    const row = this.rows[n], words = this.words;
    const game = row[FIELDS.game] === null ? "" : `${row[FIELDS.game]} · `;
    const where = `${row[FIELDS.file] === null ? "" : `${row[FIELDS.file]} `}${filled(words.line, { line: row[FIELDS.line] })}`;
    const played = row[FIELDS.played] || words.not_played;
    const chips = row[FIELDS.context].map(([head, value]) => make("span", { class: "chip" }, `${this.heads[head]}: ${value}`));
    const house = row[FIELDS.house].map((text) => make("span", { class: "chip house", title: words.house_rules }, text));
    const body = make("div", { class: "body" });
    const one = make("details", { class: "turn" },
      make("summary", {},
        make("span", { class: "head" },
          make("b", {}, `${game}${filled(words.turn, { turn: row[FIELDS.turn] })}`),
          make("span", {}, `${row[FIELDS.field]}: ${words.played} ${played} · ${words.right} ${row[FIELDS.right]}`)),
        make("span", { class: "why-not" }, row[FIELDS.why]),
        make("span", { class: "chips" }, ...chips, ...house,
          this.asks.length > 1 ? make("span", { class: "chip" }, this.asks[row[FIELDS.ask]]) : null, make("span", { class: "chip" }, where))),
      body);
    one.dataset.turn = n;
    one.addEventListener("toggle", () => { if (one.open && !body.hasChildNodes()) this.fill(body, row); });
    return one;
  }

  each(open) { for (const one of this.list.querySelectorAll(".turn")) one.open = open; }

  // -- details ---------------------------------------------------------------------------------

  async fill(body, row) {
    const [piece, at] = row[FIELDS.place];
    if (piece === undefined) { body.append(make("p", { class: "about" }, this.words.no_details)); return; }
    body.append(make("p", {}, this.words.loading));
    if (!this.pieces.has(piece)) {
      this.pieces.set(piece, unpacked(this.main.querySelector(`[data-piece="${this.code}-${piece}"]`).textContent));
    }
    const [moves, decision, matrices, steps] = (await this.pieces.get(piece))[at];
    body.replaceChildren(this.moves(moves), ...(decision ? this.decision(decision) : []),
      ...matrices.flatMap((one) => this.matrix(one)), this.steps(steps));
  }

  table(label, heads, rows, kind = "") {
    const head = make("thead", {}, make("tr", {}, ...heads.map((one) => typeof one === "string" ? make("th", { scope: "col" }, one) : one)));
    return make("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": label }, make("table", { class: kind }, head, make("tbody", {}, ...rows)));
  }

  moves(moves) {
    const words = this.words;
    const rows = moves.map(([field, played, right, differs]) => make("tr", { class: differs ? "differs" : "" },
      make("th", { scope: "row" }, field), make("td", {}, played === "" ? make("span", { class: "about" }, words.not_played) : `${differs ? "✗ " : ""}${played}`), make("td", {}, right)));
    return this.table(words.played, [words.field, words.played, words.right], rows);
  }

  decision([title, cell, rows]) {
    const words = this.words;
    const marks = { applies: "✓ ", fails: "✗ ", untried: "" };
    const body = rows.map(([number, text, state, reason, played]) => make("tr", { class: state === "applies" ? "left" : played ? "played" : "" },
      make("th", { scope: "row" }, `${number} ${text}`, played ? make("span", { class: "tag" }, words.is_played) : null),
      make("td", {}, `${marks[state]}${words[state]}${reason ? `: ${reason}` : ""}`)));
    return [make("h4", {}, `${title} `, make("code", {}, cell)), this.table(title, [words.row, words.state], body)];
  }

  matrix([title, cell, criteria, candidates, decides, missing]) {
    const words = this.words;
    const heads = [words.candidate, ...criteria.map(([number, text, where], n) => make("th", { scope: "col", class: n === decides ? "decides" : "" },
      `${number} ${text}`, make("small", {}, make("code", {}, where)), n === decides ? make("span", { class: "tag" }, words.decides) : null))];
    const kinds = { s: "stays", d: "drops", g: "gone" };
    const rows = candidates.map(([name, left, played, entries]) => make("tr", { class: left ? "left" : played ? "played" : "" },
      make("th", { scope: "row" }, `${left ? "✓ " : ""}${name}`, left ? make("span", { class: "tag" }, words.is_right) : null,
        played ? make("span", { class: "tag" }, words.is_played) : null),
      ...entries.map(([standing, seen]) => make("td", { class: kinds[standing] },
        standing === "d" ? make("span", { title: words.drops, role: "img", "aria-label": words.drops }, "× ") : null, seen))));
    return [make("h4", {}, `${title} `, make("code", {}, cell)), missing ? make("p", { class: "missing" }, `${missing}.`) : "",
      this.table(title, heads, rows, "matrix")].filter(Boolean);
  }

  steps(steps) {
    const list = make("ul", { class: "steps" }, ...steps.map(([deep, text]) => {
      const one = make("li", {}, text);
      one.style.setProperty("--deep", deep);
      return one;
    }));
    return make("details", {}, make("summary", {}, this.words.steps), list);
  }

  // -- export ----------------------------------------------------------------------------------

  save() {
    const words = this.words;
    const heads = [words.file, words.line, words.game, filled(words.turn, { turn: "" }).trim(), words.ask, words.field, words.played,
      words.right, words.others, words.rule, words.place, words.why, ...this.heads, words.house_rules];
    const rows = this.found.map((n) => {
      const row = this.rows[n], context = new Map(row[FIELDS.context]);
      return [row[FIELDS.file], row[FIELDS.line], row[FIELDS.game], row[FIELDS.turn], this.asks[row[FIELDS.ask]], row[FIELDS.field],
        row[FIELDS.played], row[FIELDS.right], row[FIELDS.others].map(([field, played, right]) => `${field}: ${played}, ${words.right} ${right}`).join("; "), ...this.rules[row[FIELDS.rule]].slice(0, 2), row[FIELDS.why],
        ...this.heads.map((_, head) => context.get(head)), row[FIELDS.house].join("; ")];
    });
    const cell = (value) => {
      const text = value === null || value === undefined ? "" : String(value);
      const safe = typeof value === "string" && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
      return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    const text = [heads, ...rows].map((row) => row.map(cell).join(",")).join("\n");
    const link = make("a", { href: URL.createObjectURL(new Blob(["\ufeff", text, "\n"], { type: "text/csv" })), download: "audit.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
}

const started = new Set();
const begin = (code) => {
  const main = document.querySelector(`main[data-code="${code}"]`);
  document.documentElement.lang = code;
  if (started.has(code) || !main.querySelector("[data-turns]")) return;
  started.add(code);
  new Turns(main).start();
};
for (const pick of document.querySelectorAll(".pick")) {
  pick.addEventListener("change", () => begin(pick.value));
  if (pick.checked) begin(pick.value);
}
if (matchMedia("(max-width: 72rem)").matches) for (const one of document.querySelectorAll("nav details")) one.open = false;
