import { Link } from 'wouter'
import { SectionHeading } from '#home/section-heading.tsx'
import { brand } from '#shared/brand.ts'

const { legalName, number } = brand.company

/** Each in a sentence that can be checked; the page of questions has the whole answers. */
const ANSWERS = [
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
    about: 'Filters',
    answer:
      'They block the domains on a list, in every app. Encrypted DNS from another provider gets past them.',
  },
]

/** What someone wants to know who has seen it all and hesitates. */
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
