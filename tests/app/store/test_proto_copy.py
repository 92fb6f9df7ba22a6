"""`dorosim grpc proto DIR`: all .proto files, and nothing of the user's is lost."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from dorosim.app.cli.main import app
from dorosim.ground.error import InputError
from tools.proto import WIRE


def proto(*arguments):
    return CliRunner().invoke(app, ["grpc", "proto", *map(str, arguments)])


def texts(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.proto")}


def test_all_files_are_written_and_compile(tmp_path):
    folder = tmp_path / "new/protos"
    run = proto(folder)
    assert run.exit_code == 0, run.output
    assert "54 .proto files written, 0 there already" in run.output
    assert texts(folder) == texts(WIRE / "proto")
    pytest.importorskip("grpc_tools")
    out = tmp_path / "stubs"
    out.mkdir()
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{folder}", f"--python_out={out}"]
    subprocess.run([*command, *sorted(texts(folder))], check=True)
    assert (out / "morai/actor/actor_pb2.py").exists()


def test_a_second_time_writes_nothing(tmp_path):
    proto(tmp_path)
    run = proto(tmp_path)
    assert run.exit_code == 0
    assert "0 .proto files written, 54 there already" in run.output


def test_a_file_that_differs_is_kept_unless_forced(tmp_path):
    (tmp_path / "morai_msgs.proto").write_text("// mine")
    run = proto(tmp_path)
    assert run.exit_code != 0
    assert isinstance(run.exception, InputError)
    assert "morai_msgs.proto is there and differs; give another folder, or --force" in str(run.exception)
    assert texts(tmp_path) == {"morai_msgs.proto": "// mine"}
    assert proto(tmp_path, "--force").exit_code == 0
    assert texts(tmp_path) == texts(WIRE / "proto")


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file/below"):
        run = proto(place)
        assert isinstance(run.exception, InputError)
        assert "cannot be written" in str(run.exception)


def test_a_folder_in_the_place_of_a_file_is_said(tmp_path):
    (tmp_path / "morai_msgs.proto").mkdir()
    run = proto(tmp_path, "--force")
    assert isinstance(run.exception, InputError)
    assert "morai_msgs.proto" in str(run.exception)
