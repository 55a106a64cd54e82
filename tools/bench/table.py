"""The table of the benchmark: what a row promises, what was measured, and whether that is enough."""
import time
import traceback
from typing import Callable, NamedTuple

MISSED, MUST_REACHED, AIM_REACHED = "missed", "must reached", "aim reached"


class Row(NamedTuple):
    name: str   # for --only
    what: str   # the first three columns, as the issue has them
    how: str
    must: str
    aim: str    # empty: none
    measure: Callable  # of the bench; answers an Outcome


class Outcome(NamedTuple):
    figure: str
    must: bool
    aim: bool | None = None  # nothing: there is none
    details: tuple = ()      # lines below the table


class Result(NamedTuple):
    row: Row
    outcome: Outcome
    seconds: float

    @property
    def reached(self):
        if not self.outcome.must:
            return MISSED
        return AIM_REACHED if self.outcome.aim and self.row.aim else MUST_REACHED


class NotThere(Exception):
    """What a row measures does not exist yet, or not on this machine."""


def joined(*outcomes):
    """One outcome of several: as good as the worst."""
    aims = [one.aim for one in outcomes if one.aim is not None]
    return Outcome("; ".join(one.figure for one in outcomes if one.figure), all(one.must for one in outcomes),
                   all(aims) if aims else None, sum((one.details for one in outcomes), ()))


def at_most(value, must, aim, text="{:.2f}"):
    return Outcome(text.format(value), value <= must, None if aim is None else value <= aim)


def at_least(value, must, aim, text="{:.2f}"):
    return Outcome(text.format(value), value >= must, None if aim is None else value >= aim)


def measured(row, bench, say):
    """A row that fails is a row that is missed: the others are measured all the same."""
    began = time.monotonic()
    say(f"==> {row.name}: {row.what}")
    try:
        outcome = row.measure(bench)
    except NotThere as error:
        outcome = Outcome(f"not there: {error}", False)
    except Exception as error:  # pylint: disable=broad-exception-caught
        trace = traceback.format_exc()
        say(trace)
        outcome = Outcome(f"failed: {type(error).__name__}: {str(error)[:300]}", False)
    result = Result(row, outcome, time.monotonic() - began)
    say(f"    {row.name}: {outcome.figure}: {result.reached} ({result.seconds:.0f} s)")
    for line in outcome.details:
        say(f"      {line}")
    return result


def cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def markdown(results, head):
    lines = [*head, "", "| what | how measured / figure | must | aim | reached |", "|---|---|---|---|---|"]
    for one in results:
        columns = [one.row.what, f"{one.row.how}: **{one.outcome.figure}**", one.row.must, one.row.aim, one.reached]
        lines.append("| " + " | ".join(map(cell, columns)) + " |")
    detailed = [one for one in results if one.outcome.details]
    if detailed:
        lines += ["", "## In detail"]
    for one in detailed:
        lines += ["", f"**{one.row.what}** ({one.seconds:.0f} s)", "", *(f"- {cell(line)}" for line in one.outcome.details)]
    return "\n".join(lines) + "\n"


def exit_code(results):
    return 1 if any(one.reached == MISSED for one in results) else 0
