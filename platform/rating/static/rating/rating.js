"use strict";
// The rating page: every choice is saved on the server at once, keys do what buttons do. Without this script the same
// page works as a plain form.
//
// What has not been acknowledged waits in an outbox, oldest first, each entry under an idempotency key of its own that
// stays the same for every attempt. The outbox is kept in the browser's storage under the reviewer's public id, so that
// a reload loses nothing and nobody else at this computer sends it.
(() => {
  const PATIENCE = 20_000; // milliseconds before a request counts as lost
  const IDLE = 60_000; // without any sign of life for so long, time does not count as active
  const TAB = newKey();

  let page = null;
  let outbox = [];
  let isSending = false;
  let retryTimer = 0;
  let commentTimer = 0;
  let seconds = 0;
  let lastSign = Date.now();

  function newKey() {
    if (crypto.randomUUID) return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16)); // plain http has no randomUUID
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  function cookie(name) {
    const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
    return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
  }

  // ---- The page

  function open() {
    const root = document.getElementById("rating");
    const form = root.querySelector("#rating-form");
    const scales = [...form.querySelectorAll(".scale:not([disabled])")];
    page = { root, form, scales, url: form.getAttribute("action"), comment: form.querySelector("#comment") };
    page.lastComment = page.comment.value;
    seconds = 0;
    form.addEventListener("change", onChange);
    form.addEventListener("focusin", (event) => mark(event.target.closest(".scale")));
    form.addEventListener("submit", onSubmit);
    page.comment.addEventListener("input", onComment);
    page.comment.addEventListener("blur", saveComment);
    const help = root.querySelector("#show-help");
    help.hidden = false;
    help.addEventListener("click", showHelp);
    mark(firstUnanswered());
  }

  const isAnswered = (scale) => scale.querySelector("input:checked") !== null;
  const firstUnanswered = () => page.scales.find((scale) => !isAnswered(scale)) || null;

  function mark(scale) {
    for (const other of page.scales) other.classList.toggle("focused", other === scale);
  }

  function say(state, words) {
    const place = document.getElementById("save-state");
    if (place.dataset.state === state && place.textContent === words) return;
    place.dataset.state = state;
    place.textContent = words;
  }

  function onChange(event) {
    if (event.target.type !== "radio") return;
    event.target.closest(".scale").classList.remove("unanswered");
    markStored(event.target.name, null);
    put("save");
  }

  // A choice looks chosen for good only once the server has said that it holds it.
  function markStored(name, value) {
    for (const choice of page.form.querySelectorAll(`input[type=radio][name="${CSS.escape(name)}"]`)) {
      choice.toggleAttribute("data-stored", choice.value === value);
    }
  }

  function onComment() {
    clearTimeout(commentTimer);
    commentTimer = setTimeout(saveComment, 1000);
  }

  function saveComment() {
    clearTimeout(commentTimer);
    if (page.comment.readOnly || page.comment.value === page.lastComment) return;
    put("save");
  }

  function onSubmit(event) {
    event.preventDefault();
    leave(event.submitter ? event.submitter.value : "next");
  }

  function leave(go) {
    if (!page.scales.length || outbox.some((entry) => entry.go !== "save")) return;
    if (go === "back" && page.form.querySelector("[value=back]").disabled) return;
    const missing = firstUnanswered();
    if (go === "next" && missing) return point(missing);
    put(go);
  }

  function point(scale) {
    scale.classList.add("unanswered");
    say("unsaved", `Choose a level for ${scale.querySelector("legend").textContent}.`);
    focusOn(scale);
  }

  function focusOn(scale) {
    (scale.querySelector("input:checked") || scale.querySelector("input")).focus();
    mark(scale);
  }

  function show(answer) {
    if (!answer.html) return location.assign(answer.location);
    page.root.outerHTML = answer.html;
    history.pushState(null, "", answer.location);
    open();
    document.title = page.root.dataset.title;
    page.root.querySelector("h1").focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  // ---- The outbox

  function put(go) {
    clearTimeout(commentTimer);
    const body = new URLSearchParams(new FormData(page.form));
    body.delete("csrfmiddlewaretoken");
    page.lastComment = page.comment.value;
    const last = outbox[outbox.length - 1];
    const waiting = last && !last.attempts && last.url === page.url && last.go === "save" ? outbox.pop() : null;
    const spent = seconds + (waiting ? waiting.seconds : 0);
    seconds = 0;
    const key = newKey();
    body.set("key", key);
    body.set("seconds", spent);
    body.set("go", go);
    outbox.push({ url: page.url, key, go, seconds: spent, body: body.toString(), attempts: 0 });
    keep();
    if (document.getElementById("save-state").dataset.state !== "unsaved") say("waiting", "");
    send();
  }

  const boxName = (tab) => `kappagraph-outbox:${page.root.dataset.person}:${tab}`;

  function keep() {
    try {
      if (outbox.length) localStorage.setItem(boxName(TAB), JSON.stringify(outbox));
      else localStorage.removeItem(boxName(TAB));
    } catch {
      // Private windows may refuse storage: the page then holds the outbox by itself.
    }
  }

  // What an earlier load of the page could not send. Sending twice does no harm: the key is the same.
  function adopt() {
    const found = [];
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(boxName("")));
      for (const name of names) {
        found.push(...JSON.parse(localStorage.getItem(name)));
        localStorage.removeItem(name);
      }
    } catch {
      return;
    }
    for (const entry of found) {
      entry.go = "save";
      const body = new URLSearchParams(entry.body);
      body.set("go", "save");
      entry.body = body.toString();
      entry.attempts = 1;
      if (entry.url === page.url) putBack(body);
      outbox.push(entry);
    }
    if (!outbox.length) return;
    say("saving", "Saving …"); // the server's “Saved” does not hold for what waits here
    keep();
    mark(firstUnanswered());
    send();
  }

  function putBack(body) {
    for (const [name, value] of body) {
      const choice = page.form.querySelector(`input[type=radio][name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);
      if (choice) {
        choice.checked = true;
        markStored(name, null);
      }
      if (name === "comment") page.comment.value = page.lastComment = value;
    }
  }

  async function send() {
    if (isSending || !outbox.length) return;
    clearTimeout(retryTimer);
    isSending = true;
    const entry = outbox[0];
    entry.attempts += 1;
    const slow = setTimeout(() => entry.attempts === 1 && say("saving", "Saving …"), 400);
    const abort = new AbortController();
    const lost = setTimeout(() => abort.abort(), PATIENCE);
    let status = 0;
    let answer = {};
    try {
      const token = cookie("csrftoken") || page.form.elements.csrfmiddlewaretoken.value;
      const response = await fetch(entry.url, {
        method: "POST",
        body: entry.body,
        headers: { "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": token },
        signal: abort.signal,
        redirect: "error",
      });
      status = response.status;
      answer = await response.json().catch(() => ({}));
    } catch {
      status = 0;
    }
    clearTimeout(slow);
    clearTimeout(lost);
    isSending = false;
    settle(entry, status, answer);
  }

  function settle(entry, status, answer) {
    if ((status === 200 || status === 422) && answer.saved) {
      outbox.shift();
      keep();
      if (entry.url === page.url) for (const [name, value] of new URLSearchParams(entry.body)) markStored(name, value);
      if (status === 422) {
        const missing = firstUnanswered();
        if (missing) point(missing);
        return send();
      }
      if (!outbox.length) say("saved", "Saved");
      if (answer.location && entry.url === page.url) show(answer);
      return send();
    }
    if ([400, 404, 409].includes(status)) {
      outbox = outbox.filter((other) => other.url !== entry.url);
      keep();
      if (entry.url === page.url) say("unsaved", `Not saved. ${answer.error || "This text is not among yours."}`);
      return send();
    }
    say(
      "unsaved",
      status === 401
        ? "Not saved: your session has ended. Open the link in your invitation in another tab; then this page saves by itself."
        : "Not saved, retrying",
    );
    const pause = Math.min(30_000, 1000 * 2 ** Math.min(entry.attempts - 1, 5));
    retryTimer = setTimeout(send, status === 401 ? 4000 : pause);
  }

  // ---- Keys

  const areKeysOn = () => {
    try {
      return localStorage.getItem("kappagraph-keys") !== "off";
    } catch {
      return true;
    }
  };

  const showKeys = () => document.documentElement.classList.toggle("has-keys", areKeysOn());

  function isTyping(target) {
    return target.isContentEditable || target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
  }

  function choose(key) {
    const scale = page.scales.find((one) => one.classList.contains("focused")) || firstUnanswered() || page.scales[0];
    const choice = scale && scale.querySelector(`input[data-key="${key}"]`);
    if (!choice) return false;
    const isNew = !choice.checked;
    choice.checked = true;
    if (isNew) choice.dispatchEvent(new Event("change", { bubbles: true }));
    const next = page.scales[page.scales.indexOf(scale) + 1];
    if (next) focusOn(next);
    else page.form.querySelector("[value=next]").focus();
    return true;
  }

  function showHelp() {
    document.getElementById("help").showModal();
  }

  function onKey(event) {
    lastSign = Date.now();
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target;
    if (target === page.comment && event.key === "Escape") return page.form.querySelector("button").focus();
    if (!areKeysOn() || isTyping(target) || document.querySelector("dialog[open]") || target.closest("#skip")) return;
    if (event.repeat) return;
    const isControl = target.closest("button, a, summary");
    let isDone = true;
    if (/^[0-9-]$/.test(event.key)) isDone = choose(event.key);
    else if (event.key === "Enter" && !isControl) leave("next");
    else if (event.key === "Backspace") leave("back");
    else if (event.key === "c") page.comment.focus();
    else if (event.key === "s") isDone = openSkip();
    else if (event.key === "?") showHelp();
    else isDone = false;
    if (isDone) event.preventDefault();
  }

  function openSkip() {
    const skip = document.getElementById("skip");
    if (!skip) return false;
    skip.open = true;
    skip.querySelector("input[type=radio]").focus();
    return true;
  }

  // ---- Begin

  if (!document.getElementById("rating-form")) return;
  open();
  adopt();
  showKeys();
  document.addEventListener("keydown", onKey);
  for (const sign of ["pointerdown", "pointermove", "scroll"]) {
    addEventListener(sign, () => (lastSign = Date.now()), { passive: true });
  }
  setInterval(() => {
    if (document.visibilityState === "visible" && Date.now() - lastSign < IDLE) seconds += 1;
  }, 1000);
  addEventListener("online", send);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && send());
  addEventListener("popstate", () => location.reload());
  addEventListener("beforeunload", (event) => {
    saveComment();
    if (outbox.length) event.preventDefault();
  });
  const use = document.getElementById("use-keys");
  use.checked = areKeysOn();
  use.addEventListener("change", () => {
    try {
      localStorage.setItem("kappagraph-keys", use.checked ? "on" : "off");
    } catch {
      // Then they stay on.
    }
    showKeys();
  });
})();
