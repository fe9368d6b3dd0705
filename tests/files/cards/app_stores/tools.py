"""Two app stores, a file for each app in each: thin loads, and joins across the stores."""


def list_apps(env) -> dict:
    """List the apps by the names that their files have."""
    return {"apps": sorted(env.files.read_data("categories.json"))}


def list_categories(env) -> dict:
    """List the categories."""
    return {"categories": sorted(set(env.files.read_data("categories.json").values()))}


def get_category(env, *, app: str) -> dict:
    """The category of an app."""
    category = env.files.get("categories.json", app)
    if category is None:
        raise env.Error(f"There is no app {app}.")
    return {"app": app, "category": category}


def list_apps_in(env, *, category: str) -> dict:
    """List the apps of a category."""
    categories = env.files.read_data("categories.json")
    return {"apps": sorted(app for app in categories if categories[app] == category)}


def list_developers(env) -> dict:
    """List the developers."""
    return {"developers": env.files.records("developers.json")}


def get_developer(env, *, name: str) -> dict:
    """Look a developer up; null where there is none."""
    found = env.files.records("developers.json", {"name": name})
    return {"developer": found[0] if found else None}


def get_google_app(env, *, app: str) -> dict:
    """What the one store says of an app."""
    return env.files.read_data(_path(env, f"google/{app}.json"))


def get_apple_app(env, *, app: str) -> dict:
    """What the other store says of an app."""
    return env.files.read_data(_path(env, f"apple/{app}.json"))


def list_google_reviews(env, *, app: str) -> dict:
    """The reviews of an app in the one store."""
    return {"reviews": env.files.read_data(_path(env, f"google/{app}_reviews.json"))}


def list_apple_reviews(env, *, app: str) -> dict:
    """The reviews of an app in the other store."""
    return {"reviews": env.files.read_data(_path(env, f"apple/{app}_reviews.json"))}


def get_google_score(env, *, app: str) -> dict:
    """The score of an app in the one store."""
    return {"score": env.files.read_data(_path(env, f"google/{app}.json"))["score"]}


def get_apple_rating(env, *, app: str) -> dict:
    """The rating of an app in the other store."""
    return {"rating": env.files.read_data(_path(env, f"apple/{app}.json"))["rating"]}


def get_installs(env, *, app: str) -> dict:
    """How often an app was installed; only the one store says so."""
    return {"installs": env.files.read_data(_path(env, f"google/{app}.json"))["installs"]}


def get_price(env, *, app: str) -> dict:
    """What an app costs; only the other store says so."""
    return {"price": env.files.read_data(_path(env, f"apple/{app}.json"))["price"]}


def count_stars(env, *, app: str, stars: int) -> dict:
    """How many reviews in both stores give an app so many stars."""
    google = env.files.read_data(_path(env, f"google/{app}_reviews.json"))
    apple = env.files.read_data(_path(env, f"apple/{app}_reviews.json"))
    return {
        "google": sum(review["stars"] == stars for review in google),
        "apple": sum(review["stars"] == stars for review in apple),
    }


def get_newest_review(env, *, app: str) -> dict:
    """The newest review of an app in both stores."""
    google = env.files.read_data(_path(env, f"google/{app}_reviews.json"))
    apple = env.files.read_data(_path(env, f"apple/{app}_reviews.json"))
    return {"review": max(google + apple, key=lambda review: (review["date"], review["review_id"]))}


def compare_ratings(env, *, app: str) -> dict:
    """An app in both stores."""
    google = env.files.read_data(_path(env, f"google/{app}.json"))
    apple = env.files.read_data(_path(env, f"apple/{app}.json"))
    return {
        "google": google["score"],
        "apple": apple["rating"],
        "difference": round(google["score"] - apple["rating"], 2),
    }


def search_reviews(env, *, text: str) -> dict:
    """Find lines of reviews in both stores that say something."""
    lines = env.files.search(text, "*_reviews.json")
    return {"lines": [{"path": line["path"], "text": line["text"].strip()} for line in lines]}


def _path(env, path: str):
    if not env.files.exists(path):
        raise env.Error(f"There is no {path}.")
    return path
