"""What a committed notebook is: made from its text source, normalised, and stamped with a digest of its inputs."""

import ast
import base64
import hashlib
import io
import re
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import yaml

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
LIBRARY = ROOT / "lib" / "planarcontact"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
SHARED_MODULES = ("__init__.py", "errors.py", "figures.py", "files.py", "jit.py", "validation.py")


class ChapterError(Exception):
    """A chapter cannot be made; the message is for the person at the terminal, `code` is the exit code."""

    def __init__(self, message: str, code: int = 1):
        self.code = code
        super().__init__(message)


def chapters(book: Path = BOOK) -> list[str]:
    """The names of the chapters that have a source, in the order of the table of contents."""
    names = sorted(path.stem for path in (book / "src").glob("*.md"))
    toc = (book.parent / "_toc.yml").read_text(encoding="utf-8") if (book.parent / "_toc.yml").is_file() else ""
    order = re.findall(r"(?:file|root):\s*book/(\w+)", toc)
    return sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name))


def source(name: str, book: Path = BOOK) -> nbformat.NotebookNode:
    """The notebook, without outputs, of chapter `name`."""
    path = book / "src" / f"{name}.md"
    if not path.is_file():
        raise ChapterError(f"no chapter {name!r}: there is {', '.join(chapters(book))}", 2)
    notebook = jupytext.read(path, fmt="md:myst")
    notebook.metadata["kernelspec"] = dict(KERNEL)
    return notebook


def settings(name: str, book: Path = BOOK) -> dict[str, Any]:
    """The entry of chapter `name` in ``src/params.yml`` (empty where there is none)."""
    path = book / "src" / "params.yml"
    entries = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else None
    return dict((entries or {}).get(name) or {})


def parameters(notebook: nbformat.NotebookNode) -> dict[str, Any]:
    """Names and default values of the cell tagged ``parameters``, read without running it."""
    found: dict[str, Any] = {}
    for cell in notebook.cells:
        if "parameters" not in cell.metadata.get("tags", []):
            continue
        for statement in ast.parse(cell.source).body:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                try:
                    found[statement.targets[0].id] = ast.literal_eval(statement.value)
                except ValueError:
                    found[statement.targets[0].id] = None
    return found


def digest(name: str, root: Path = ROOT) -> str:
    """A hash of all that decides chapter `name`: its source and drawings, the files it reads, its parts of the library."""
    book = root / "book"
    files = [book / "src" / f"{name}.md"]
    text = files[0].read_text(encoding="utf-8")
    for module in sorted(set(re.findall(r"(?:import|from) plots\.(\w+)", text))):
        files.append(book / "plots" / f"{module}.py")
        text += files[-1].read_text(encoding="utf-8") if files[-1].is_file() else ""
    files += sorted(book / "_static" / "data" / found for found in set(re.findall(r"_static/data/([\w.-]+)", text)))
    if "benchmarks/results" in text:  # those that are named, or all
        named = set(re.findall(r"benchmarks/results/([\w-]+\.json)", text)) or {"*"}
        files += sorted(path for pattern in named for path in (root / "benchmarks" / "results").glob(pattern))
    library = root / "lib" / "planarcontact"
    files += [library / module for module in SHARED_MODULES]
    for part in sorted(set(re.findall(r"planarcontact(?:\.|\s+import\s+)(\w+)", text))):
        folder = library / part
        if folder.is_dir():
            files += sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    result = hashlib.sha256()
    for path in files:
        if path.is_file():
            content = path.read_bytes()
            result.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
            result.update(content)
    return result.hexdigest()[:16]


def normalise(notebook: nbformat.NotebookNode, name: str, root: Path = ROOT) -> nbformat.NotebookNode:
    """The notebook with all that differs from run to run taken out, in place.

    Raises ChapterError where an output could never repeat: standard error, an address, a path of this machine.
    """
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": dict(KERNEL),
            "language_info": {"name": "python"},
            "planarcontact": {"chapter": name, "digest": digest(name, root)},
        }
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count = 0
    for index, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{index:03d}"
        for key in ("papermill", "execution", "collapsed", "jupyter"):
            cell.metadata.pop(key, None)
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        for output in cell.outputs:
            if output.get("name") == "stderr":
                raise ChapterError(f"{name}, cell {index}: writes to standard error:\n{output.text[:600]}")
            if "execution_count" in output:
                output.execution_count = count
            output.pop("transient", None)
            if "metadata" in output:
                output.metadata = nbformat.NotebookNode()
            _refuse_unrepeatable(output, name, index, root)
    return notebook


def keep_equal_pictures(notebook: nbformat.NotebookNode, committed: Path) -> None:
    """Take a picture from the committed notebook where only pixels that nobody sees changed, in place."""
    if not committed.is_file():
        return
    old = nbformat.read(committed, as_version=4)
    if len(old.cells) != len(notebook.cells):
        return
    for new_cell, old_cell in zip(notebook.cells, old.cells):
        for new_out, old_out in zip(new_cell.get("outputs", []), old_cell.get("outputs", [])):
            new, was = new_out.get("data", {}).get("image/png"), old_out.get("data", {}).get("image/png")
            if new and was and new != was and _same_picture(new, was):
                new_out.data["image/png"] = was


def write(notebook: nbformat.NotebookNode, path: Path) -> bool:
    """Write the notebook in one step; return whether the file changed."""
    text = nbformat.writes(notebook, version=4)
    text = text if text.endswith("\n") else text + "\n"
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(path)
    return True


def differing_figures(notebook: nbformat.NotebookNode) -> list[str]:
    """The lines of `show` that do not say that the figure matches its baseline."""
    lines = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            line = output.get("data", {}).get("text/plain", "")
            if re.search(r"columns, (?:baseline \w+, differs|no baseline)", line):
                lines.append(line)
    return lines


def _refuse_unrepeatable(output: nbformat.NotebookNode, name: str, index: int, root: Path) -> None:
    data = output.get("data", {})
    text = "\n".join([output.get("text", ""), *(str(data.get(k, "")) for k in ("text/plain", "text/html"))])
    for pattern, what in (
        (r"\bat 0x[0-9a-f]{6,}", "an object's address"),
        (r"<Figure size", "a figure's text"),
        (re.escape(str(root)), "a path of this machine"),
    ):
        found = re.search(pattern, text)
        if found:
            raise ChapterError(f"{name}, cell {index}: its output holds {what}: {text[max(0, found.start() - 60):][:160]!r}")


def _same_picture(first: str, second: str, largest_rms: float = 0.5) -> bool:
    import numpy as np
    from PIL import Image

    pictures = [Image.open(io.BytesIO(base64.b64decode(p))).convert("RGB") for p in (first, second)]
    if pictures[0].size != pictures[1].size:
        return False
    a, b = (np.asarray(p, dtype=np.float64) for p in pictures)
    return float(np.sqrt(np.mean((a - b) ** 2))) <= largest_rms
