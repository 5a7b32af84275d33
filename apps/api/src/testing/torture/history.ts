/** What the customers saw, to be held against what is true at the end. */
export type History = {
  /** Every payment whose id a customer got, and every final status that was shown. */
  shownStatuses: Map<string, Set<string>>
  /** Answers that no customer should get. */
  strange: string[]
  counts: Map<string, number>
  /** By the payment of a plan, what the presses that may have started it said. */
  said: Map<string, ReadonlySet<PlanTerms>>
}

/** What a press that buys a plan says of it. */
export type PlanTerms = { renew: readonly string[]; location: string | undefined }

export const newHistory = (): History => ({
  shownStatuses: new Map(),
  strange: [],
  counts: new Map(),
  said: new Map(),
})

export const count = ({ counts }: History, what: string, by = 1): void => {
  counts.set(what, (counts.get(what) ?? 0) + by)
}

export const noteShownStatus = ({ shownStatuses }: History, paymentId: string, status?: string): void => {
  const statuses = shownStatuses.get(paymentId) ?? new Set()
  shownStatuses.set(paymentId, statuses)
  if (status) statuses.add(status)
}
