import { formatMoney } from '@hedgerow/domain/money'
import { PARTNER_LEVELS, shareMinor } from '@hedgerow/domain/partnership'
import { Table } from '@hedgerow/ui/table.tsx'
import { useCurrency } from '#shared/currency.tsx'

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
    <Table
      isShort
      caption="Levels of partnership"
      columns={[
        { header: 'Level', cell: ({ level }) => level, isName: true },
        { header: 'Transactions', cell: ({ transactions }) => transactions, isNumber: true },
        { header: shareIs, cell: ({ percentage }) => `${percentage}%`, isNumber: true },
        {
          header: `Of ${formatMoney(exampleMinor, currency)}`,
          cell: ({ percentage }) => formatMoney(shareMinor(exampleMinor, percentage), currency),
          isNumber: true,
        },
      ]}
      rows={PARTNER_LEVELS}
      keyOf={({ level }) => level}
    />
  )
}
