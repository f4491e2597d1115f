// Searches the checkpoints: a page is found if it has all words. Text goes into the page as text only.
"use strict";

const form = document.getElementById("search");
const input = form.elements.q;
const most = 50; // results that are shown

// best returns the section of a page that has most of the words.
function best(page, words) {
  let top = page.sections[0], most = -1;
  for (const section of page.sections) {
    const text = (section.title + " " + section.text).toLowerCase();
    const has = words.filter((word) => text.includes(word)).length;
    if (has > most) {
      [top, most] = [section, has];
    }
  }
  return top;
}

// marked adds text to an element, with the words marked.
function marked(element, text, words) {
  const lower = text.toLowerCase();
  let at = 0;
  while (at < text.length) {
    let next = -1, found = "";
    for (const word of words) {
      const i = lower.indexOf(word, at);
      if (i >= 0 && (next < 0 || i < next)) {
        [next, found] = [i, word];
      }
    }
    if (next < 0) {
      break;
    }
    const mark = document.createElement("mark");
    mark.textContent = text.slice(next, next + found.length);
    element.append(text.slice(at, next), mark);
    at = next + found.length;
  }
  element.append(text.slice(at));
}

// excerpt returns the text around the first of the words.
function excerpt(text, words) {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((i) => i >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - 60);
  const from = places.length > 0 ? start : 0;
  return (from > 0 ? "…" : "") + text.slice(from, from + 200) + (text.length > from + 200 ? "…" : "");
}

function row(page, words) {
  const section = best(page, words);
  const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("p");
  link.href = page.page + (section && section.anchor ? "#" + section.anchor : "");
  marked(link, page.name + (section && section.title ? " · " + section.title : ""), words);
  marked(text, excerpt(section ? section.text.trim() || page.about : page.about, words), words);
  item.append(link, text);
  return item;
}

function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const pages = words.length === 0 ? [] : ckptIndex.filter((page) => words.every((word) => page.all.includes(word)));
  const inName = (page) => words.some((word) => page.name.toLowerCase().includes(word)) ? 0 : 1;
  pages.sort((a, b) => inName(a) - inName(b));
  document.getElementById("results").replaceChildren(...pages.slice(0, most).map((page) => row(page, words)));
  document.getElementById("lineage").hidden = words.length > 0;
  let found = "";
  if (words.length > 0) {
    found = pages.length === 0 ? "nothing found" : "found on " + pages.length + (pages.length === 1 ? " page" : " pages");
  }
  document.getElementById("found").textContent = found;
}

for (const page of ckptIndex) {
  page.all = [page.name, ...page.sections.map((s) => s.title + " " + s.text)].join("\n").toLowerCase();
}
form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
input.addEventListener("input", search);
input.value = new URLSearchParams(location.search).get("q") || "";
search();
