import type { Partnership } from '@hedgerow/contract/partnership'
import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { MINIMUM_SPEND_MINOR } from '@hedgerow/domain/partnership'
import { ProgressBar } from '@hedgerow/ui/progress-bar.tsx'
import { useId } from 'react'
import { formatAmount } from '#shared/format-amount.ts'

type LevelProgressProps = Pick<Partnership, 'transactions' | 'nextLevel' | 'minimumSpend'>

/** Where orders may be too small to count. */
const Smallest = ({ minimumSpend }: Pick<Partnership, 'minimumSpend'>) =>
  minimumSpend > MINIMUM_SPEND_MINOR / 100 && (
    <p className="mt-2 text-sm text-quiet-ink">
      Orders from {CURRENCY_CODES.map((code) => formatAmount(minimumSpend, code)).join(' or ')} upwards count.
    </p>
  )

/** How far it is to the next level, in words and as a line. */
export const LevelProgress = ({ transactions, nextLevel, minimumSpend }: LevelProgressProps) => {
  const id = useId()
  if (!nextLevel) {
    return (
      <>
        <p>
          You are on the highest level, with <span className="tabular-nums">{transactions}</span>{' '}
          transactions.
        </p>
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
      <Smallest minimumSpend={minimumSpend} />
    </div>
  )
}
