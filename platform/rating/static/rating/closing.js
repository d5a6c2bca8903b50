"use strict";
// The closing question: each choice is saved at once. Without this script the button saves all of the page.
(() => {
  const form = document.getElementById("closing");
  const place = document.getElementById("save-state");

  form.addEventListener("change", async ({ target }) => {
    const others = form.querySelectorAll(`[name="${CSS.escape(target.name)}"]`);
    for (const one of others) one.removeAttribute("data-stored");
    let isSaved = false;
    try {
      const token = form.elements.csrfmiddlewaretoken.value;
      const response = await fetch(form.action, {
        method: "POST",
        body: new URLSearchParams({ [target.name]: target.value, csrfmiddlewaretoken: token }),
        headers: { Accept: "application/json" },
      });
      isSaved = (await response.json()).saved === true;
    } catch {
      isSaved = false;
    }
    target.toggleAttribute("data-stored", isSaved && target.checked);
    place.dataset.state = isSaved ? "saved" : "unsaved";
    place.textContent = isSaved ? place.dataset.saved : place.dataset.failed;
  });
})();
