// Pages work without this. With it, what is still on its way appears by itself, and levels are put in order
// by dragging.
"use strict";

// A place that waits asks for its part again until nothing in it waits any more. What has not changed stays:
// who reads it, or stands on a button of it, is not disturbed.
const follow = (waiting, shown = "") => {
  const place = waiting.closest("#seen");
  const every = Number(waiting.dataset.every || 400);
  const later = (patience = 1) => setTimeout(ask, patience * every);
  const ask = async () => {
    try {
      const answer = await fetch(waiting.dataset.poll, { headers: { accept: "text/html" } });
      if (!answer.ok) return missed(place), later(4);
      const text = await answer.text();
      place.querySelector(".missed")?.remove();
      if (text === shown) return later();
      const part = document.createElement("template");
      part.innerHTML = text;
      const next = part.content.querySelector("[data-poll]");
      if (!next && waiting.dataset.then) return location.assign(waiting.dataset.then);
      const { id } = place.contains(document.activeElement) ? document.activeElement : {};
      place.replaceChildren(part.content);
      if (id) document.getElementById(id)?.focus();
      begin(place, text);
    } catch {
      missed(place);
      later(4); // the server is not there: it may come back
    }
  };
  later();
};

// A page that waits in vain says so.
const missed = (place) => {
  if (place.querySelector(".missed")) return;
  const note = document.createElement("p");
  note.className = "notes missed";
  note.setAttribute("role", "alert");
  note.textContent = "unmask does not answer. It may have been ended: start 'unmask serve' again, and open the link that it shows. Work that was running goes on.";
  place.prepend(note);
};

// Who fills in what belongs to one of several choices makes that choice.
const choosing = (part) => part.addEventListener("input", () => {
  document.getElementById(part.dataset.chooses).checked = true;
});

// The lines of a text area as a list to drag, or to move with buttons; who must add one has the text.
const orderly = (area) => {
  const list = document.createElement("ol");
  list.className = "order";
  list.setAttribute("aria-label", area.labels?.[0]?.textContent ?? "Levels");
  const write = () => { area.value = [...list.children].map((item) => item.dataset.level).join("\n"); };
  const move = (item, by) => {
    const other = by < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!other) return;
    by < 0 ? other.before(item) : other.after(item);
    write();
  };
  for (const level of area.value.split("\n").filter((line) => line.trim())) {
    const item = document.createElement("li");
    item.dataset.level = level;
    item.draggable = true;
    const text = document.createElement("span");
    text.textContent = level;
    item.append(text);
    for (const [sign, by, word] of [["\u2191", -1, "lower"], ["\u2193", 1, "higher"]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "quiet";
      button.textContent = sign;
      button.setAttribute("aria-label", `Move ${level} ${word}`);
      button.addEventListener("click", () => { move(item, by); button.focus(); });
      item.append(button);
    }
    item.addEventListener("dragstart", (event) => {
      item.classList.add("dragged");
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", level);
    });
    item.addEventListener("dragend", () => { item.classList.remove("dragged"); write(); });
    item.addEventListener("dragover", (event) => {
      const dragged = list.querySelector(".dragged");
      if (!dragged || dragged === item) return;
      event.preventDefault();
      const half = item.getBoundingClientRect();
      event.clientY < half.top + half.height / 2 ? item.before(dragged) : item.after(dragged);
    });
    list.append(item);
  }
  const text = document.createElement("button");
  text.type = "button";
  text.className = "link";
  text.textContent = "Edit as text";
  text.addEventListener("click", () => {
    area.hidden = false;
    list.remove();
    text.remove();
    area.focus();
  });
  area.before(list, text);
  area.hidden = true;
};

const begin = (place, shown) => {
  for (const waiting of place.querySelectorAll("[data-poll]")) follow(waiting, shown);
  for (const area of place.querySelectorAll("textarea[data-levels]")) orderly(area);
  for (const part of place.querySelectorAll("[data-chooses]")) choosing(part);
};
begin(document);

// A second click on a button is no second form.
addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
  setTimeout(() => { delete form.dataset.sent; }, 2000);
});
