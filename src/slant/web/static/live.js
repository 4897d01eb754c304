"use strict";
(() => {
  // The pieces of this page that change while a run goes on come over server-sent events.
  const panel = document.getElementById("live");
  const part = (name) => document.getElementById("live-" + name);
  const source = new EventSource(panel.dataset.events);
  source.addEventListener("progress", (event) => {
    const news = JSON.parse(event.data);
    const badge = document.querySelector(".mast .badge");
    for (const [place, words] of [[badge, news.words], [part("words"), news.headline]]) {
      if (place.textContent !== words) place.textContent = words;
    }
    const percent = news.percent ?? null;
    if (percent === null) part("share").removeAttribute("value");
    else part("share").value = percent;
    document.title = (percent === null ? "" : percent + "% · ") + panel.dataset.title + ": slant";
    // Written and escaped on the server, as all pages are.
    if (news.figures !== undefined) {
      const held = part("figures").contains(document.activeElement);
      if (!held) part("figures").innerHTML = news.figures;
    }
    if (news.newest !== undefined && part("newest").innerHTML !== news.newest) part("newest").innerHTML = news.newest;
    part("newest-part").hidden = !news.newest || !news.newest.trim();
  });
  source.addEventListener("ended", () => {
    source.close();
    part("ended").hidden = false;
    // Whoever is writing a note goes on writing.
    const form = document.querySelector(".marks form");
    if (!form.contains(document.activeElement)) location.reload();
  });
})();
