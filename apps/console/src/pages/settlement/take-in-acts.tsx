import { fetchConsoleSettlement, importSettlement } from '@hedgerow/contract/console/settlement'
import { counted } from '@hedgerow/domain/order-description'
import type { ReplyOf } from '#lib/api.ts'
import { countText } from '#lib/format.ts'
import type { ActField } from '#shared/act.tsx'
import { CallAct } from '#shared/call-act.tsx'

const REFRESHED = ['getSettlementDesk', 'getToday'] as const

export const linesOf = (typed: string | undefined): string[] =>
  (typed ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

export const DAYS: readonly ActField[] = [
  { name: 'from', label: 'From', kind: 'day' },
  { name: 'to', label: 'To', kind: 'day', hint: 'Days of London, both included' },
]

/** How a file writes sums and days, where that cannot be told from it. */
export const writing = (decimal: string, days: string): readonly ActField[] => [
  {
    name: decimal,
    label: 'Sums are written with a',
    kind: 'choice',
    isOptional: true,
    options: [
      ['comma', 'comma: 10,50'],
      ['point', 'point: 10.50'],
    ],
  },
  {
    name: days,
    label: '5/11/2026 is',
    kind: 'choice',
    isOptional: true,
    options: [
      ['dmy', 'the fifth of November'],
      ['mdy', 'the eleventh of May'],
    ],
  },
]

export const FetchAct = () => (
  <CallAct
    call="fetchConsoleSettlement"
    endpoint={fetchConsoleSettlement}
    label="Fetch"
    tone="solid"
    verb="Fetch"
    says={({ operations, new: added, same, unreadable, isWhole }: ReplyOf<'fetchConsoleSettlement'>) =>
      `${counted(operations, 'booking')}: ${countText(added)} new, ${countText(same)} as before${unreadable.length > 0 ? `, ${countText(unreadable.length)} could not be read` : ''}.${isWhole ? '' : ' There is more: fetch the same days again.'}`
    }
    refreshes={REFRESHED}
  >
    <p>The shop does it once a day by itself. As often as you like: each booking is kept once.</p>
  </CallAct>
)

export const ImportAct = () => (
  <CallAct
    call="importSettlement"
    endpoint={importSettlement}
    label="Import a file"
    tone="outline"
    verb="Import"
    says={({ new: added, same, changed }: ReplyOf<'importSettlement'>) =>
      `Imported: ${countText(added)} new, ${countText(same)} as before, ${countText(new Set(changed.map(({ id }) => id)).size)} changed.`
    }
    refreshes={REFRESHED}
  >
    <p>All of it is imported or nothing. The same file again changes nothing.</p>
  </CallAct>
)
