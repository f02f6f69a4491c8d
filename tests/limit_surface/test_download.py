"""The downloader against a server on this machine: names, checksums, damage, interruptions, no connection."""

import hashlib
import http.server
import threading
from pathlib import Path
from urllib.parse import unquote

import pytest

from planarcontact.errors import DataError, InputError
from planarcontact.limit_surface import download
from planarcontact.limit_surface.download import RobotFile, data_folder, fetch, fetch_all, is_available, robot_files

CONTENT = {
    "plain": ("MLab_EXP/a/plain.txt", b"fifty pokes\n" * 4000),
    "awkward": ("MLab_EXP/logs/exp_Sun Sep  6 14:36:57 2015_50%#.txt", b"12 3.5\n"),
}


class Server(http.server.ThreadingHTTPServer):
    """Serves `files`, cuts an answer short, or refuses; remembers the raw paths asked for."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = {path.removeprefix("MLab_EXP/"): data for path, data in CONTENT.values()}
        self.asked: list[str] = []
        self.mode = "serve"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/repository/commit/"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server: Server = self.server
        server.asked.append(self.path)
        data = server.files.get(unquote(self.path).removeprefix("/repository/commit/"))
        if data is None or server.mode == "refuse":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if server.mode == "cut" else data)

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    known = {
        key: RobotFile(key, path, len(data), hashlib.sha256(data).hexdigest(), "", "") for key, (path, data) in CONTENT.items()
    }
    monkeypatch.setattr(download, "robot_files", lambda: known)
    served = Server()
    thread = threading.Thread(target=served.serve_forever, daemon=True)
    thread.start()
    yield served
    served.shutdown()
    served.server_close()
    thread.join()


def files_below(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def test_names_with_spaces_and_colons_arrive_encoded_and_only_once(server, tmp_path):
    assert not is_available(tmp_path)
    for _ in range(2):
        paths = fetch_all(folder=tmp_path, base_url=server.url, progress=False)
        assert [p.read_bytes() for p in paths] == [data for _, data in CONTENT.values()]
    assert is_available(tmp_path)
    assert len(server.asked) == 2
    assert server.asked[1].endswith("/logs/exp_Sun%20Sep%20%206%2014%3A36%3A57%202015_50%25%23.txt")
    assert files_below(tmp_path) == {path for path, _ in CONTENT.values()}


def test_a_damaged_file_is_fetched_again(server, tmp_path):
    path = fetch("plain", folder=tmp_path, base_url=server.url, progress=False)
    path.write_bytes(b"fifty joker\n")
    assert fetch("plain", folder=tmp_path, base_url=server.url, progress=False).read_bytes() == CONTENT["plain"][1]


@pytest.mark.parametrize("mode", ["refuse", "cut"])
def test_a_damaged_file_without_a_good_copy_is_refused(server, tmp_path, mode):
    path = fetch("plain", folder=tmp_path, base_url=server.url, progress=False)
    path.write_bytes(b"fifty joker\n")
    server.mode = mode
    with pytest.raises(DataError, match="damaged"):
        fetch("plain", folder=tmp_path, base_url=server.url, progress=False)
    assert files_below(tmp_path) == {CONTENT["plain"][0]}


@pytest.mark.parametrize("mode", ["refuse", "cut"])
def test_nothing_half_written_is_left(server, tmp_path, mode):
    server.mode = mode
    with pytest.raises(DataError, match="cannot be fetched"):
        fetch("plain", folder=tmp_path, base_url=server.url, progress=False)
    assert files_below(tmp_path) == set()


def test_wrong_content_is_refused_and_not_kept(server, tmp_path):
    server.files["a/plain.txt"] = b"something else entirely"
    with pytest.raises(DataError, match="hash"):
        fetch("plain", folder=tmp_path, base_url=server.url, progress=False)
    assert files_below(tmp_path) == set()


def test_no_connection_says_what_to_do(server, tmp_path):
    url = server.url
    server.shutdown()
    server.server_close()
    with pytest.raises(DataError, match="PLANARCONTACT_DATA"):
        fetch("plain", folder=tmp_path, base_url=url, progress=False)
    assert files_below(tmp_path) == set()


@pytest.mark.parametrize("progress", [True, False])
def test_progress_bar_on_request(server, tmp_path, monkeypatch, progress):
    made = []
    plain = download.pooch.HTTPDownloader
    monkeypatch.setattr(download.pooch, "HTTPDownloader", lambda **options: made.append(options) or plain(**options))
    fetch("plain", folder=tmp_path, base_url=server.url, progress=progress)
    assert made == [{"progressbar": progress, "timeout": download._TIMEOUT}]


def test_an_unknown_name_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="wood-30_90"):
        fetch("wood-31_90", folder=tmp_path)


def test_the_folder_is_the_one_the_environment_names(monkeypatch, tmp_path):
    monkeypatch.setenv("PLANARCONTACT_DATA", str(tmp_path / "x"))
    assert data_folder() == tmp_path / "x"
    monkeypatch.setenv("PLANARCONTACT_DATA", "")
    assert data_folder().name == "planarcontact"


def test_manifest_is_complete_and_well_formed():
    files = robot_files()
    assert len(files) == 24
    assert sum(f.surface in ("wood", "board") for f in files.values()) == 10
    assert len({f.path for f in files.values()}) == 24
    for file in files.values():
        assert len(file.sha256) == 64 and int(file.sha256, 16) and file.size > 0
        assert file.path.startswith("MLab_EXP/") and " " not in file.url_path and ":" not in file.url_path
