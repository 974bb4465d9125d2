import Ingest
import Testing

@Suite struct RequestWindowTests {
    @Test func halvesWhenTheServiceIsTooBusyAndGrowsByOne() {
        var window = RequestWindow(maximum: 8)
        #expect(window.limit == 8)

        #expect(window.recordBusy(sentIn: 0) == true)
        #expect(window.limit == 4)
        // Seven more were under way: they say nothing new.
        #expect(window.recordBusy(sentIn: 0) == nil)
        #expect(window.limit == 4)
        for _ in 0..<3 { window.recordSuccess() }
        #expect(window.limit == 4)
        window.recordSuccess()
        #expect(window.limit == 5)
        for _ in 0..<(5 + 6 + 7 + 100) { window.recordSuccess() }
        #expect(window.limit == 8)
    }

    @Test func aServiceThatIsAlwaysTooBusyCountsAsDown() {
        var window = RequestWindow(maximum: 4)
        let answers = (0..<8).map { window.recordBusy(sentIn: $0) }

        #expect(answers == Array(repeating: true, count: 7) + [false])
        #expect(window.limit == 1)
        #expect(window.pause == .seconds(16))
        window.open()
        #expect(window.limit == 4)
        #expect(window.pause == .milliseconds(250))
    }

    @Test func aSuccessBetweenMakesItBearable() {
        var window = RequestWindow(maximum: 4)
        for epoch in 0..<7 { _ = window.recordBusy(sentIn: epoch) }
        window.recordSuccess()
        #expect(window.recordBusy(sentIn: 7) == true)
    }
}
