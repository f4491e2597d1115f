// Reads checkpoints by docs/spec/specification.md, with the standard library of Node.js 18. It answers questions from
// standard input, a line of JSON each (docs/spec/README.md): the kinds in answers. Offsets are bytes; therefore a file is
// a string with a character for each byte (Latin-1) until something is shown.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const words = JSON.parse(readFileSync(new URL("../../docs/spec/words.json", import.meta.url), "utf8"));
const names = new Map(Object.entries(words.sections).flatMap(([name, s]) => [s.title.toLowerCase(), ...s.also].map((t) => [t, name])));
const html = words.html.map(([start, end]) => [new RegExp(start, "i"), end && new RegExp(end, "i")]);
const trimmedRight = (s) => s.replace(/[ \t\r\n]+$/, ""), trimmed = (s) => trimmedRight(s).replace(/^[ \t\r\n]+/, "");
const withoutAround = (s, set) => s.replace(new RegExp(`^[${set}]+|[${set}]+$`, "gu"), "");
const linesOf = (s) => s.match(/[^\n]*\n|[^\n]+/g) ?? [], isBlank = (s) => !/[^ \t\r\n]/.test(s);
const show = (raw) => Buffer.from(raw, "latin1").toString("utf8");
const bare = (title) => withoutAround(show(title), "*_`: \\t\u00a0").toLowerCase();
function isNone(text) { // 4.3
  const whole = withoutAround(text, "*_`\\-–—.!()\\[\\] \\t\\r\\n\u00a0").toLowerCase().split(/\s+/).join(" ");
  const size = Buffer.byteLength(text), remarked = new RegExp(words.nothing["with a remark"]);
  return size <= 100 && new RegExp(words.nothing.whole).test(whole) || size <= 200 && remarked.test(text.trim().toLowerCase());
}
function moment(text) { // 2.7
  const s = text.trim().toUpperCase().replace(/(:.*?) *(UTC|GMT)$/, "$1Z").replace(/ (?=[Z+-])/, "");
  const m = /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ](\d\d)(?:(:?)(\d\d)(?:\6(\d\d)(?:[.,]\d+)?)?)?(?:Z|([+-])(\d\d):?(\d\d)?)?)?$/.exec(s);
  if (!m) return "";
  const [year, month, day, hour, minute, second, east, west] = [1, 3, 4, 5, 7, 8, 10, 11].map((i) => Number(m[i] ?? 0));
  const date = new Date(Date.UTC(year, month - 1, day)), offset = (east * 60 + west) * (m[9] === "-" ? -1 : 1);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) return "";
  return new Date(date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000).toISOString().slice(0, 19) + "Z";
}
function scalar(v, more = "") { // 2.4
  if (/^[[{]/.test(v)) return (v + "\n" + more).trim();
  const quoted = /^'((?:[^']|'')*)'\s*(?:#.*)?$|^("(?:[^"\\]|\\.)*")\s*(?:#.*)?$/.exec(v);
  if (quoted) return quoted[2] ? JSON.parse(quoted[2].replaceAll("\t", "\\t")) : quoted[1].replaceAll("''", "'");
  v = v.replace(/(^|\s+)#.*/, "");
  if (/^['"&*|>!]/.test(v) || v && more.trim()) throw Error("unsupported");
  if (/:(\s|$)/.test(v)) throw Error("unreadable");
  return ["~", "null", "Null", "NULL"].includes(v) ? "" : v || more.trim();
}
function frontmatter(src) { // 2.1 to 2.3: the fields, and where the body begins
  const at = src.startsWith("\xef\xbb\xbf") ? 3 : 0, all = linesOf(src.slice(at));
  const fences = all.flatMap((l, i) => l.startsWith("---") && isBlank(l.slice(3)) ? [i] : []);
  if (!all.length || fences[0] !== 0 && !/^---\r/.test(all[0])) return [[], at];
  if (fences.length < 2) throw Error("unreadable");
  const raw = all.slice(1, fences[1]).join(""), fields = [];
  if (Buffer.from(show(raw)).toString("latin1") !== raw) throw Error("unreadable");
  const inner = show(raw).replaceAll("\r\n", "\n").replace(/^(#.*)?\n/gm, "");
  for (const [, line, more] of inner.matchAll(/^(\S.*)\n((?:(?:[ \t]|- |-$).*\n)*)/gm)) {
    const m = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'[\]{}&*!|>%@`#-][^:#]*?)\s*:(?:\s+(.*))?$/.exec(line);
    if (!m) throw Error(line[0] === "{" ? "unsupported" : "unreadable");
    fields.push([scalar(m[1]), scalar((m[2] ?? "").trim(), more)]);
  }
  if (new Map(fields).size < fields.length) throw Error("unreadable");
  return [fields, at + all.slice(0, fences[1] + 1).join("").length];
}
function indent(s, col) { // the width of the white space before a text, and the text
  const white = /^[ \t]*/.exec(s)[0];
  return [[...white].reduce((w, c) => w + (c === " " ? 1 : 4 - (col + w) % 4), 0), s.slice(white.length)];
}
const unindent = (s, n) => s.slice([...s, ""].findIndex((c, i) => !/[ \t]/.test(c) || indent(s.slice(0, i), 0)[0] >= n));
function skip(s, col, n, [w, rest] = indent(s, col)) { // past up to n columns of white space
  return [" ".repeat(Math.max(0, w - n)) + rest, col + Math.min(w, n)];
}
class Doc { // the headings and the blocks at the top level, as CommonMark 0.31 has them (3.1)
  constructor(text) {
    this.src = (text.base64 ? Buffer.from(text.base64, "base64") : Buffer.from(text)).toString("latin1");
    let [fields, at] = frontmatter(this.src);
    [this.fields, this.heads, this.blocks, this.stack, this.leaf, this.last] = [fields, [], [], [], [""], 0];
    for (const line of linesOf(this.src.slice(at))) {
      this.line(line.replace(/[\r\n]+$/, ""), at, at += line.length);
      if (!isBlank(line)) this.last = at;
    }
    this.finish();
    this.heads.forEach((h, i) => Object.assign(h, { own: this.heads[i + 1]?.at ?? this.src.length,
      whole: this.heads.slice(i + 1).find((x) => x.level <= h.level)?.at ?? this.src.length }));
  }
  finish() { // the last block
    const b = this.blocks.at(-1);
    if (b?.end !== null) return;
    b.end = this.last;
    if (b.kind === "comment" && !/^(?:(?!-->)[^])*-->[ \t\r\n]*$/.test(this.src.slice(b.at, b.end))) b.kind = "other";
  }
  open(kind, leaf = [""], marker = null) { // without a kind it opens no block: an item of an open list, a heading
    if (!this.opened) [this.stack, this.opened] = [this.stack.slice(0, this.matched), true];
    this.leaf = leaf;
    if (this.stack.length) this.stack.at(-1).empty = false;
    else if (kind) this.finish(), this.blocks.push({ kind, at: this.at, end: null, items: [], marker });
  }
  goesOn([w, rest]) { // whether the line belongs to the open leaf
    const [kind, end] = this.leaf;
    const open = end || kind === "html" && rest || kind === "code" && (w > 3 || !rest);
    if (end ? (kind === "html" || w < 4) && end.test(rest) : !open && (kind !== "p" || !rest)) this.leaf = [""];
    return open;
  }
  line(s, at, end) {
    let col = 0;
    [this.at, this.matched, this.opened] = [at, 0, false];
    for (const k of this.stack) {
      const [w, rest] = indent(s, col);
      const quote = k.margin === null;
      if (quote ? w > 3 || rest[0] !== ">" : rest ? w < k.margin : k.empty) break;
      [s, col] = quote ? skip(rest.slice(1), col + w + 1, 1) : skip(s, col, k.margin);
      this.matched++;
    }
    const all = this.matched === this.stack.length;
    if (all && this.goesOn(indent(s, col))) return;
    for (let para = all && this.leaf[0] === "p"; ; para = false) {
      const [w, rest] = indent(s, col);
      if (!rest) return this.opened || all ? undefined : this.open("");
      if (w > 3) return this.leaf[0] === "p" ? undefined : this.open("other", ["code"]);
      const under = para && /^(=+|-+)[ \t\r]*$/.test(rest), rule = /^([-*_])[ \t]*(\1[ \t\r]*){2,}$/.test(rest);
      const mark = rule ? null : /^([-*+]|\d{1,9}[.)])(?=[ \t\r]|$)/.exec(rest)?.[0], after = mark ? rest.slice(mark.length) : "";
      const item = mark && !(para && (under || isBlank(after) || !/^([-*+]|0*1[.)])$/.test(mark)));
      if (rest[0] === ">") {
        this.open("other"), this.stack.push({ margin: null, empty: false });
        [s, col] = skip(rest.slice(1), col + w + 1, 1);
      } else if (item) {
        this.open("");
        const last = this.blocks.at(-1), goesOn = last?.end === null && last.marker === mark.at(-1);
        if (!this.stack.length && !goesOn) this.open("list", [""], mark.at(-1));
        if (!this.stack.length) this.blocks.at(-1).items.push(at);
        const [white, text] = indent(after, col + w + mark.length), gap = text && white <= 4 ? white : 1;
        [s, col] = skip(after, col + w + mark.length, gap);
        this.stack.push({ margin: w + mark.length + gap, empty: !text });
      } else return this.text(rest, under, rule, end);
    }
  }
  text(rest, under, rule, end) { // the start of a block that holds text
    const hashes = /^#{1,6}(?=[ \t\r]|$)/.exec(rest)?.[0], fence = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(rest)?.[0];
    const kind = html.findIndex(([start], i) => start.test(rest) && (i < 6 || this.leaf[0] !== "p"));
    if (hashes || under) {
      this.open("");
      if (this.stack.length) return;
      if (hashes) this.finish();
      const at = hashes ? this.at : this.blocks.pop().at, level = hashes?.length ?? "=-".indexOf(rest[0]) + 1;
      const title = hashes ? trimmed(rest.slice(level)).replace(/(^|[ \t]+)#+$/, "")
        : linesOf(this.src.slice(at, this.at)).map(trimmed).join(" ");
      this.heads.push({ level, title: trimmed(title), at, end });
    } else if (fence) this.open("other", ["fence", new RegExp(`^${fence[0]}{${fence.length},}[ \\t\\r]*$`)]);
    else if (kind >= 0) this.open(kind === 1 ? "comment" : "other", ["html", html[kind][1]]), this.goesOn([0, rest]);
    else if (rule) this.open("rule");
    else if (this.leaf[0] !== "p") this.open("paragraph", ["p"]);
  }
  inside(a, b) { return this.blocks.filter((x) => a <= x.at && x.end <= b); }
  content(a, b) { // 3.6
    const all = this.inside(a, b);
    while (all.at(-1)?.kind === "rule") all.pop();
    const parts = [...all, ...this.heads.filter((h) => a <= h.at && h.end <= b)];
    let at = Math.min(...parts.map((x) => x.at)), text = "";
    for (const x of all.filter((x) => x.kind === "comment")) [text, at] = [text + this.src.slice(at, x.at), x.end];
    text = show(text + this.src.slice(at, Math.max(...parts.map((x) => x.end), at))).replaceAll("\r\n", "\n");
    return trimmedRight(text).replace(/^([ \t\r]*\n)+/, "");
  }
  entries(a = 0, b = Infinity) { // 4.1
    return this.inside(a, b).flatMap((x) => x.items.map((start, i) => {
      const all = linesOf(this.src.slice(start, x.items[i + 1] ?? x.end).replace(/\n[ \t\r\n]+$/, "\n"));
      const [, before, marker, gap, first] = /^( *)(\d+[.)]|[-*+])([ \t]*)(.*)/.exec(trimmedRight(all[0]));
      const wide = (before + marker).length + (first && gap.length < 5 ? gap.length : 1);
      const text = [first, ...all.slice(1).map((l) => unindent(trimmedRight(l), wide))].join("\n");
      return { marker, text: show(first ? text : text.replace(/^([ \t]*\n)+/, "")), span: [start, start + all.join("").length] };
    }));
  }
}
function delta(h) { // 7.1: what its heading has for a time, or null
  const t = show(h.title).trim(), rest = t.slice(5).trim(), time = withoutAround(rest, "\\-–—() ");
  if (h.level !== 2 || t.slice(0, 5).toLowerCase() !== "delta") return null;
  return !rest || rest[0] === ":" ? rest.slice(1).trim() : moment(time) ? time : null;
}
const appended = (h) => h.level === 2 && (delta(h) !== null || h.title.startsWith("From the delta of") || // 3.5
  h.title.slice(0, 5).toLowerCase() === "mark:" && moment(show(h.title.slice(5))) !== "");
function sections(d) { // 3.2 to 3.5
  const out = [], ends = d.heads.filter(appended), within = (h) => ends.some((a) => a.at < h.at && h.at < a.whole);
  for (const h of d.heads.filter((h) => !within(h) && (names.has(bare(h.title)) || appended(h)))) {
    if (out.length) out.at(-1).extent[1] = Math.min(out.at(-1).extent[1], h.at);
    if (!appended(h)) out.push({ name: names.get(bare(h.title)), heading: [h.at, h.end], extent: [h.end, h.whole] });
  }
  return out.map((s) => ({ ...s, text: d.content(...s.extent) }));
}
function nextActions(d) { // 6.1, 6.3, 6.4
  let actions = d.entries(...(sections(d).find((s) => s.name === "next-actions")?.extent ?? [0, 0])).map((item) => {
    const [, box, tick, text] = /^(?:\[([ xX~/-])\](?:[ \t\n]+|$))?((?:✅|✔️?|☑️?)\s*)?(.*)$/su.exec(item.text);
    return { number: Number(item.marker.replace(/\D/g, "")), text, done: /[xX]/.test(box ?? "") || !!tick || /^~~.*~~\s*$/s.test(text) };
  }).filter((a) => !isNone(a.text));
  const given = actions.flatMap((a) => a.number || []), free = actions.map((_, i) => i + 1).filter((n) => !given.includes(n));
  actions = actions.map((a, i) => ({ ...a, number: new Set(given).size < given.length ? i + 1 : a.number || free.shift() }));
  const [first] = (actions.find((a) => !a.done)?.text ?? "").trim().split(/\n(?=\s*(?:\n|(?:[-*+]|\d+[.)])(?:\s|$)|```|~~~))/);
  return { actions, first: first.includes("\n") ? first.replace(/\s+/g, " ") : first };
}
function deltas(d) { // 7.1 to 7.3
  const out = [];
  for (const h of d.heads) {
    const last = out.at(-1), inside = last && h.at < last.whole[1];
    if (delta(h) !== null) out.push({ time: moment(delta(h)), changed: "", whole: [h.at, h.whole], parts: [] });
    else if (inside) last.parts.push(show(h.title));
    if (inside && bare(h.title) === "what changed") last.changed = d.content(h.end, h.own);
  }
  return out;
}
function read({ path, text, kind }) { // 1.1 to 1.6
  const doc = new Doc(text), fields = Object.fromEntries(doc.fields), at = doc.src.search(/^<<<<<<< /m);
  const marked = at >= 0 && /\n=======/.test(doc.src) && /\n>>>>>>> /.test(doc.src), id = fields.checkpoint;
  if (marked && !doc.blocks.some((b) => b.kind === "other" && b.at < at && at < b.end)) throw Error("unreadable");
  const like = "created" in fields || /(^|\/)chk-[^/]*$/.test(path) || doc.heads.some((h) => names.get(bare(h.title)) === "decisions");
  if (id === undefined && !like && !/^[\r\n]+---[ \t\r]*\n(?:(?!---).*\n)*?checkpoint:/.test(doc.src) && kind === "file") return { is: "other" };
  if (!/^(?!.*\.\.|index$|.*\.md$|.*\.lock$)[a-z0-9][a-z0-9._-]{0,99}$/i.test(id ?? "")) throw Error("unreadable");
  const status = path.startsWith("archive/") ? "archived" : /^current$/i.test(fields.status ?? "") ? "current" : "active";
  const created = moment(fields.created ?? ""), changed = moment(fields.last_delta ?? "") || created;
  return { is: "checkpoint", id, status, parent: fields.parent ?? "", path, doc, created, changed };
}
const compare = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));
function folder(files) { // the checkpoints by path, and the paths of files that cannot be read
  const paths = Object.keys(files).filter((path) => /^(active|archive)\/(.*\/)?(?!INDEX\.md)[^/]*\.md$/.test(path));
  const all = paths.sort(compare).map((path) => ({ path, ...attempt(read, { path, text: files[path], kind: "file" }) }));
  return [all.filter((c) => c.is === "checkpoint"), all.filter((c) => c.is === "unreadable").map((c) => c.path)];
}
function current({ files }) { // 2.9
  const [all, unreadable] = folder(files), marked = all.filter((c) => c.status === "current");
  const newest = (a, b) => compare(b.changed, a.changed) || compare(b.created, a.created) || compare(b.id, a.id);
  return { current: [...marked].sort(newest)[0]?.id ?? "", marked: marked.map((c) => c.id), unreadable };
}
function lineage({ files }) { // 10.1 to 10.4
  const [all, bad] = folder(files), paths = all.map((c) => [c.id, c.path]), first = new Map([...all].reverse().map((c) => [c.id, c]));
  all.sort((a, b) => compare(a.created, b.created) || compare(a.id, b.id) || compare(a.path, b.path));
  for (const c of all) {
    const same = paths.filter(([id]) => id === c.id).map(([, path]) => path), own = c.parent === c.id;
    Object.assign(c, { problems: same.length > 1 ? [["duplicate-id", ...same]] : [], up: own ? undefined : first.get(c.parent) });
    const lost = bad.filter((p) => p.endsWith(`/${c.parent}.md`)).slice(0, 1);
    if (c.parent && !c.up) c.problems.push(own ? ["self-parent", c.id] : ["missing-parent", c.parent, ...lost]);
  }
  for (const c of all) {
    const ring = [c];
    while (ring.at(-1).up && !ring.includes(ring.at(-1).up)) ring.push(ring.at(-1).up);
    c.cut = ring.at(-1).up === c && all.find((x) => ring.includes(x)) === c;
    if (c.cut) c.problems.push(["cycle", ...[c, ...ring.reverse()].map((x) => x.id)]);
  }
  const below = (up, depth) => all.filter((c) => (c.cut ? undefined : c.up) === up)
    .flatMap((c) => [{ path: c.path, depth, problems: c.problems }, ...below(c, depth + 1)]);
  return { nodes: below(undefined, 0) };
}
const heading = (h) => ({ level: h.level, title: show(h.title), heading: [h.at, h.end], whole: [h.at, h.whole] });
const answers = { time: (q) => ({ time: moment(q.text) }), fields: (q) => ({ fields: new Doc(q.text).fields }),
  file: (q) => (({ is, id, status, parent }) => ({ is, id, status, parent }))(read(q)),
  headings: (q) => ({ headings: new Doc(q.text).heads.map(heading) }), items: (q) => ({ items: new Doc(q.text).entries() }),
  sections: (q) => ({ sections: sections(read(q).doc) }), next: (q) => nextActions(read(q).doc),
  deltas: (q) => ({ deltas: deltas(read(q).doc) }), current, lineage };
function attempt(read, q) {
  try { return read(q); } catch (e) {
    if (!["unreadable", "unsupported"].includes(e.message)) throw e;
    return e.message === "unreadable" && q.kind === "file" ? { is: e.message } : { [e.message]: true };
  }
}
const ask = (q) => JSON.stringify(answers[q.kind] ? attempt(answers[q.kind], q) : { unsupported: true });
for await (const line of createInterface({ input: process.stdin })) console.log(ask(JSON.parse(line)));
