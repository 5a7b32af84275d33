import type { Partnership } from '@hedgerow/contract/partnership'
import { useId } from 'react'
import { ProgressBar } from '#ui/progress-bar.tsx'

type LevelProgressProps = Pick<Partnership, 'transactions' | 'nextLevel'>

/** How far it is to the next level, in words and as a line. */
export const LevelProgress = ({ transactions, nextLevel }: LevelProgressProps) => {
  const id = useId()
  if (!nextLevel) {
    return (
      <p>
        You are on the highest level, with <span className="tabular-nums">{transactions}</span> transactions.
      </p>
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
    </div>
  )
}
