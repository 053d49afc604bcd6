# Shared by the scripts; sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }
step() { printf '\n== %s\n' "$*" >&2; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# need PACKAGE WHY [PACKAGE WHY …]: installs the Debian packages that are missing, and says so first.
need() {
  local missing=()
  while [ $# -ge 2 ]; do
    if ! dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; then
      say "  missing: $1 ($2)"
      missing+=("$1")
    fi
    shift 2
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  command -v apt-get >/dev/null || die "this needs the packages ${missing[*]}; install them (on Debian: apt-get install ${missing[*]})"
  [ "$(id -u)" = 0 ] || die "these packages are missing; run: sudo apt-get install ${missing[*]}"
  say "  installing: ${missing[*]}"
  # A broker that a package starts by itself would be one too many: ours is private.
  local policy=/usr/sbin/policy-rc.d made=
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy" && made=1
  fi
  local log
  log=$(mktemp)
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    [ -z "$made" ] || rm -f "$policy"
    tail -n 20 "$log" >&2
    die "apt-get could not install ${missing[*]}; its last lines are above"
  fi
  [ -z "$made" ] || rm -f "$policy"
  rm -f "$log"
}

need_build_packages() {
  command -v swift >/dev/null || die "swift is not in PATH: install Swift 6.2 or newer from swift.org, then run this again"
  need librabbitmq-dev "the AMQP client" libcurl4-openssl-dev "the HTTP client" libmicrohttpd-dev "the HTTP server" \
    libssl-dev "SHA-256" pkg-config "finds the libraries"
}

need_broker_packages() {
  need rabbitmq-server "a private broker on loopback; no service is started" 
}

need_test_packages() {
  need amqp-tools "an AMQP client that is not ours, for the end-to-end tests" python3-venv "Stripe's own SDK checks the sandbox" \
    faketime "moves the clock of processes, for the torture test" openssl "certificates for the TLS tests" \
    curl "a plain HTTP client, for the end-to-end tests"
}
