# The commands of the project; what they do stands in scripts/.

# SwiftPM passes the traits of Hummingbird in the order of a set: without this every other build compiles it anew.
export SWIFT_DETERMINISTIC_HASHING := 1

.PHONY: demo test setup build lint format prompts bench neon conformance clean

demo: setup
	@scripts/demo

test: setup
	@scripts/test

setup:
	@scripts/setup

build: setup
	swift build -c release --product nexus

lint:
	swift format lint --strict -p -r Sources Tests Package.swift

format:
	swift format -i -p -r Sources Tests Package.swift

prompts:
	scripts/generate-prompts

bench: setup
	swift run -c release index-bench --smoke

neon:
	scripts/test-neon

conformance: setup
	@scripts/conformance

clean:
	rm -rf .build
