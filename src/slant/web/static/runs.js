"use strict";
(() => {
  // Choosing a filter shows its runs at once; without a script there is the button.
  const sieve = document.querySelector(".sieve");
  if (sieve) {
    for (const select of sieve.querySelectorAll("select")) select.addEventListener("change", () => sieve.requestSubmit());
    // Fields that ask for nothing stay out of the address.
    sieve.addEventListener("submit", () => {
      for (const field of sieve.elements) if (field.name && (!field.value || (field.name === "sort" && field.value === "newest"))) field.disabled = true;
    });
    addEventListener("pageshow", () => { for (const field of sieve.elements) field.disabled = false; });
  }
  const form = document.getElementById("compare");
  if (!form) return;
  const boxes = Array.from(document.querySelectorAll(".pick input"));
  const button = form.querySelector("button");
  const count = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    button.disabled = chosen < 2;
    button.title = chosen < 2 ? "Choose two runs or more" : "";
    document.getElementById("chosen").textContent = chosen ? `${chosen} ${chosen === 1 ? "run" : "runs"}` : "runs";
  };
  for (const box of boxes) box.addEventListener("change", count);
  addEventListener("pageshow", count);
  count();
})();
