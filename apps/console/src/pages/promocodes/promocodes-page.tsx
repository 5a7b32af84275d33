import type { ReplyOf } from '#lib/api.ts'
import { countText } from '#lib/format.ts'
import { PromocodeBadge } from '#pages/promocodes/promocode-words.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'

type Promocode = ReplyOf<'listConsolePromocodes'>['rows'][number]

const STATES = [
  ['open', 'Open'],
  ['closed', 'Closed'],
  ['limited', 'With a limit'],
] as const

const PromocodesPage = () => (
  <Page
    title="Promocodes"
    lead="Each partner has one. It takes the percentage of the partner’s level off a price. To find one that was never used, search for it."
  >
    <List<Promocode>
      call="listConsolePromocodes"
      file="/api/v1/promocodes.csv"
      caption="Promocodes"
      keyOf={({ promocode }) => promocode}
      linkOf={({ promocode }) => `/promocodes/${promocode}`}
      filters={[{ name: 'state', label: 'State', kind: 'choice', options: STATES }]}
      empty={{ title: 'No promocode has been used yet' }}
      columns={[
        {
          name: 'promocode',
          title: 'Promocode',
          sort: 'promocode',
          isName: true,
          cell: ({ promocode }) => promocode,
        },
        {
          name: 'percentage',
          title: 'Takes off',
          isNumber: true,
          cell: ({ percentage }) => `${percentage}%`,
        },
        { name: 'uses', title: 'Uses', sort: 'uses', isNumber: true, cell: ({ uses }) => countText(uses) },
        {
          name: 'limit',
          title: 'Limit',
          isNumber: true,
          cell: ({ limit }) => (limit === null ? '–' : countText(limit)),
        },
        { name: 'closedAt', title: 'State', cell: (row) => <PromocodeBadge of={row} /> },
      ]}
    />
  </Page>
)

export default PromocodesPage
