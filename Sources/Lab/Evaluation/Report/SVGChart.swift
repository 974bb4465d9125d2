/// Charts as inline SVG; series are coloured by the style sheet, every label is escaped.
enum SVGChart {
    private static let seriesColours = 6

    /// The style sheet's colour of a series.
    static func colour(_ series: Int) -> String {
        "var(--s\(series % seriesColours))"
    }

    /// A bar: a value with an optional longer one behind it.
    struct Bar {
        var value: Double
        var series: Int
        /// A paler bar up to here, such as the 95th percentile; nil for none.
        var reach: Double?
        var label: String
    }

    /// Draws groups of horizontal bars under their names.
    static func bars(_ groups: [(name: String, bars: [Bar])], maximum: Double, summary: String) -> String {
        let (left, width, barHeight) = (150.0, 560.0, 16.0)
        let scale = (width - left - 100) / (maximum > 0 ? maximum : 1)
        var body = ""
        var y = 8.0
        for group in groups {
            let height = Double(max(1, group.bars.count)) * barHeight
            body += text(shortened(group.name), left - 8, y + height / 2 + 4, anchor: "end")
            for bar in group.bars {
                if let reach = bar.reach {
                    body += rectangle(left, y + 2, reach * scale, barHeight - 4, "fill-opacity=\"0.35\"", bar.series)
                }
                body += rectangle(left, y + 2, bar.value * scale, barHeight - 4, "", bar.series)
                body += text(bar.label, left + max(bar.value, bar.reach ?? 0) * scale + 6, y + barHeight - 4)
                y += barHeight
            }
            y += group.bars.isEmpty ? barHeight : 10
        }
        return image(width, y, summary, body)
    }

    /// A line through points; x and y in the chart's own units.
    struct Line {
        var points: [(x: Double, y: Double)]
        var series: Int
        var isDashed = false
    }

    /// Draws lines over a grid; y runs from 0 to `top`.
    static func lines(
        _ lines: [Line], x bounds: ClosedRange<Double>, top: Double, xTicks: [(Double, String)],
        yTicks: [(Double, String)],
        marker: (x: Double, label: String)? = nil, summary: String
    ) -> String {
        let (left, right, upper, lower, width, height) = (44.0, 16.0, 20.0, 28.0, 560.0, 280.0)
        let span = bounds.upperBound - bounds.lowerBound
        func place(_ x: Double) -> Double {
            left + (span > 0 ? (x - bounds.lowerBound) / span : 0.5) * (width - left - right)
        }
        func level(_ y: Double) -> Double { height - lower - (top > 0 ? y / top : 0) * (height - upper - lower) }
        var body = ""
        for (value, label) in yTicks {
            body += segment(left, level(value), width - right, level(value), "class=\"grid\"")
            body += text(label, left - 6, level(value) + 4, anchor: "end")
        }
        for (value, label) in xTicks { body += text(label, place(value), height - 8, anchor: "middle") }
        for line in lines {
            let points = line.points.map { "\(place($0.x).decimals(1)),\(level($0.y).decimals(1))" }
            let dash = line.isDashed ? " stroke-dasharray=\"6 4\"" : ""
            body += "<polyline fill=\"none\" stroke=\"\(colour(line.series))\" stroke-width=\"2\"\(dash) "
            body += "points=\"\(points.joined(separator: " "))\"/>"
        }
        if let marker {
            body += segment(
                place(marker.x), upper, place(marker.x), height - lower,
                "stroke=\"currentColor\" stroke-dasharray=\"2 3\"")
            let share = (place(marker.x) - left) / (width - left - right)
            let anchor = share < 0.1 ? "start" : share > 0.9 ? "end" : "middle"
            body += text(marker.label, place(marker.x), upper - 6, anchor: anchor)
        }
        return image(width, height, summary, body)
    }

    private static func image(_ width: Double, _ height: Double, _ summary: String, _ body: String) -> String {
        "<svg viewBox=\"0 0 \(width.decimals(0)) \(height.decimals(0))\" role=\"img\" "
            + "aria-label=\"\(HTMLText.escaped(summary))\">\(body)</svg>"
    }

    private static func text(_ text: String, _ x: Double, _ y: Double, anchor: String = "start") -> String {
        "<text x=\"\(x.decimals(1))\" y=\"\(y.decimals(1))\" text-anchor=\"\(anchor)\">\(HTMLText.escaped(text))</text>"
    }

    private static func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ attributes: String, _ series: Int
    ) -> String {
        "<rect x=\"\(x.decimals(1))\" y=\"\(y.decimals(1))\" width=\"\(max(0, width).decimals(1))\" "
            + "height=\"\(height.decimals(1))\" rx=\"2\" fill=\"\(colour(series))\" \(attributes)/>"
    }

    private static func segment(_ x: Double, _ y: Double, _ x2: Double, _ y2: Double, _ attributes: String) -> String {
        "<line x1=\"\(x.decimals(1))\" y1=\"\(y.decimals(1))\" x2=\"\(x2.decimals(1))\" y2=\"\(y2.decimals(1))\" \(attributes)/>"
    }

    private static func shortened(_ text: String) -> String {
        text.count > 20 ? text.prefix(19) + "…" : text
    }
}
