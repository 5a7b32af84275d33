import { findPayment } from '#money/payments/payments.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { operatorMail } from '#platform/mail/operator-letter.ts'
import { countKeyedJobs } from '#platform/queue/workers.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

/** To the operator: no open node has room for what was paid. */
export const mailOrderWaits = async ({ db, mailer, settings }: Deps, paymentId: string, key: string) => {
  const row = await findPayment(db, paymentId)
  if (!row || row.delivered_at) return
  const others = (await countKeyedJobs(db, 'deliver-payment')) - 1
  const letter = {
    heading: 'A paid order is waiting for free addresses',
    paragraphs: [
      `Payment ${paymentId} bought ${row.connections === 1 ? '1 connection' : `${row.connections} connections`}, but no open node has that many free addresses.${others > 0 ? ` ${others} more ${others === 1 ? 'is' : 'are'} waiting as well.` : ''}`,
      'The customer sees that it is paid, but gets nothing until there are. Open a drained node or add one. The order is then delivered within 30 seconds.',
    ],
    notes: [
      'You get another mail after an hour if any order is still waiting. See "A paid order waits for room" in docs/operating.md.',
    ],
    page: { label: 'Open the nodes', path: '/nodes' },
    commands: [
      ['See the payment', `payment show ${paymentId}`],
      ['Open a drained node', 'node open NAME'],
      ['Add a node', 'node add --name NAME --endpoint HOST:PORT --ipv4 CIDR --ipv6 CIDR'],
    ],
  } as const
  await mailer.send({ ...operatorMail(letter, settings), key })
}
