"use strict";
(() => {
  // Pictures that were not drawn when the page was written come when the reader comes near them.
  // What arrives is read as a picture, never as a page; the server lets only shapes and text pass.
  const told = (svg, words) => {
    const note = document.createElement("p");
    note.className = "failure";
    note.textContent = words;
    svg.replaceWith(note);
  };
  const fetched = async (svg) => {
    try {
      const answer = await fetch(svg.dataset.later);
      if (!answer.ok) throw new Error("not drawn");
      const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
      if (drawn.localName !== "svg") throw new Error("no picture");
      svg.setAttribute("viewBox", drawn.getAttribute("viewBox"));
      for (const [name, value] of ["fill", "stroke", "stroke-miterlimit"].map((n) => [n, drawn.getAttribute(n)])) {
        if (value) svg.setAttribute(name, value);
      }
      svg.append(...Array.from(drawn.childNodes, (node) => document.importNode(node, true)));
      svg.classList.remove("later");
    } catch {
      told(svg, "This picture could not be drawn. The table holds what it shows.");
    }
  };
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { seen.unobserve(entry.target); fetched(entry.target); }
  }, { rootMargin: "600px" });
  for (const svg of document.querySelectorAll("svg[data-later]")) seen.observe(svg);
})();
