/** What a check of the doctor says. */
export type Finding = {
  state: 'ok' | 'warning' | 'problem'
  /** What was seen. */
  says: string
  /** What to do about it. */
  act?: string
}

export const ok = (says: string): Finding => ({ state: 'ok', says })
export const warning = (says: string, act: string): Finding => ({ state: 'warning', says, act })
export const problem = (says: string, act: string): Finding => ({ state: 'problem', says, act })

/** How far this machine's clock is from another's, in milliseconds, by its answer. A `Date` header has whole seconds. */
export const skewOf = (response: Response, before: number, after: number): number | undefined => {
  const theirs = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return undefined
  return Math.max(0, before - (theirs + 1000), theirs - after)
}
