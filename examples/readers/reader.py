"""Reads checkpoints by docs/spec/specification.md, with the standard library of Python 3.11. It answers questions from
standard input, a line of JSON each (docs/spec/README.md): the kinds in ANSWERS. Offsets are bytes; therefore a file is
a string with a character for each byte (Latin-1) until something is shown."""
import base64, datetime, json, pathlib, re, sys

WORDS = json.loads((pathlib.Path(__file__).parent / "../../docs/spec/words.json").read_text("utf-8"))
NAMES = {t: name for name, s in WORDS["sections"].items() for t in [s["title"].lower()] + s["also"]}
HTML = [(re.compile(start, re.I | re.A), end) for start, end in WORDS["html"]]
WS = " \t\r\n"
lines_of = lambda text: re.findall(r"[^\n]*\n|[^\n]+", text)
blank = lambda text: not text.strip(WS)
show = lambda raw: raw.encode("latin-1").decode("utf-8", "replace")
bare = lambda title: show(title).strip("*_`: \t\u00a0").lower()
def is_none(text):  # 4.3
    whole, size = " ".join(text.strip("*_`-–—.!()[] \t\r\n\u00a0").lower().split()), len(text.encode())
    return (size <= 100 and re.search(WORDS["nothing"]["whole"], whole) or
            size <= 200 and re.search(WORDS["nothing"]["with a remark"], text.strip().lower()))
def moment(s):  # 2.7
    s = re.sub(r"(:.*?) *(UTC|GMT)$", r"\1Z", s.strip().upper())
    day, sep, clock = s.replace(" ", "T", 1).partition("T")
    try:
        if not re.fullmatch(r"\d{4}(-?\d\d-?\d\d|-?W\d\d-?\d)", day): return ""  # Python reads more
        t = datetime.datetime.fromisoformat(day + sep + clock.replace(" ", ""))
        return (t.astimezone(datetime.timezone.utc) if t.tzinfo else t).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError): return ""
def scalar(v, more=""):  # 2.4
    if v.startswith(("[", "{")): return (v + "\n" + more).strip()
    quoted = re.match(r"""'((?:[^']|'')*)'\s*(#.*)?$|"((?:[^"\\]|\\.)*)"\s*(#.*)?$""", v)
    if quoted: return quoted[1].replace("''", "'") if v[0] == "'" else json.loads('"%s"' % quoted[3].replace("\t", "\\t"))
    v = re.sub(r"(^|\s+)#.*", "", v)
    if v.startswith(("'", '"', "&", "*", "|", ">", "!")) or v and more.strip(): raise NotImplementedError
    if re.search(r":(\s|$)", v): raise ValueError
    return "" if v in ("~", "null", "Null", "NULL") else v or more.strip()
def frontmatter(src):  # 2.1 to 2.3: the fields, and where the body begins
    at = 3 * src.startswith("\xef\xbb\xbf")
    all = lines_of(src[at:])
    fences = [i for i, l in enumerate(all) if l.startswith("---") and blank(l[3:])]
    if not all or fences[:1] != [0] and not re.match(r"---\r", all[0]): return [], at
    if len(fences) < 2: raise ValueError
    inner = "".join(all[1:fences[1]]).encode("latin-1").decode("utf-8").replace("\r\n", "\n")
    fields, inner = [], re.sub(r"(?m)^(#.*)?\n", "", inner)  # without comments
    for line, more in re.findall(r"(?m)^(\S.*)\n((?:(?:[ \t]|- |-$).*\n)*)", inner):
        m = re.match(r"""("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'\[\]{}&*!|>%@`#-][^:#]*?)\s*:(?:\s+(.*))?$""", line)
        if not m: raise NotImplementedError if line[0] == "{" else ValueError
        fields.append((scalar(m[1]), scalar((m[2] or "").strip(), more)))
    if len(dict(fields)) < len(fields): raise ValueError
    return fields, at + sum(map(len, all[:fences[1] + 1]))
def indent(s, col):  # the width of the white space before a text, and the text
    white = re.match(r"[ \t]*", s)[0]
    return len((" " * col + white).expandtabs(4)) - col, s[len(white):]
unindent = lambda s, n: s[next(i for i in range(len(s) + 1) if s[i:i + 1] not in (" ", "\t") or indent(s[:i], 0)[0] >= n):]
def skip(s, col, n):  # past up to n columns of white space
    w, rest = indent(s, col)
    return " " * max(0, w - n) + rest, col + min(w, n)

