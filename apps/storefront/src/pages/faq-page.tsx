import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { ALL_QUESTIONS } from '#home/all-questions.tsx'
import { Questions } from '#home/questions.tsx'

const FaqPage = () => (
  <div className="mx-auto max-w-180">
    <PageHeader title="Questions" lead="Answers to what people ask before they buy." />
    {ALL_QUESTIONS.map(({ heading, asked }) => (
      <section key={heading} className="mt-10">
        <h2 className="mb-3 text-xl">{heading}</h2>
        <Questions asked={asked} />
      </section>
    ))}
  </div>
)

export default FaqPage
