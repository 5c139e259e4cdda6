// Pages work without this. With it, what is still on its way appears by itself, and levels are put in order
// by dragging.
"use strict";

// A place that waits asks for its part again until nothing in it waits any more.
const follow = (waiting) => {
  const place = waiting.closest("#seen");
  const every = Number(waiting.dataset.every || 400);
  const ask = async () => {
    try {
      const answer = await fetch(waiting.dataset.poll, { headers: { accept: "text/html" } });
      if (!answer.ok) return setTimeout(ask, 4 * every);
      const part = document.createElement("template");
      part.innerHTML = await answer.text();
      const next = part.content.querySelector("[data-poll]");
      if (!next && waiting.dataset.then) return location.assign(waiting.dataset.then);
      const focused = place.contains(document.activeElement) ? document.activeElement.name : "";
      place.replaceChildren(part.content);
      if (focused) place.querySelector(`[name="${CSS.escape(focused)}"]`)?.focus();
      begin(place);
    } catch {
      setTimeout(ask, 4 * every); // the server is not there: it may come back
    }
  };
  setTimeout(ask, every);
};

// The lines of a text area as a list to drag, or to move with buttons.
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
  area.before(list);
  area.hidden = true;
};

const begin = (place) => {
  for (const waiting of place.querySelectorAll("[data-poll]")) follow(waiting);
  for (const area of place.querySelectorAll("textarea[data-levels]")) orderly(area);
};
begin(document);
