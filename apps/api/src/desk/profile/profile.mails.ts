import { INVOICE_YEARS, OSS_INVOICE_YEARS } from '@hedgerow/domain/invoices'
import { deleteFarewell, findFarewell } from '#desk/profile/profile.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

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
      `What we keep is what tax law asks us to keep: what was paid, when and how, and your invoices and credit notes, with your name and address as they were then and the name on the card. These go ${INVOICE_YEARS} years after their year, or ${OSS_INVOICE_YEARS} where the sale was taxed in another country of the EU. What a partner account earned and was paid is kept for ${INVOICE_YEARS} years, as amounts and dates without your name.`,
      'This is our last email to you. We have now forgotten this address too.',
    ],
    notes: [`If this was not you, write to ${brand.company.email} at once.`],
  }
  const subject = `Your account at ${brand.name} has been deleted`
  await mailer.send({ to: farewell.email, subject, key, ...renderLetter(letter, brand) })
  await deleteFarewell(db, farewellId)
}
