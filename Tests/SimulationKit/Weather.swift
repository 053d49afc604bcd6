/// How bad the world of one run is. Most kinds of trouble are absent from most runs, so that those present are seen
/// apart from the rest.
package struct Weather: Sendable {
    // Charges
    /// How many.
    package var charges: Int
    /// They come in over this long, ms.
    package var spread: Int64
    /// Workers come up this late: a backlog.
    package var workersStart: Int64 = 0
    /// A message is submitted again.
    package var duplicates = 0.0
    /// A second submission under the same id differs.
    package var differing = 0.0
    /// A message without a believable time of acceptance.
    package var unstamped = 0.0
    /// Every charge is submitted again this much later, ms; 0: none for that reason.
    package var submitsAgainAfter: Int64 = 0
    /// Only tokens pay, which both flows take.
    package var tokensOnly = false
    /// All payment methods may pay more than once.
    package var paysReusably = false
    /// A charge has a `not_after`.
    package var expiring = 0.0
    /// The workers give one lane's charges a `not_after`.
    package var laneExpires = false

    // Workers
    package var workers: Int
    package var slots: Int
    /// No clock is further than this from the true time, ms: two are twice as far apart at most.
    package var skew: Int64
    /// The process dies, at any one of a visit's awaits.
    package var crash = 0.0
    /// It stops for a while there.
    package var freeze = 0.0
    /// For as long as a day.
    package var freezesLong = false
    /// A channel closes: at any one await.
    package var channelLoss = 0.0
    /// TERM, now and then.
    package var drains = 0
    /// Workers are not all of one flow: a rolling change of `STRIPE_FLOW`.
    package var mixedFlows = false

    // Broker
    package var restarts = 0
    /// One outage lasts days.
    package var weekend = false
    /// A publish is stored, and its confirm lost; or it is lost altogether.
    package var wordLost = 0.0
    package var nack = 0.0
    /// A confirm takes seconds.
    package var slowConfirm = 0.0
    /// Dead-lettering makes two of one.
    package var twin = 0.0
    /// For a while the results queue takes nothing.
    package var resultsFull = 0

    // The way to Stripe
    package var notSent = 0.0
    package var resetBefore = 0.0
    package var resetAfter = 0.0
    /// The request arrives after the client gave up, by up to ten minutes.
    package var late = 0.0

    // Stripe
    package var failures = 0.0
    package var limited = 0.0
    package var lockTimeout = 0.0
    package var garbage = 0.0
    /// An execution takes half a minute or more.
    package var slow = 0.0
    /// All answers are 503, for a while.
    package var storms = 0
    /// All answers are 401, for a while.
    package var keyOutages = 0
    /// The search is late by up to this, ms.
    package var searchLag: Int64
    /// A search forgets again what it found, within the lag.
    package var flapping = 0.0
    /// A refused request is stored under its key, where the documentation leaves it open.
    package var storesRejections: Bool
    /// A repeat of a request that Stripe has executed is answered 400, as if the request were at fault.
    package var fickle = 0.0
    /// Cards do other things than succeed.
    package var oddCards: Double

    /// Trouble ends after this long, ms; what was begun is then brought to an end.
    package static let lasts: Int64 = 30 * hour
    package static let minute: Int64 = 60_000
    package static let hour: Int64 = 3_600_000

    /// Takes every trouble out of it.
    package mutating func calm() {
        var random = SplitMix64(seed: 0)
        let (charges, spread) = (charges, spread)
        repeat { self = Weather(charges: charges, &random) } while hasTrouble
        self.spread = spread
        (workersStart, oddCards, skew, expiring, flapping) = (0, 0, 0, 0, 0)
        (mixedFlows, storesRejections, laneExpires, tokensOnly) = (false, false, false, true)
    }

    private var hasTrouble: Bool {
        let rates = [
            duplicates, differing, unstamped, crash, freeze, channelLoss, wordLost, nack, slowConfirm, twin, notSent,
            resetBefore, resetAfter, late, failures, limited, lockTimeout, garbage, slow, fickle,
        ]
        return weekend || drains + restarts + resultsFull + storms + keyOutages > 0 || rates.contains { $0 > 0 }
    }

    /// Draws the weather of a seed.
    init(charges: Int, _ random: inout SplitMix64) {
        self.charges = charges
        // A few runs are calm and a few have about every second kind of trouble at once; most have some kinds, so that
        // most charges go through at once and what is found has few causes.
        let mood = random.fraction()
        let share = mood < 0.1 ? 0 : mood < 0.75 ? 0.35 : 1
        func rate(_ often: Double, _ most: Double) -> Double {
            guard random.happens(often * share) else { return 0 }
            let part = random.fraction()
            return most * part * part
        }
        func count(_ often: Double, _ most: Int64) -> Int {
            random.happens(often * share) ? Int(random.between(1, most)) : 0
        }
        spread = random.one(of: [1000, 10 * Self.minute, Self.hour, 10 * Self.hour])
        workers = Int(random.between(1, 4))
        slots = random.one(of: [1, 3, 10, 30])
        skew = random.one(of: [0, 50, 2000, Self.hour])
        searchLag = random.one(of: [1000, Self.minute, 10 * Self.minute, 59 * Self.minute])
        storesRejections = random.happens(0.5)
        oddCards = random.one(of: [0.1, 0.4, 0.8])
        if random.happens(0.1) { workersStart = random.one(of: [2, 11, 13, 21, 26]) * Self.hour }

        duplicates = rate(0.6, 0.5)
        differing = rate(0.4, 0.5)
        unstamped = rate(0.4, 0.5)
        expiring = random.one(of: [0, 0.2, 0.8])
        laneExpires = random.happens(0.2)
        crash = rate(0.6, 0.05)
        freeze = rate(0.4, 0.02)
        freezesLong = random.happens(0.5)
        channelLoss = rate(0.4, 0.02)
        drains = count(0.3, 5)
        mixedFlows = random.happens(0.2)
        restarts = count(0.4, 4)
        weekend = random.happens(0.1 * share)
        wordLost = rate(0.5, 0.1)
        nack = rate(0.3, 0.1)
        slowConfirm = rate(0.3, 0.2)
        twin = rate(0.4, 0.5)
        resultsFull = count(0.2, 3)
        notSent = rate(0.4, 0.2)
        resetBefore = rate(0.4, 0.3)
        resetAfter = rate(0.5, 0.4)
        late = rate(0.4, 0.3)
        failures = rate(0.6, 0.4)
        limited = rate(0.4, 0.2)
        lockTimeout = rate(0.3, 0.2)
        garbage = rate(0.3, 0.2)
        slow = rate(0.3, 0.3)
        storms = count(0.3, 2)
        keyOutages = count(0.2, 2)
        fickle = rate(0.2, 0.5)
        flapping = random.happens(0.3) ? 0.5 : 0
    }
}
