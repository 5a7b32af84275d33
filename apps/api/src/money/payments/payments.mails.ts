import { declineReason } from '@hedgerow/domain/decline-reasons'
import { formatMoney } from '@hedgerow/domain/money'
import { describeOrder } from '@hedgerow/domain/order-description'
import { chargedReason } from '#money/payments/charged-reason.ts'
import { checkoutPath } from '#money/payments/checkout-path.ts'
import { findDeclined } from '#money/payments/payments.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

/** To a customer who left before they could see that the payment was declined, and has not paid another way since. */
export const mailDeclined = async ({ db, mailer, settings }: Deps, paymentId: string, key: string) => {
  const declined = await findDeclined(db, paymentId)
  if (!declined) return
  const { brand, publicUrl } = settings
  const charged = chargedReason(declined)
  const why = declineReason(declined.gate_code)
  const sum = formatMoney(declined.amount_minor, declined.currency)
  const letter = {
    heading: 'Your payment did not go through',
    paragraphs: [
      `Hello ${declined.name},`,
      ...(charged
        ? [`Your payment of ${sum} for ${describeOrder(declined)} did not arrive as it should.`, charged]
        : [
            `The payment of ${sum} for ${describeOrder(declined)} was declined. You were not charged.`,
            ...(why ? [why] : []),
          ]),
    ],
    action: { label: 'Try again', url: `${publicUrl}${checkoutPath(declined)}` },
    notes: ['You can pay by card, from your bank account or by Blik.'],
  }
  const subject = 'Your payment did not go through'
  await mailer.send({ to: declined.email, subject, key, ...renderLetter(letter, brand) })
}
