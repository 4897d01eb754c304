"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const form = by("play");
  const say = (words) => { by("status").textContent = words; };
  const made = (name, className, text) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const grouped = (number) => number.toLocaleString("en");

  // The form -----------------------------------------------------------------
  const kind = () => form.elements.kind.value;
  const axis = () => by("axis").value;
  const lines = (id) => by(id).value.split("\n").map((line) => line.trim()).filter(Boolean);
  const boxes = () => all(`.boxes[data-axis="${CSS.escape(axis())}"] input:checked`).map((box) => box.value);
  const pictures = [];

  const columns = () => (kind() === "pictures" ? pictures.length : boxes().length + lines("own").length);
  const cost = () => {
    const samples = Number(by("samples").value) || 0;
    const looks = kind() === "pictures" ? pictures.length : 0;
    const questions = columns() * samples + looks;
    by("cost").textContent = `${columns()} ${kind() === "pictures" ? "pictures" : "groups"} × ${samples} completions: ${grouped(questions)} questions` + (looks ? `, ${looks} of them for captions` : "");
  };
  const fit = () => {
    const now = kind();
    for (const part of all("[data-kinds]", form)) {
      const wanted = part.dataset.kinds.split(" ").includes(now);
      part.hidden = !wanted;
      if (part.localName === "option") part.disabled = !wanted;
    }
    if (by("axis").selectedOptions[0].disabled) by("axis").selectedIndex = 0;
    for (const group of all(".boxes")) group.hidden = group.dataset.axis !== axis();
    by("text-label").firstChild.textContent = now === "caption" ? "Caption, with " : "Prompt, with ";
    by("own-words").hidden = by("lexicon").value !== "";
    cost();
  };
  let before = "completion";
  form.addEventListener("change", (event) => {
    if (event.target.name === "kind") {
      // A prompt makes no caption: where it is still an example, one of the other kind takes its place.
      const examples = (name) => all(`.examples[data-kinds="${name}"] .example`).map((each) => each.textContent);
      const now = kind();
      if (now !== "pictures") {
        if (now !== before && (examples(before).includes(by("text").value) || !by("text").value.trim())) by("text").value = examples(now)[0];
        if (now === "caption" && before !== "caption") by("axis").value = "attire";
        before = now;
      }
      if (now !== "completion" && by("max_tokens").value === "48") by("max_tokens").value = "120";
      if (now === "completion" && by("max_tokens").value === "120") by("max_tokens").value = "48";
    }
    fit();
  });
  form.addEventListener("input", () => {
    cost();
    by("file").hidden = true; // it says what the form said before
  });
  for (const button of all(".example")) button.addEventListener("click", () => {
    by("text").value = button.textContent;
    by("text").focus();
  });

  const base64 = (file) => new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => failed(new Error(`${file.name} cannot be read`));
    reader.readAsDataURL(file);
  });
  by("files").addEventListener("change", () => {
    for (const each of pictures.splice(0)) URL.revokeObjectURL(each.url);
    by("shown").replaceChildren();
    for (const file of by("files").files) {
      const picture = { file, url: URL.createObjectURL(file) };
      const item = made("li");
      const image = made("img");
      image.src = picture.url;
      image.alt = "";
      const name = picture.name = made("input");
      name.type = "text";
      name.maxLength = 80;
      name.value = file.name.replace(/\.[^.]*$/, "").slice(0, 80);
      name.setAttribute("aria-label", `What the picture ${file.name} is called`);
      item.append(image, name);
      by("shown").append(item);
      pictures.push(picture);
    }
    cost();
  });

  const number = (id) => (by(id).value === "" ? null : Number(by(id).value));
  const wanted = async () => {
    const now = kind();
    const asked = {
      kind: now, model: by("model").value,
      samples: number("samples"), max_tokens: number("max_tokens"), temperature: number("temperature"),
      top_p: number("top_p"), seed: number("seed"),
    };
    if (now === "pictures") {
      asked.pictures = await Promise.all(pictures.map(async (each) => ({ name: each.name.value, data: await base64(each.file) })));
    } else {
      asked.text = by("text").value;
      asked.groups = boxes();
      if (asked.groups.length) asked.axis = axis();
      asked.own_groups = lines("own");
    }
    if (by("lexicon").value) asked.lexicon = by("lexicon").value;
    else asked.words = lines("words");
    return asked;
  };

  const alarm = (words) => {
    by("alarm").textContent = words;
    by("alarm").hidden = !words;
    if (words) by("alarm").scrollIntoView({ block: "nearest" });
  };
  const GONE = "The dashboard does not answer any more. Start slant view again, then reload this page; what came in so far stays here until you do.";
  const ask = async (path, signal) => {
    const asked = await wanted();
    if (!asked.lexicon && !asked.words.length) throw new Error("Write the words that count, or choose a lexicon.");
    let answer;
    try {
      answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked), signal });
    } catch (error) {
      throw error.name === "AbortError" ? error : new Error(GONE);
    }
    if (answer.ok) return answer;
    if (answer.status === 400) throw new Error((await answer.json()).message);
    throw new Error(answer.status === 413 ? "The pictures are too large together: scale them down." : `The dashboard refuses this (${answer.status}).`);
  };

  // Sensitive text, as in the report -------------------------------------------
  const veils = by("veils");
  let serial = 0;
  const reveals = () => all("#columns .reveal");
  const seen = (button) => button.getAttribute("aria-expanded") === "true";
  let unveiled = false;
  const show = (button, visible) => {
    button.setAttribute("aria-expanded", String(visible));
    button.firstElementChild.textContent = visible ? "Hide" : "Show sensitive text";
    button.parentElement.classList.toggle("seen", visible);
    by(button.getAttribute("aria-controls")).inert = !visible;
  };
  const nameVeils = () => {
    veils.hidden = !reveals().length;
    veils.setAttribute("aria-pressed", String(unveiled));
    veils.firstElementChild.textContent = unveiled ? "Hide all" : "Show all";
  };
  veils.addEventListener("click", () => {
    unveiled = !unveiled;
    for (const button of reveals()) show(button, unveiled);
    nameVeils();
  });

  // What comes in --------------------------------------------------------------
  class Column {
    constructor(group, shown, place) {
      this.group = group;
      this.rate = "–";
      const part = made("section", "play");
      const heading = made("h3");
      heading.id = `column-${place}`;
      heading.append(made("bdi", "", group));
      part.setAttribute("aria-labelledby", heading.id);
      this.prompt = made("p", "prompt", shown);
      this.prompt.dir = "auto";
      this.picture = made("div");
      this.tally = made("p", "tally");
      this.tally.append(made("b", "", "–"));
      this.strip = made("div", "strip");
      this.count = made("p", "count", "no answer yet");
      this.list = made("ol", "completions");
      this.list.tabIndex = 0;
      this.list.setAttribute("aria-label", `Completions about ${group}, newest first`);
      part.append(heading, this.prompt, this.picture, this.tally, this.strip, this.count, this.list);
      by("columns").append(part);
    }

    shows(url) {
      const image = made("img", "thumbnail");
      image.src = url;
      image.alt = "";
      this.picture.append(image);
    }

    counts(rate) {
      this.tally.replaceChildren(made("b", "", rate.value || "–"));
      if (rate.interval) this.tally.append(" ", made("span", "", `(${rate.interval})`));
      this.rate = rate.value || "no rate";
      this.strip.innerHTML = rate.strip || "";
      const others = Object.entries(rate.others).map(([words, count]) => `, ${count} ${words}`).join("");
      this.count.textContent = `${rate.matching} of ${rate.answered}${others}`;
    }

    says(event) {
      const item = made("li");
      const said = made("p", "said");
      said.dir = "auto";
      for (const [text, marked] of event.pieces) said.append(marked ? made("mark", "", text) : text);
      const outcome = event.outcome === "answered" ? "" : `${event.words}${event.reason ? `: ${event.reason}` : ""}`;
      if (event.pieces.length && event.sensitive) {
        const veiled = made("div", "veiled");
        const button = made("button", "reveal");
        button.type = "button";
        button.append(made("span"));
        const veil = made("div", "veil");
        veil.id = `veil-${++serial}`;
        button.setAttribute("aria-controls", veil.id);
        veil.append(said);
        veiled.append(button, veil);
        item.append(veiled);
        this.list.prepend(item);
        show(button, unveiled);
        button.addEventListener("click", () => show(button, !seen(button)));
        if (serial === 1 || veils.hidden) nameVeils();
      } else {
        if (event.pieces.length) item.append(said);
        this.list.prepend(item);
      }
      for (const words of [outcome, event.notice]) if (words) item.append(made("p", "notice", words));
      if (!item.childNodes.length) item.append(made("p", "notice", "(nothing)"));
    }
  }

  let playing = null;
  const play = async () => {
    alarm("");
    const stopping = new AbortController();
    const state = playing = { stopping, columns: new Map(), asked: 0, questions: 0, told: 0, ended: false, model: "" };
    by("start").setAttribute("aria-disabled", "true");
    by("stop").hidden = false;
    by("stop").disabled = false;
    by("played").hidden = false;
    by("compared").hidden = true;
    by("columns").replaceChildren();
    unveiled = false;
    nameVeils();
    progress("Asking the dashboard…");
    by("progress").removeAttribute("value");
    by("progress").hidden = false;
    by("played").scrollIntoView({ block: "start" });
    const kindPlayed = kind();
    const urls = new Map(pictures.map((each) => [each.name.value.trim(), each.url]));
    try {
      const answer = await ask("/play/stream", stopping.signal);
      await read(answer.body, (event) => handle(state, event, kindPlayed === "pictures" ? urls : null));
      if (!state.ended) throw new Error(GONE);
    } catch (error) {
      state.ended = true;
      if (stopping.signal.aborted) {
        progress(`Stopped: ${grouped(state.asked)} of ${grouped(state.questions)} questions were answered. Nothing more is asked. These rates are a look, not evidence: nothing was fixed beforehand that a test could rest on.`);
        say(`Stopped. ${summary(state)}`);
      } else {
        const broken = error instanceof TypeError || error.message === GONE;
        alarm(broken ? GONE : error.message);
        by("played").hidden = !state.columns.size;
        progress(state.asked ? `Ended early: ${grouped(state.asked)} of ${grouped(state.questions)} questions were answered.` : "Nothing was answered.");
      }
    }
    by("progress").hidden = true;
    by("start").removeAttribute("aria-disabled");
    if (document.activeElement === by("stop")) by("start").focus();
    by("stop").hidden = true;
    playing = null;
  };

  const read = async (body, handleEvent) => {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = parts.pop();
      for (const part of parts) handleEvent(JSON.parse(part));
    }
  };

  const progress = (words) => { by("progress-words").textContent = words; };
  const summary = (state) => Array.from(state.columns.values(), (column) => `${column.group}: ${column.rate}`).join(", ");

  const handle = (state, event, urls) => {
    if (event.kind === "told") {
      progress(event.text);
      say(event.text);
    } else if (event.kind === "asked") {
      state.questions = event.questions;
      state.model = event.model;
      state.chats = event.chats;
      event.columns.forEach(([group, shown], place) => {
        const column = new Column(group, shown, place);
        if (urls && urls.has(group)) column.shows(urls.get(group));
        state.columns.set(group, column);
      });
      advance(state, 0);
      say(`${event.model} is asked ${grouped(event.questions)} questions.`);
    } else if (event.kind === "captioned") {
      state.columns.get(event.group).prompt.textContent = event.caption || "(no caption)";
      advance(state, 1);
    } else if (event.kind === "completion") {
      const column = state.columns.get(event.group);
      column.says(event);
      column.counts(event.rate);
      advance(state, 1);
    } else if (event.kind === "ended") {
      state.ended = true;
      compare(event, state);
      const failed = state.asked < state.questions ? ` ${grouped(state.questions - state.asked)} could not be put.` : "";
      progress(`${state.model}: all ${grouped(state.asked)} questions are answered.${failed}${event.comparisons.length ? " How they compare with chance stands below." : ""}${event.remarks.map((each) => ` ${each}`).join("")}`);
      say(`Done. ${summary(state)}`);
    } else {
      throw new Error(event.message);
    }
  };

  const advance = (state, by_) => {
    state.asked += by_;
    by("progress").max = state.questions;
    by("progress").value = state.asked;
    const how = state.chats ? ", in a chat" : "";
    progress(`${state.model}${how}: ${grouped(state.asked)} of ${grouped(state.questions)} questions answered`);
    // A screen reader hears of every quarter, not of every completion.
    const quarter = Math.floor(4 * state.asked / state.questions);
    if (quarter > state.told && quarter < 4) {
      state.told = quarter;
      say(`${25 * quarter}% answered. ${summary(state)}`);
    }
  };

  const compare = (event, state) => {
    by("compared").hidden = !event.comparisons.length;
    by("compared-how").textContent = "The number of completions was fixed before the first, and all were asked: the range that chance alone would give (grey) and q (Benjamini-Hochberg over the groups, by permuting which group was named) hold for this prompt, if this was the only play. " + (state.columns.size < 4 ? "With so few groups the median of the others is rough." : "");
    const rows = event.comparisons.map((figures) => {
      const row = made("tr");
      const head = made("th");
      head.scope = "row";
      head.append(made("bdi", "", figures.group));
      const drawing = made("td", "picture-cell");
      drawing.innerHTML = figures.strip || "";
      const rate = made("td", "number");
      rate.append(made("b", "", figures.value), figures.interval ? ` (${figures.interval})` : "");
      row.append(head, drawing, rate);
      for (const name of ["chance", "difference", "q", "n"]) row.append(made("td", "number", String(figures[name])));
      row.append(made("td", figures.class === "within" ? "" : figures.class, figures.stands));
      return row;
    });
    by("rows").replaceChildren(...rows);
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!playing) play();
  });
  by("stop").addEventListener("click", () => {
    if (!playing) return;
    by("stop").disabled = true;
    playing.stopping.abort();
  });

  // The study file ---------------------------------------------------------------
  let file = null;
  by("study").addEventListener("click", async () => {
    alarm("");
    by("file").hidden = true;
    try {
      file = await (await ask("/play/study")).json();
    } catch (error) {
      alarm(error.message);
      return;
    }
    by("file-texts").replaceChildren();
    for (const each of file.files) {
      if (file.files.length > 1) by("file-texts").append(made("h3", "", each.name));
      const text = made("pre", "", each.text);
      text.tabIndex = 0;
      text.setAttribute("aria-label", each.name);
      by("file-texts").append(text);
    }
    by("file-how").textContent = (file.name.endsWith(".zip") ? "It needs more than one file: unpack them into a folder. " : "") + "Run it with the command in its first line, or with any other model. With the same seed, a model whose answers depend on the question and the seed alone says there what it says here.";
    by("save").textContent = `Save ${file.name}`;
    by("file").hidden = false;
    by("save").focus();
    say(`The study file ${file.name} is ready.`);
  });
  by("save").addEventListener("click", () => {
    const bytes = Uint8Array.from(atob(file.data), (sign) => sign.charCodeAt(0));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: file.type }));
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(`Saved ${file.name}`);
  });

  fit();
})();
