import { counted } from '@hedgerow/domain/order-description'
import type { VelocityKind } from '@hedgerow/domain/velocity-limits'
import { listPauses } from '#money/payments/attempts/velocity.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { operatorMail } from '#platform/mail/operator-letter.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

const NAMES: Readonly<Record<VelocityKind, string>> = {
  order: 'order',
  account: 'account',
  issuer: 'card issuer',
  network: 'network',
}

/** To the operator: so many payments came to nothing that no more are taken for a while. It may be card testing. */
export const mailCardTesting = async ({ db, mailer, settings }: Deps, key: string) => {
  const pauses = await listPauses(db)
  const paused = pauses.filter(({ kind }) => kind !== 'order')
  if (paused.length === 0) return
  const list = paused.map(({ kind, count }) => counted(count, NAMES[kind]))
  const letter = {
    heading: 'Many payments are being declined: someone may be testing cards',
    paragraphs: [
      `Payments are paused for ${list.join(', ')}. Each pause ends by itself. Customers affected are told when it ends, and what else they can do.`,
    ],
    notes: ['You get another email after an hour if it goes on. See "CardTesting" in docs/incidents.md.'],
    page: { label: 'See the payments that led to it', path: '/payments?only=card-testing' },
    commands: [['The payments that led to it', 'payment list --only card-testing']],
  } as const
  await mailer.send({ ...operatorMail(letter, settings), key })
}
