import { agoText, dayText, timeText, utcText } from '#lib/format.ts'

type TimeProps = { at: string | null | undefined; as?: 'time' | 'day' | 'ago'; none?: string }

const TEXTS = { time: timeText, day: dayText, ago: agoText } as const

/** In the operator's own time; UTC where the pointer rests on it. */
export const Time = ({ at, as = 'time', none = '–' }: TimeProps) =>
  at ? (
    <time dateTime={at} title={utcText(at)} className="whitespace-nowrap tabular-nums">
      {TEXTS[as](at)}
    </time>
  ) : (
    none
  )
