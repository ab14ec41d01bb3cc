# The two commands of README.md, over scripts/setup and the CMake presets.

PRESET ?= release
BUILD := build/$(PRESET)

.PHONY: demo tools check check-headers check-python check-ui build configure setup

# Builds the one tool that it runs.
demo: configure
	cmake --build --preset $(PRESET) --target formwork
	@scripts/demo $(BUILD)/bin

# What people use, without tests.
tools: configure
	cmake --build --preset $(PRESET) --target formwork formwork-lsp-server FormworkPlugin

check: build
	cmake --build --preset $(PRESET) --target check-formwork

# Each header alone.
check-headers: configure
	cmake --build --preset $(PRESET) --target check-headers

# With editors and a browser, which it installs.
check-ui: build
	scripts/check-ui $(BUILD)

# With Python packages, which it installs.
check-python: build
	scripts/check-python $(BUILD)

build: configure
	cmake --build --preset $(PRESET)

configure: setup
	cmake --preset $(PRESET)

setup:
	scripts/setup
