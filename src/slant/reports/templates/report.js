"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const say = (words) => { document.getElementById("status").textContent = words; };

  // Colour scheme: the system's, until the reader says otherwise.
  const theme = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const nameTheme = () => { theme.textContent = dark() ? "Light" : "Dark"; theme.setAttribute("aria-label", "Use " + theme.textContent.toLowerCase() + " colours"); };
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; nameTheme(); });
  system.addEventListener("change", nameTheme);
  nameTheme();

  // Sensitive text: blurred, and out of reach of screen readers, until asked for.
  const reveals = all(".reveal");
  const veils = document.getElementById("veils");
  const show = (button, seen) => {
    const veil = document.getElementById(button.getAttribute("aria-controls"));
    button.setAttribute("aria-expanded", String(seen));
    button.firstElementChild.textContent = seen ? "Hide" : "Show sensitive text";
    button.parentElement.classList.toggle("seen", seen);
    veil.inert = !seen;
    veil.removeAttribute("tabindex");
  };
  const seen = (button) => button.getAttribute("aria-expanded") === "true";
  const nameVeils = () => {
    if (!veils) return;
    const every = reveals.every(seen);
    veils.setAttribute("aria-pressed", String(every));
    veils.firstElementChild.textContent = every ? "Hide all" : "Show all";
  };
  for (const button of reveals) {
    show(button, false);
    button.addEventListener("click", () => { show(button, !seen(button)); nameVeils(); });
  }
  if (veils) veils.addEventListener("click", () => {
    const wanted = !reveals.every(seen);
    for (const button of reveals) show(button, wanted);
    nameVeils();
  });

  // Copy what stands before the button.
  const fallback = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "sr";
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  };
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); } catch { fallback(text); }
  };
  for (const button of all(".copy")) button.addEventListener("click", async () => {
    await copy(button.previousElementSibling.textContent);
    button.textContent = "Copied";
    say("Copied");
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  });

  // Save a picture as it is seen, with the colours of the moment.
  const picture = (figure) => {
    const chart = all(".chart", figure).find((part) => part.offsetParent !== null);
    const drawn = chart.querySelector("svg");
    const copied = drawn.cloneNode(true);
    const old = all("*", drawn);
    all("*", copied).forEach((element, place) => {
      const style = getComputedStyle(old[place]);
      for (const name of ["fill", "stroke"]) {
        if (element.hasAttribute(name)) element.setAttribute(name, style[name]);
      }
      if (element.localName === "text") element.setAttribute("font-family", "Helvetica, Arial, sans-serif");
    });
    const box = drawn.viewBox.baseVal;
    copied.setAttribute("width", box.width);
    copied.setAttribute("height", box.height);
    const text = new XMLSerializer().serializeToString(copied);
    return { text, width: box.width, height: box.height };
  };
  const save = (blob, name) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say("Saved " + name);
  };
  const raster = ({ text, width, height }, done) => {
    const scale = 3;
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = width * scale;
      canvas.height = height * scale;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(done, "image/png");
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  };
  for (const button of all(".save")) button.addEventListener("click", () => {
    const figure = button.closest(".picture");
    const name = figure.dataset.file + "." + button.dataset.format;
    const made = picture(figure);
    if (button.dataset.format === "svg") save(new Blob([made.text], { type: "image/svg+xml" }), name);
    else raster(made, (blob) => save(blob, name));
  });

  // Contents: always open at the side of a wide page; a drop-down on a narrow one.
  const menu = document.querySelector(".contents > details");
  if (menu) {
    const wide = matchMedia("(min-width: 72rem)");
    const fold = () => { menu.open = wide.matches; };
    wide.addEventListener("change", fold);
    menu.addEventListener("click", (event) => { if (event.target.closest("a")) fold(); });
    document.addEventListener("click", (event) => { if (!wide.matches && !menu.contains(event.target)) menu.open = false; });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !wide.matches) menu.open = false; });
    fold();
    // Where the reader is: the last part whose beginning is above the upper third.
    const parts = all("a", menu).map((link) => [link, document.getElementById(link.hash.slice(1))]);
    let waiting = false;
    const place = () => {
      waiting = false;
      const above = parts.filter(([, part]) => part && part.getBoundingClientRect().top < innerHeight / 3);
      for (const [link] of parts) link.removeAttribute("aria-current");
      (above.at(-1) || parts[0])[0].setAttribute("aria-current", "true");
    };
    addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(place); } }, { passive: true });
    place();
  }

  // What is wider than the page says so: a table that is merely cut looks whole.
  const widths = new ResizeObserver((seen) => {
    for (const { target } of seen) target.classList.toggle("wider", target.scrollWidth > target.clientWidth + 1);
  });
  for (const region of all(".scroll")) widths.observe(region);

  // A link to a finding unfolds it.
  const unfold = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let part = target; part; part = part.parentElement) if (part.localName === "details") part.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  // On paper nothing can be unfolded: studies are printed whole.
  addEventListener("beforeprint", () => {
    for (const study of document.querySelectorAll("details.whole")) study.open = true;
  });
  unfold();
})();
