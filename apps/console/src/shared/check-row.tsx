import { Badge } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { Time } from '#shared/time.tsx'

type ShopCheck = ReplyOf<'listShopChecks'>[number]

/** Where a name is no word to begin with a capital letter. */
const TITLES = new Map([
  ['btcpay', 'BTCPay'],
  ...['spf', 'dkim', 'dmarc', 'sso'].map((name) => [name, name.toUpperCase()] as const),
])

const STATES = {
  problem: ['bad', 'Problem'],
  warning: ['warning', 'Warning'],
  ok: ['good', 'OK'],
} as const

export const CheckBadge = ({ state }: Pick<ShopCheck, 'state'>) => {
  const [tone, word] = STATES[state]
  return <Badge tone={tone}>{word}</Badge>
}

type CheckRowProps = Pick<ShopCheck, 'name' | 'state' | 'says' | 'act'> &
  Partial<Pick<ShopCheck, 'machine' | 'since'>>

/** What was seen of one thing, and what to do about it. */
export const CheckRow = ({ name, machine, state, says, act, since }: CheckRowProps) => (
  <li className="grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[9rem_6rem_1fr]">
    <h2 className="font-medium capitalize">
      {TITLES.get(name) ?? name}
      {machine && <span className="block text-quiet-ink text-sm normal-case wrap-anywhere">{machine}</span>}
    </h2>
    <p>
      <CheckBadge state={state} />
    </p>
    <div className="min-w-0">
      <p className="wrap-anywhere">{says}</p>
      {act && <p className="mt-1 wrap-anywhere">{act}</p>}
      {since && state !== 'ok' && (
        <p className="mt-1 text-quiet-ink text-sm">
          Since <Time at={since} />
        </p>
      )}
    </div>
  </li>
)
