# The commands of the project; scripts/ holds what they do.

# SwiftPM passes the traits of Hummingbird in the order of a set: without this every other build compiles it again.
export SWIFT_DETERMINISTIC_HASHING := 1

.PHONY: demo demo-model page test check setup build lint format prompts bench neon conformance web-test docs-check package clean

demo: setup
	@scripts/demo

# The same with a language model that answers on this machine: fetches 1.1 GB.
demo-model: setup
	@scripts/demo --language-model qwen2.5-coder-1.5b

test:
	@scripts/setup --tests
	@scripts/test

# What one changes most often breaks: a few minutes after a build, without servers, databases and programs.
check: lint
	@scripts/test --skip '^(AppTests|HTTPAPITests|LiveChatTests|NexusClientTests|PostgresStoreTests|WebServerTests)\.'

setup:
	@scripts/setup

build: setup
	swift build -c release --product nexus

lint:
	swift format lint --strict -p -r Sources Tests Package.swift
	scripts/check-arithmetic --self-test
	scripts/check-arithmetic

format:
	swift format -i -p -r Sources Tests Package.swift

# Lists the page's files for the compiler.
page:
	scripts/generate-page

prompts:
	scripts/generate-prompts

bench: setup
	swift run -c release bench index --smoke

neon:
	scripts/test-neon

conformance: setup
	@scripts/conformance

# Tests the web page in Chromium. make exports an order of hashing, which would hide a server that depends on it.
web-test:
	@env -u SWIFT_DETERMINISTIC_HASHING scripts/web-test

# Runs the examples of README.md and docs/ against a server with the sample chat.
docs-check: build
	@scripts/docs-check

# A .deb that needs no Swift toolchain, in .build/package.
package: setup
	@scripts/package

clean:
	rm -rf .build
