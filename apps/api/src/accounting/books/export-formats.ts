import { formatMinor } from '@hedgerow/domain/money'
import { isInBox6 } from '@hedgerow/domain/vat-return'
import { britishDay, type ExportLine, presentLine } from '#accounting/books/export-lines.ts'
import type { CsvRow } from '#platform/csv/write-csv.ts'

/** How sales are booked: the codes of accounts, which each company chooses. */
export type Accounts = {
  /** Where sales go. */
  sales: string
  /** Where the VAT of other countries goes that is owed through the One Stop Shop. */
  oss: string
  /** Whether the net of what is declared there counts in box 6 of the VAT return. */
  isOssInBox6: boolean
}

/** Xero books on accounts by their codes, QuickBooks on items by their names. */
const USUAL_ACCOUNTS = {
  xero: { sales: '200', oss: '825' },
  quickbooks: { sales: 'Sales', oss: 'One Stop Shop VAT' },
} as const

/** The usual ones, where none is named. */
export const accountsOf = (
  format: string,
  {
    account,
    ossAccount,
    ossInBox6 = false,
  }: {
    account?: string | undefined
    ossAccount?: string | undefined
    ossInBox6?: boolean | 'true' | undefined
  },
): Accounts => {
  const usual = USUAL_ACCOUNTS[format === 'quickbooks' ? 'quickbooks' : 'xero']
  return {
    sales: account ?? usual.sales,
    oss: ossAccount ?? usual.oss,
    isOssInBox6: ossInBox6 !== false,
  }
}

/** Rows of one document, under the heads of its file. */
export type CsvFormat = {
  heads: CsvRow
  rowsOf: (line: ExportLine, accounts: Accounts) => CsvRow[]
  /** So many documents may a file have that the program takes. */
  most: number
  /** Invoices and credit notes are imported apart, so they come in files of their own. */
  isApart: boolean
}

const BOOKS_HEADS = [
  'kind',
  'number',
  'issuedAt',
  'taxPoint',
  'invoice',
  'creditNote',
  'customer',
  'address',
  'treatment',
  'country',
  'vatNumber',
  'rate',
  'description',
  'details',
  'method',
  'currency',
  'net',
  'vat',
  'total',
  'sterlingNet',
  'sterlingVat',
  'sterlingTotal',
  'sterlingRate',
  'sterlingRateFrom',
  'charged',
  'chargedCurrency',
  'orderId',
  'paymentId',
  'refundId',
  'operationId',
] as const

/** All that is known, a row for each document: of credit notes all sums are negative, so that a column adds up. */
const BOOKS: CsvFormat = {
  heads: BOOKS_HEADS,
  rowsOf: (line) => {
    const { sterling, address, ...shown } = presentLine(line)
    const cells: Record<(typeof BOOKS_HEADS)[number], string> = {
      ...shown,
      creditNote: shown.creditNote ?? '',
      address: address.join(', '),
      country: shown.country ?? '',
      vatNumber: shown.vatNumber ?? '',
      rate: String(shown.rate),
      paymentId: shown.paymentId ?? '',
      refundId: shown.refundId ?? '',
      operationId: shown.operationId ?? '',
      sterlingNet: sterling?.net ?? '',
      sterlingVat: sterling?.vat ?? '',
      sterlingTotal: sterling?.total ?? '',
      sterlingRate: shown.sterlingRate ?? '',
      sterlingRateFrom: shown.sterlingRateFrom ?? '',
    }
    return [BOOKS_HEADS.map((head) => cells[head])]
  },
  most: Number.POSITIVE_INFINITY,
  isApart: false,
}

/** 'taxed': at the document's rate. 'zero': no VAT, and its net in box 6. 'none': in no box. */
type Code = 'taxed' | 'zero' | 'none'
type Part = { text: string; account: 'sales' | 'oss'; minor: number; vatMinor: number; code: Code }

/** Both programs make box 6 of the codes: what counts there needs one that they count, also without VAT. */
const codeOf = ({ treatment, rate }: ExportLine, accounts: Accounts): Code => {
  if (!isInBox6(treatment, accounts)) return 'none'
  return treatment === 'uk' && rate > 0 ? 'taxed' : 'zero'
}

