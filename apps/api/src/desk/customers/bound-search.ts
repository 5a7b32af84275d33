import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import type { With } from '#platform/dependencies.ts'
import { refuseTooMany } from '#platform/http/limits/rate-counter.ts'

/** So often an hour may an operator look for people by their words: by one part of a name after the other the whole list could be had. */
const MOST_AN_HOUR = 120

/** Throws 'too-many-requests'. Whoever has the server's shell has the database, too. */
export const boundSearch = async (
  { rateCounter }: Partial<With<'rateCounter'>>,
  { id, by }: Pick<OperatorCaller, 'id' | 'by'>,
): Promise<void> => {
  if (by === 'shell' || !rateCounter) return
  await refuseTooMany(rateCounter, [{ name: 'search of people', of: id, most: MOST_AN_HOUR, seconds: 3_600 }])
}
