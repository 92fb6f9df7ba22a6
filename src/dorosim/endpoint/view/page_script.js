// What the page does in the browser beside viser's own program. `server.py` puts it into the head of the page.
"use strict";
(() => {
  const PERIOD = 1500; // wall time from one question to the next [ms]
  const PATIENCE = 8000; // wall time for an answer [ms]
  const MISSES = 2; // questions without an answer until the notice is shown
  const BACK = 4000; // how long the page says that the simulator is back [ms]

  // A link to a view is a fragment; the page's process reads it from here when this browser connects. It goes from the
  // address first, as viser connects to the address as it stands, and no WebSocket may have a fragment.
  const KEY = "viser-user:dorosim-view";
  try {
    if (location.hash.startsWith("#view=")) localStorage.setItem(KEY, location.hash.slice(6));
    else localStorage.removeItem(KEY);
  } catch (refused) {
    console.info("this browser keeps nothing, so links to views do not work", refused);
  }
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);

  // ---- a notice when the simulator has gone
  let bar = null;
  let misses = 0;
  let lost = 0;
  function say(text, colour) {
    if (bar === null) {
      bar = document.createElement("div");
      bar.id = "dorosim-notice";
      bar.setAttribute("role", "alert");
      bar.style.cssText =
        "position:fixed;top:0;left:0;right:0;z-index:100000;padding:0.7em 1em;text-align:center;" +
        "font:600 15px/1.4 system-ui,sans-serif;color:#fff;box-shadow:0 2px 10px rgba(0,0,0,0.4)";
      document.body.append(bar);
    }
    bar.style.background = colour;
    bar.textContent = text;
  }
  function unsay() {
    if (bar !== null) bar.remove();
    bar = null;
  }
  async function ask() {
    try {
      const answer = await fetch("/alive", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
      if (!answer.ok) throw new Error(String(answer.status));
      if (lost > 0) {
        say("The simulator is back.", "#2b8a3e");
        setTimeout(unsay, BACK);
      }
      misses = lost = 0;
    } catch (failure) {
      misses += 1;
      if (misses < MISSES) return;
      if (lost === 0) lost = Date.now();
      const seconds = Math.round((Date.now() - lost) / 1000);
      const what = failure.name === "TimeoutError" ? "does not answer" : "has gone";
      say(
        `The simulator ${what} (for ${seconds} s). You see its last picture. ` +
          "Start it again at the same address: this page connects by itself.",
        "#c92a2a",
      );
    } finally {
      setTimeout(ask, PERIOD);
    }
  }
  document.addEventListener("DOMContentLoaded", () => setTimeout(ask, PERIOD));

  // ---- on a small screen the panel begins closed: it would cover what is followed
  const SMALL = "(max-width: 36em)"; // where viser puts its panel at the bottom
  const LOOKS = 100; // wall time from one look for the panel to the next [ms]
  function close() {
    if (!matchMedia(SMALL).matches) return;
    const handle = document.querySelector('div[style*="cursor: pointer"][style*="height: 3.5em"]');
    if (handle === null) setTimeout(close, LOOKS);
    else handle.click();
  }
  document.addEventListener("DOMContentLoaded", close);

  // ---- numbers are sent when they are done: with Enter, an arrow key, or when the field is left
  const held = new Set(); // fields with a number that is not sent yet
  let sending = false;
  function isNumber(field) {
    return field instanceof HTMLInputElement && /^(numeric|decimal)$/.test(field.inputMode);
  }
  function send(field) {
    if (!held.delete(field)) return;
    sending = true;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    sending = false;
  }
  addEventListener(
    "input",
    (event) => {
      if (sending || !isNumber(event.target)) return;
      held.add(event.target);
      event.stopPropagation();
    },
    true,
  );
  addEventListener(
    "keydown",
    (event) => {
      if (["Enter", "Tab", "ArrowUp", "ArrowDown"].includes(event.key)) send(event.target);
    },
    true,
  );
  addEventListener("focusout", (event) => send(event.target), true);

  // ---- a link to the present view goes to the address bar and the clipboard
  let linked = "";
  setInterval(() => {
    const found = document.querySelector("[data-dorosim-view]");
    const view = found === null ? "" : found.dataset.dorosimView;
    if (view === "" || view === linked) return;
    linked = view;
    history.replaceState(null, "", `#view=${view}`);
    if (navigator.clipboard) navigator.clipboard.writeText(location.href).catch(() => {});
  }, 300);
})();
