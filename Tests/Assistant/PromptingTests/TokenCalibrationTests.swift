import Prompting
import Testing

@Suite("TokenCalibration")
struct TokenCalibrationTests {
    @Test("Rises at once, sinks slowly, for each model by itself")
    func learns() {
        let calibration = TokenCalibration()
        #expect(calibration.factor(for: "a") == 1)

        calibration.learn(estimated: 1_000, counted: 1_500, for: "a")
        #expect(calibration.factor(for: "a") == 1.5)
        calibration.learn(estimated: 1_000, counted: 1_000, for: "a")
        #expect(abs(calibration.factor(for: "a") - 1.45) < 1e-12)
        #expect(calibration.factor(for: "b") == 1)
    }

    @Test("Stays within its bounds whatever a service says", arguments: [(1, 1_000_000, 2.0), (1_000_000, 1, 0.7)])
    func staysBounded(estimated: Int, counted: Int, end: Double) {
        let calibration = TokenCalibration()
        for _ in 0..<100 { calibration.learn(estimated: estimated, counted: counted, for: "a") }
        #expect(calibration.factor(for: "a") == end)
    }

    @Test("Learns nothing from counts that say nothing", arguments: [(0, 10), (10, 0), (10, -1)])
    func ignoresNonsense(estimated: Int, counted: Int) {
        let calibration = TokenCalibration()
        calibration.learn(estimated: estimated, counted: counted, for: "a")
        #expect(calibration.factor(for: "a") == 1)
    }

    @Test("A prompt that was too long raises the factor")
    func learnsOverflow() {
        let calibration = TokenCalibration()
        calibration.learnOverflow(for: "a")
        #expect(calibration.factor(for: "a") == 1.4)
        for _ in 0..<9 { calibration.learnOverflow(for: "a") }
        #expect(calibration.factor(for: "a") == 2)
    }

    @Test("May be taught by many at once")
    func isSafe() async {
        let calibration = TokenCalibration()
        await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { calibration.learn(estimated: 100, counted: 130, for: "a") }
            }
        }
        #expect(calibration.factor(for: "a") == 1.3)
    }
}
