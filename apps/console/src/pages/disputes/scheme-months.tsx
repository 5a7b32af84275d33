import { Badge } from '@hedgerow/ui/badge.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { countText } from '#lib/format.ts'
import { Section } from '#shared/section.tsx'
import { useData } from '#shared/use-data.ts'

const TONES = { below: 'good', near: 'warning', over: 'bad' } as const

/** How far the shop is from what card schemes allow. Nothing where there was no dispute in a year. */
export const SchemeMonths = () => {
  const { data } = useData('listSchemeMonths', {})
  const rows = data?.months.filter(({ disputes, month }) => disputes > 0 || month === data.months[0]?.month)
  if (!rows?.some(({ disputes }) => disputes > 0)) return null
  return (
    <Section title="Against the card schemes’ limits" className="mt-8" isBare>
      <Table
        caption="Disputes by month, as card schemes count them"
        keyOf={({ month, scheme }) => `${month} ${scheme}`}
        rows={rows}
        columns={[
          { header: 'Month', isName: true, cell: ({ month }) => month },
          { header: 'Scheme', cell: ({ scheme }) => scheme },
          { header: 'Disputes', isNumber: true, cell: ({ disputes }) => countText(disputes) },
          { header: 'Won', isNumber: true, cell: ({ won }) => countText(won) },
          {
            header: 'Counted of payments',
            isNumber: true,
            cell: ({ counted, over }) => `${countText(counted)} of ${countText(over)}`,
          },
          { header: 'Ratio', isNumber: true, cell: ({ ratio }) => ratio ?? '–' },
          { header: 'Limit', isNumber: true, cell: ({ limit }) => limit },
          { header: 'Standing', cell: ({ standing }) => <Badge tone={TONES[standing]}>{standing}</Badge> },
        ]}
      />
      <p className="mt-2 text-sm text-quiet-ink">
        Visa counts a fraud twice, over the payments of the month; Mastercard counts disputes over those of
        the month before. Both must be reached, ratio and number. The schemes’ own count is the gateway’s to
        tell.
      </p>
    </Section>
  )
}
