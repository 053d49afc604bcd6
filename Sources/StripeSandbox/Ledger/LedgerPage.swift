internal import JSONText

/// The ledger as a page for people: no script, nothing from elsewhere, loads itself again every two seconds.
struct LedgerPage {
    let sandbox: Sandbox
    let now: Int64

    /// Rows shown; all are in the ledger call.
    private static let rows = 200

    func reply() -> SandboxReply {
        SandboxReply(
            200,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
            ],
            body: Array(html().utf8))
    }

    func html() -> String {
        let ledger = sandbox.ledger
        let shown = ledger.lines.suffix(Self.rows)
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2">
            <meta name="viewport" content="width=device-width"><title>chargeline sandbox: ledger</title>
            <style>\(Self.style)</style></head><body>
            <h1>Sandbox ledger</h1>
            <ul class="totals">
            \(total("requests", sandbox.stats.requests))\(total("tries", ledger.lines.count))
            \(total("charged", ledger.charged))\(total("replayed", sandbox.stats.replays))
            \(total("doubled", ledger.doubled.count, bad: !ledger.doubled.isEmpty))
            \(total("peak per second", sandbox.stats.peakPerSecond))
            </ul>
            \(doubledList())
            <p>Clock: \(RFC3339.text(milliseconds: now)). Newest \(shown.count) of \(ledger.lines.count) tries;
            all of them: <a href="/_sandbox/ledger">/_sandbox/ledger</a>.
            Counts: <a href="/_sandbox/stats">/_sandbox/stats</a>.</p>
            <table><thead><tr><th>time</th><th>charge id</th><th>status</th><th class="n">amount</th><th>currency</th>
            <th>reason</th><th>idempotency key</th><th>Stripe's id</th></tr></thead><tbody>
            \(shown.reversed().map(row).joined(separator: "\n"))
            </tbody></table></body></html>
            """
    }

    private func total(_ name: String, _ count: Int, bad: Bool = false) -> String {
        "<li\(bad ? " class=\"bad\"" : "")><b>\(count)</b> \(name)</li>"
    }

    private func doubledList() -> String {
        let ids = sandbox.ledger.doubled.sorted()
        guard !ids.isEmpty else { return "" }
        let shown = ids.prefix(50).map { "\(Self.escape($0)) (\(sandbox.ledger.times(charged: $0)) times)" }
        let list = shown.joined(separator: ", ") + (ids.count > 50 ? ", …" : "")
        return "<p class=\"bad\">Charged more than once: \(list)</p>"
    }

    private func row(_ line: Ledger.Line) -> String {
        let ids = sandbox.store.ids
        let purchase = LedgerText(store: sandbox.store).purchase(line)
        let id = purchase.chargeID ?? ""
        let created: Int64
        let (status, reason, key, object): (String, String?, String?, String)
        switch line {
        case .charge(let number):
            let charge = sandbox.store.charges[number].value
            created = charge.created
            (status, reason, key) = (charge.standing, charge.decline?.value.declineCode, charge.idempotencyKey)
            object = ids.text(.charge, number)
        case .attempt(let kept):
            let attempt = kept.value
            created = attempt.created
            (status, reason, key) = (attempt.status, attempt.code, attempt.idempotencyKey)
            object = ids.text(.intent, attempt.intent)
        }
        let cells = [
            String(RFC3339.text(milliseconds: created).dropFirst(11).prefix(12)), id, status,
            AmountRules.text(purchase.amount, purchase.currency), purchase.currency, reason ?? "", key ?? "", object,
        ]
        let isDoubled = sandbox.ledger.doubled.contains(id)
        let row = cells.enumerated().map { "<td\($0 == 3 ? " class=\"n\"" : "")>\(Self.escape($1))</td>" }
        return "<tr class=\"\(status)\(isDoubled ? " bad" : "")\">\(row.joined())</tr>"
    }

    /// What callers sent is shown as text, never as markup.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    private static let style = """
        :root{color-scheme:light dark}body{font:14px/1.4 system-ui,sans-serif;margin:1.5em}h1{font-size:1.3em}
        .totals{display:flex;flex-wrap:wrap;gap:1.5em;list-style:none;padding:0}.totals b{font-size:1.4em}
        table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.2em .6em;border-bottom:1px solid #8884}
        td{font-family:ui-monospace,monospace;overflow-wrap:anywhere}.n{text-align:right}
        .failed td,.canceled td{opacity:.6}.bad,tr.bad td{background:#c00;color:#fff;opacity:1}p.bad{padding:.4em}
        """
}
