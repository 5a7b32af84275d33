import { Problem, type ProblemName } from '#platform/http/problems.ts'

/** In minutes: how long a press, or a network that lost the answer, may send the same again. */
export const SENT_AGAIN_MINUTES = 10

/** What was refused because the same sender had just done it is answered as it was then, and changes nothing. */
export const orAsBefore = async <Reply>(
  refusal: ProblemName,
  act: () => Promise<Reply>,
  asBefore: () => Promise<Reply | undefined>,
): Promise<Reply> => {
  try {
    return await act()
  } catch (error) {
    const isRefused = error instanceof Problem && error.kind === refusal
    const before = isRefused ? await asBefore() : undefined
    if (before === undefined) throw error
    return before
  }
}
