import { formatMinor } from '@hedgerow/domain/money'
import { BACS_NAME_LONGEST, type BacsPayee } from '#partners/payout-files/payee.ts'
import { bacsText } from '#partners/payout-files/payout-text.ts'
import { recordText } from '#platform/csv/write-csv.ts'
import type { Payer } from '#platform/database/tables/payouts.table.ts'

export type ListedPayment = BacsPayee & { reference: string; amountMinor: number }

export type PaymentListFile = {
  /** '2026-11-23' */
  executionDay: string
  payer: Payer
  payments: readonly ListedPayment[]
}

type Cell = (payment: ListedPayment, file: PaymentListFile) => string

const payerName = (_: ListedPayment, { payer }: PaymentListFile) => bacsText(payer.name, BACS_NAME_LONGEST)
const ownSortCode = (_: ListedPayment, { payer }: PaymentListFile) => payer.sortCode ?? ''
const ownAccount = (_: ListedPayment, { payer }: PaymentListFile) => payer.accountNumber ?? ''
const dayOf = (file: PaymentListFile, by: string) => file.executionDay.split('-').reverse().join(by)

/** What a cell can hold. Sort codes and account numbers are texts: they keep their leading zeros. */
const FIELDS: Readonly<Record<string, Cell>> = {
  name: ({ name }) => name,
  sort_code: ({ sortCode }) => sortCode,
  account_number: ({ accountNumber }) => accountNumber,
  amount: ({ amountMinor }) => formatMinor(amountMinor),
  pence: ({ amountMinor }) => String(amountMinor),
  reference: ({ reference }) => reference,
  currency: () => 'GBP',
  date: (_, file) => dayOf(file, '/'),
  date_digits: (_, file) => dayOf(file, ''),
  payer_name: payerName,
  payer_sort_code: ownSortCode,
  payer_account: ownAccount,
  payer_sort_code_account: (payment, file) => ownSortCode(payment, file) + ownAccount(payment, file),
}

/** Those that need the payer's account. */
const OF_PAYER = new Set(['payer_sort_code', 'payer_account', 'payer_sort_code_account'])

const blank = (count: number) => ','.repeat(count)

/** Layouts that banks and bureaux are known to take; compare with yours before the first file. */
const PRESETS: Readonly<Record<string, string>> = {
  generic: 'name=name,sort_code=sort_code,account_number=account_number,amount=amount,reference=reference',
  paygate:
    'sort_code,account_number,name,amount,"99",payer_sort_code,payer_account,payer_name,reference,date',
  // By the letters of a spreadsheet: D, M, Q, S, Y, AE, AG, AK.
  coutts: `${blank(3)}"01"${blank(9)}payer_sort_code_account${blank(4)}amount${blank(2)}date_digits${blank(6)}sort_code${blank(6)}account_number${blank(2)}name${blank(4)}reference`,
}

const MOST_COLUMNS = 60

/** `title` only where the list has a line of titles. */
type Column = { title?: string; cell: Cell; field?: string }

const LITERAL = /^"([^"]*)"$/

const readColumn = (text: string): Column | string => {
  const item = text.trim()
  if (item === '') return { cell: () => '' }
  const literal = LITERAL.exec(item)
  if (literal) return { cell: () => literal[1] ?? '' }
  const at = item.lastIndexOf('=')
  const field = item.slice(at + 1).trim()
  const cell = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined
  if (!cell) return field
  return at === -1 ? { cell, field } : { cell, field, title: item.slice(0, at).trim() }
}

export class ColumnsFault extends Error {
  override name = 'ColumnsFault'
}

const readColumns = (columns: string): Column[] => {
  const read = columns.split(',').map(readColumn)
  const unknown = read.find((column) => typeof column === 'string')
  if (unknown !== undefined)
    throw new ColumnsFault(
      `There is no column “${String(unknown).slice(0, 40)}”. There are ${Object.keys(FIELDS).join(', ')}; a text that stands in every row is written like "99"; nothing between two commas is an empty cell.`,
    )
  if (read.length > MOST_COLUMNS) throw new ColumnsFault(`More than ${MOST_COLUMNS} columns are no list.`)
  const known = read.filter((column) => typeof column !== 'string')
  for (const needed of ['sort_code', 'account_number', 'reference'])
    if (!known.some(({ field }) => field === needed))
      throw new ColumnsFault(`The columns lack ${needed}, without which nobody can be paid and found again.`)
  if (!known.some(({ field }) => field === 'amount' || field === 'pence'))
    throw new ColumnsFault('The columns lack amount (or pence).')
  return known
}

/** A preset's columns, or those that were typed. Throws a ColumnsFault. */
export const columnsOf = (presetOrColumns: string): string => {
  const columns = Object.hasOwn(PRESETS, presetOrColumns) ? PRESETS[presetOrColumns] : presetOrColumns
  readColumns(columns ?? '')
  return columns ?? ''
}

/** Whether the list tells the account that the money comes from. */
export const namesPayer = (columns: string): boolean =>
  readColumns(columns).some(({ field }) => field !== undefined && OF_PAYER.has(field))

/** A list of payments in sterling as banks and Bacs bureaux upload it: CRLF, a line of titles where the columns have any. */
export const writePaymentList = (file: PaymentListFile, columns: string): string => {
  const read = readColumns(columns)
  const titles = read.some(({ title }) => title) ? [read.map(({ title = '' }) => title)] : []
  const rows = file.payments.map((payment) => read.map(({ cell }) => cell(payment, file)))
  return recordText([...titles, ...rows])
}
