import { useToast } from '@hedgerow/ui/toast.tsx'
import { api } from '#lib/api.ts'
import { countText } from '#lib/format.ts'
import { sentFile } from '#lib/sent-file.ts'
import { Act, type ActField } from '#shared/act.tsx'

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

export const FetchAct = () => {
  const toast = useToast()
  return (
    <Act
      label="Fetch"
      title="Fetch what the gateway booked"
      may="books.change"
      tone="solid"
      verb="Fetch it"
      fields={DAYS}
      run={async ({ from = '', to = '' }) => {
        const told = await api.call('fetchConsoleSettlement', { body: { from, to } })
        const unread = told.unreadable.length
        toast(
          `${countText(told.operations)} bookings: ${countText(told.new)} new, ${countText(told.same)} as before${unread > 0 ? `, ${countText(unread)} could not be read` : ''}.${told.isWhole ? '' : ' There is more: fetch the same days again.'}`,
        )
      }}
      refreshes={REFRESHED}
    >
      <p>The shop does it once a day by itself. As often as you like: each booking is kept once.</p>
    </Act>
  )
}

export const ImportAct = () => {
  const toast = useToast()
  return (
    <Act
      label="Import a file"
      title="Import the gateway’s file"
      may="books.change"
      verb="Import it"
      fields={[
        {
          name: 'file',
          label: 'The file (CSV)',
          kind: 'file',
          accept: '.csv,text/csv',
          hint: 'At most 10 MB, a row for each operation',
        },
        {
          name: 'columns',
          label: 'Columns',
          kind: 'words',
          most: 4000,
          rows: 2,
          isOptional: true,
          hint: 'Where they are called otherwise, a line each: amount=Betrag',
        },
        {
          name: 'types',
          label: 'Words for kinds',
          kind: 'words',
          most: 4000,
          rows: 2,
          isOptional: true,
          hint: 'A line each: Wpłata=sale',
        },
        ...writing('decimal', 'days'),
        {
          name: 'fees',
          label: 'A fee of 1.00',
          kind: 'choice',
          isOptional: true,
          options: [
            ['costs', 'was taken from us'],
            ['changes', 'was added to the balance'],
          ],
        },
        { name: 'isMinor', label: 'Sums are in cents or pence: 4517 is 45.17', kind: 'check' },
      ]}
      run={async ({ columns, types, decimal, days, fees, isMinor }, files) => {
        const told = await api.call('importSettlement', {
          body: {
            file: await sentFile(files.get('file') as File),
            columns: linesOf(columns),
            types: linesOf(types),
            decimal: (decimal || undefined) as 'comma' | undefined,
            days: (days || undefined) as 'dmy' | undefined,
            fees: (fees || undefined) as 'costs' | undefined,
            isMinor: isMinor === 'on',
          },
        })
        toast(
          told.isKnown
            ? 'This file was imported before. Nothing was changed.'
            : `Imported: ${countText(told.new)} new, ${countText(told.same)} as before, ${countText(told.changed)} changed.`,
        )
      }}
      refreshes={REFRESHED}
    >
      <p>All of it is imported or nothing. The same file again changes nothing.</p>
    </Act>
  )
}
