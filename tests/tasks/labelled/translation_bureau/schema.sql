CREATE TABLE languages (tag TEXT PRIMARY KEY, english_name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE translators (id INTEGER PRIMARY KEY, name TEXT NOT NULL, word_rate_cents INTEGER NOT NULL) STRICT;
CREATE TABLE language_pairs (
  translator_id INTEGER NOT NULL REFERENCES translators(id), source TEXT NOT NULL REFERENCES languages(tag),
  target TEXT NOT NULL REFERENCES languages(tag), PRIMARY KEY (translator_id, source, target)
) STRICT;
CREATE TABLE texts (
  id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL, title TEXT NOT NULL, language TEXT NOT NULL REFERENCES languages(tag),
  words INTEGER NOT NULL
) STRICT;
CREATE TABLE commissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, text_id INTEGER NOT NULL REFERENCES texts(id),
  translator_id INTEGER NOT NULL REFERENCES translators(id), target TEXT NOT NULL REFERENCES languages(tag),
  due TEXT NOT NULL, state TEXT NOT NULL
) STRICT;
CREATE TABLE remarks (
  id INTEGER PRIMARY KEY AUTOINCREMENT, commission_id INTEGER NOT NULL REFERENCES commissions(id), body TEXT NOT NULL
) STRICT;
