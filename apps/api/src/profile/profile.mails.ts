import { INVOICE_YEARS, OSS_INVOICE_YEARS } from '@hedgerow/domain/invoices'
import type { With } from '#dependencies.ts'
import { renderLetter } from '#mail/layout.ts'
import { deleteFarewell, findFarewell } from '#profile/profile.queries.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

/** Where the shop declares the VAT of other countries, its law wants those sales longer, and by what their country was known. */
const keptLonger = ({ vatScheme }: Deps['settings']) =>
  vatScheme === 'oss'
    ? ` (${OSS_INVOICE_YEARS} with the VAT of an EU country, and with them the country you bought from)`
    : ''

/** The last mail to an account that is gone; the address is forgotten with it. */
export const mailFarewell = async ({ db, mailer, settings }: Deps, farewellId: string, key: string) => {
  const farewell = await findFarewell(db, farewellId)
  if (!farewell) return
  const { brand } = settings
  const letter = {
    heading: 'Your account has been deleted',
    paragraphs: [
      'Hello,',
      `As you asked, we have deleted your account at ${brand.name}, with your profile and your connections. The connections no longer work; you can remove them from your WireGuard app.`,
      `What we keep is what tax law asks us to keep: what was paid, when and how, without your name or address, and your invoices with the name on the card. The invoices go after ${INVOICE_YEARS} years${keptLonger(settings)}. What a partner account earned and was paid is kept for ${INVOICE_YEARS} years, as amounts and dates without your name.`,
      'This is our last email to you. We have now forgotten this address too.',
    ],
    notes: [`If this was not you, write to ${brand.company.email} at once.`],
  }
  const subject = `Your account at ${brand.name} has been deleted`
  await mailer.send({ to: farewell.email, subject, key, ...renderLetter(letter, brand) })
  await deleteFarewell(db, farewellId)
}
