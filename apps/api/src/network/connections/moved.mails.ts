import { listMoved } from '#network/connections/moved.queries.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

const NAMED_AT_MOST = 20

const listed = (lines: readonly string[]): string => {
  const more = lines.length - NAMED_AT_MOST
  return [...lines.slice(0, NAMED_AT_MOST), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

/** To the customer: connections were moved to another node, and their new configurations wait. One mail for all. */
export const mailMoved = async ({ db, mailer, settings }: Deps, customerId: string, key: string) => {
  const customer = await findCustomer(db, customerId)
  const moved = customer ? await listMoved(db, customerId) : []
  if (!customer || moved.length === 0) return
  const isOne = moved.length === 1
  const heading = isOne ? 'A new configuration is waiting' : 'New configurations are waiting'
  const letter = {
    heading,
    paragraphs: [
      `Hello ${customer.name},`,
      isOne
        ? 'We have moved one of your connections to another server. Scan its new code, or import its new file, once on the device that uses it:'
        : 'We have moved some of your connections to another server. Scan the new code of each, or import its new file, once on the device that uses it:',
    ],
    quote: listed(moved.map(({ name, node_name }) => `${name}, now at ${node_name}`)),
    action: { label: 'Open my connections', url: `${settings.publicUrl}/profile` },
    notes: [
      'The old configuration on your device stops working within a day, perhaps sooner. What you bought stays the same: the days, the name and the filters. Links to the old codes have ended.',
    ],
  }
  await mailer.send({ to: customer.email, subject: heading, key, ...renderLetter(letter, settings.brand) })
}
