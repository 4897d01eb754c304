"use strict";
(() => {
  // Keys that rule at once; whoever is disturbed by them turns them off, for good.
  const label = document.getElementById("label");
  const box = document.getElementById("shortcuts");
  if (label && box) {
    try { box.checked = localStorage.getItem("slant-shortcuts") !== "off"; } catch { /* then they are on */ }
    const mark = () => label.classList.toggle("off", !box.checked);
    box.addEventListener("change", () => {
      try { localStorage.setItem("slant-shortcuts", box.checked ? "on" : "off"); } catch { /* not kept */ }
      mark();
    });
    mark();
    addEventListener("keydown", (event) => {
      if (!box.checked || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest("textarea, select, input:not([type=checkbox])")) return;
      const button = label.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
      if (button) { event.preventDefault(); button.click(); }
    });
    // A second click on the way to the next answer would rule on what nobody has read.
    label.addEventListener("submit", (event) => {
      if (label.dataset.sent) event.preventDefault();
      label.dataset.sent = "yes";
    });
    addEventListener("pageshow", () => { delete label.dataset.sent; });
  }

  // While conclusions are drawn in the background: look again until they are there.
  const place = document.getElementById("conclusions");
  if (place && "working" in place.dataset) {
    const look = async () => {
      try {
        const answer = await fetch(place.dataset.state);
        if (answer.ok && !(await answer.json()).working) { location.reload(); return; }
      } catch { /* the server may be busy: look again */ }
      setTimeout(look, 1000);
    };
    setTimeout(look, 700);
  }
})();
