import { formatUkTime } from '@hedgerow/domain/dates'

/** A cell of evidence: empty where there is no such time. */
export const time = (at: Date | null): string => (at ? formatUkTime(at) : '')
