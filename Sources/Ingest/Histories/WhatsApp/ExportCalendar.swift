import ChatCore
import Foundation

/// The calendar of a phone, which its exports write dates in.
///
/// Exports do not name it; the year does. A chat of this application is from 2009 or later, so the years of no two of
/// these calendars meet before 2047.
enum ExportCalendar {
    case gregorian
    /// Years of Thailand: months and days are those of the Gregorian calendar.
    case buddhist
    /// Years of Taiwan, with three digits; months and days are those of the Gregorian calendar.
    case minguo
    /// The solar calendar of Iran and Afghanistan.
    case persian
    /// The lunar calendar. Phones use Umm al-Qura; another variant differs by a day at most.
    case hijri

    /// The calendar of a year with all its digits; nil for a year of no known calendar.
    init?(year: Int) {
        switch year {
        case 100...199: self = .minguo
        case 1370...1425: self = .persian
        case 1426...1500: self = .hijri
        case 1900...2199: self = .gregorian
        case 2443...2742: self = .buddhist
        default: return nil
        }
    }

    /// The day in the Gregorian calendar; nil if this calendar has no such day.
    func civil(year: Int, month: Int, day: Int) -> (year: Int, month: Int, day: Int)? {
        switch self {
        case .gregorian: (year, month, day)
        case .buddhist: (year.subtractingClamped(543), month, day)
        case .minguo: (year.addingClamped(1_911), month, day)
        case .persian: Self.converted(year, month, day, from: Self.persianCalendar)
        case .hijri: Self.converted(year, month, day, from: Self.hijriCalendar)
        }
    }

    private static let persianCalendar = calendar(.persian)
    private static let hijriCalendar = calendar(.islamicUmmAlQura)

    private static func calendar(_ identifier: Calendar.Identifier) -> Calendar {
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = .gmt
        return calendar
    }

    private static func converted(
        _ year: Int, _ month: Int, _ day: Int, from calendar: Calendar
    ) -> (year: Int, month: Int, day: Int)? {
        guard let date = calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12)) else {
            return nil
        }
        // Foundation takes a day 31 of a month of 30 days as the day after it.
        let read = calendar.dateComponents([.year, .month, .day], from: date)
        guard read.year == year, read.month == month, read.day == day,
            let seconds = date.timeIntervalSince1970.rounded().truncated(to: Int64.self)
        else { return nil }
        let civil = Timestamp.civilDate(dayNumber: seconds.quotient(flooringBy: 86_400))
        return (Int(civil.year), Int(civil.month), Int(civil.day))
    }
}
