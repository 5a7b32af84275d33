import { Link } from 'wouter'
import { BEFORE_BUYING } from '#features/questions/before-buying.tsx'
import { Questions } from '#features/questions/question.tsx'
import { SectionHeading } from '#home/section-heading.tsx'

const HALF = Math.ceil(BEFORE_BUYING.length / 2)

/** What somebody wants to know who has seen the price, right below it. */
export const BeforeBuying = () => (
  <section id="questions" className="scroll-mt-6 pt-16 sm:pt-24">
    <SectionHeading>Before you buy</SectionHeading>
    <div className="mt-6 grid gap-x-16 md:grid-cols-2">
      <Questions asked={BEFORE_BUYING.slice(0, HALF)} />
      <Questions asked={BEFORE_BUYING.slice(HALF)} className="max-md:border-t-0" />
    </div>
    <p className="mt-3">
      <Link to="/faq" className="link inline-flex min-h-11 items-center">
        All questions
      </Link>
    </p>
  </section>
)
