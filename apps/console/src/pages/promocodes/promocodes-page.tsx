import { listConsolePromocodes } from '@hedgerow/contract/console/promocodes'
import type { ReplyOf } from '#lib/api.ts'
import { PromocodeBadge } from '#pages/promocodes/promocode-words.tsx'
import { columnsFor, filtersFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'

type Promocode = ReplyOf<'listConsolePromocodes'>['rows'][number]

const PromocodesPage = () => (
  <Page
    title="Promocodes"
    lead="Each partner has one. It takes the percentage of the partner’s level off the price. Promocodes that were never used are found by search."
  >
    <List<Promocode>
      call="listConsolePromocodes"
      file="/api/v1/promocodes.csv"
      caption="Promocodes"
      keyOf={({ promocode }) => promocode}
      linkOf={({ promocode }) => `/promocodes/${promocode}`}
      filters={filtersFor(listConsolePromocodes.fields)}
      empty={{ title: 'No promocode has been used yet' }}
      columns={columnsFor<Promocode>(listConsolePromocodes.columns, {
        closedAt: (row) => <PromocodeBadge of={row} />,
      }).map((column) => (column.name === 'closedAt' ? { ...column, title: 'Status' } : column))}
    />
  </Page>
)

export default PromocodesPage
