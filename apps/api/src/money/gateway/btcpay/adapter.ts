import type { Adapter } from '#money/gateway/adapter.ts'
import { btcpayBookings } from '#money/gateway/btcpay/btcpay-bookings.ts'
import { btcpayCheck } from '#money/gateway/btcpay/btcpay-check.ts'
import { createBtcpayClient } from '#money/gateway/btcpay/btcpay-client.ts'
import { payoutsPage } from '#money/gateway/btcpay/read-claim.ts'
import { readHint } from '#money/gateway/btcpay/read-hint.ts'

export const btcpay: Adapter = {
  open: ({ btcpay }, publicUrl, onSilence) =>
    btcpay ? createBtcpayClient({ btcpay, publicUrl }, onSilence) : undefined,
  readEvent: ({ btcpay }, raw, headers) =>
    btcpay ? readHint(raw, String(headers['btcpay-sig'] ?? ''), btcpay) : undefined,
  claimPage: ({ btcpay }, ref) => (btcpay ? payoutsPage(btcpay, ref) : undefined),
  bookings: ({ btcpay }) => (btcpay ? btcpayBookings(btcpay) : undefined),
  check: btcpayCheck,
}
