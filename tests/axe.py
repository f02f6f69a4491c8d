"""axe-core in an open page: what it calls serious or critical."""

from functools import cache
from importlib.resources import files
from typing import Any

RUN = """async (rules) => {
  const found = await axe.run({ exclude: ['mjx-container'] },
    { iframes: false, preload: false, resultTypes: ['violations'], ...(rules.length ? { runOnly: rules } : {}) });
  return found.violations.filter((v) => ['serious', 'critical'].includes(v.impact))
    .map((v) => `${v.id}: ${v.help}: ` + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(' ')); }"""


@cache
def _script() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


def findings(page: Any, *, rules: tuple[str, ...] = ()) -> list[str]:
    """The serious and critical findings by all rules, or by `rules` alone.

    Formulas are left out: MathJax gives them their own hidden markup.
    """
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(_script())
    return list(page.evaluate(RUN, list(rules)))
