import { formatLocalDay, formatLocalTime } from '@hedgerow/domain/dates'

type TimeProps = { at: string; isDay?: boolean; className?: string }

/** A moment by the customer's own clock, or its day, in one line. */
export const Time = ({ at, isDay = false, className = '' }: TimeProps) => (
  <time dateTime={at} className={`whitespace-nowrap ${className}`}>
    {(isDay ? formatLocalDay : formatLocalTime)(new Date(at))}
  </time>
)
