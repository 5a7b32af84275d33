import { Badge } from '@hedgerow/ui/badge.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type ShopCheck = ReplyOf<'listShopChecks'>[number]

/** Where a name is no word to begin with a capital letter. */
const TITLES = new Map([
  ['btcpay', 'BTCPay'],
  ...['spf', 'dkim', 'dmarc'].map((name) => [name, name.toUpperCase()] as const),
])

const ASKED_EVERY_MS = 15_000

const STATES = {
  problem: ['bad', 'Problem'],
  warning: ['warning', 'Warning'],
  ok: ['good', 'OK'],
} as const

const OneCheck = ({ check: { name, machine, state, says, act, since } }: { check: ShopCheck }) => {
  const [tone, word] = STATES[state]
  return (
    <li className="grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[9rem_6rem_1fr]">
      <h2 className="font-medium capitalize">
        {TITLES.get(name) ?? name}
        {machine && <span className="block text-quiet-ink text-sm normal-case wrap-anywhere">{machine}</span>}
      </h2>
      <p>
        <Badge tone={tone}>{word}</Badge>
      </p>
      <div className="min-w-0">
        <p className="wrap-anywhere">{says}</p>
        {act && <p className="mt-1 wrap-anywhere">{act}</p>}
        {state !== 'ok' && (
          <p className="mt-1 text-quiet-ink text-sm">
            Since <Time at={since} />
          </p>
        )}
      </div>
    </li>
  )
}

const ChecksPage = () => {
  const all = useData('listShopChecks', {}, { everyMs: ASKED_EVERY_MS })
  return (
    <Page
      title="Checks"
      lead="The shop looks at what it needs to sell every 45 seconds. Problems are emailed to you as well."
    >
      <Loaded query={all}>
        {(checks) =>
          checks.length === 0 ? (
            <EmptyState title="Not checked yet">The first results are here within a minute.</EmptyState>
          ) : (
            <Card>
              <ul className="divide-y divide-line">
                {checks.map((check) => (
                  <OneCheck key={`${check.name} ${check.machine}`} check={check} />
                ))}
              </ul>
            </Card>
          )
        }
      </Loaded>
    </Page>
  )
}

export default ChecksPage
