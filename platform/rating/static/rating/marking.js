"use strict";
// Marking the words that decided a criterion: with the mouse by selecting them, by keyboard with buttons that go through
// the text by sentence or by word. What is kept are stretches in characters of the text as shown.
window.kappagraph.marking = (() => {
  const { say } = window.kappagraph;
  let text = "";
  let place = null; // the paragraph
  let places = []; // one for each criterion: { input, box, name, toggle, list }
  let active = null;
  let units = [];
  let at = 0;
  let bar = null;
  let changed = () => {};

  const read = (one) => JSON.parse(one.input.value || "[]");
  // The server counts characters, scripts count UTF-16 units.
  const toCharacters = (offset) => Array.from(text.slice(0, offset)).length;
  const fromCharacters = (count) => Array.from(text).slice(0, count).join("").length;
  const quote = ([start, end]) => Array.from(text).slice(start, end).join("");

  function open(root, onChange) {
    changed = onChange;
    place = root.querySelector("#text-body");
    text = place.textContent;
    active = null;
    bar = null;
    places = [...root.querySelectorAll(".scale:not([disabled]) .marks")].map((box) => {
      const scale = box.closest(".scale");
      return { box, input: box.querySelector("input"), name: scale.querySelector("[data-name]").textContent };
    });
    for (const one of places) equip(one);
    if (places.length) place.addEventListener("mouseup", onSelect);
    draw();
  }

  function button(words, act, className = "plain") {
    const made = Object.assign(document.createElement("button"), { type: "button", className, textContent: words });
    made.addEventListener("click", act);
    return made;
  }

  function equip(one) {
    one.toggle = button(say("mark"), () => (active === one ? stop() : begin(one)));
    one.toggle.setAttribute("aria-pressed", "false");
    one.list = Object.assign(document.createElement("ul"), { className: "quotes" });
    one.box.append(one.toggle, one.list);
    one.box.hidden = false;
  }

  // ---- While marking

  function begin(one) {
    if (active) stop();
    active = one;
    one.toggle.textContent = say("mark_done");
    one.toggle.setAttribute("aria-pressed", "true");
    cut("sentence");
    bar = document.createElement("div");
    bar.className = "mark-bar";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", say("marking", { name: one.name }));
    const told = Object.assign(document.createElement("p"), { className: "small", textContent: say("marking", { name: one.name }) });
    const size = button(say("by_words"), () => {
      cut(size.dataset.by === "word" ? "sentence" : "word");
      size.dataset.by = size.dataset.by === "word" ? "sentence" : "word";
      size.textContent = say(size.dataset.by === "word" ? "by_sentences" : "by_words");
      draw();
      tell();
    }, "");
    size.dataset.by = "sentence";
    const heard = Object.assign(document.createElement("p"), { className: "visually-hidden", role: "status" });
    heard.setAttribute("role", "status");
    bar.append(
      told,
      button("←", () => go(-1), ""),
      button("→", () => go(1), ""),
      button(say("mark_this"), () => toggleUnit(), "primary"),
      size,
      button(say("mark_done"), stop, ""),
      heard,
    );
    bar.children[1].setAttribute("aria-label", say("earlier"));
    bar.children[2].setAttribute("aria-label", say("later"));
    place.before(bar);
    bar.addEventListener("keydown", onKey);
    draw();
    bar.children[3].focus();
    bar.scrollIntoView({ block: "nearest" });
    tell();
  }

  function stop() {
    if (!active) return;
    const { toggle } = active;
    toggle.textContent = say("mark");
    toggle.setAttribute("aria-pressed", "false");
    active = null;
    bar.remove();
    bar = null;
    draw();
    toggle.focus();
  }

  function onKey(event) {
    if (event.key === "Escape") stop();
    else if (event.key === "ArrowLeft") go(-1);
    else if (event.key === "ArrowRight") go(1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function cut(granularity) {
    const from = units.length && at < units.length ? units[at][0] : 0;
    units = [];
    if (window.Intl && Intl.Segmenter) {
      for (const part of new Intl.Segmenter(undefined, { granularity }).segment(text)) {
        const isWord = granularity === "sentence" || part.isWordLike;
        if (isWord) units.push([part.index, part.index + part.segment.trimEnd().length]);
      }
    } else {
      const pattern = granularity === "sentence" ? /[^.!?؟。]+[.!?؟。]*/g : /[\p{L}\p{N}'-]+/gu;
      for (const found of text.matchAll(pattern)) units.push([found.index, found.index + found[0].trimEnd().length]);
    }
    const nearest = units.findIndex(([, end]) => end > from);
    at = Math.max(nearest, 0);
  }

  function go(step) {
    at = Math.min(Math.max(at + step, 0), units.length - 1);
    draw();
    tell();
  }

  const here = () => units[at].map(toCharacters);
  const isMarked = ([start, end]) => read(active).some(([from, to]) => from <= start && end <= to);

  function tell(words) {
    bar.querySelector("[role=status]").textContent = words || quote(here());
  }

  function toggleUnit() {
    const span = here();
    const said = quote(span);
    if (isMarked(span)) {
      write(active, without(read(active), span));
      tell(say("unmarked", { words: said }));
    } else {
      write(active, [...read(active), span]);
      tell(say("marked", { words: said }));
    }
  }

  const without = (spans, [start, end]) =>
    spans.flatMap(([from, to]) => [[from, Math.min(to, start)], [Math.max(from, end), to]].filter(([a, b]) => a < b));

  function offsetOf(node, offset) {
    const before = document.createRange();
    before.setStart(place, 0);
    before.setEnd(node, offset);
    return before.toString().length;
  }

  function onSelect(event) {
    if (!active) return;
    const selection = getSelection();
    if (selection.isCollapsed) return goTo(event);
    if (!place.contains(selection.anchorNode) || !place.contains(selection.focusNode)) return;
    const range = selection.getRangeAt(0);
    const start = offsetOf(range.startContainer, range.startOffset);
    const chosen = range.toString();
    const lead = chosen.length - chosen.trimStart().length;
    const span = [start + lead, start + chosen.trimEnd().length].map(toCharacters);
    selection.removeAllRanges();
    if (span[0] < span[1]) write(active, [...read(active), span]);
  }

  // A click or tap without a selection goes to the sentence or word there.
  function goTo(event) {
    const caret = document.caretPositionFromPoint
      ? document.caretPositionFromPoint(event.clientX, event.clientY)
      : document.caretRangeFromPoint && document.caretRangeFromPoint(event.clientX, event.clientY);
    const node = caret && (caret.offsetNode || caret.startContainer);
    if (!node || !place.contains(node)) return;
    const offset = offsetOf(node, caret.offset ?? caret.startOffset);
    const found = units.findIndex(([, end]) => offset <= end);
    if (found < 0) return;
    at = found;
    draw();
    tell();
  }

  function write(one, spans) {
    const joined = [];
    for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
      const last = joined[joined.length - 1];
      if (last && start <= last[1]) last[1] = Math.max(last[1], end);
      else joined.push([start, end]);
    }
    one.input.value = JSON.stringify(joined);
    draw();
    changed();
  }

  // ---- Showing

  function draw() {
    const shown = active ? [active] : places;
    const spans = shown.flatMap(read).map(([start, end]) => [fromCharacters(start), fromCharacters(end)]);
    const cursor = active ? units[at] : null;
    const edges = new Set([0, text.length, ...spans.flat(), ...(cursor || [])]);
    const ordered = [...edges].sort((a, b) => a - b);
    const parts = [];
    for (let index = 0; index + 1 < ordered.length; index += 1) {
      const [start, end] = [ordered[index], ordered[index + 1]];
      const isIn = ([from, to]) => from <= start && end <= to;
      const element = spans.some(isIn) ? document.createElement("mark") : document.createElement("span");
      if (cursor && isIn(cursor)) element.className = "cursor";
      element.textContent = text.slice(start, end);
      parts.push(element.tagName === "SPAN" && !element.className ? element.textContent : element);
    }
    if (place) place.replaceChildren(...parts);
    for (const one of places) list(one);
  }

  function list(one) {
    const had = one.list.contains(document.activeElement);
    one.list.replaceChildren(...read(one).map((span) => {
      const row = document.createElement("li");
      const words = quote(span);
      const said = Object.assign(document.createElement("q"), { dir: "auto", textContent: words });
      const remove = button("×", () => write(one, read(one).filter((other) => other.join() !== span.join())));
      remove.setAttribute("aria-label", say("unmark", { words }));
      row.append(said, remove);
      return row;
    }));
    if (had) one.toggle.focus();
  }

  return { open, draw };
})();
