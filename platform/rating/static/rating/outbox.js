"use strict";
// What has not been acknowledged by the server waits here, oldest first. Each entry is a whole form under an idempotency
// key of its own, which stays the same for every attempt, with the revisions (`seen`) that its page showed. The outbox
// is kept in the browser's storage under the reviewer's public id, so that a reload loses nothing and nobody else at
// this computer sends it.
window.kappagraph = (() => {
  const PATIENCE = 20_000; // milliseconds before a request counts as lost

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

  async function post(url, body) {
    const abort = new AbortController();
    const lost = setTimeout(() => abort.abort(), PATIENCE);
    const form = document.querySelector("#rating-form [name=csrfmiddlewaretoken]");
    try {
      const response = await fetch(url, {
        method: "POST",
        body: body.toString(),
        headers: {
          "Accept": "application/json",
          "Content-Type": "application/x-www-form-urlencoded",
          "X-CSRFToken": cookie("csrftoken") || (form ? form.value : ""),
        },
        signal: abort.signal,
      });
      const isJson = (response.headers.get("Content-Type") || "").startsWith("application/json");
      return { status: response.status, answer: isJson ? await response.json() : null };
    } catch {
      return { status: 0, answer: null };
    } finally {
      clearTimeout(lost);
    }
  }

  // `settled(entry, status, answer)` is told of each answer; where it returns true, the entry is done with.
  class Outbox {
    constructor(person, settled, trying) {
      this.person = person;
      this.settled = settled;
      this.trying = trying;
      this.entries = [];
      this.tab = newKey();
      this.isSending = false;
      this.isHeld = false; // while somebody is asked something, nothing is sent
      this.timer = 0;
    }

    name(tab) {
      return `kappagraph-outbox:${this.person}:${tab}`;
    }

    keep() {
      try {
        if (this.entries.length) localStorage.setItem(this.name(this.tab), JSON.stringify(this.entries));
        else localStorage.removeItem(this.name(this.tab));
      } catch {
        // Private windows may refuse storage: the page then holds the outbox by itself.
      }
    }

    // A save that was not tried yet is replaced by what comes after it.
    put(url, body, { go, seconds, seen }) {
      const last = this.entries[this.entries.length - 1];
      const waiting = last && !last.attempts && last.url === url && last.go === "save" ? this.entries.pop() : null;
      const spent = seconds + (waiting ? waiting.seconds : 0);
      const key = newKey();
      body.set("key", key);
      body.set("seconds", spent);
      body.set("go", go);
      this.entries.push({ url, key, go, seconds: spent, seen: { ...seen }, body: body.toString(), attempts: 0 });
      this.keep();
      this.send();
    }

    // What an earlier load of the page could not send. Sending twice does no harm: the key is the same.
    adopt() {
      const found = [];
      try {
        for (const name of Object.keys(localStorage).filter((one) => one.startsWith(this.name("")))) {
          found.push(...JSON.parse(localStorage.getItem(name)));
          localStorage.removeItem(name);
        }
      } catch {
        return found;
      }
      for (const entry of found) {
        this.change(entry, (body) => body.set("go", "save"));
        entry.go = "save";
        entry.seen ||= {};
        entry.attempts = 1;
      }
      this.entries.push(...found);
      this.keep();
      return found;
    }

    change(entry, how) {
      const body = new URLSearchParams(entry.body);
      how(body);
      entry.body = body.toString();
    }

    // Several forms of one text say no more than the last of them.
    join(url) {
      const same = this.entries.filter((entry) => entry.url === url);
      const last = same[same.length - 1];
      if (same.length < 2) return false;
      last.seconds = same.reduce((sum, entry) => sum + entry.seconds, 0);
      this.change(last, (body) => body.set("seconds", last.seconds));
      for (const [field, revision] of Object.entries(same[0].seen)) last.seen[field] = revision;
      this.entries = this.entries.filter((entry) => entry.url !== url || entry === last);
      this.keep();
      return true;
    }

    drop(url) {
      this.entries = this.entries.filter((entry) => entry.url !== url);
      this.keep();
    }

    // Revisions that the server made of an entry are known to all that wait behind it.
    learn(url, revisions) {
      for (const entry of this.entries) if (entry.url === url) Object.assign(entry.seen, revisions);
    }

    hold(isHeld) {
      this.isHeld = isHeld;
      if (!isHeld) this.send();
    }

    async send() {
      if (this.isSending || this.isHeld || !this.entries.length) return;
      clearTimeout(this.timer);
      this.isSending = true;
      const entry = this.entries[0];
      entry.attempts += 1;
      const slow = setTimeout(() => this.trying(entry), 400);
      const body = new URLSearchParams(entry.body);
      body.set("seen", JSON.stringify(entry.seen));
      const { status, answer } = await post(entry.url, body);
      clearTimeout(slow);
      this.isSending = false;
      if (this.settled(entry, status, answer || {})) {
        this.entries = this.entries.filter((one) => one !== entry);
        this.keep();
      }
    }

    retry(entry, pause) {
      const wait = pause || Math.min(30_000, 1000 * 2 ** Math.min(entry.attempts - 1, 5));
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.send(), wait);
    }
  }

  const told = document.getElementById("words");
  const words = told ? JSON.parse(told.textContent) : {};
  const say = (name, filling = {}) => (words[name] || "").replace(/\{(\w+)\}/g, (_, key) => filling[key] ?? "");

  return { Outbox, post, say };
})();
