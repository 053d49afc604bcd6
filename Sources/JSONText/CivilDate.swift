/// A day of the Gregorian calendar, and its number counted from 1970-01-01.
///
/// The arithmetic counts years from March, so that the leap day is a year's last (the known "days from civil" method);
/// an era is 400 years, 146,097 days.
struct CivilDate: Equatable {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Nil for a month or day that the calendar has not.
    init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date of a day counted from 1970-01-01.
    init(day number: Int64) {
        let (era, dayOfEra) = RFC3339.floorDivide(number + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The day's number counted from 1970-01-01, which is 0.
    var daysSince1970: Int64 {
        let (era, yearOfEra) = RFC3339.floorDivide(month <= 2 ? year - 1 : year, by: 400)
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}
