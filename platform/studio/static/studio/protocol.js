"use strict";
// Keeps the choice of levels beside each example in step with the levels as they are typed, and goes on with the field
// that a pressed button added. Without this script the page does the first at the next press of any such button.
const levelsOf = (text) => text.split("\n").map((line) => line.split(":")[0].trim()).filter(Boolean);

document.addEventListener("input", ({ target }) => {
  if (!target.matches(".criterion-form textarea[name$='-levels']")) return;
  const levels = [...new Set(levelsOf(target.value))];
  for (const select of target.closest(".criterion-form").querySelectorAll("select[name$='-level']")) {
    const chosen = select.selectedOptions[0];
    const place = Math.min(select.selectedIndex, levels.length);
    const wanted = chosen && (!chosen.value || levels.includes(chosen.value)) ? chosen.value : levels[place - 1] || "";
    select.replaceChildren(new Option("…", ""), ...levels.map((level) => new Option(level, level)));
    select.value = wanted;
  }
});

const goOn = () => {
  const form = document.getElementById("protocol");
  const field = form && form.dataset.focus && document.getElementById(form.dataset.focus);
  if (!field) return;
  delete form.dataset.focus;
  field.closest("details")?.setAttribute("open", "");
  field.focus();
};
document.addEventListener("htmx:afterSettle", goOn);
goOn();
