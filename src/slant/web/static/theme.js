"use strict";
// Before anything is painted: the colours that the reader chose on an earlier page.
try {
  const chosen = localStorage.getItem("slant-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* without storage, the system's colours are used */ }