class Doc:  # the headings and the blocks at the top level, as CommonMark 0.31 has them (3.1)
    def __init__(self, text):
        src = (base64.b64decode(text["base64"]) if isinstance(text, dict) else text.encode()).decode("latin-1")
        self.src, self.last, self.heads, self.blocks, self.stack, self.leaf = src, 0, [], [], [], ("", None)
        self.fields, at = frontmatter(src)
        for line in lines_of(src[at:]):
            self.line(line.rstrip("\r\n"), at, at + len(line))
            at += len(line)
            if not blank(line): self.last = at
        self.finish()
        for i, h in enumerate(self.heads):
            h["own"] = self.heads[i + 1]["at"] if i + 1 < len(self.heads) else len(src)
            h["whole"] = next((x["at"] for x in self.heads[i + 1:] if x["level"] <= h["level"]), len(src))
    def finish(self):  # the last block
        b = self.blocks[-1] if self.blocks else {"end": 0}
        if b["end"] is not None: return
        text, b["end"] = self.src[b["at"]:self.last], self.last
        if b["kind"] == "comment" and not ("-->" in text and blank(text.split("-->", 1)[1])): b["kind"] = "other"
    def open(self, kind, leaf=("", None), marker=None):  # kind "" opens no block: an item of an open list, a heading
        if not self.opened: self.stack, self.opened = self.stack[:self.matched], True
        self.leaf = leaf
        if self.stack: self.stack[-1]["empty"] = False
        elif kind: self.blocks += self.finish() or [{"kind": kind, "at": self.at, "end": None, "items": [], "marker": marker}]
    def goes_on(self, w, rest):  # whether the line belongs to the open leaf
        kind, end = self.leaf
        if kind in ("fence", "html") and end:
            if kind == "fence" and w < 4 and re.fullmatch(end + r"[ \t\r]*", rest) or kind == "html" and re.search(end, rest, re.I):
                self.leaf = ("", None)
            return True
        if kind == "html" and rest or kind == "code" and (w > 3 or not rest): return True
        if kind != "p" or not rest: self.leaf = ("", None)
    def line(self, s, at, end):
        col, self.at, self.matched, self.opened = 0, at, 0, False
        for k in self.stack:
            w, rest = indent(s, col)
            if k["margin"] is None:  # a quote
                if w > 3 or rest[:1] != ">": break
                s, col = skip(rest[1:], col + w + 1, 1)
            elif k["empty"] if not rest else w < k["margin"]: break
            else: s, col = skip(s, col, k["margin"])
            self.matched += 1
        all = self.matched == len(self.stack)
        if all and self.goes_on(*indent(s, col)): return
        para = all and self.leaf[0] == "p"
        while True:
            w, rest = indent(s, col)
            if not rest: return None if self.opened or all else self.open("")
            if w > 3: return None if self.leaf[0] == "p" else self.open("other", ("code", None))
            under = para and re.fullmatch(r"(=+|-+)[ \t\r]*", rest)
            rule = re.fullmatch(r"([-*_])[ \t]*(\1[ \t\r]*){2,}", rest)
            mark = not rule and re.match(r"([-*+]|\d{1,9}[.)])(?=[ \t\r]|$)", rest)
            if mark and para and (under or blank(rest[mark.end():]) or not re.fullmatch(r"[-*+]|0*1[.)]", mark[0])): mark = None
            para = para and not (rest[0] == ">" or mark)
            if rest[0] == ">":
                self.open("other")
                self.stack += [{"margin": None, "empty": False}]
                s, col = skip(rest[1:], col + w + 1, 1)
            elif mark:
                self.open("")
                if not self.stack:
                    last = self.blocks[-1] if self.blocks else {"end": 0}
                    if last["end"] is not None or last["marker"] != mark[0][-1]: self.open("list", marker=mark[0][-1])
                    self.blocks[-1]["items"].append(at)
                gap, text = indent(rest[mark.end():], col + w + mark.end())
                gap = gap if text and gap <= 4 else 1
                s, col = skip(rest[mark.end():], col + w + mark.end(), gap)
                self.stack.append({"margin": w + mark.end() + gap, "empty": not text})
            else: return self.text(rest, under, rule, end)
    def text(self, rest, under, rule, end):  # the start of a block that holds text
        hashes, fence = re.match(r"#{1,6}(?=[ \t\r]|$)", rest), re.match(r"`{3,}(?=[^`]*$)|~{3,}", rest)
        html = [i for i, (start, _) in enumerate(HTML) if start.match(rest) and (i < 6 or self.leaf[0] != "p")]
        if hashes or under:
            self.open("")
            if self.stack: return
            if hashes: self.finish()
            at, level = (self.at, hashes.end()) if hashes else (self.blocks.pop()["at"], "=-".index(rest[0]) + 1)
            title = re.sub(r"(^|[ \t]+)#+$", "", rest[level:].strip(WS)) if hashes else \
                " ".join(l.strip(WS) for l in lines_of(self.src[at:self.at]))
            self.heads.append({"level": level, "title": title.strip(WS), "at": at, "end": end})
        elif fence: self.open("other", ("fence", re.escape(fence[0][0]) + "{%d,}" % len(fence[0])))
        elif html:
            self.open("comment" if html[0] == 1 else "other", ("html", HTML[html[0]][1]))
            self.goes_on(0, rest)
        elif rule: self.open("rule")
        elif self.leaf[0] != "p": self.open("paragraph", ("p", None))
    def inside(self, a, b): return [x for x in self.blocks if a <= x["at"] and x["end"] <= b]
    def content(self, a, b):  # 3.6
        all = self.inside(a, b)
        while all and all[-1]["kind"] == "rule": all.pop()
        parts = all + [h for h in self.heads if a <= h["at"] and h["end"] <= b] or [{"at": a, "end": a}]
        at, end, text = min(x["at"] for x in parts), max(x["end"] for x in parts), ""
        for x in (x for x in all if x["kind"] == "comment"): text, at = text + self.src[at:x["at"]], x["end"]
        return re.sub(r"^([ \t\r]*\n)+", "", show(text + self.src[at:end]).replace("\r\n", "\n").rstrip(WS))
    def entries(self, a=0, b=1 << 30):  # 4.1
        out = []
        for x in self.inside(a, b):
            for start, end in zip(x["items"], x["items"][1:] + [x["end"]]):
                all = lines_of(re.sub(r"\n[ \t\r\n]+$", "\n", self.src[start:end]))
                m = re.match(r"( *)(\d+[.)]|[-*+])([ \t]*)(.*)", all[0].rstrip(WS))
                wide = m.start(4) if m[4] and len(m[3]) < 5 else m.end(2) + 1
                text = "\n".join([m[4]] + [unindent(l.rstrip(WS), wide) for l in all[1:]])
                text = show(text if m[4] else re.sub(r"^([ \t]*\n)+", "", text))
                out.append({"marker": m[2], "text": text, "span": [start, start + sum(map(len, all))]})
        return out
