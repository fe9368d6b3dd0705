def language_tag(env, *, english_name: str) -> dict:
    """The tag of a language.

    english_name: the language as it is called in English
    Gives: tag
    """
    row = env.one("SELECT tag FROM languages WHERE english_name = ?", [english_name])
    if row is None:
        raise env.Error("the bureau does not serve this language")
    return {"tag": row["tag"]}


def my_texts(env) -> dict:
    """The texts a client has handed in.

    Gives: texts[].text_id, texts[].title, texts[].language, texts[].words
    """
    rows = env.query("SELECT id AS text_id, title, language, words FROM texts WHERE client_id = ?", [env.user_id])
    return {"texts": rows}


def find_translators(env, *, source: str, target: str) -> dict:
    """Who translates from one language into another.

    source: tag of the language of the text
    target: tag of the language it is wanted in
    Gives: translators[].translator_id, translators[].name, translators[].word_rate_cents
    """
    rows = env.query(
        "SELECT t.id AS translator_id, t.name, t.word_rate_cents FROM translators AS t "
        "JOIN language_pairs AS p ON p.translator_id = t.id WHERE p.source = ? AND p.target = ?",
        [source, target],
    )
    return {"translators": rows}


def estimate(env, *, translator_id: int, text_id: int) -> dict:
    """What a translator would ask for a text.

    translator_id: the translator
    text_id: the text
    Gives: cents
    """
    translator = env.one("SELECT word_rate_cents FROM translators WHERE id = ?", [translator_id])
    text = env.one("SELECT words FROM texts WHERE id = ? AND client_id = ?", [text_id, env.user_id])
    if translator is None or text is None:
        raise env.Error("there is no such translator or text")
    return {"cents": translator["word_rate_cents"] * text["words"]}


def commission(env, *, text_id: int, translator_id: int, target: str, due: str) -> dict:
    """Have a text translated.

    text_id: the text
    translator_id: who shall do it
    target: tag of the language it is wanted in
    due: the day it is wanted by
    Gives: commission_id
    """
    made = env.insert(
        "INSERT INTO commissions (text_id, translator_id, target, due, state) VALUES (?, ?, ?, ?, 'ordered')",
        [text_id, translator_id, target, due],
    )
    return {"commission_id": made}


def open_commissions(env) -> dict:
    """What is being translated for the client.

    Gives: commissions[].id, commissions[].title, commissions[].translator, commissions[].due
    """
    rows = env.query(
        "SELECT c.id, t.title, c.translator_id AS translator, c.due FROM commissions AS c "
        "JOIN texts AS t ON t.id = c.text_id WHERE t.client_id = ? AND c.state = 'ordered'",
        [env.user_id],
    )
    return {"commissions": rows}


def postpone(env, *, commission_id: int, due: str) -> dict:
    """Give a translator more time.

    commission_id: the commission
    due: the new day
    Gives: due
    """
    env.execute("UPDATE commissions SET due = ? WHERE id = ?", [due, commission_id])
    return {"due": due}


def remark(env, *, commission_id: int, body: str) -> dict:
    """Leave a remark for the translator.

    commission_id: the commission
    body: what is to be said
    Gives: remark_id
    """
    made = env.insert("INSERT INTO remarks (commission_id, body) VALUES (?, ?)", [commission_id, body])
    return {"remark_id": made}


def translator_profile(env, *, translator_id: int) -> dict:
    """A translator and the languages they know.

    translator_id: the translator
    Gives: name, pairs[].source, pairs[].target
    """
    row = env.one("SELECT name FROM translators WHERE id = ?", [translator_id])
    if row is None:
        raise env.Error("there is no such translator")
    pairs = env.query("SELECT source, target FROM language_pairs WHERE translator_id = ?", [translator_id])
    return {"name": row["name"], "pairs": pairs}
