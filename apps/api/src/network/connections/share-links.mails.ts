import { formatUkTime } from '@hedgerow/domain/dates'
import { findCustomer } from '#people/accounts/customers.ts'
import { listUnmailedLinks, markMailed, secondsToNextMail } from '#people/share-links/share-links.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'
import { addJob } from '#platform/queue/add-job.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

/** To a customer who may not have made them: links that show connections. Those of some minutes are in one mail. */
export const mailShareLinks = async ({ db, mailer, settings }: Deps, customerId: string, key: string) => {
  const links = await listUnmailedLinks(db, customerId)
  const customer = await findCustomer(db, customerId)
  if (!customer || links.length === 0) return
  const inSeconds = await secondsToNextMail(db, customerId)
  if (inSeconds > 0)
    return addJob(db, 'mail-share-links', { customerId }, { key: `share-links:${customerId}`, inSeconds })
  const { brand, publicUrl } = settings
  const isOne = links.length === 1
  const heading = isOne ? 'A link to your connection was created' : 'Links to your connections were created'
  const letter = {
    heading,
    paragraphs: [
      `Hello ${customer.name},`,
      isOne
        ? 'Anyone with the link can see the code and the file of this connection without logging in, until the link ends:'
        : 'Anyone with one of the links can see the code and the file of its connection without logging in, until the link ends:',
    ],
    quote: links
      .map(
        ({ name, madeAt, endsAt }) =>
          `${name}: ${endsAt ? '' : 'address of its file, '}created ${formatUkTime(madeAt)}, ends ${endsAt ? formatUkTime(endsAt) : 'when you withdraw it'}`,
      )
      .join('\n'),
    action: { label: 'Open my connections', url: `${publicUrl}/profile` },
    notes: [
      'To end a link sooner, press Share on the connection, then Withdraw the link or Withdraw the address.',
      `If this was not you, choose a new password at ${publicUrl}/forgot, which ends every link. Then make new keys for each connection, cut the old ones off, and write to ${brand.company.email}.`,
    ],
  }
  await mailer.send({ to: customer.email, subject: heading, key, ...renderLetter(letter, brand) })
  await markMailed(
    db,
    links.map(({ hash }) => hash),
  )
}
