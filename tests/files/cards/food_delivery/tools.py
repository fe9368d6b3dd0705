"""Food that is brought: stores, products and orders, and tables to look things up in."""


def get_user(env, *, user_id: int) -> dict:
    """Look a customer up."""
    user = env.files.get("users.json", user_id)
    if user is None:
        raise env.Error(f"There is no customer {user_id}.")
    return user


def list_stores(env, *, zone: str | None = None) -> dict:
    """List the stores, of one zone or all."""
    stores = env.files.records("stores.json")
    return {"stores": [store for store in stores if zone is None or store["zone"] == zone]}


def get_store(env, *, store_id: str) -> dict:
    """Look a store up."""
    return _store(env, store_id)


def list_products(env, *, store_id: str) -> dict:
    """List what a store sells."""
    _store(env, store_id)
    return {"products": env.files.records("products.json", {"store_id": store_id})}


def get_product(env, *, product_id: str) -> dict:
    """Look a product up."""
    product = env.files.get("products.json", product_id)
    if product is None:
        raise env.Error(f"There is no product {product_id}.")
    return product


def find_by_tag(env, *, tag: str) -> dict:
    """Find products with a tag."""
    return {"products": [product for product in env.files.records("products.json") if tag in product["tags"]]}


def list_orders(env, *, user_id: int) -> dict:
    """List the orders of a customer."""
    return {"orders": env.files.records("orders.json", {"user_id": user_id})}


def get_order(env, *, order_id: int) -> dict:
    """Look an order up."""
    order = env.files.get("orders.json", order_id)
    if order is None:
        raise env.Error(f"There is no order {order_id}.")
    return order


def sum_orders(env, *, user_id: int) -> dict:
    """What a customer's orders come to, those that wait too."""
    orders = env.files.records("orders.json", {"user_id": user_id})
    return {"orders": len(orders), "total_cents": sum(order["total_cents"] for order in orders)}


def count_sold(env, *, product_id: str) -> dict:
    """How many of a product were ordered."""
    orders = env.files.records("orders.json")
    sold = sum(item["quantity"] for order in orders for item in order["items"] if item["product_id"] == product_id)
    return {"product_id": product_id, "quantity": sold}


def get_distance(env, *, start: str, end: str) -> dict:
    """Kilometres between two zones."""
    row = env.files.get("distances.json", start)
    if row is None or end not in row:
        raise env.Error(f"No way from {start} to {end} is known.")
    return {"kilometres": row[end]}


def get_weather(env, *, day: str) -> dict:
    """The weather of a day; null where it is not known."""
    return {"weather": env.files.get("weather_2025.json", day)}


def get_holiday(env, *, day: str) -> dict:
    """Which holiday a day is; null where it is none."""
    return {"holiday": env.files.get("holidays_2025.json", day)}


def get_favourites(env, *, user_id: int) -> dict:
    """What a customer has looked at and likes."""
    behaviour = env.files.get("user_behaviors.json", str(user_id))
    if behaviour is None:
        raise env.Error(f"Nothing is known of customer {user_id}.")
    return {"viewed": behaviour["viewed"], "favourites": behaviour["favourites"]}


def _store(env, store_id: str):
    store = env.files.get("stores.json", store_id)
    if store is None:
        raise env.Error(f"There is no store {store_id}.")
    return store
