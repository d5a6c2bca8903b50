"use strict";
// Signing in again without leaving the page. Whoever comes in is compared with whom the page belongs to: the outbox is
// sent for its owner only.
(() => {
  const { post, say } = window.kappagraph;
  const dialog = document.getElementById("sign-in");
  if (!dialog) return;
  const refusal = document.getElementById("sign-in-refusal");
  let isRightPerson = () => false;
  let isBack = () => {};

  function refuse(words) {
    const note = document.createElement("p");
    note.className = "notice error";
    note.textContent = words;
    refusal.replaceChildren(...(words ? [note] : []));
  }

  function open({ reason = "", person, back }) {
    isRightPerson = person;
    isBack = back;
    refuse(reason);
    if (dialog.open) return;
    dialog.showModal();
    const first = dialog.querySelector("input:not([value]), input[value='']") || dialog.querySelector("input");
    if (first) first.focus();
  }

  function joinPath(pasted) {
    const found = /\/join\/[\w.~:=-]+/.exec(pasted.trim());
    return found ? `${found[0]}/` : null;
  }

  // Where the answer does not say who came in, the server is asked.
  async function whoIsIn(answer) {
    if (answer && answer.user) return answer.user;
    try {
      const response = await fetch(dialog.dataset.session, { headers: { Accept: "application/json" } });
      return (await response.json()).person;
    } catch {
      return null;
    }
  }

  async function submit(event) {
    const form = event.target;
    const way = form.dataset.way;
    if (!way) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    const url = way === "link" ? joinPath(form.elements.link.value) : form.getAttribute("action");
    if (!url) return refuse(say("link_is_no_link"));
    const button = form.querySelector("button");
    button.disabled = true;
    const { status, answer } = await post(url, way === "link" ? new URLSearchParams() : body);
    button.disabled = false;
    if (status === 0 || status >= 500) return refuse(say("no_network"));
    if (answer && answer.step === "code") return askCode();
    const person = status < 400 ? await whoIsIn(answer) : null;
    if (!person) {
      const said = answer && answer.errors && answer.errors.length ? answer.errors.join(" ") : answer && answer.error;
      const plain = { link: "link_fails", password: "password_fails", code: "code_fails", mail: "no_network" };
      return refuse(said || say(plain[way]));
    }
    if (!isRightPerson(person)) return refuse(say("other_long", { name: ownerName() }));
    for (const secret of dialog.querySelectorAll("[type=password], [name=code], [name=link]")) secret.value = "";
    refuse("");
    dialog.close();
    isBack();
  }

  const ownerName = () => document.getElementById("rating").dataset.who;

  function askCode() {
    refuse("");
    const form = dialog.querySelector("[data-way=code]");
    form.hidden = false;
    const note = document.createElement("p");
    note.className = "notice";
    note.textContent = say("mail_sent");
    refusal.replaceChildren(note);
    form.elements.code.focus();
  }

  dialog.addEventListener("submit", submit);
  window.kappagraph.signIn = { open, close: () => dialog.open && dialog.close() };
})();
