import { VAT_TREATMENTS } from '@hedgerow/domain/vat'
import type { Filter } from '#shared/filter-bar.tsx'
import type { ListColumn } from '#shared/list-columns.tsx'
import { Money } from '#shared/money.tsx'
import { Time } from '#shared/time.tsx'

type Line = {
  number: string
  issuedAt: string
  at: string
  currency: string
  netMinor: number
  vatMinor: number
  totalMinor: number
  tax: string
}

export const TREATMENT_WORDS = {
  uk: 'United Kingdom',
  oss: 'One Stop Shop',
  'reverse-charge': 'Reverse charge',
  outside: 'Outside the UK and the EU',
} as const

/** Days of documents are those of London: sent as they are. */
export const DOCUMENT_FILTERS: readonly Filter[] = [
  { name: 'from', label: 'From', kind: 'plain-day' },
  { name: 'to', label: 'To', kind: 'plain-day' },
  {
    name: 'currency',
    label: 'Currency',
    kind: 'choice',
    options: [
      ['EUR', 'EUR'],
      ['GBP', 'GBP'],
    ],
  },
  {
    name: 'treatment',
    label: 'Tax',
    kind: 'choice',
    options: VAT_TREATMENTS.map((treatment) => [treatment, TREATMENT_WORDS[treatment]] as const),
  },
]

export const documentColumns = (at: string): ListColumn<Line>[] => [
  { name: 'number', title: 'Number', isName: true, cell: ({ number }) => number },
  { name: 'at', title: at, cell: (line) => <Time at={line.at} /> },
  {
    name: 'issuedAt',
    title: 'Issued',
    sort: 'issuedAt',
    cell: ({ issuedAt }) => <Time at={issuedAt} />,
  },
  {
    name: 'net',
    title: 'Net',
    isNumber: true,
    cell: ({ netMinor, currency }) => <Money of={{ minor: netMinor, currency }} />,
  },
  {
    name: 'vat',
    title: 'VAT',
    isNumber: true,
    cell: ({ vatMinor, currency }) => <Money of={{ minor: vatMinor, currency }} />,
  },
  {
    name: 'total',
    title: 'Total',
    isNumber: true,
    cell: ({ totalMinor, currency }) => <Money of={{ minor: totalMinor, currency }} />,
  },
  { name: 'tax', title: 'Tax', cell: ({ tax }) => tax },
]
