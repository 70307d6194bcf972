"""Generated calls that reach something.

By itself a tester makes up ids, and every function answers that there is no such thing. Here every
other call gets ids that exist: what answers have given is what later calls ask for, and pads have a
few names that creating, deleting, copying and moving share.
"""

import atexit
import collections
import random
import threading

import schemathesis

PADS = [f"pad-{number}" for number in range(4)]

# The member of an answer that a parameter takes, in lower case since names differ in that.
SOURCES = {
    "padid": "padid",
    "sourceid": "padid",
    "destinationid": "padid",
    "groupid": "groupid",
    "authorid": "authorid",
    "sessionid": "sessionid",
    "roid": "readonlyid",
    "deletiontoken": "deletiontoken",
}

# Values that make sense, where any number or text is allowed and hardly any does.
LIKELY = {
    "rev": [0, 1, 2, 3],
    "startRev": [0, 1],
    "endRev": [1, 2],
    "start": [0],
    "end": [1],
    "validUntil": [4102444800],
    "padName": ["a", "b", "c"],
    "publicStatus": [True, False],
    "keepRevisions": [0, 1, 5],
    "authorMapper": ["user-1", "user-2"],
    "groupMapper": ["group-1", "group-2"],
}

seen = collections.defaultdict(lambda: collections.deque(maxlen=20))
seen["padid"].extend(PADS)
succeeded = set()
lock = threading.Lock()


@schemathesis.hook
def before_call(context, case, kwargs):
    for arguments in (case.query, case.body):
        # A body may be anything: not sent, or generated to be wrong.
        if not isinstance(arguments, dict):
            continue
        # The same generated call becomes the same call again when a failure is reproduced.
        chance = random.Random(repr(sorted(arguments.items(), key=str)))
        if chance.random() < 0.5:
            replace(arguments, chance)


def replace(arguments, chance):
    for name in arguments:
        with lock:
            known = list(seen[SOURCES.get(name.lower())])
        if SOURCES.get(name.lower()) == "padid" and chance.random() < 0.5:
            known = PADS
        known = known or LIKELY.get(name)
        if known:
            arguments[name] = chance.choice(known)


@schemathesis.hook
def after_call(context, case, response):
    try:
        answer = response.json()
    except ValueError:
        return
    if not isinstance(answer, dict) or answer.get("code") != 0:
        return
    with lock:
        succeeded.add(case.operation.path)
        for name, value in members(answer.get("data")):
            if isinstance(value, str):
                seen[name.lower()].append(value)


def members(data):
    return data.items() if isinstance(data, dict) else ()


@atexit.register
def tell():
    print(f"functions that succeeded at least once: {len(succeeded)}")
