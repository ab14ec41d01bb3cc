# The two commands of README.md, over scripts/setup and the CMake presets.

PRESET ?= release
BUILD := build/$(PRESET)

.PHONY: demo check build setup

demo: build
	scripts/demo $(BUILD)/bin

check: build
	cmake --build --preset $(PRESET) --target check-formwork

build: setup
	cmake --preset $(PRESET)
	cmake --build --preset $(PRESET)

setup:
	scripts/setup
