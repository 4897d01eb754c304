(() => {
  // Graphs of triples. Texts enter the page by textContent alone, and the canvas by fillText.
  const svg = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const make = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "on") for (const [event, run] of Object.entries(value)) made.addEventListener(event, run);
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  };
  const REGARDS = ["negative", "neutral", "positive", "unknown"];
  const WORDS = ["negative", "neutral", "positive", "regard not known"];
  const TONES = [-1, 0, 1, 0];
  const COLOURS = ["--above", "--tick", "--below", "--tick"];
  const many = (n, word) => n.toLocaleString("en") + " " + word + (n === 1 ? "" : "s");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  for (const explorer of document.querySelectorAll(".explorer")) {
    const data = JSON.parse(document.getElementById(explorer.dataset.data).textContent);
    const { nodes, edges } = data;
    const size = nodes.text.length, total = edges.source.length;
    const find = (selector) => explorer.querySelector(selector);
    const canvas = find("canvas"), pen = canvas.getContext("2d");
    const names = find(".names"), list = find("[role=listbox]"), chosen = find(".chosen");
    const search = find("input[type=search]"), menus = Array.from(explorer.querySelectorAll("select"));
    const boxes = Array.from(explorer.querySelectorAll(".key input"));
    const x = Float64Array.from(nodes.x), y = Float64Array.from(nodes.y);

    // Which edges meet at each node, and which objects belong to one subject alone.
    const touching = Array.from({ length: size }, () => []);
    for (let e = 0; e < total; e++) {
      touching[edges.source[e]].push(e);
      if (edges.target[e] !== edges.source[e]) touching[edges.target[e]].push(e);
    }
    const other = (e, n) => (edges.source[e] === n ? edges.target[e] : edges.source[e]);
    const home = nodes.text.map((_, n) => {
      const around = nodes.subject[n] ? [] : Array.from(new Set(touching[n].map((e) => other(e, n))));
      return around.length === 1 ? around[0] : -1;
    });
    const own = (n) => Array.from(home.keys()).filter((m) => home[m] === n);
    const shared = (e) => home[edges.target[e]] < 0;
    const faint = Math.max(0.25, Math.min(0.6, 0.6 * Math.sqrt(250 / edges.source.filter((_, e) => shared(e)).length)));
    const bends = new Map(), bend = new Float64Array(total);
    for (let e = 0; e < total; e++) {
      const pair = edges.source[e] + " " + edges.target[e], place = bends.get(pair) || 0;
      bends.set(pair, place + 1);
      bend[e] = (place % 2 ? -1 : 1) * Math.ceil(place / 2) * 0.12;
    }

    // Sensitive texts stay hidden, in the picture too, until asked for.
    let every = false;
    const asked = new Set();
    const hidden = (e) => edges.veiled[e] && !every && !asked.has(e);
    const secret = (n) => !nodes.subject[n] && touching[n].some((e) => edges.veiled[e]) && touching[n].every((e) => !edges.veiled[e] || hidden(e));

    // Filters.
    let shown = new Uint8Array(total).fill(1), counts = new Int32Array(size);
    let selected = -1, hovered = -1;
    const lower = (texts) => texts.map((text) => text.toLowerCase());
    const low = { text: lower(nodes.text), predicates: lower(data.predicates) };
    const words = () => search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const filter = () => {
      const wanted = words(), regards = boxes.filter((box) => box.checked).map((box) => Number(box.value));
      const chosenIn = menus.filter((menu) => menu.value !== "").map((menu) => [edges[menu.dataset.filter], Number(menu.value)]);
      const perRegard = [0, 0, 0, 0];
      let left = 0;
      counts.fill(0);
      for (let e = 0; e < total; e++) {
        let fits = chosenIn.every(([column, value]) => column[e] === value);
        if (fits && wanted.length) {
          const text = low.text[edges.source[e]] + " " + low.predicates[edges.predicate[e]] + " " + low.text[edges.target[e]];
          fits = wanted.every((word) => text.includes(word));
        }
        if (fits) perRegard[edges.regard[e]]++;
        fits = fits && regards.includes(edges.regard[e]);
        shown[e] = fits ? 1 : 0;
        if (!fits) continue;
        left++;
        counts[edges.source[e]]++;
        if (edges.target[e] !== edges.source[e]) counts[edges.target[e]]++;
      }
      for (const count of explorer.querySelectorAll(".key .count")) count.textContent = perRegard[count.dataset.regard].toLocaleString("en");
      find(".shown").textContent = left === total ? many(total, "triple") : left.toLocaleString("en") + " of " + many(total, "triple");
      find(".clear").hidden = left === total;
      if (selected >= 0) open(selected, false); else fill();
      draw();
    };
    find(".clear").addEventListener("click", () => {
      search.value = "";
      for (const menu of menus) menu.value = "";
      for (const box of boxes) box.checked = true;
      filter();
      search.focus();
    });
    search.addEventListener("input", filter);
    for (const control of [...menus, ...boxes]) control.addEventListener("change", filter);

    // The list: a way to everything for keyboards and screen readers.
    let at = -1;
    const label = (n) => {
      if (!secret(n)) return make("bdi", {}, nodes.text[n]);
      const bar = make("span", {}, make("bdi", { class: "hush", "aria-hidden": "true" }, nodes.text[n]));
      bar.append(make("span", { class: "sr" }, "sensitive text"));
      return bar;
    };
    const balance = (n) => {
      const share = [0, 0, 0, 0], drawn = svg("svg", { class: "balance", "aria-hidden": "true", focusable: "false" });
      for (const e of touching[n]) if (shown[e]) share[edges.regard[e]]++;
      let left = 0;
      share.forEach((count, regard) => {
        const part = 100 * count / Math.max(1, counts[n]);
        if (count) drawn.append(svg("rect", { class: "r" + regard, x: left + "%", width: part + "%", height: "100%" }));
        left += part;
      });
      return { drawn, said: share.map((count, regard) => (count ? count + " " + WORDS[regard] : "")).filter(Boolean).join(", ") };
    };
    const fill = () => {
      const found = [], text = words();
      for (let n = 0; n < size; n++) if (counts[n] && (nodes.subject[n] || text.some((word) => low.text[n].includes(word)))) found.push(n);
      const tone = (n) => touching[n].reduce((sum, e) => sum + (shown[e] ? TONES[edges.regard[e]] : 0), 0) / counts[n];
      found.sort((a, b) => nodes.subject[b] - nodes.subject[a] || tone(a) - tone(b) || counts[b] - counts[a] || nodes.text[a].localeCompare(nodes.text[b]));
      at = -1;
      list.replaceChildren(...found.slice(0, 400).map((n) => {
        const bar = balance(n);
        const item = make("li", { role: "option", id: explorer.dataset.data + "-" + n, "data-node": n, "aria-selected": "false" },
          label(n), bar.drawn, make("span", { class: "count" }, String(counts[n]), make("span", { class: "sr" }, " triples: " + bar.said)));
        return item;
      }));
      if (!found.length) list.append(make("li", { class: "none", role: "option", "aria-disabled": "true" }, "No triple fits these filters."));
      names.firstElementChild.textContent = "Subjects" + (found.some((n) => !nodes.subject[n]) ? " and objects found" : "") + ", most negative first";
    };
    const options = () => Array.from(list.querySelectorAll("[data-node]"));
    const goTo = (place) => {
      const all = options();
      if (!all.length) return;
      for (const option of all) { option.classList.remove("at"); option.setAttribute("aria-selected", "false"); }
      at = Math.max(0, Math.min(all.length - 1, place));
      all[at].classList.add("at");
      all[at].setAttribute("aria-selected", "true");
      all[at].scrollIntoView({ block: "nearest" });
      list.setAttribute("aria-activedescendant", all[at].id);
      hovered = Number(all[at].dataset.node);
      draw();
    };
    list.addEventListener("focus", () => { if (at < 0 && list.matches(":focus-visible")) goTo(0); });
    list.addEventListener("blur", () => { hovered = -1; draw(); });
    list.addEventListener("keydown", (event) => {
      const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: 1e9, PageDown: at + 10, PageUp: at - 10 };
      if (event.key in steps) goTo(steps[event.key]);
      else if ((event.key === "Enter" || event.key === " ") && at >= 0) open(Number(options()[at].dataset.node), true);
      else if (event.key.length === 1 && /\S/.test(event.key) && !event.ctrlKey && !event.metaKey) {
        const all = options(), order = all.map((_, i) => (at + 1 + i) % all.length);
        const hit = order.find((i) => low.text[all[i].dataset.node].startsWith(event.key.toLowerCase()));
        if (hit === undefined) return;
        goTo(hit);
      } else return;
      event.preventDefault();
    });
    list.addEventListener("click", (event) => {
      const item = event.target.closest("[data-node]");
      if (item) open(Number(item.dataset.node), true);
    });
    list.addEventListener("pointermove", (event) => {
      const item = event.target.closest("[data-node]"), n = item ? Number(item.dataset.node) : -1;
      if (n !== hovered) { hovered = n; draw(); }
    });
    list.addEventListener("pointerleave", () => { hovered = -1; draw(); });

    // What was asked and answered about one node.
    let serial = 0;
    const veil = (e, inside, changed) => {
      const id = explorer.dataset.data + "-v" + serial++;
      const name = make("span"), button = make("button", { type: "button", class: "reveal", "aria-controls": id }, name);
      const kept = make("div", { id, class: "veil" }, ...inside), whole = make("div", { class: "quote veiled" }, button, kept);
      let seen = every || (changed && asked.has(e));
      const show = () => {
        whole.classList.toggle("seen", seen);
        kept.inert = !seen;
        button.setAttribute("aria-expanded", String(seen));
        name.textContent = seen ? "Hide" : "Show sensitive text";
      };
      button.addEventListener("click", () => {
        seen = !seen;
        if (changed) { if (seen) asked.add(e); else asked.delete(e); changed(); }
        show();
      });
      show();
      return whole;
    };
    const triple = (e, n, unfolded, changed) => {
      const name = (m) => (m === n ? make("b", {}, make("bdi", {}, nodes.text[m])) : make("button", { type: "button", class: "go", on: { click: () => open(m, true) } }, make("bdi", {}, nodes.text[m])));
      const inside = [make("p", { class: "claim", dir: "auto" }, name(edges.source[e]), " ", make("bdi", {}, data.predicates[edges.predicate[e]]), " ", name(edges.target[e]))];
      const prompt = edges.prompt[e] < 0 ? null : data.prompts[edges.prompt[e]], raw = edges.raw[e];
      if (prompt !== null || raw !== null) {
        const answer = make("p", { class: "answered", dir: "auto" }, raw === null ? "not recorded" : raw);
        const question = make("p", { class: "asked", dir: "auto" }, prompt === null ? "not recorded" : prompt);
        const shots = edges.shots[e] && !edges.veiled[e];  // examples in a prompt are judged nowhere
        const details = make("details", unfolded ? { open: "" } : {}, make("summary", {}, "Asked and answered"),
          make("p", { class: "label" }, edges.shots[e] ? "Asked, with examples" : "Asked"), shots ? veil(e, [question], null) : question,
          make("p", { class: "label" }, "Answered"), answer);
        inside.push(details);
      }
      if (edges.answer && edges.answer[e]) inside.push(make("p", { class: "read" }, make("a", { href: edges.answer[e] }, "The answer, whole")));
      const mark = svg("svg", { "aria-hidden": "true", focusable: "false" });
      mark.append(svg("line", { x1: 0, x2: "100%", y1: "50%", y2: "50%" }));
      const known = [WORDS[edges.regard[e]], edges.about[e], edges.topic[e] < 0 ? "" : "topic: " + data.topics[edges.topic[e]]].filter(Boolean).join(" · ");
      return make("li", { class: "triple " + REGARDS[edges.regard[e]] },
        ...(edges.veiled[e] ? [veil(e, inside, changed)] : inside),
        make("p", { class: "known" }, mark, make("bdi", {}, known)));
    };
    const open = (n, focus) => {
      const mine = touching[n].filter((e) => shown[e]), top = focus ? 0 : chosen.parentElement.scrollTop;
      mine.sort((a, b) => (edges.source[b] === n) - (edges.source[a] === n) || edges.regard[a] - edges.regard[b]);
      const bar = balance(n), heading = make("h4", { tabindex: "-1", dir: "auto" }, label(n));
      const back = make("button", { type: "button", class: "quiet back", on: { click: close } }, "← All subjects");
      const left = touching[n].length - mine.length;
      const sum = many(mine.length, "triple") + (bar.said ? ": " + bar.said : "") + (left ? "; " + left.toLocaleString("en") + " filtered out" : "");
      const rename = () => { heading.replaceChildren(label(n)); draw(); };
      chosen.replaceChildren(back, heading, make("p", { class: "sum" }, sum), bar.drawn, make("p"),
        make("ol", {}, ...mine.map((e) => triple(e, n, mine.length <= 3, rename))));
      if (bar.drawn.childElementCount === 0) bar.drawn.remove();
      selected = n;
      names.hidden = true;
      chosen.hidden = false;
      chosen.parentElement.scrollTop = top;
      if (focus) { heading.focus({ preventScroll: true }); bring(n); }
      draw();
    };
    const close = () => {
      const last = selected;
      selected = hovered = -1;
      chosen.hidden = true;
      names.hidden = false;
      fill();
      if (from) glide(from);
      from = null;
      list.focus({ preventScroll: true });
      goTo(Math.max(0, options().findIndex((option) => Number(option.dataset.node) === last)));
    };
    chosen.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });

    // The view: a scale and what stands in the middle.
    let from = null;  // the view before the list brought the reader closer
    let width = 1, height = 1, scale = 1, cx = 0, cy = 0, fitted = 1;
    const px = (n) => (x[n] - cx) * scale + width / 2, py = (n) => (y[n] - cy) * scale + height / 2;
    const fit = () => {
      let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
      for (let n = 0; n < size; n++) { left = Math.min(left, x[n]); right = Math.max(right, x[n]); top = Math.min(top, y[n]); bottom = Math.max(bottom, y[n]); }
      fitted = Math.min((width - 36) / Math.max(8, right - left), (height - 36) / Math.max(8, bottom - top));
      return { scale: fitted, cx: (left + right) / 2, cy: (top + bottom) / 2 };
    };
    const set = (view) => {
      scale = Math.max(fitted * 0.6, Math.min(fitted * 24, view.scale));
      cx = view.cx; cy = view.cy;
      canvas.style.touchAction = scale > fitted * 1.05 ? "none" : "pan-y";
      draw();
    };
    let running = 0;
    const glide = (to) => {
      cancelAnimationFrame(running);
      if (calm.matches) { set(to); return; }
      const old = { scale, cx, cy }, began = performance.now();
      const step = (now) => {
        const t = Math.min(1, Math.max(0, now - began) / 260), ease = t * (2 - t), mix = (a, b) => a + (b - a) * ease;
        set({ scale: mix(old.scale, to.scale), cx: mix(old.cx, to.cx), cy: mix(old.cy, to.cy) });
        if (t < 1) running = requestAnimationFrame(step);
      };
      running = requestAnimationFrame(step);
    };
    const zoom = (factor, atX = width / 2, atY = height / 2, smooth = false) => {
      const wanted = Math.max(fitted * 0.6, Math.min(fitted * 24, scale * factor)), k = 1 / scale - 1 / wanted;
      (smooth ? glide : set)({ scale: wanted, cx: cx + (atX - width / 2) * k, cy: cy + (atY - height / 2) * k });
    };
    const bring = (n) => {
      const left = px(n), top = py(n);
      const close = nodes.subject[n] && width > 500 ? Math.max(scale, 30) : scale;
      if (close === scale && left > 40 && top > 40 && left < width - 40 && top < height - 40) return;
      if (!from) from = { scale, cx, cy };
      glide({ scale: close, cx: x[n], cy: y[n] });
    };

    // Drawing: edges of one colour in one stroke; names where there is room.
    let waiting = 0, colour = {};
    const learn = () => {
      const style = getComputedStyle(document.documentElement);
      for (const name of ["--paper", "--ink", "--muted", "--line", "--band", "--tick", "--above", "--below", "--focus"]) colour[name] = style.getPropertyValue(name).trim();
      colour.font = getComputedStyle(document.body).fontFamily;
    };
    const radius = (n) => (nodes.subject[n] ? Math.max(4, Math.min(11, 4 + Math.sqrt(counts[n]))) : Math.min(5, 1.6 + 0.8 * Math.sqrt(counts[n]))) * (width < 500 ? 0.75 : 1) * Math.max(0.75, Math.min(1.8, Math.sqrt(scale / 14)));
    const path = (e) => {
      const a = edges.source[e], b = edges.target[e], ax = px(a), ay = py(a), bx = px(b), by = py(b);
      if (a === b) { const r = radius(a) + 6; pen.moveTo(ax + r, ay - r); pen.arc(ax, ay - r, r, 0, 2 * Math.PI); return; }
      pen.moveTo(ax, ay);
      if (bend[e]) pen.quadraticCurveTo((ax + bx) / 2 + (by - ay) * bend[e] * 2, (ay + by) / 2 - (bx - ax) * bend[e] * 2, bx, by);
      else pen.lineTo(bx, by);
    };
    const lines = (which, alpha, thick) => {
      pen.globalAlpha = alpha;
      for (let regard = 0; regard < 4; regard++) {
        pen.beginPath();
        for (let e = 0; e < total; e++) if (shown[e] && edges.regard[e] === regard && which(e)) path(e);
        pen.strokeStyle = colour[COLOURS[regard]];
        pen.lineWidth = thick;
        pen.setLineDash(regard === 3 ? [2, 3] : []);
        pen.stroke();
      }
      pen.setLineDash([]);
      pen.globalAlpha = 1;
    };
    let taken = [];
    const name = (n, forced) => {
      const subject = nodes.subject[n], points = (subject ? 13 : 11.5) - (width < 500 ? 1.5 : 0);
      pen.font = (subject ? "600 " : "400 ") + points + "px " + colour.font;
      const whole = nodes.text[n], text = whole.length > 34 ? whole.slice(0, 32).trimEnd() + "…" : whole;
      const wide = pen.measureText(text).width, r = radius(n);
      let left = px(n) - wide / 2, top = py(n) + r + 2;
      if (!subject) {
        const leftwards = home[n] >= 0 && x[n] < x[home[n]];  // away from its subject
        left = leftwards ? px(n) - r - 3 - wide : px(n) + r + 3;
        top = py(n) - points / 2;
      }
      if (px(n) > 0 && px(n) < width) left = Math.max(4, Math.min(width - wide - 4, left));
      const box = [left - 2, top - 1, left + wide + 2, top + points + 2];
      if (box[2] < 0 || box[0] > width || box[3] < 0 || box[1] > height) return;
      if (!forced && taken.some((t) => box[0] < t[2] && box[2] > t[0] && box[1] < t[3] && box[3] > t[1])) return;
      taken.push(box);
      if (secret(n)) {
        pen.fillStyle = colour["--band"];
        pen.beginPath();
        pen.roundRect(left, top + 1, wide, points, 3);
        pen.fill();
        return;
      }
      pen.textBaseline = "top";
      pen.lineJoin = "round";
      pen.lineWidth = 4;
      pen.strokeStyle = colour["--paper"];
      pen.strokeText(text, left, top);
      pen.fillStyle = colour["--ink"];
      pen.fillText(text, left, top);
    };
    const paint = () => {
      waiting = 0;
      const dense = window.devicePixelRatio || 1;
      if (canvas.width !== Math.round(width * dense) || canvas.height !== Math.round(height * dense)) { canvas.width = Math.round(width * dense); canvas.height = Math.round(height * dense); }
      pen.setTransform(dense, 0, 0, dense, 0, 0);
      pen.clearRect(0, 0, width, height);
      const focus = hovered >= 0 && counts[hovered] ? hovered : selected;
      const near = new Set(), mine = (e) => edges.source[e] === focus || edges.target[e] === focus;
      if (focus >= 0) for (const e of touching[focus]) if (shown[e]) near.add(other(e, focus));
      const thick = Math.max(0.9, Math.min(2, scale / 12));
      const back = focus < 0 ? 1 : 0.18;
      lines((e) => shared(e) && !(focus >= 0 && mine(e)), faint * back, thick);
      lines((e) => !shared(e) && !(focus >= 0 && mine(e)), 0.85 * back, thick);
      if (focus >= 0) lines(mine, 0.95, thick * 1.5);
      const front = (n) => focus < 0 || n === focus || near.has(n);
      for (const pass of [0, 1]) for (let n = 0; n < size; n++) {
        if (!counts[n] || nodes.subject[n] !== pass) continue;
        pen.globalAlpha = front(n) ? 1 : 0.22;
        pen.beginPath();
        pen.arc(px(n), py(n), radius(n), 0, 2 * Math.PI);
        const tones = new Set(touching[n].filter((e) => shown[e]).map((e) => edges.regard[e]));
        pen.fillStyle = pass ? colour["--ink"] : colour[tones.size === 1 ? COLOURS[Array.from(tones)[0]] : "--muted"];
        pen.fill();
        pen.lineWidth = pass ? 2 : 1;
        pen.strokeStyle = colour["--paper"];
        pen.stroke();
      }
      pen.globalAlpha = 1;
      if (focus >= 0) {
        pen.beginPath();
        pen.arc(px(focus), py(focus), radius(focus) + 4, 0, 2 * Math.PI);
        pen.lineWidth = 2;
        pen.strokeStyle = colour["--focus"];
        pen.stroke();
      }
      taken = [];
      if (focus >= 0) name(focus, true);
      const subjects = [], objects = [];
      for (let n = 0; n < size; n++) if (counts[n] && n !== focus) (nodes.subject[n] ? subjects : objects).push(n);
      subjects.sort((a, b) => near.has(b) - near.has(a) || counts[b] - counts[a]);
      for (const n of subjects) {
        pen.globalAlpha = front(n) ? 1 : 0.35;
        name(n, false);
      }
      pen.globalAlpha = 1;
      objects.sort((a, b) => counts[b] - counts[a]);
      for (const n of objects) if (focus >= 0 ? near.has(n) : scale > 30 || (scale > 22 && counts[n] > 1)) name(n, false);
    };
    const draw = () => { if (!waiting) waiting = requestAnimationFrame(paint); };

    // Pointers: drag a dot with what hangs on it, the ground to move, two fingers or the wheel to zoom.
    const nearest = (left, top, room) => {
      let best = -1, least = Infinity;
      for (let n = 0; n < size; n++) {
        if (!counts[n]) continue;
        const away = Math.hypot(px(n) - left, py(n) - top) - radius(n);
        if (away < room && away < least) { least = away; best = n; }
      }
      return best;
    };
    const place = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    const fingers = new Map();
    let grabbed = -1, moved = false, group = [];
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      from = null;
      fingers.set(event.pointerId, place(event));
      canvas.setPointerCapture(event.pointerId);
      cancelAnimationFrame(running);
      if (fingers.size > 1) { grabbed = -1; moved = true; return; }
      grabbed = nearest(...place(event), event.pointerType === "touch" ? 14 : 5);
      group = grabbed < 0 ? [] : nodes.subject[grabbed] ? [grabbed, ...own(grabbed)] : [grabbed];
      moved = false;
    });
    canvas.addEventListener("pointermove", (event) => {
      const [left, top] = place(event), before = fingers.get(event.pointerId);
      if (!before) {
        const over = nearest(left, top, 5);
        if (over !== hovered) { hovered = over; canvas.classList.toggle("over", over >= 0); draw(); }
        return;
      }
      const dx = left - before[0], dy = top - before[1];
      if (!moved && Math.hypot(dx, dy) < 4) return;
      if (fingers.size > 1) {
        const [, still] = Array.from(fingers).find(([id]) => id !== event.pointerId);
        const was = Math.hypot(before[0] - still[0], before[1] - still[1]), now = Math.hypot(left - still[0], top - still[1]);
        fingers.set(event.pointerId, [left, top]);
        zoom(now / Math.max(1, was), (left + still[0]) / 2, (top + still[1]) / 2);
        return;
      }
      moved = true;
      canvas.classList.add("moving");
      fingers.set(event.pointerId, [left, top]);
      if (grabbed < 0) { set({ scale, cx: cx - dx / scale, cy: cy - dy / scale }); return; }
      for (const n of group) { x[n] += dx / scale; y[n] += dy / scale; }
      draw();
    });
    const release = (event) => {
      if (!fingers.delete(event.pointerId)) return;
      canvas.classList.remove("moving");
      if (event.type === "pointerup" && !moved && grabbed >= 0) { open(grabbed, false); chosen.parentElement.scrollTop = 0; }
      if (!fingers.size) grabbed = -1;
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", () => { hovered = -1; draw(); });
    canvas.addEventListener("wheel", (event) => {
      // The page scrolls past the picture unless the reader has taken hold of it.
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0018)), ...place(event));
    }, { passive: false });
    canvas.addEventListener("dblclick", (event) => zoom(2, ...place(event), true));
    canvas.addEventListener("keydown", (event) => {
      const step = 60 / scale, moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key in moves) set({ scale, cx: cx + moves[event.key][0], cy: cy + moves[event.key][1] });
      else if (event.key === "+" || event.key === "=") zoom(1.3);
      else if (event.key === "-") zoom(1 / 1.3);
      else if (event.key === "0") glide(fit());
      else if (event.key === "Escape" && selected >= 0) close();
      else return;
      event.preventDefault();
    });
    const tools = {
      in: () => zoom(1.6, undefined, undefined, true),
      out: () => zoom(1 / 1.6, undefined, undefined, true),
      fit: () => glide(fit()),
      png: () => {
        const sheet = document.createElement("canvas"), to = sheet.getContext("2d");
        sheet.width = canvas.width; sheet.height = canvas.height;
        to.fillStyle = colour["--paper"];
        to.fillRect(0, 0, sheet.width, sheet.height);
        to.drawImage(canvas, 0, 0);
        sheet.toBlob((blob) => {
          const link = document.createElement("a");
          link.href = URL.createObjectURL(blob);
          link.download = explorer.dataset.file + ".png";
          link.click();
          setTimeout(() => URL.revokeObjectURL(link.href), 10000);
        }, "image/png");
      },
    };
    for (const button of explorer.querySelectorAll("[data-zoom]")) button.addEventListener("click", tools[button.dataset.zoom]);

    // What else changes the picture: size, colours, the page's button for sensitive texts, paper.
    let sized = false;
    new ResizeObserver(() => {
      const whole = sized && Math.abs(scale - fitted) > 1e-6;
      width = Math.max(1, canvas.clientWidth);
      height = Math.max(1, canvas.clientHeight);
      const view = fit();
      set(whole ? { scale, cx, cy } : view);
      sized = true;
    }).observe(canvas);
    const recolour = () => { learn(); draw(); };
    new MutationObserver(recolour).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) matchMedia(query).addEventListener("change", recolour);
    const onPaper = () => { learn(); paint(); };
    matchMedia("print").addEventListener("change", onPaper);
    addEventListener("beforeprint", onPaper);
    addEventListener("afterprint", recolour);
    const button = document.getElementById("veils");
    if (button) button.addEventListener("click", () => {
      every = button.getAttribute("aria-pressed") === "true";
      asked.clear();
      if (selected >= 0) open(selected, false); else fill();
      draw();
    });
    learn();
    filter();
  }
})();
