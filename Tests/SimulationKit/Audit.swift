import Charging

/// Watches a run for what must never be: the promises of chargeline, as checks against the true state of the simulated
/// Stripe and broker.
final class Audit {
    private unowned(unsafe) let world: World
    private var records: [Record]
    /// The first promise broken, in a sentence.
    private(set) var violation: String?
    private(set) var totals = SimulationTotals()

    /// What is known of one charge id.
    private struct Record {
        var submitted = Variants()
        /// Messages that carried it: more than one may be on their way at a time.
        var copies = 0
        var finals: [Telling] = []
        var refused = Variants()
        var parked = Variants()
        var moved: [Payment] = []
        var events: [Telling] = []
    }

    /// Bodies of one id.
    private struct Variants {
        private var bits = 0

        var isEmpty: Bool { bits == 0 }
        mutating func insert(_ variant: Int) { bits |= 1 << variant }
        func contains(_ variant: Int) -> Bool { bits >> variant & 1 == 1 }
    }

    /// A result that somebody was told, and the body it is about.
    private final class Telling {
        let result: ChargeResult
        let variant: Int

        init(_ result: ChargeResult, _ variant: Int) {
            self.result = result
            self.variant = variant
        }
    }

    init(world: World, charges: Int) {
        self.world = world
        records = Array(repeating: Record(), count: charges)
    }

    func violate(_ what: String, charge: Int? = nil) {
        guard violation == nil else { return }
        violation = (charge.map { "order-\($0): " } ?? "") + what
        world.story.tell(world.now, charge: charge, .violated, "VIOLATION: \(what)")
    }

    // MARK: Broker

    func submitted(_ message: QueuedMessage) {
        records[message.charge].submitted.insert(message.variant)
        records[message.charge].copies += 1
        totals.submitted += 1
    }

    /// A second message of a charge is under way: dead-lettering made two, or one that was republished is delivered
    /// again.
    func copied(_ message: QueuedMessage) {
        records[message.charge].copies += 1
    }

    func hasCopies(_ charge: Int) -> Bool { records[charge].copies > 1 }

    func acked(_ open: OpenDelivery, worker: Int) {
        if !open.isSafe {
            violate(
                "a delivery was acked before anything that takes its place was confirmed", charge: open.message.charge)
        }
    }

    func parked(_ message: QueuedMessage, reason: String) {
        records[message.charge].parked.insert(message.variant)
        totals.parked[reason, default: 0] += 1
    }

    func ended(_ desk: VisitDesk, _ disposition: Disposition) {
        totals.visits += 1
        world.story.tell(
            world.now, worker: desk.worker.number, charge: desk.charge, .ended, detail: Int64(desk.acks),
            "is done with it: \(disposition.text)")
        let isLeft = disposition == .left
        if isLeft ? desk.acks != 0 : desk.acks != 1 {
            violate("a visit ended as \(disposition.text) with \(desk.acks) acks", charge: desk.charge)
        }
        if isLeft, desk.isOpen(desk.delivery) {
            violate("a visit left a delivery whose channel is open", charge: desk.charge)
        }
    }

    // MARK: Results

    /// A result is stored: the world knows it from now on.
    func stored(_ result: ChargeResult, of message: QueuedMessage) {
        let charge = message.charge
        totals.results[result.status, default: 0] += 1
        guard result.id == world.plan[charge].id else {
            return violate("a result is about \(result.id.text)", charge: charge)
        }
        let telling = Telling(result, message.variant)
        checkEvent(telling, charge: charge)
        if result.status == .refused {
            records[charge].refused.insert(message.variant)
            checkRefused(message)
        }
        guard result.isFinal else { return }
        for other in records[charge].finals where other.result.status != result.status {
            guard
                isOfAnotherBody(result, message.variant, other.result, other.variant)
                    || isTold(result, other.result, byCopiesOf: charge)
            else {
                violate("\(result.status.rawValue) is said after \(other.result.status.rawValue)", charge: charge)
                return
            }
        }
        records[charge].finals.append(telling)
        checkMoney(result, message)
    }

    /// A request that was rejected never was the charge of its id: a corrected one under the same id may be.
    private func isOfAnotherBody(_ a: ChargeResult, _ variantA: Int, _ b: ChargeResult, _ variantB: Int) -> Bool {
        variantA != variantB && (a.status == .rejected || b.status == .rejected)
    }

    /// The one limit: a rejection leaves nothing at Stripe, so a copy that is too late to be sent says `not_charged`.
    /// Both are true.
    private func isTold(_ a: ChargeResult, _ b: ChargeResult, byCopiesOf charge: Int) -> Bool {
        let said: Set<ChargeStatus> = [a.status, b.status]
        return records[charge].copies > 1 && said == [.rejected, .notCharged]
    }

    private func checkEvent(_ telling: Telling, charge: Int) {
        let result = telling.result
        for known in records[charge].events where known.result.status == result.status {
            let isSameBody = known.variant == telling.variant
            if result.status == .refused, !isSameBody {
                if known.result.event == result.event {
                    violate("two messages were refused in one event \(result.event)", charge: charge)
                }
                continue
            }
            if known.result.event != result.event {
                violate("one event has two ids: \(known.result.event), \(result.event)", charge: charge)
            }
            if let difference = known.result.difference(from: result), isSameBody {
                violate("event \(result.event) was told twice with another \(difference)", charge: charge)
            }
            return
        }
        records[charge].events.append(telling)
    }

