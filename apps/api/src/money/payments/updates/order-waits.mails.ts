import { findPayment } from '#money/payments/payments.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'
import { countKeyedJobs } from '#platform/queue/workers.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

/** To the operator: no open node has room for what was paid. */
export const mailOrderWaits = async ({ db, mailer, settings }: Deps, paymentId: string, key: string) => {
  const row = await findPayment(db, paymentId)
  if (!row || row.delivered_at) return
  const others = (await countKeyedJobs(db, 'deliver-payment')) - 1
  const heading = 'A paid order waits for room'
  const letter = {
    heading,
    paragraphs: [
      `Payment ${paymentId} bought ${row.connections === 1 ? '1 connection' : `${row.connections} connections`}, but no open node has that many free addresses.${others > 0 ? ` ${others} more ${others === 1 ? 'is' : 'are'} waiting as well.` : ''}`,
      'The customer sees that it is paid, but gets nothing until there is room. Open a drained node (npm run ops -- node open NAME), or add one (npm run ops -- node add --name NAME --endpoint HOST:PORT --ipv4 CIDR --ipv6 CIDR). It is then delivered within 30 seconds.',
    ],
    notes: [
      'You get another mail after an hour if any order is still waiting. See "A paid order waits for room" in docs/operating.md.',
    ],
  }
  const { operatorEmail, brand } = settings
  await mailer.send({ to: operatorEmail, subject: heading, key, ...renderLetter(letter, brand) })
}
