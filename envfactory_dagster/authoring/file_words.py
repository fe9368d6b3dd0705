"""What the authors of a world are told where its state is files, beside what they are told of every world.

Belongs here: the words for each question. Does not: what is checked of the answers (`file_worlds`).
"""

from envfactory_dagster.contracts.base import content_hash

FOR_SCHEMA = """
This service has no database: it keeps its records in files, and its tools read and write these. Each of your tables is
the list of records in one file, each row a record, each column a field. Beside what is said above
- every table has `file`, the path of its file: `data/members.json`, `loans/2026.csv`. The ending says how it is
  written: json, jsonl, csv, tsv or yaml, whichever such a service would use for these records; not the same for all.
- The primary key of every table is one column, INTEGER or TEXT: a table that links two others has an `id` of its own.
- No DEFAULT, since a record says all of its fields; no comments in the SQL, no WITHOUT ROWID. In csv and tsv files
  every TEXT column is NOT NULL: an empty cell is an empty text there.
- `documents` are one to six texts that such a service keeps beside its records: house rules, a price list, a notice.
  Each has a `path` in the folder `docs`, where no records are, that ends in md, txt or html, and a `purpose`: what it
  says, in a sentence. Tools read them and never write them. Their text is written later; no table of yours is called
  `documents`.
"""

FOR_ROWS = """
The table `documents` holds texts of the service: a row for every path that its purpose names, and no other. `text` is
what stands in that file, of the form that its ending says, as such a service writes for people: several paragraphs or
lists, line by line. It says what the rules and the rows say, in its own words and with the same figures, and nothing
that contradicts them.
"""

FOR_TOOLS = """
This service keeps its records in files: the first line of every table says in which one. The table `documents` holds
its texts, which no tool writes: one tool finds documents, by words or as a list, and one reads a document; their
descriptions say so. All other tools speak of records and their ids as usual, and of no files.
"""

METHODS = """\
- Records and documents lie in files. The first line of a table's `ddl` names its file, `( -- "data/loans.csv"`; each
  row is a record, a dict with a field for each column. `env.files.records(path, {"status": "open"})` gives the list of
  records with these values, all without the second argument; `env.files.get(path, key)` the record with this primary
  key or None; `env.files.count(path, {…})` how many; `env.files.append(path, record)` adds a record and gives its key;
  `env.files.update(path, key, {…})` and `env.files.remove(path, key)` say whether there was such a record. Of the texts
  in `documents`, `env.files.paths("docs/*")` gives the paths, `env.files.exists(path)` whether there is one,
  `env.files.read_text(path)` the text, `env.files.search(words)` the lines with these words: a list of `path`, `line`,
  `text`. `env.new_id("ORD")` gives a new code; `env.now` is the time, `2026-03-02T09:00:00`, `env.user_id` the user,
  and `raise env.Error("…")` refuses.
"""

THE_FILES = """\
The files
- There is no database and no SQL, and no `open`. Every path of a table and every name of a field is written out where
  it is used, never built, kept in a constant or handed to a helper: what the tool reads and writes is read off that.
- What has to be equal is the second argument of `records` or `count`; all else, ranges and words too, is compared in
  Python. An optional filter is `wanted is None or record["day"] == wanted`. Lists are sorted by what leaves nothing to
  chance: `sorted(found, key=lambda one: (one["day"], one["id"]))`.
- Where many records refer to others, read these once, `{one["id"]: one for one in env.files.records(…)}`.
- No clock and no random function: use `env.now`. Days are compared with days, moments with moments: `at[:10]` is the
  day of a moment.
- `append` is given a dict that is written out, with every field: None for what is not known, no `id` where that is a
  number that is made. `update` is given a dict of the fields that change, and the key of the record. Several records
  are changed one by one, in a loop over those that `records` gave.
- `read_text` reads every file, and a tool shows documents only: it refuses what is not in `env.files.paths("docs/*")`.
- Nothing else looks after the records: what the tables forbid (`CHECK`, `UNIQUE`, a reference to nothing) is an error.
"""

WORDS = content_hash([FOR_SCHEMA, FOR_ROWS, FOR_TOOLS, METHODS, THE_FILES])[:12]