def delta(h):  # 7.1: what its heading has for a time, or None
    t = show(h["title"]).strip()
    if h["level"] != 2 or t[:5].lower() != "delta": return None
    rest, time = t[5:].strip(), t[5:].strip("-–—() \t")
    return rest[1:].strip() if rest[:1] in (":", "") else time if moment(time) else None
def appended(h):  # 3.5
    mark = h["title"][:5].lower() == "mark:" and moment(show(h["title"][5:])) or h["title"].startswith("From the delta of")
    return h["level"] == 2 and (mark or delta(h) is not None)
def sections(d):  # 3.2 to 3.5
    out, until = [], 0
    for h in d.heads:
        name = NAMES.get(bare(h["title"]))
        if h["at"] < until or not (name or appended(h)): continue
        if out: out[-1]["extent"][1] = min(out[-1]["extent"][1], h["at"])
        if appended(h): until = h["whole"]
        else: out.append({"name": name, "heading": [h["at"], h["end"]], "extent": [h["end"], h["whole"]]})
    return [dict(s, text=d.content(*s["extent"])) for s in out]
def next_actions(d):  # 6.1, 6.3, 6.4
    actions, s = [], next((s for s in sections(d) if s["name"] == "next-actions"), {"extent": [0, 0]})
    for item in d.entries(*s["extent"]):
        box, tick, text = re.match(r"(?s)(?:\[([ xX~/-])\](?:[ \t\n]+|$))?((?:✅|✔️?|☑️?)\s*)?(.*)$", item["text"]).groups()
        struck, number = re.match(r"(?s)~~.*~~\s*$", text), int(re.sub(r"\D", "", item["marker"]) or 0)
        if not is_none(text): actions.append({"number": number, "text": text, "done": box in ("x", "X") or bool(tick or struck)})
    given = [a["number"] for a in actions if a["number"]]; free = (n for n in range(1, len(actions) + 1) if n not in given)
    actions = [dict(a, number=i + 1 if len(set(given)) < len(given) else a["number"] or next(free)) for i, a in enumerate(actions)]
    first = re.split(r"\n(?=\s*(?:\n|(?:[-*+]|\d+[.)])(?:\s|$)|```|~~~))", next((a["text"] for a in actions if not a["done"]), "").strip())[0]
    return {"actions": actions, "first": " ".join(first.split()) if "\n" in first else first}
def deltas(d):  # 7.1 to 7.3
    out = []
    for h in d.heads:
        if delta(h) is not None:
            out.append({"time": moment(delta(h)), "changed": "", "whole": [h["at"], h["whole"]], "parts": []})
        elif out and h["at"] < out[-1]["whole"][1]:
            out[-1]["parts"].append(show(h["title"]))
            if bare(h["title"]) == "what changed": out[-1]["changed"] = d.content(h["end"], h["own"])
    return out
