/** Takes every step in turn, whatever becomes of the others; then fails if one did, in the words of the first. */
export const runAllSteps = async (steps: readonly (() => Promise<unknown>)[]): Promise<void> => {
  const errors: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => errors.push(error))
  if (errors.length === 0) return
  const [first] = errors
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  throw new AggregateError(errors, `${first instanceof Error ? first.message : first}${others}`)
}
