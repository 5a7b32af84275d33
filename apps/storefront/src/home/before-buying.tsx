import { CONNECTIONS } from '@hedgerow/domain/pricing'
import { Link } from 'wouter'
import { ServerPlaces } from '#features/locations/server-places.tsx'
import { SectionHeading } from '#home/section-heading.tsx'
import { brand } from '#shared/brand.ts'

const { legalName, number } = brand.company

/** Each in a sentence that can be checked; the page of questions has the whole answers. */
const ANSWERS = [
  { about: 'Servers', answer: <ServerPlaces /> },
  {
    about: 'What we keep',
    answer: 'No record of the domain names you look up, what you send, or when you were connected.',
  },
  { about: 'Money back', answer: 'Within 14 days, without giving a reason, for the time you have not used.' },
  {
    about: 'Who runs it',
    answer: `${legalName}, company number ${number}, registered in England and Wales.`,
  },
  {
    about: 'Devices',
    answer: `Anything that runs WireGuard, including routers. Each order has ${CONNECTIONS.min} connections or more, one for each device.`,
  },
  {
    about: 'Filters',
    answer:
      'They block the domains on a list, in every app. Encrypted DNS from another provider gets past them.',
  },
  { about: 'Speed', answer: 'We promise no figure. There is no limit on how much you send and receive.' },
  {
    about: 'Renewal',
    answer: 'Nothing renews by itself. You pay once, and we email you before a connection ends.',
  },
]

/** What someone wants to know who has seen the price, right below it. */
export const BeforeBuying = () => (
  <section id="questions" className="scroll-mt-6 pt-16 sm:pt-24">
    <SectionHeading>Before you buy</SectionHeading>
    <dl className="mt-4 grid gap-x-8 md:grid-cols-2">
      {ANSWERS.map(({ about, answer }) => (
        <div key={about} className="border-t border-line py-4">
          <dt className="font-semibold">{about}</dt>
          <dd className="text-quiet-ink">{answer}</dd>
        </div>
      ))}
    </dl>
    <Link to="/faq" className="link inline-flex min-h-11 items-center">
      All questions
    </Link>
  </section>
)
