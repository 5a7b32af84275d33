import { formatUkTime } from '@hedgerow/domain/dates'
import { CONNECTIONS } from '@hedgerow/domain/pricing'
import { listNames } from '@hedgerow/domain/renewals'
import { findCustomer } from '#people/accounts/customers.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'
import type { JobPayloads } from '#platform/queue/add-job.ts'
import { listEndingSoon } from '#sales/renewals/reminders.queries.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

type Ending = { name: string; expires_at: Date }

/** 'Hedgerow 1 and 2 end on 21/11/2026 14:05.', a sentence for each moment. */
export const describeEnds = (connections: readonly Ending[], before = ''): string[] =>
  [...Map.groupBy(connections, ({ expires_at }) => formatUkTime(expires_at))].map(([end, ending]) => {
    const names = listNames(ending.map(({ name }) => name))
    return `${names} ${before}${ending.length === 1 ? 'ends' : 'end'} on ${end}.`
  })

/** What the connections of a payment came to that was given back, or cancelled. What was paid for otherwise too goes on. */
export const describeTakenBack = (
  connections: readonly { name: string; expires_at: Date | null; has_ended: boolean }[],
): string[] => {
  const going = connections.filter((one): one is typeof one & Ending => !one.has_ended)
  if (going.length === 0) return ['The connections it bought have ended.']
  return [
    ...describeEnds(going, 'now '),
    ...(going.length < connections.length ? ['The other connections it bought have ended.'] : []),
  ]
}

/** More names than these, or longer ones, are too many for a subject. */
const NAMED = 4
const LONGEST_NAMES = 60

/** Before connections end. Those that were extended since it was queued, and those that are gone, are left out. */
export const mailReminder = async (
  { db, mailer, settings }: Deps,
  { customerId, connectionIds }: JobPayloads['mail-reminder'],
  key: string,
): Promise<void> => {
  const connections = await listEndingSoon(db, connectionIds)
  const customer = await findCustomer(db, customerId)
  if (!customer || connections.length === 0) return
  const { brand, publicUrl } = settings
  const isOne = connections.length === 1
  const names = listNames(connections.map(({ name }) => name))
  const isCounted = connections.length > NAMED || (!isOne && names.length > LONGEST_NAMES)
  const heading = isCounted
    ? `${connections.length} of your connections end soon`
    : `${names} ${isOne ? 'ends' : 'end'} soon`
  const chosen = connections.slice(0, CONNECTIONS.max).map(({ id }) => id)
  const letter = {
    heading,
    paragraphs: [
      `Hello ${customer.name},`,
      ...describeEnds(connections),
      'You can add days now, and they count from the current end. Keys, names and filters stay the same, and there is nothing to change on your devices.',
    ],
    action: {
      label: isOne ? 'Extend this connection' : 'Extend these connections',
      url: `${publicUrl}/products?renew=${chosen.join()}`,
    },
    notes: ['Nothing renews by itself. If you need no more days, there is nothing to do.'],
  }
  await mailer.send({ to: customer.email, subject: heading, key, ...renderLetter(letter, brand) })
}
