import { counted } from '@hedgerow/domain/order-description'
import type { VelocityKind } from '@hedgerow/domain/velocity-limits'
import { listPauses } from '#money/payments/attempts/velocity.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'

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
  const heading = 'Many payments are declined: somebody may be testing cards'
  const list = paused.map(({ kind, count }) => counted(count, NAMES[kind]))
  const letter = {
    heading,
    paragraphs: [
      `Payments are paused for ${list.join(', ')}. Each pause ends by itself. Customers affected are told when it ends, and what else they can do.`,
      'The payments that led to it: npm run ops -- payment list --only card-testing',
    ],
    notes: ['You get another mail after an hour if it goes on. See "CardTesting" in docs/incidents.md.'],
  }
  const { operatorEmail, brand } = settings
  await mailer.send({ to: operatorEmail, subject: heading, key, ...renderLetter(letter, brand) })
}
