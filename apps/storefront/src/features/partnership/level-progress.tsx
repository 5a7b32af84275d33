import type { Partnership } from '@hedgerow/contract/partnership'
import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { MINIMUM_SPEND_MINOR } from '@hedgerow/domain/partnership'
import { ProgressBar } from '@hedgerow/ui/progress-bar.tsx'
import { useId } from 'react'
import { formatAmount } from '#shared/format-amount.ts'

type LevelProgressProps = Pick<
  Partnership,
  'transactions' | 'pendingTransactions' | 'nextLevel' | 'minimumSpend'
>

/** Where orders may be too small to count. */
const Smallest = ({ minimumSpend }: Pick<Partnership, 'minimumSpend'>) =>
  minimumSpend > MINIMUM_SPEND_MINOR / 100 && (
    <p className="mt-2 text-sm text-quiet-ink">
      Orders from {CURRENCY_CODES.map((code) => formatAmount(minimumSpend, code)).join(' or ')} upwards count.
    </p>
  )

/** Bought, and not counted yet. */
const Pending = ({ pendingTransactions }: Pick<Partnership, 'pendingTransactions'>) =>
  pendingTransactions > 0 && (
    <p className="mt-2 text-sm text-quiet-ink">
      <span className="tabular-nums">{pendingTransactions}</span> more{' '}
      {pendingTransactions === 1 ? 'is' : 'are'} pending. A transaction counts once its purchase can no longer
      be cancelled.
    </p>
  )

/** How far it is to the next level, in words and as a line. */
export const LevelProgress = (props: LevelProgressProps) => {
  const { transactions, pendingTransactions, nextLevel, minimumSpend } = props
  const id = useId()
  if (!nextLevel) {
    return (
      <>
        <p>
          You are on the highest level, with <span className="tabular-nums">{transactions}</span>{' '}
          transactions.
        </p>
        <Pending pendingTransactions={pendingTransactions} />
        <Smallest minimumSpend={minimumSpend} />
      </>
    )
  }
  const missing = nextLevel.transactions - transactions
  return (
    <div>
      <p id={id}>
        <span className="tabular-nums">{missing}</span> more {missing === 1 ? 'transaction' : 'transactions'}{' '}
        to level {nextLevel.level}, with {nextLevel.percentage}% of each.
      </p>
      <ProgressBar value={transactions} max={nextLevel.transactions} aria-labelledby={id} className="mt-2">
        {transactions} of {nextLevel.transactions}
      </ProgressBar>
      <Pending pendingTransactions={pendingTransactions} />
      <Smallest minimumSpend={minimumSpend} />
    </div>
  )
}
