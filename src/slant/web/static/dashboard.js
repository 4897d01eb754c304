"use strict";
(() => {
  // The report's script changes the theme; here it is kept for the next page.
  const root = document.documentElement;
  const keep = () => {
    try { localStorage.setItem("slant-theme", root.dataset.theme); } catch { /* not kept, then */ }
  };
  new MutationObserver(keep).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  // "/" leads to the search, where there is one.
  document.addEventListener("keydown", (event) => {
    const search = document.querySelector("main input[type=search]");
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || !search || typing || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    search.focus();
    search.select();
  });
  const veils = document.getElementById("veils");
  veils.hidden = !document.querySelector(".reveal");
})();
