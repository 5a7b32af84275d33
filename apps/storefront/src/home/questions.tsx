import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import type { ReactNode } from 'react'

/** A question, and the answer to it. */
export type Asked = { question: string; answer: ReactNode }

type QuestionsProps = { asked: readonly Asked[] }

/** Questions over their answers, open to be read and searched; the browser itself folds them away. */
export const Questions = ({ asked }: QuestionsProps) => (
  <div className="border-t border-line">
    {asked.map(({ question, answer }) => (
      <details key={question} open className="group border-b border-line">
        <summary className="flex min-h-13 list-none items-center justify-between gap-4 py-2 font-medium hover:text-hedge [&::-webkit-details-marker]:hidden">
          {question}
          <ChevronDown className="size-5 shrink-0 text-quiet-ink transition-transform group-open:rotate-180" />
        </summary>
        <div className="space-y-2 pb-5 text-quiet-ink">{answer}</div>
      </details>
    ))}
  </div>
)
