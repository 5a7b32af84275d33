import { LEGAL_PATHS } from '@hedgerow/domain/legal-texts'
import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { FileText } from '@hedgerow/ui/icons.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { Link } from 'wouter'
import { useGoingTo, wayIn } from '#lib/going-to.ts'
import { brand } from '#shared/brand.ts'

const DOCUMENTS = [
  {
    href: LEGAL_PATHS.terms,
    title: 'Terms of service',
    about: 'What you buy, what it costs, how to cancel, and where you stand if something goes wrong.',
  },
  {
    href: LEGAL_PATHS.privacy,
    title: 'Privacy policy',
    about: 'What we store about you, why, for how long, and what you can do about it.',
  },
  {
    href: '/legal/cancellation_form.pdf',
    title: 'Cancellation form',
    about: 'One page to print, if you would rather cancel on paper. You don’t have to use it.',
  },
] as const

const SUMMARY = [
  `You buy from ${brand.company.legalName}, a company registered in England and Wales.`,
  'You pay once. Prices include VAT, and nothing renews by itself.',
  'Your connections start as soon as the payment goes through, because you ask us to start at once when you pay.',
  'You can cancel within 14 days without giving a reason. We refund the part you have not used, as explained below.',
  'We keep no record of where you go on the internet, and we never store your full card number.',
  'You can download your data and delete your account yourself.',
] as const

const CANCELLING = [
  {
    title: 'Until when',
    text: 'You have until the end of the fourteenth day after the day on which you paid. It is enough to tell us by then.',
  },
  {
    title: 'How often',
    text: 'As often as you like: each purchase can be cancelled. After five cancelled within 30 days, the next purchase has to wait. Write to us if you cannot.',
  },
  {
    title: 'What you get back',
    text: 'You asked us to start at once, so you pay for the time until you cancel, to the second, in proportion to all the time you bought. We refund the rest.',
  },
  {
    title: 'A plan without an end',
    text: '“Ethernity” never ends, so we count it as three years. After one day, 1 part in 1,095 has been used.',
  },
  {
    title: 'How it comes back',
    text: 'The way you paid. A refund to a card or by Blik is sent at once, and can take up to ten working days. Blik refunds are in złoty. Open Banking cannot send money back automatically, so we send it to the account you paid from ourselves, within 14 days. There is no fee for a refund.',
  },
  {
    title: 'What ends',
    text: 'The connections that the payment bought end at once. If other payments bought days for a connection too, it keeps those days.',
  },
] as const

/** Where one cancels, and by which rules: it belongs to what is said before a contract. */
const Cancelling = () => (
  <section aria-labelledby="cancelling">
    <h2 id="cancelling" className="mt-10 mb-3 text-xl">
      Cancelling within 14 days
    </h2>
    <p>
      For 14 days there is a “Cancel or withdraw” button beside each purchase in your{' '}
      <Link to="/profile?tab=history" className="link">
        payment history
      </Link>
      , and under “Manage” on the connections it bought. It shows what you get back before you confirm. The
      page{' '}
      <Link to="/cancel" className="link">
        Cancel or withdraw from a contract
      </Link>
      , at the foot of every page, works without logging in. We confirm either way by email at once. You can
      also tell us by email, by letter or by telephone.
    </p>
    <dl className="mt-4 space-y-4">
      {CANCELLING.map(({ title, text }) => (
        <div key={title}>
          <dt className="font-semibold">{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </section>
)

const TermsPage = () => (
  <div className="mx-auto max-w-measure">
    <PageHeader
      title="Terms and privacy"
      lead="What you agree to when you buy from us, as documents to keep."
    />
    <ul className="grid gap-4 sm:grid-cols-2">
      {DOCUMENTS.map(({ href, title, about }) => (
        <li key={href} className="sm:last:odd:col-span-2">
          <Card className="h-full">
            <a
              href={href}
              type="application/pdf"
              className="link inline-flex min-h-11 items-center gap-2 font-semibold"
            >
              <FileText className="size-5 shrink-0" />
              {title} (PDF)
            </a>
            <p className="mt-1 text-quiet-ink">{about}</p>
          </Card>
        </li>
      ))}
    </ul>
    <h2 className="mt-10 mb-3 text-xl">In short</h2>
    <ul className="list-disc space-y-2 pl-5">
      {SUMMARY.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
    <Cancelling />
    <p className="mt-6 text-quiet-ink">The documents have the final say. This page only sums them up.</p>
    {/* To what the visitor was about to buy, if that is where they come from. */}
    <ButtonLink to={wayIn('/signup', { redirectUrl: useGoingTo() })} className="mt-8">
      Continue
    </ButtonLink>
  </div>
)

export default TermsPage
