"use strict";
(() => {
  // Where there is little room, filters that are not used are folded away.
  const filters = document.querySelector(".choose details");
  if (filters && matchMedia("(max-width: 48rem)").matches && !("used" in filters.dataset)) filters.open = false;

  // Says how far the index is, until words can be searched for; loads the page when it can be shown.
  const words = document.getElementById("progress");
  const ask = async () => {
    let known;
    try {
      known = await (await fetch(words.dataset.progress)).json();
    } catch {
      return; // the dashboard has been stopped
    }
    if (known.open && !filters) location.reload();
    else if (known.fault) words.textContent = "Search is not possible: " + known.fault;
    else if (known.open && known.indexed >= 1) words.textContent = "The answers are indexed: search for words above.";
    else {
      if (known.open) words.textContent = "The answers are being indexed for search: " + Math.floor(100 * known.indexed) + "%.";
      setTimeout(ask, 700);
    }
  };
  if (words && words.dataset.progress) setTimeout(ask, 700);
})();
