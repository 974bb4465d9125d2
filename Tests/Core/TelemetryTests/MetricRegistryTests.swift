import CoreMetrics
import Telemetry
import TestSupport
import Testing

@Suite struct MetricRegistryTests {
    @Test func writesWhatWasMeasuredAsPrometheusReadsIt() throws {
        let registry = MetricRegistry()
        Counter(label: "nexus_searches_total", dimensions: [("outcome", "found")], factory: registry).increment(by: 3)
        Meter(label: "nexus_index_bytes", factory: registry).set(1.5)
        FloatingPointCounter(label: "nexus_cost_total", dimensions: [("use", "chat")], factory: registry)
            .increment(by: 0.25)
        Meter(label: "nexus_build_info", dimensions: [("version", "a\"b\\c\nd")], factory: registry).set(1)

        let text = registry.text()

        #expect(
            text == """
                # HELP nexus_searches_total Searches by outcome.
                # TYPE nexus_searches_total counter
                nexus_searches_total{outcome="found"} 3
                # HELP nexus_cost_total Cost of the tokens, in the currency of the configured prices.
                # TYPE nexus_cost_total counter
                nexus_cost_total{use="chat"} 0.25
                # HELP nexus_index_bytes Bytes of the vectors with their keys and codes.
                # TYPE nexus_index_bytes gauge
                nexus_index_bytes 1.5
                # HELP nexus_build_info Always 1; its label tells the version.
                # TYPE nexus_build_info gauge
                nexus_build_info{version="a\\"b\\\\c\\nd"} 1

                """)
        #expect(try PrometheusText(text).samples.count == 4)
    }

    @Test func countsEachValueInTheFirstBucketThatHoldsIt() throws {
        let registry = MetricRegistry()
        let recorder = Recorder(
            label: "nexus_stage_duration_seconds", dimensions: [("stage", "dense")], factory: registry)
        for value in [0.001, 0.0011, 60, 61, .nan] { recorder.record(value) }
        Timer(label: "nexus_stage_duration_seconds", dimensions: [("stage", "dense")], factory: registry)
            .recordNanoseconds(2_000_000)

        let page = try PrometheusText(registry.text())

        let name = "nexus_stage_duration_seconds"
        #expect(page.types == [name: "histogram"])
        #expect(page.samples[#"\#(name)_bucket{stage="dense",le="0.001"}"#] == 1)
        #expect(page.samples[#"\#(name)_bucket{stage="dense",le="0.0025"}"#] == 3)
        #expect(page.samples[#"\#(name)_bucket{stage="dense",le="30"}"#] == 3)
        #expect(page.samples[#"\#(name)_bucket{stage="dense",le="60"}"#] == 4)
        #expect(page.samples[#"\#(name)_bucket{stage="dense",le="+Inf"}"#] == 5)
        #expect(page.samples[#"\#(name)_count{stage="dense"}"#] == 5)
        #expect(abs((page.samples[#"\#(name)_sum{stage="dense"}"#] ?? 0) - 121.0041) < 1e-9)
    }

    @Test func theValuesOfLabelsAreClosedSets() throws {
        let registry = MetricRegistry()
        let name = "nexus_searches_total"
        for outcome in ["found", "ada@example.org", "a secret"] {
            Counter(label: name, dimensions: [("outcome", outcome), ("user", "ada")], factory: registry).increment()
        }
        Counter(label: name, factory: registry).increment()
        Counter(label: "invented_total", factory: registry).increment()
        Recorder(label: name, factory: registry).record(1)

        let samples = try PrometheusText(registry.text()).samples

        #expect(samples == ["\(name){outcome=\"found\"}": 1, "\(name){outcome=\"other\"}": 2, name: 1])
    }

    @Test func valuesOfTheProgramAreBoundedToo() throws {
        let registry = MetricRegistry()
        for number in 0..<(MetricRegistry.seriesLimit + 500) {
            Meter(label: "nexus_build_info", dimensions: [("version", "v\(number)")], factory: registry).set(1)
        }

        let samples = try PrometheusText(registry.text()).samples

        #expect(samples.count == MetricRegistry.seriesLimit + 1)
        #expect(samples[#"nexus_build_info{version="other"}"#] == 1)
    }

    @Test func countsFromManyThreadsLoseNothing() async throws {
        let registry = MetricRegistry()

        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for number in 0..<2_000 {
                        let outcome = number.isMultiple(of: 2) ? "found" : "failed"
                        Counter(label: "nexus_searches_total", dimensions: [("outcome", outcome)], factory: registry)
                            .increment()
                        Recorder(
                            label: "nexus_stage_duration_seconds", dimensions: [("stage", "lexical")], factory: registry
                        ).record(0.5)
                        if number.isMultiple(of: 200) { _ = registry.text() }
                    }
                }
            }
        }

        let samples = try PrometheusText(registry.text()).samples
        #expect(samples[#"nexus_searches_total{outcome="found"}"#] == 8_000)
        #expect(samples[#"nexus_searches_total{outcome="failed"}"#] == 8_000)
        #expect(samples[#"nexus_stage_duration_seconds_count{stage="lexical"}"#] == 16_000)
        #expect(samples[#"nexus_stage_duration_seconds_sum{stage="lexical"}"#] == 8_000)
    }

    @Test func everyInstrumentHasAUsableName() {
        for instrument in Instrument.all {
            #expect(instrument.name.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil)
            #expect((instrument.kind == .counter) == instrument.name.hasSuffix("_total"), "\(instrument.name)")
            #expect(instrument.help.hasSuffix("."), "\(instrument.name)")
            for label in instrument.labels { #expect(label.name.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil) }
        }
        #expect(Set(Instrument.all.map(\.name)).count == Instrument.all.count)
    }
}
