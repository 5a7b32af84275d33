import { formatMoney } from '@hedgerow/domain/money'
import { PARTNER_LEVELS, shareMinor } from '@hedgerow/domain/partnership'
import { useCurrency } from '#app/currency.tsx'
import { ShortTable } from '#ui/short-table.tsx'

type LevelsTableProps = {
  /** What the share of a level is to the reader: 'Your share', 'Discount and share'. */
  shareIs: string
  /** An amount of which the share is shown in money. */
  exampleMinor: number
}

/** The levels of partnership (spec §9). */
export const LevelsTable = ({ shareIs, exampleMinor }: LevelsTableProps) => {
  const { currency } = useCurrency()
  return (
    <ShortTable
      caption="Levels of partnership"
      columns={[
        { heading: 'Level', cell: ({ level }) => level },
        { heading: 'Transactions', cell: ({ transactions }) => transactions },
        { heading: shareIs, cell: ({ percentage }) => `${percentage}%` },
        {
          heading: `Of ${formatMoney(exampleMinor, currency)}`,
          cell: ({ percentage }) => formatMoney(shareMinor(exampleMinor, percentage), currency),
        },
      ]}
      rows={PARTNER_LEVELS}
      keyOf={({ level }) => level}
    />
  )
}