def read(q):  # 1.1 to 1.6
    d, path = Doc(q["text"]), q["path"]
    fields, conflict = dict(d.fields), re.search(r"(?m)^<<<<<<< ", d.src)
    if conflict and "\n=======" in d.src and "\n>>>>>>> " in d.src and not any(
            b["kind"] == "other" and b["at"] < conflict.start() < b["end"] for b in d.blocks): raise ValueError
    if (id := fields.get("checkpoint")) is None and q.get("kind", "file") == "file" and "created" not in fields and \
            "/chk-" not in path[path.rfind("/"):] and not re.match(r"[\r\n]+---[ \t\r]*\n(?:(?!---).*\n)*?checkpoint:", d.src) and \
            not any(NAMES.get(bare(h["title"])) == "decisions" for h in d.heads): return {"is": "other"}
    if not re.fullmatch(r"(?i)(?!.*\.\.|index$|.*\.md$|.*\.lock$)[a-z0-9][a-z0-9._-]{0,99}", id or ""): raise ValueError
    status = "current" if fields.get("status", "").lower() == "current" else "active"
    return {"is": "checkpoint", "id": id, "status": "archived" if path.startswith("archive/") else status, "path": path, "doc": d,
            "parent": fields.get("parent", ""), "created": moment(fields.get("created", "")), "changed": moment(fields.get("last_delta", ""))}
def folder(files):  # the checkpoints by path, and the paths of files that cannot be read
    all, bad = [], []
    for path in sorted(files):
        try:
            if re.match(r"(active|archive)/(.*/)?(?!INDEX\.md)[^/]*\.md$", path): all.append(read({"path": path, "text": files[path]}))
        except ValueError: bad.append(path)
    return [c for c in all if c["is"] == "checkpoint"], bad
def current(q):  # 2.9
    all, bad = folder(q["files"])
    marked = [c for c in all if c["status"] == "current"]
    last = max(marked, key=lambda c: (c["changed"] or c["created"], c["created"], c["id"]), default={"id": ""})
    return {"current": last["id"], "marked": [c["id"] for c in marked], "unreadable": bad}
def lineage(q):  # 10.1 to 10.4
    all, bad = folder(q["files"])
    first = {c["id"]: c for c in all[::-1]}
    all.sort(key=lambda c: (c["created"], c["id"], c["path"]))
    for c in all:
        same, up = sorted(x["path"] for x in all if x["id"] == c["id"]), first.get(c["parent"])
        c["problems"], c["up"] = [["duplicate-id"] + same] * (len(same) > 1), up if c["parent"] != c["id"] else None
        if c["parent"] == c["id"]: c["problems"].append(["self-parent", c["id"]])
        elif c["parent"] and not up:
            c["problems"].append(["missing-parent", c["parent"]] + [p for p in bad if p.endswith("/%s.md" % c["parent"])][:1])
    for c in all:
        ring = [c]
        while ring[-1]["up"] and ring[-1]["up"] not in ring: ring.append(ring[-1]["up"])
        c["cut"] = ring[-1]["up"] is c and c is next(x for x in all if x in ring)
        if c["cut"]: c["problems"].append(["cycle"] + [x["id"] for x in [c] + ring[::-1]])
    def below(up, depth): return [n for c in all if (None if c["cut"] else c["up"]) is up for n in
                                  [{"path": c["path"], "depth": depth, "problems": c["problems"]}] + below(c, depth + 1)]
    return {"nodes": below(None, 0)}
ANSWERS = {"time": lambda q: {"time": moment(q["text"])}, "fields": lambda q: {"fields": Doc(q["text"]).fields},
           "file": lambda q: {k: v for k, v in read(q).items() if k in ("is", "id", "status", "parent")},
           "headings": lambda q: {"headings": [{"level": h["level"], "title": show(h["title"]), "heading": [h["at"], h["end"]],
                                                "whole": [h["at"], h["whole"]]} for h in Doc(q["text"]).heads]},
           "items": lambda q: {"items": Doc(q["text"]).entries()}, "sections": lambda q: {"sections": sections(read(q)["doc"])},
           "next": lambda q: next_actions(read(q)["doc"]), "deltas": lambda q: {"deltas": deltas(read(q)["doc"])},
           "current": current, "lineage": lineage}
for line in sys.stdin:
    q = json.loads(line)
    try: answer = ANSWERS[q["kind"]](q)
    except (KeyError, NotImplementedError): answer = {"unsupported": True}
    except ValueError: answer = {"is": "unreadable"} if q["kind"] == "file" else {"unreadable": True}
    print(json.dumps(answer), flush=True)
