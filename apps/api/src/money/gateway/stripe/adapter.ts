import type { Adapter } from '#money/gateway/adapter.ts'
import { readEvent } from '#money/gateway/stripe/read-event.ts'
import { stripeBookings } from '#money/gateway/stripe/stripe-bookings.ts'
import { isLiveKey } from '#money/gateway/stripe/stripe-call.ts'
import { stripeCheck } from '#money/gateway/stripe/stripe-check.ts'
import { createStripeClient } from '#money/gateway/stripe/stripe-client.ts'

export const stripe: Adapter = {
  open: ({ stripe }, publicUrl, onSilence) =>
    stripe ? createStripeClient({ stripe, publicUrl }, onSilence) : undefined,
  readEvent: ({ stripe }, raw, headers, now) =>
    stripe
      ? readEvent(
          raw,
          String(headers['stripe-signature'] ?? ''),
          stripe.webhookSecrets,
          now,
          isLiveKey(stripe.key),
        )
      : undefined,
  bookings: ({ stripe }) => (stripe ? stripeBookings(stripe) : undefined),
  check: stripeCheck,
}
