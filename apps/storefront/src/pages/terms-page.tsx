import { FileText } from 'lucide-react'
import { brand } from '#shared/brand.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Card } from '#ui/page/card.tsx'
import { Notice } from '#ui/page/notice.tsx'
import { PageHeader } from '#ui/page/page-header.tsx'

const DOCUMENTS = [
  {
    href: '/legal/terms_of_service.pdf',
    title: 'Terms of service',
    about: 'What you buy, what it costs, how to cancel, and what holds if something goes wrong.',
  },
  {
    href: '/legal/privacy_policy.pdf',
    title: 'Privacy policy',
    about: 'What we store about you, why, for how long, and what you can do about it.',
  },
] as const

const SUMMARY = [
  `You buy from ${brand.company.legalName}, a company registered in England and Wales.`,
  'You pay once. Prices include VAT, and nothing renews by itself.',
  'Your connections begin as soon as the payment is through, because by paying you ask for that.',
  'You can cancel within 14 days without a reason. We pay back the part that was not used.',
  'We keep no record of where you go on the internet, and we never store your full card number.',
  'You can download your data and delete your account yourself.',
] as const

const TermsPage = () => (
  <div className="mx-auto max-w-measure">
    <PageHeader
      title="Terms and privacy"
      lead="What you agree to when you buy from us, as two documents to keep."
    />
    <Notice kind="warning" title="These are templates">
      A lawyer has to check them before the shop opens.
    </Notice>
    <ul className="mt-6 grid gap-4 sm:grid-cols-2">
      {DOCUMENTS.map(({ href, title, about }) => (
        <li key={href}>
          <Card className="h-full">
            <a
              href={href}
              type="application/pdf"
              className="link inline-flex min-h-11 items-center gap-2 font-semibold"
            >
              <FileText className="size-5 shrink-0" aria-hidden="true" />
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
    <p className="mt-3 text-quiet-ink">The documents decide; this list only sums them up.</p>
    <ButtonLink to="/signup" className="mt-8">
      Continue
    </ButtonLink>
  </div>
)

export default TermsPage
