import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useQuery } from '@tanstack/react-query'
import { partnershipQuery } from '#features/partnership/partnership-queries.ts'
import { formatAmount } from '#shared/format-amount.ts'

/** What a customer gives up on the partner account by deleting their account; nothing where nothing is. */
export const AccountWarning = () => {
  const { data } = useQuery(partnershipQuery)
  const sums = (data?.balances ?? []).flatMap(({ currency, available, pending }) => [
    ...(available > 0 ? [`${formatAmount(available, currency)} that is available`] : []),
    ...(pending > 0 ? [`${formatAmount(pending, currency)} that is pending`] : []),
  ])
  if (sums.length === 0) return null
  return (
    <Notice kind="warning" title="There is money in your partner account">
      You give up {new Intl.ListFormat('en-GB').format(sums)}. If it reaches the minimum, you can withdraw
      what is available first.
    </Notice>
  )
}
