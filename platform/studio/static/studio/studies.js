"use strict";
// Copy buttons beside the personal links; without this script the links can be marked and copied by hand.
for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
  const link = button.previousElementSibling;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(link.value);
    const words = button.firstChild;
    words.textContent = "Copied";
    setTimeout(() => (words.textContent = "Copy"), 1500);
  });
}
