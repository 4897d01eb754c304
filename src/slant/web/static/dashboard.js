"use strict";
(() => {
  // The report's script changes the theme; here it is kept for the next page.
  const root = document.documentElement;
  const keep = () => {
    try { localStorage.setItem("slant-theme", root.dataset.theme); } catch { /* not kept, then */ }
  };
  new MutationObserver(keep).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  const veils = document.getElementById("veils");
  veils.hidden = !document.querySelector(".reveal");
})();
