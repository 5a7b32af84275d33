import type { With } from '#dependencies.ts'
import { renderLetter } from '#mail/layout.ts'
import { findPayment } from '#payments/payments.queries.ts'
import { countKeyedJobs } from '#queue/workers.ts'

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
      `Payment ${paymentId} bought ${row.connections === 1 ? '1 connection' : `${row.connections} connections`}, and no open node has as many free addresses.${others > 0 ? ` ${others} more wait as well.` : ''}`,
      'The customer sees that it is paid, and gets nothing until there is room. Open a node that is drained (npm run ops -- node open NAME), or add one (npm run ops -- node add NAME --endpoint HOST:PORT --ipv4 CIDR --ipv6 CIDR). It is delivered within 30 seconds after that.',
    ],
    notes: [
      'You are told again after an hour, if any waits then. See "A paid order waits for room" in docs/operating.md.',
    ],
  }
  const { operatorEmail, brand } = settings
  await mailer.send({ to: operatorEmail, subject: heading, key, ...renderLetter(letter, brand) })
}
