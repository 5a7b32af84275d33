import { keepReferral, referralIn } from '#features/referral/referral.ts'
import { api } from '#lib/api.ts'

/** Reloading, or coming back by the browser's buttons, belongs to the visit that was counted already. */
const isNewVisit = () => {
  const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return arrival === undefined || arrival.type === 'navigate'
}

/** Someone opened the shop by a partner's link: the code is kept for the signup form, and the visit is counted. */
export const keepAndCountReferral = (search: string) => {
  const code = referralIn(search)
  if (!code) return
  keepReferral(code)
  // Whether it was counted is nothing that a visitor has to know.
  if (isNewVisit()) api.call('countReferralVisit', { body: { code } }).catch(() => {})
}
