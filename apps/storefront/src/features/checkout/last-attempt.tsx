import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useHistoryState } from 'wouter/use-browser-location'

/** What became of a payment that was not taken, as far as it is known. */
export type LastAttempt = { reason?: string | undefined; isCharged?: boolean | undefined }

/** As the page before tells it; null where it was another one. */
export const usePassedAttempt = (): LastAttempt | null => {
  const attempt = useHistoryState<LastAttempt | null>()
  return attempt && 'isCharged' in attempt ? attempt : null
}

const whatOfTheMoney = ({ isCharged }: LastAttempt) => {
  if (isCharged === undefined) return ''
  return isCharged ? 'What arrived is on its way back.' : 'Nothing was charged.'
}

/** Says why the last payment was not taken, above the form for the next one. */
export const LastAttemptNotice = ({ attempt }: { attempt: LastAttempt }) => (
  <Notice kind="warning" title="Your last payment did not go through" className="mb-5">
    {[attempt.reason, whatOfTheMoney(attempt), 'You can try again, or pay another way.']
      .filter(Boolean)
      .join(' ')}
  </Notice>
)
