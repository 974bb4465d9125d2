import ChatCore
import Testing

struct CosineScaleTests {
    @Test func theReferenceIsReadAsItIs() {
        for cosine in [-0.2, 0, 0.31, 1] {
            #expect(abs(CosineScale.reference.onReference(cosine) - cosine) < 1e-12)
        }
    }

    @Test func whatSpeaksAsMuchForAnAnswerIsTheSameCosine() {
        let reference = CosineScale.reference
        let narrow = CosineScale(mean: 0.8, contrast: 10 * reference.contrast)
        let wide = CosineScale(mean: 0.2, contrast: reference.contrast / 2)

        for distance in [-0.05, 0, 0.2] {
            let expected = reference.mean + distance
            #expect(abs(narrow.onReference(0.8 + distance / 10) - expected) < 1e-12)
            #expect(abs(wide.onReference(0.2 + distance * 2) - expected) < 1e-12)
        }
    }

    @Test func aSpaceWithoutDifferencesIsStretchedNoFurther() {
        for contrast in [1e9, Double.infinity] {
            let collapsed = CosineScale(mean: 0.9, contrast: contrast)
            #expect(collapsed.onReference(0.9) == CosineScale.reference.mean)
            #expect(abs(collapsed.onReference(0.91) - CosineScale.reference.mean - 0.25) < 1e-9)
        }
    }
}
