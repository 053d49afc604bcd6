/// How bad the world of one run is. Most kinds of trouble are absent from most runs, so that those present are seen
/// apart from the rest.
struct Weather {
    // Charges
    /// How many.
    var charges: Int
    /// They come in over this long, ms.
    var spread: Int64
    /// Workers come up this late: a backlog.
    var workersStart: Int64 = 0
    /// A message is submitted again.
    var duplicates = 0.0
    /// A second submission under the same id differs.
    var differing = 0.0
    /// A message without a believable time of acceptance.
    var unstamped = 0.0
    /// A charge has a `not_after`.
    var expiring = 0.0

    // Workers
    var workers: Int
    var slots: Int
    /// No clock is further than this from the true time, ms: two are twice as far apart at most.
    var skew: Int64
    /// The process dies, at any one of a visit's awaits.
    var crash = 0.0
    /// It stops for a while there.
    var freeze = 0.0
    /// For as long as a day.
    var freezesLong = false
    /// A channel closes: at any one await.
    var channelLoss = 0.0
    /// TERM, now and then.
    var drains = 0
    /// Workers are not all of one flow: a rolling change of `STRIPE_FLOW`.
    var mixedFlows = false

    // Broker
    var restarts = 0
    /// One outage lasts days.
    var weekend = false
    /// A publish is stored, and its confirm lost; or it is lost altogether.
    var wordLost = 0.0
    var nack = 0.0
    /// A confirm takes seconds.
    var slowConfirm = 0.0
    /// Dead-lettering makes two of one.
    var twin = 0.0
    /// For a while the results queue takes nothing.
    var resultsFull = 0

    // The way to Stripe
    var notSent = 0.0
    var resetBefore = 0.0
    var resetAfter = 0.0
    /// The request arrives after the client gave up, by up to ten minutes.
    var late = 0.0

    // Stripe
    var failures = 0.0
    var limited = 0.0
    var lockTimeout = 0.0
    var garbage = 0.0
    /// An execution takes half a minute or more.
    var slow = 0.0
    /// All answers are 503, for a while.
    var storms = 0
    /// All answers are 401, for a while.
    var keyOutages = 0
    /// The search is late by up to this, ms.
    var searchLag: Int64
    /// A search forgets again what it found, within the lag.
    var flapping = 0.0
    /// A refused request is stored under its key, where the documentation leaves it open.
    var storesRejections: Bool
    /// Cards do other things than succeed.
    var oddCards: Double

    /// Trouble ends after this long, ms; what was begun is then brought to an end.
    static let lasts: Int64 = 30 * hour
    static let minute: Int64 = 60_000
    static let hour: Int64 = 3_600_000

    /// Draws the weather of a seed.
    init(charges: Int, _ random: inout SplitMix64) {
        self.charges = charges
        let calm = random.happens(0.1)
        func rate(_ often: Double, _ most: Double) -> Double {
            guard !calm, random.happens(often) else { return 0 }
            let part = random.fraction()
            return most * part * part
        }
        func count(_ often: Double, _ most: Int64) -> Int {
            !calm && random.happens(often) ? Int(random.between(1, most)) : 0
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
        crash = rate(0.6, 0.05)
        freeze = rate(0.4, 0.02)
        freezesLong = random.happens(0.5)
        channelLoss = rate(0.4, 0.02)
        drains = count(0.3, 5)
        mixedFlows = random.happens(0.2)
        restarts = count(0.4, 4)
        weekend = !calm && random.happens(0.05)
        wordLost = rate(0.5, 0.1)
        nack = rate(0.3, 0.1)
        slowConfirm = rate(0.3, 0.2)
        twin = rate(0.4, 0.5)
        resultsFull = count(0.2, 3)
        notSent = rate(0.4, 0.2)
        resetBefore = rate(0.4, 0.3)
        resetAfter = rate(0.5, 0.4)
        late = rate(0.4, 0.3)
        failures = rate(0.6, 0.5)
        limited = rate(0.4, 0.2)
        lockTimeout = rate(0.3, 0.2)
        garbage = rate(0.3, 0.2)
        slow = rate(0.3, 0.3)
        storms = count(0.3, 2)
        keyOutages = count(0.2, 2)
        flapping = random.happens(0.3) ? 0.5 : 0
    }
}
