import type { ReactNode } from 'react'
import { dayText, secondsText, utcText } from '#lib/format.ts'

export type Moment = { at: string; what: ReactNode; more?: ReactNode; tone?: 'good' | 'bad' | 'plain' }

const DOTS = { good: 'bg-hedge', bad: 'bg-berry', plain: 'bg-outline' } as const

/** Of one second, in the order given: what is written down together is not always written in its own order. */
const secondOf = ({ at }: Moment) => at.slice(0, '2026-11-21T14:05:07'.length)

/** What happened to something, in order. */
export const Timeline = ({
  moments,
  isNewestFirst = false,
}: {
  moments: readonly Moment[]
  isNewestFirst?: boolean
}) => (
  <ol className="relative ml-1.5 border-l border-line">
    {[...moments]
      .sort((a, b) => secondOf(a).localeCompare(secondOf(b)) * (isNewestFirst ? -1 : 1))
      .map(({ at, what, more, tone = 'plain' }, position) => (
        <li key={`${at} ${position}`} className="relative pb-4 pl-5 last:pb-0">
          <span
            className={`absolute top-2 -left-1.25 size-2.5 rounded-full ${DOTS[tone]}`}
            aria-hidden="true"
          />
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{what}</span>
            <time
              dateTime={at}
              title={utcText(at)}
              className="text-sm whitespace-nowrap text-quiet-ink tabular-nums"
            >
              {dayText(at)} {secondsText(at)}
            </time>
          </div>
          {more && <div className="text-sm text-quiet-ink">{more}</div>}
        </li>
      ))}
  </ol>
)