    private func checkRefused(_ message: QueuedMessage) {
        let isOwned = world.stripe.payments[message.charge].contains { !isOf($0, message.charge, message.variant) }
        if !isOwned { violate("it is refused, but no other charge has its id", charge: message.charge) }
    }

    private func checkMoney(_ result: ChargeResult, _ message: QueuedMessage) {
        let moved = records[message.charge].moved
        switch result.status {
        case .succeeded, .authorized:
            let state: Payment.State = result.status == .succeeded ? .succeeded : .requiresCapture
            guard moved.count == 1, let payment = moved.first, payment.state == state else {
                return violate(
                    "\(result.status.rawValue) is said, and Stripe holds \(moved.map { "\($0.state)" })",
                    charge: message.charge)
            }
            if !isOf(payment, message.charge, message.variant) {
                violate("\(result.status.rawValue) is said of another body's payment", charge: message.charge)
            }
        default:
            if let payment = moved.first, !isRejectedElsewhere(result, message.variant, payment) {
                violate(
                    "\(result.status.rawValue) is said, and \(payment.chargeID) is \(payment.state)",
                    charge: message.charge)
            }
        }
    }

    private func isRejectedElsewhere(_ result: ChargeResult, _ variant: Int, _ payment: Payment) -> Bool {
        guard result.status == .rejected, let charge = payment.charge else { return false }
        return !isOf(payment, charge, variant)
    }

    /// Whether a payment was made from this body: those of one id differ in their amounts.
    private func isOf(_ payment: Payment, _ charge: Int, _ variant: Int) -> Bool {
        payment.form.amount == world.plan[charge].variants[variant].request.amount
    }

    // MARK: Stripe

    /// Money moves.
    func moved(_ payment: Payment) {
        guard let charge = payment.charge, records.indices.contains(charge) else { return }
        records[charge].moved.append(payment)
        totals.moved += 1
        if records[charge].moved.count > 1 {
            violate("it is charged twice", charge: charge)
        }
        for final in records[charge].finals
        where final.result.status != .succeeded && final.result.status != .authorized {
            if !isRejectedElsewhere(final.result, final.variant, payment) {
                violate("money moves after \(final.result.status.rawValue) was said", charge: charge)
            }
        }
    }

    /// Money that was reserved is released: a buyer came back just before his intent was cancelled. Never once it was
    /// told.
    func undone(_ payment: Payment) {
        guard let charge = payment.charge else { return }
        if records[charge].finals.contains(where: { $0.result.status == .succeeded || $0.result.status == .authorized })
        {
            violate("\(payment.chargeID) was said to have moved money and is cancelled", charge: charge)
        }
        records[charge].moved.removeAll { $0 === payment }
        totals.moved -= 1
    }

    /// A send leaves a worker. Half a minute is the grain of a frozen process.
    func sent(_ desk: VisitDesk) {
        totals.sends += 1
        let now = desk.worker.clock - 31_000
        if desk.mayHaveBeenSent {
            if let accepted = desk.accepted, now - accepted >= 23 * Weather.hour {
                violate("it may have been sent before and is sent 23 h after its acceptance", charge: desk.charge)
            }
        } else if let notAfter = world.plan[desk.charge].variants[desk.variant].request.notAfter, now > notAfter {
            violate("it is sent for the first time after its not_after", charge: desk.charge)
        }
    }

    // MARK: The end

    /// Nothing is under way any more: everything must have come to an end.
    func end() {
        for (charge, record) in records.enumerated() {
            for variant in world.plan[charge].variants.indices where record.submitted.contains(variant) {
                let isAnswered =
                    record.refused.contains(variant) || record.parked.contains(variant)
                    || record.finals.contains { $0.variant == variant }
                if !isAnswered { violate("it is lost: no final result, and not parked", charge: charge) }
            }
            let isTold = record.finals.contains { $0.result.status == .succeeded || $0.result.status == .authorized }
            if !record.moved.isEmpty, !isTold, record.parked.isEmpty {
                violate("money moved and nobody was told", charge: charge)
            }
        }
    }
}

extension ChargeResult {
    /// The first field in which two tellings of one event differ, where they must not.
    func difference(from other: ChargeResult) -> String? {
        if amount != other.amount { return "amount" }
        if currency != other.currency { return "currency" }
        if metadata != other.metadata { return "metadata" }
        if lane != other.lane { return "lane" }
        if correlationID != other.correlationID { return "correlation_id" }
        if customer != other.customer { return "customer" }
        // A copy that finds the key taken by another tells what it found: `canceled` for `expired`, and the intent that
        // took it.
        guard isFinal, status != .notCharged else { return nil }
        if stripe.paymentIntent != other.stripe.paymentIntent { return "payment_intent" }
        if stripe.charge != other.stripe.charge { return "charge" }
        if failure?.code != other.failure?.code { return "failure.code" }
        if failure?.declineCode != other.failure?.declineCode { return "failure.decline_code" }
        if failure?.param != other.failure?.param { return "failure.param" }
        return nil
    }
}

extension Disposition {
    var text: String {
        switch self {
        case .answered(let result): "answered, \(result.status.rawValue)"
        case .waits(let tier, let phase): "waits \(tier.name), phase \(phase.rawValue)"
        case .parked(let reason): "parked, \(reason.rawValue)"
        case .givenBack: "given back"
        case .left: "left"
        }
    }
}
