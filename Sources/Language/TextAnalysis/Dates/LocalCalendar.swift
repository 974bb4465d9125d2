package import ChatCore
import Foundation

/// Days of one zone, numbered from 1970-01-01, and the moments at which they begin.
struct LocalCalendar {
    private let calendar: Calendar

    /// Takes an IANA name; an unknown one counts as UTC.
    init(zone: String) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(named: zone) ?? .gmt
        self.calendar = calendar
    }

    /// Returns the day that a moment lies in; nil before 1900 and after 2200.
    func day(of moment: Timestamp) -> Int64? {
        let seconds = moment.microseconds.quotient(flooringBy: 1_000_000)
        guard (Self.firstSecond..<Self.endSecond).contains(seconds) else { return nil }
        let offset = calendar.timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
        return (seconds + Int64(offset)).quotient(flooringBy: 86_400)
    }

    /// Returns the moment at which the clock shows `hour` on a day; if it never does, the next one that exists.
    func moment(day: Int64, hour: Int = 0) -> Timestamp? {
        let date = Timestamp.civilDate(dayNumber: day)
        let parts = DateComponents(
            year: Int(date.year), month: Int(date.month), day: Int(date.day), hour: hour == 0 ? 12 : hour)
        guard var moment = calendar.date(from: parts) else { return nil }
        // Some zones change their clocks at midnight.
        if hour == 0 { moment = calendar.startOfDay(for: moment) }
        let seconds = moment.timeIntervalSince1970.rounded().truncated(to: Int64.self)
        return seconds?.multiplied(by: 1_000_000).map { Timestamp(microseconds: $0) }
    }

    /// Returns 1 for Monday to 7 for Sunday.
    static func weekday(of day: Int64) -> Int {
        let shifted = (day + 3) % 7
        return Int(shifted < 0 ? shifted + 7 : shifted) + 1
    }

    private static let firstSecond: Int64 = -2_208_988_800
    private static let endSecond: Int64 = 7_289_654_400
}

/// Finds the day of moments in a zone; reused for many moments, because finding a zone takes longer than a day in it.
package struct DayClock: Sendable {
    private let calendar: LocalCalendar

    /// Takes an IANA name; an unknown one counts as UTC.
    package init(zone: String) {
        calendar = LocalCalendar(zone: zone)
    }

    /// Returns the day that a moment lies in, counted from 1970-01-01; nil before 1900 and after 2200.
    package func day(of moment: Timestamp) -> Int64? { calendar.day(of: moment) }
}

/// A day, month or year without a zone.
struct CivilMonth: Equatable {
    var year: Int64
    /// 1 to 12.
    var month: Int64

    init(year: Int64, month: Int64) {
        self.year = year
        self.month = month
    }

    init(day: Int64) {
        let date = Timestamp.civilDate(dayNumber: day)
        self.init(year: date.year, month: date.month)
    }

    /// Returns the month that is `count` months later.
    func adding(_ count: Int64) -> CivilMonth {
        let months = (year * 12 + month - 1).addingClamped(count)
        let newYear = months.quotient(flooringBy: 12)
        return CivilMonth(year: newYear, month: months - newYear * 12 + 1)
    }

    var firstDay: Int64 { Timestamp.dayNumber(year: year, month: month, day: 1) }

    /// The days of the month, or of `count` months from this one.
    func days(_ count: Int64 = 1) -> Range<Int64> {
        firstDay..<adding(count).firstDay
    }

    /// Returns a day of this month; nil when the month is shorter.
    func day(_ number: Int64) -> Int64? {
        (1...Timestamp.dayCount(year: year, month: month)).contains(number) ? firstDay + number - 1 : nil
    }
}
