"use strict";
(() => {
  // Says how far the index is, until words can be searched for.
  const words = document.getElementById("progress");
  const ask = async () => {
    let known;
    try {
      known = await (await fetch(words.dataset.progress)).json();
    } catch {
      return; // the dashboard has been stopped
    }
    if (known.fault) words.textContent = "Search is not possible: " + known.fault;
    else if (known.indexed >= 1) words.textContent = "The answers are indexed: search for words above.";
    else {
      words.textContent = "The answers are being indexed for search: " + Math.floor(100 * known.indexed) + "%.";
      setTimeout(ask, 1000);
    }
  };
  setTimeout(ask, 1000);
})();
