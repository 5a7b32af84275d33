import { INVOICE_YEARS } from '@hedgerow/domain/invoices'
import type { With } from '#dependencies.ts'
import { renderLetter } from '#mail/layout.ts'
import { deleteFarewell, findFarewell } from '#profile/profile.queries.ts'

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
      `What we keep is what tax law asks us to keep: what was paid, when and how, without your name or address, and your invoices with the name on the card. The invoices go after ${INVOICE_YEARS} years. What a partner account earned and was paid is kept for as long, as amounts and dates without your name.`,
      'This is our last email to you. We have now forgotten this address too.',
    ],
    notes: [`If this was not you, write to ${brand.company.email} at once.`],
  }
  const subject = `Your account at ${brand.name} has been deleted`
  await mailer.send({ to: farewell.email, subject, key, ...renderLetter(letter, brand) })
  await deleteFarewell(db, farewellId)
}
