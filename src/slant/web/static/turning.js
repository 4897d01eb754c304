"use strict";
// The keys n and p turn to the next and the previous page, as the links that are seen do.
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, [contenteditable]")) return;
  const link = { n: "[rel=next]", p: "[rel=prev]" }[event.key];
  const found = link && document.querySelector(".pager " + link);
  if (found) { event.preventDefault(); found.click(); }
});
