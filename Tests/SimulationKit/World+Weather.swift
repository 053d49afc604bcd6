import Charging

/// What the weather does to the run.
extension World {
    func scheduleWeather() {
        func often(_ count: Int, _ happening: @escaping (World) -> Void) {
            for _ in 0..<count {
                let at = random.happens(0.6) ? random.between(0, 20 * Weather.minute) : random.between(0, Weather.lasts)
                clock.after(at) { [unowned(unsafe) self] in happening(self) }
            }
        }
        often(weather.storms) { world in
            let length = world.outage()
            world.stripe.stormUntil = world.now + length
            world.story.tell(
                world.now, .weather, detail: length, "Stripe answers everything with 503 for \(length / 1000) s")
        }
        often(weather.keyOutages) { world in
            let length = world.outage()
            world.stripe.keyOutUntil = world.now + length
            world.story.tell(
                world.now, .weather, detail: length, "Stripe does not accept the key for \(length / 1000) s")
        }
        often(weather.resultsFull) { world in
            let length = world.random.between(1000, 10 * Weather.minute)
            world.broker.resultsFullUntil = world.now + length
            world.story.tell(world.now, .weather, detail: length, "the results queue is full for \(length / 1000) s")
        }
        often(weather.restarts) { world in
            world.broker.goDown(for: world.random.between(500, 3 * Weather.minute))
        }
        if weather.weekend {
            often(1) { world in world.broker.goDown(for: world.random.between(26, 66) * Weather.hour) }
        }
        often(weather.drains) { world in world.workers[world.random.below(world.workers.count)].drain() }
    }

    /// How long Stripe or its key is away: minutes, at times most of an hour.
    private func outage() -> Int64 {
        random.between(5000, random.happens(0.2) ? 40 * Weather.minute : 5 * Weather.minute)
    }

    /// Trouble is over.
    var isCalm: Bool { now >= calmFrom }

    /// Whether a kind of trouble strikes now.
    func strikes(_ probability: Double) -> Bool { !isCalm && random.happens(probability) }

    /// At any await of a visit its worker may be struck.
    func strike(_ worker: SimulatedWorker) {
        guard strikesLeft > 0, !isCalm else { return }
        if random.happens(weather.crash) {
            strikesLeft -= 1
            worker.crash("dies")
        } else if random.happens(weather.freeze) {
            strikesLeft -= 1
            let long = weather.freezesLong && random.happens(0.2)
            worker.freeze(for: long ? random.between(1, 25) * Weather.hour : random.between(500, 3 * Weather.minute))
        } else if random.happens(weather.channelLoss), let epoch = worker.consuming {
            strikesLeft -= 1
            broker.close(epoch)
        }
    }

    /// How late a search is about a new object.
    func searchLag() -> Int64 {
        random.happens(0.7) ? random.between(0, min(1000, weather.searchLag)) : random.between(0, weather.searchLag)
    }

    /// A request's way to Stripe and back.
    func carry(_ desk: VisitDesk, _ call: Int, _ serve: @escaping () -> SimulatedStripe.Served) {
        let deadline = now + 30_000
        func give(_ delay: Int64, _ outcome: StripeOutcome) {
            clock.after(delay) { desk.arrived(call, SimulatedStripe.Served(0, outcome)) }
        }
        if !isCalm {
            if random.happens(weather.notSent) {
                return give(random.between(1, 3000), .notSent(NotSent(kind: .connect, message: "connection refused")))
            }
            if random.happens(weather.resetBefore) {
                return give(random.between(1, 30_000), .noAnswer("reset"))
            }
        }
        var out = random.between(5, 60)
        if strikes(weather.late) {
            out = random.between(30_000, 10 * Weather.minute)
            give(30_000, .noAnswer("timeout"))
        }
        stripe.later(out) { [unowned(unsafe) self] in
            let served = serve()
            let at = now + served.work + random.between(5, 60)
            guard out < 30_000 else { return }
            if at > deadline { return give(max(0, deadline - now), .noAnswer("timeout")) }
            if strikes(weather.resetAfter) { return give(at - now, .noAnswer("reset")) }
            if strikes(weather.garbage) { return give(at - now, .notStripe("truncated")) }
            clock.after(at - now) { desk.arrived(call, served) }
        }
    }

    /// A publish's way to the broker, and its confirm's way back.
    func carry(_ message: OutgoingMessage, of open: OpenDelivery, from desk: VisitDesk, _ call: Int) {
        let settles = message.settles
        func say(_ delay: Int64, _ word: PublishWord) {
            clock.after(delay) { desk.said(call, word, settles: settles) }
        }
        guard broker.isUp else { return say(random.between(1, 3000), .lost) }
        let life = broker.life
        clock.after(random.between(1, 4)) { [unowned(unsafe) self] in
            guard broker.isUp, broker.life == life else { return say(random.between(1, 2000), .lost) }
            var isRefused = strikes(weather.nack)
            if case .result = message, now < broker.resultsFullUntil { isRefused = true }
            if isRefused { return say(random.between(1, 20), .refused) }
            let isUnheard = unheardLeft > 0 && strikes(weather.wordLost)
            if isUnheard { unheardLeft -= 1 }
            if !isUnheard || random.happens(0.5) { broker.store(message, of: open) }
            if isUnheard { return say(random.between(100, 10_000), .lost) }
            let isSlow = strikes(weather.slowConfirm)
            clock.after(isSlow ? random.between(1000, 20_000) : random.between(1, 10)) { [unowned(unsafe) self] in
                desk.said(call, broker.life == life ? .confirmed : .lost, settles: settles)
            }
        }
    }
}
