import { formatDate } from '@hedgerow/domain/dates'
import { listed } from '#network/connections/moved.mails.ts'
import { listBroughtOf } from '#network/imports/imports.queries.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'

/** To someone whose connection was brought from another panel: nothing changes, and how to claim the account. */
export const mailBrought = async (
  { db, mailer, settings }: With<'db' | 'mailer' | 'settings'>,
  customerId: string,
  key: string,
): Promise<void> => {
  const customer = await findCustomer(db, customerId)
  const brought = await listBroughtOf(db, customerId)
  if (!customer || brought.length === 0) return
  const { brand, publicUrl } = settings
  const isClaimed = customer.confirmed_at !== null
  const subject = `Your VPN connections are now at ${brand.name}`
  const lines = brought.map(({ name, expires_at }) =>
    expires_at ? `${name}, until ${formatDate(expires_at)}` : `${name}, without an end`,
  )
  const letter = {
    heading: subject,
    paragraphs: [
      isClaimed ? `Hello ${customer.name},` : 'Hello,',
      `The VPN server that your devices use is now run by ${brand.name}. Nothing changes on your devices: the codes and files that they have keep working.`,
      listed(lines),
      isClaimed
        ? 'You will find them in your account, where you can renew them.'
        : `There is an account for this address, where you can renew them and create new keys. To open it, choose a password.`,
    ],
    action: isClaimed
      ? { label: 'Open my connections', url: `${publicUrl}/profile` }
      : { label: 'Choose a password', url: `${publicUrl}/forgot` },
    notes: isClaimed
      ? [`If these connections are not yours, write to ${brand.company.email}.`]
      : [
          'We will email you a link to choose the password.',
          `If these connections are not yours, write to ${brand.company.email}.`,
        ],
  }
  await mailer.send({ to: customer.email, subject, key, ...renderLetter(letter, brand) })
}