/** VAT that is owed elsewhere is neither the company's income nor British VAT: it is a line by itself. */
const partsOf = (line: ExportLine, accounts: Accounts): Part[] => {
  const { sums, treatment, country, rate } = line
  const text = `${line.details}${line.kind === 'credit-note' ? ` (credit on ${line.invoice})` : ''}`
  const code = codeOf(line, accounts)
  if (treatment !== 'oss')
    return [
      {
        text,
        account: 'sales',
        minor: sums.netMinor,
        vatMinor: sums.vatMinor,
        code,
      },
    ]
  const vatText = `VAT of ${country}, ${rate}%, One Stop Shop`
  return [
    { text, account: 'sales', minor: sums.netMinor, vatMinor: 0, code },
    { text: vatText, account: 'oss', minor: sums.vatMinor, vatMinor: 0, code: 'none' },
  ]
}

const XERO_HEADS = [
  '*ContactName',
  'EmailAddress',
  'POAddressLine1',
  'POAddressLine2',
  'POAddressLine3',
  'POAddressLine4',
  'POCity',
  'PORegion',
  'POPostalCode',
  'POCountry',
  '*InvoiceNumber',
  'Reference',
  '*InvoiceDate',
  '*DueDate',
  'Total',
  'InventoryItemCode',
  '*Description',
  '*Quantity',
  '*UnitAmount',
  'Discount',
  '*AccountCode',
  '*TaxType',
  'TaxAmount',
  'TrackingName1',
  'TrackingOption1',
  'TrackingName2',
  'TrackingOption2',
  'Currency',
  'BrandingTheme',
] as const

const XERO_CODES: Readonly<Record<Code, (rate: number) => string>> = {
  taxed: (rate) => `${rate}% (VAT on Income)`,
  zero: () => 'Zero Rated Income',
  none: () => 'No VAT',
}

const XERO_ADDRESS_LINES = 4

/** Net amounts: 'Amounts are tax exclusive' is chosen at the import. Credit notes are in the same file, negative. */
const XERO: CsvFormat = {
  heads: XERO_HEADS,
  rowsOf: (line, accounts) =>
    partsOf(line, accounts).map((part) => {
      const day = britishDay(line)
      const address = Array.from({ length: XERO_ADDRESS_LINES }, (_, at) => line.address[at] ?? '')
      return [
        line.customer,
        '',
        ...address,
        '',
        '',
        '',
        '',
        line.number,
        line.paymentId ?? line.orderId,
        day,
        day,
        formatMinor(line.sums.totalMinor),
        '',
        part.text,
        '1',
        formatMinor(part.minor),
        '',
        accounts[part.account],
        XERO_CODES[part.code](line.rate),
        formatMinor(part.vatMinor),
        '',
        '',
        '',
        '',
        line.currency,
        '',
      ]
    }),
  most: 500,
  isApart: false,
}

const QUICKBOOKS_HEADS = [
  'Number',
  'Customer',
  'Date',
  'Due date',
  'Memo',
  'Item',
  'Item description',
  'Item quantity',
  'Item rate',
  'Item amount',
  'Item tax code',
  'Item tax amount',
  'Currency',
  'Service date',
] as const

const QUICKBOOKS_CODES: Readonly<Record<Code, (rate: number) => string>> = {
  taxed: (rate) => `${rate.toFixed(1)}% S`,
  zero: () => '0.0% Z',
  none: () => 'No VAT',
}

/** Net amounts, 'exclusive of VAT'. Its two imports, of invoices and of credit notes, both take positive sums. */
const QUICKBOOKS: CsvFormat = {
  heads: QUICKBOOKS_HEADS,
  rowsOf: (line, accounts) =>
    partsOf(line, accounts).map((part) => {
      const [day, sign] = [britishDay(line), line.kind === 'invoice' ? 1 : -1]
      const amount = formatMinor(sign * part.minor || 0)
      return [
        line.number,
        line.customer,
        day,
        day,
        line.paymentId ?? line.orderId,
        accounts[part.account],
        part.text,
        '1',
        amount,
        amount,
        QUICKBOOKS_CODES[part.code](line.rate),
        formatMinor(sign * part.vatMinor || 0),
        line.currency,
        day,
      ]
    }),
  most: 100,
  isApart: true,
}

export const CSV_FORMATS = { csv: BOOKS, xero: XERO, quickbooks: QUICKBOOKS } as const
export type CsvFormatName = keyof typeof CSV_FORMATS
