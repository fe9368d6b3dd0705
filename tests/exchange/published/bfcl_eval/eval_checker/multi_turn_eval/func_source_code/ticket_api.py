"""A help desk in the form of BFCL's classes, written for the tests."""

import datetime
import random
from copy import deepcopy

from bfcl_eval.eval_checker.multi_turn_eval.func_source_code.long_context import GREETING

DEFAULT_STATE = {"queue": [], "counter": 1}


class Ticket:
    def __init__(self, number, title, desk):
        self.number = number
        self.title = title
        self.status = "open"
        self.desk = desk
        self._opened = datetime.datetime.now()


class TicketAPI:
    def __init__(self):
        self._api_description = "A help desk."

    def _load_scenario(self, scenario, long_context=False):
        start = deepcopy(DEFAULT_STATE)
        self.counter = scenario.get("counter", start["counter"])
        self.queue = []
        self.by_number = {}
        self._random = random.Random(7)
        for title in scenario.get("queue", start["queue"]):
            self._open(title)

    def _open(self, title):
        ticket = Ticket(self.counter, title, self)
        self.counter += 1
        self.queue.append(ticket)
        self.by_number[ticket.number] = ticket
        return ticket

    def create_ticket(self, title):
        ticket = self._open(title)
        return {"number": ticket.number, "opened": ticket._opened.strftime("%Y-%m-%d"), "greeting": GREETING}

    def close_ticket(self, number):
        if number not in self.by_number:
            return {"error": f"There is no ticket {number}."}
        self.by_number[number].status = "closed"
        return {"status": self.queue[[one.number for one in self.queue].index(number)].status}

    def list_tickets(self):
        found = []
        for ticket in self.queue:
            found.append({"number": ticket.number, "title": ticket.title, "status": ticket.status})
        return {"tickets": found}

    def draw_ticket(self):
        return {"number": self._random.choice(self.queue).number}

    def break_down(self):
        return self.queue["first"]

    def wait_forever(self):
        while True:
            self.counter += 1

    def read_file(self, path):
        with open(path) as file:
            return {"content": file.read()}

    def fetch(self, url):
        import requests

        return {"content": requests.get(url).text}
