"use strict";
// The rating page: every choice is saved on the server at once, keys do what buttons do. Without this script the same
// page works as a plain form.
(() => {
  const IDLE = 30_000; // without any sign of life for so long, time does not count as active
  const { Outbox, say: words, signIn, marking } = window.kappagraph;
  if (!document.getElementById("rating-form")) return;

  let page = null;
  let typingTimer = 0;
  let seconds = 0;
  let lastSign = Date.now();
  let isSignInDeclined = false;

  // ---- The page

  function open() {
    const root = document.getElementById("rating");
    const form = root.querySelector("#rating-form");
    const scales = [...form.querySelectorAll(".scale:not([disabled])")];
    page = { root, form, scales, url: form.getAttribute("action"), history: [], values: {} };
    page.comment = form.querySelector("#comment");
    page.seen = JSON.parse(form.elements.seen.value || "{}");
    page.undo = form.querySelector("#undo");
    for (const name of fields()) page.values[name] = valueOf(name);
    seconds = 0;
    form.noValidate = true; // what is missing or out of range is pointed at below
    form.addEventListener("change", onChange);
    form.addEventListener("input", onTyping);
    form.addEventListener("focusin", (event) => mark(event.target.closest(".scale")));
    form.addEventListener("focusout", (event) => event.target.matches("textarea, [data-number]") && saveTyping());
    form.addEventListener("submit", onSubmit);
    if (page.undo) {
      page.undo.hidden = false;
      page.undo.addEventListener("click", undo);
    }
    const again = form.querySelector("#sign-in-again");
    if (again) again.addEventListener("click", () => askToSignIn());
    if (marking) marking.open(root, () => save());
    mark(firstUnanswered());
  }

  function fields() {
    const given = [...page.form.elements].filter((one) => /^(level|number|words|marks)-|^(confidence|comment)$/.test(one.name));
    return [...new Set(given.map((one) => one.name))];
  }

  function inputs(name) {
    return [...page.form.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
  }

  function valueOf(name) {
    const [first] = inputs(name);
    if (!first) return "";
    if (first.type !== "radio") return first.value;
    const chosen = inputs(name).find((one) => one.checked);
    return chosen ? chosen.value : "";
  }

  function setValue(name, value) {
    for (const input of inputs(name)) {
      if (input.type === "radio") input.checked = input.value === value;
      else input.value = value;
    }
    if (marking && name.startsWith("marks-")) marking.draw();
  }

  const typed = (scale) => scale.querySelector("input[data-number], textarea");
  const numbers = () => [...page.form.querySelectorAll("[data-number]")];

  // What is wrong with a number, in words; "" where nothing is. The browser's own words say what is out of range.
  function refusal(input) {
    const given = input.value.trim();
    if (!given) return "";
    const probe = Object.assign(document.createElement("input"), { type: "number", step: "any" });
    probe.min = input.dataset.min || "";
    probe.max = input.dataset.max || "";
    // A comma is a point, as the server reads it, unless it may part thousands.
    probe.value = given.replace(/^\+/, "").replace(/^(-?0|-?\d*(?=,\d{1,2}$|,\d{4,}$)),(\d+)$/, "$1.$2");
    return probe.value === "" ? words("fill", { name: nameOf(input.closest(".scale")) }) : probe.validationMessage;
  }

  const isAnswered = (scale) => (typed(scale) ? typed(scale).value.trim() !== "" : scale.querySelector("input:checked") !== null);
  const isNeeded = (scale) => scale.hasAttribute("data-required");
  const firstUnanswered = () => page.scales.find((scale) => isNeeded(scale) && !isAnswered(scale)) || null;
  const nameOf = (scale) => scale.querySelector("[data-name]").textContent;

  function nameOfField(name) {
    const scale = page.form.querySelector(`[data-field="${CSS.escape(name)}"]`);
    if (scale) return nameOf(scale);
    const input = inputs(name)[0];
    return (input && input.labels && input.labels[0] && input.labels[0].firstChild.textContent.trim()) || "";
  }

  function mark(scale) {
    for (const other of page.scales) other.classList.toggle("focused", other === scale);
  }

  function say(state, text) {
    const place = document.getElementById("save-state");
    if (place.dataset.state === state && place.textContent === text) return;
    place.dataset.state = state;
    place.textContent = text;
  }

  function announce(text) {
    document.getElementById("desk-note").textContent = text;
  }

  // ---- Choosing

  function onChange(event) {
    const input = event.target;
    if (input.name === "comment" || input.matches("textarea, [data-number]")) return saveTyping();
    if (!input.name) return;
    input.closest(".scale").classList.remove("unanswered");
    markStored(input.name, null);
    save();
  }

  function onTyping(event) {
    if (!event.target.matches("textarea, [data-number]")) return;
    clearTimeout(typingTimer);
    typingTimer = setTimeout(saveTyping, 1000);
  }

  function saveTyping() {
    clearTimeout(typingTimer);
    const hasChanged = (input) => input.name && !input.readOnly && input.value !== page.values[input.name];
    if ([...page.form.querySelectorAll("textarea, [data-number]")].some(hasChanged)) save();
  }

  // A choice looks chosen for good only once the server has said that it holds it.
  function markStored(name, value) {
    for (const choice of page.form.querySelectorAll(`input[type=radio][name="${CSS.escape(name)}"]`)) {
      choice.toggleAttribute("data-stored", choice.value === value);
    }
  }

  function remember() {
    for (const name of fields()) {
      const value = valueOf(name);
      if (value === page.values[name]) continue;
      page.history.push({ name, before: page.values[name] });
      page.values[name] = value;
    }
    showUndo();
  }

  function showUndo() {
    if (page.undo) page.undo.disabled = !page.history.length;
  }

  function undo() {
    if (!page.undo) return;
    saveTyping();
    const last = page.history.pop();
    showUndo();
    if (!last) return say("note", words("nothing_to_undo"));
    const name = nameOfField(last.name);
    const scale = page.form.querySelector(`[data-field="${CSS.escape(last.name)}"]`);
    const isRadio = inputs(last.name)[0].type === "radio";
    if (isRadio && last.before === "") {
      focusOn(scale);
      return say("note", words("first_choice", { name }));
    }
    setValue(last.name, last.before);
    page.values[last.name] = last.before;
    markStored(last.name, null);
    announce(words("undone", { name }));
    if (scale) mark(scale);
    put("save");
  }

  function onSubmit(event) {
    event.preventDefault();
    leave(event.submitter ? event.submitter.value : "next");
  }

  function leave(go) {
    const back = page.form.querySelector("[value=back]");
    if (!back || outbox.entries.some((entry) => entry.go !== "save")) return;
    if (go === "back" && back.disabled) return;
    if (go === "next") {
      const broken = numbers().find((one) => refusal(one) !== "");
      if (broken) return point(broken.closest(".scale"), refusal(broken));
      const missing = firstUnanswered();
      if (missing) return point(missing);
    }
    remember();
    put(go);
  }

  function point(scale, text) {
    scale.classList.add("unanswered");
    say("unsaved", text || words(typed(scale) ? "fill" : "choose", { name: nameOf(scale) }));
    focusOn(scale);
  }

  function focusOn(scale) {
    (scale.querySelector("input:checked") || typed(scale) || scale.querySelector("input")).focus();
    mark(scale);
  }

  function show(answer) {
    if (!answer.html) return location.assign(answer.location);
    page.root.outerHTML = answer.html;
    if (new URL(answer.location, location.href).pathname === location.pathname) history.replaceState(null, "", answer.location);
    else history.pushState(null, "", answer.location);
    open();
    announce("");
    document.title = page.root.dataset.title;
    page.root.querySelector("h1").focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  // ---- Sending

  function save() {
    remember();
    put("save");
  }

  function put(go) {
    clearTimeout(typingTimer);
    const body = new URLSearchParams(new FormData(page.form));
    body.delete("csrfmiddlewaretoken");
    for (const one of numbers()) if (refusal(one) !== "") body.delete(one.name);
    const spent = seconds;
    seconds = 0;
    if (document.getElementById("save-state").dataset.state !== "unsaved") say("waiting", "");
    outbox.put(page.url, body, { go, seconds: spent, seen: page.seen });
  }

  function settled(entry, status, answer) {
    const isHere = entry.url === page.url;
    if ((status === 200 || status === 422) && answer.saved) {
      isSignInDeclined = false;
      signIn.close();
      document.getElementById("sign-in-again").hidden = true;
      outbox.learn(entry.url, answer.revisions || {});
      if (isHere) {
        Object.assign(page.seen, answer.revisions);
        for (const [name, value] of new URLSearchParams(entry.body)) markStored(name, value);
        takeOver(answer.newer || []);
      }
      // A number that cannot be read was not sent: the page is not saved while it stands there.
      const broken = isHere && numbers().find((one) => refusal(one) !== "");
      if (outbox.entries.length === 1) broken ? say("unsaved", refusal(broken)) : say("saved", words("saved"));
      if (status === 422) {
        const missing = firstUnanswered();
        if (missing) point(missing);
        else say("unsaved", answer.error);
      } else if (answer.location && isHere) {
        show(answer);
      }
      setTimeout(() => outbox.send());
      return true;
    }
    if (status === 409 && answer.overtaken) {
      if (outbox.join(entry.url)) setTimeout(() => outbox.send());
      else askWhich(entry, answer.overtaken);
      return false;
    }
    if ([400, 404, 409].includes(status)) {
      outbox.drop(entry.url);
      if (isHere) say("unsaved", words("refused", { error: answer.error || words("not_yours") }));
      setTimeout(() => outbox.send());
      return false;
    }
    if (status === 401 || (status === 403 && answer.other)) {
      say("unsaved", words(status === 401 ? "ended" : "other"));
      document.getElementById("sign-in-again").hidden = false;
      if (!isSignInDeclined) askToSignIn(status === 403 ? words("other_long", { name: page.root.dataset.who }) : "");
      outbox.retry(entry, 4000);
      return false;
    }
    // The token may have been another session's: asking who is signed in brings a new one.
    if (status === 403) fetch(document.getElementById("sign-in").dataset.session).catch(() => {});
    say("unsaved", words("retrying"));
    outbox.retry(entry);
    return false;
  }

  // Answers that another window gave to questions left alone here.
  function takeOver(newer) {
    for (const { field, value, revision } of newer) {
      if (valueOf(field) !== page.values[field]) continue;
      setValue(field, value);
      page.values[field] = value;
      page.seen[field] = revision;
      markStored(field, value);
    }
    if (newer.length) announce(words("changed_elsewhere", { name: newer.map((one) => nameOfField(one.field)).join(", ") }));
  }

  function offerSignIn(isNeeded) {
    const again = document.getElementById("sign-in-again");
    if (again) again.hidden = !isNeeded;
  }

  function askToSignIn(reason = "") {
    signIn.open({
      reason,
      person: (person) => person === page.root.dataset.person,
      back: () => {
        say("saving", words("back_again"));
        outbox.send();
      },
    });
  }

  document.getElementById("sign-in").addEventListener("close", () => (isSignInDeclined = outbox.entries.length > 0));

  // ---- Two windows

  function askWhich(entry, overtaken) {
    const dialog = document.getElementById("overtaken");
    outbox.hold(true);
    say("unsaved", "");
    document.getElementById("overtaken-fields").replaceChildren(...overtaken.map(choiceOf));
    dialog.onclose = () => {
      for (const one of overtaken) {
        const chosen = dialog.querySelector(`input[name="which-${CSS.escape(one.field)}"]:checked`);
        const isTheirs = !chosen || chosen.value === "there";
        entry.seen[one.field] = one.revision;
        if (isTheirs) outbox.change(entry, (body) => body.delete(one.field));
        if (entry.url !== page.url) continue;
        page.seen[one.field] = one.revision;
        if (isTheirs) {
          setValue(one.field, one.value);
          page.values[one.field] = one.value;
          markStored(one.field, one.value);
        }
      }
      outbox.keep();
      say("saving", words("saving"));
      outbox.hold(false);
    };
    dialog.showModal();
  }

  function choiceOf({ field, name, shown, here }) {
    const group = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = name;
    legend.dir = "auto";
    group.className = "choices";
    const option = (value, title, text, isChosen) => {
      const label = document.createElement("label");
      const radio = Object.assign(document.createElement("input"), { type: "radio", name: `which-${field}`, value });
      radio.checked = isChosen;
      const said = document.createElement("bdi");
      said.textContent = text;
      label.append(radio, `${title}: `, said);
      return label;
    };
    group.append(legend, option("there", words("elsewhere"), shown, true), option("here", words("here"), here, false));
    return group;
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
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
      if (guidelines.open) return closeGuidelines();
      if (target.matches("#rating-form textarea, #rating-form [data-number]")) return page.form.querySelector("[value=next]").focus();
      return;
    }
    if (!areKeysOn() || isTyping(target) || target.closest("#skip")) return;
    if (event.repeat) return;
    if (event.key === "g") {
      event.preventDefault();
      return guidelines.open ? closeGuidelines() : (guidelines.open = true);
    }
    if (target.closest("#guidelines .drawer")) return;
    const isControl = target.closest("button, a, summary");
    let isDone = true;
    if (/^[0-9-]$/.test(event.key)) isDone = choose(event.key);
    else if (event.key === "Enter" && !isControl) leave("next");
    else if (event.key === "Backspace") leave("back");
    else if (event.key === "c") page.comment.focus();
    else if (event.key === "u") undo();
    else if (event.key === "p") pause();
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

  // ---- Guidelines and pause

  const guidelines = document.getElementById("guidelines");

  function closeGuidelines() {
    guidelines.open = false;
    guidelines.querySelector("summary").focus();
  }

  guidelines.addEventListener("toggle", () => guidelines.open && guidelines.querySelector(".drawer").focus({ preventScroll: true }));
  document.getElementById("close-guidelines").addEventListener("click", closeGuidelines);

  function pause() {
    saveTyping();
    document.documentElement.classList.add("is-paused");
    document.getElementById("pause").showModal();
  }

  document.getElementById("pause").addEventListener("close", () => {
    document.documentElement.classList.remove("is-paused");
    lastSign = Date.now();
  });

  // ---- Begin

  const outbox = new Outbox(document.getElementById("rating").dataset.person, settled, (entry) => {
    if (entry.attempts === 1) say("saving", words("saving"));
  });
  document.documentElement.classList.add("has-script");
  open();
  const adopted = outbox.adopt();
  for (const entry of adopted.filter((one) => one.url === page.url)) {
    for (const [name, value] of new URLSearchParams(entry.body)) {
      if (!(name in page.values)) continue;
      setValue(name, value);
      page.values[name] = value;
      markStored(name, null);
    }
  }
  if (adopted.length) {
    say("saving", words("saving")); // the server's “Saved” does not hold for what waits here
    mark(firstUnanswered());
    outbox.send();
  }
  showKeys();
  document.addEventListener("keydown", onKey);
  for (const sign of ["pointerdown", "pointermove", "scroll"]) {
    addEventListener(sign, () => (lastSign = Date.now()), { passive: true });
  }
  setInterval(() => {
    const isThere = document.visibilityState === "visible" && document.hasFocus() && Date.now() - lastSign < IDLE;
    if (isThere && !document.querySelector("dialog[open]")) seconds += 1;
  }, 1000);
  addEventListener("online", () => outbox.send());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && outbox.send());
  addEventListener("popstate", () => location.reload());
  addEventListener("beforeunload", (event) => {
    saveTyping();
    if (outbox.entries.length) event.preventDefault();
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
  for (const [id, act] of [["show-help", showHelp], ["show-pause", pause]]) {
    const button = document.getElementById(id);
    button.hidden = false;
    button.addEventListener("click", act);
  }
  document.getElementById("close-guidelines").hidden = false;
})();
