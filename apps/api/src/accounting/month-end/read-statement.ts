import { type MonthStatement, type StatementSum, statementOf } from '@hedgerow/domain/month-statement'
import { rateOfMonth } from '#accounting/books/in-pounds.ts'
import { listUncredited, listUncreditedRecoveries } from '#accounting/books/journal.queries.ts'
import { MissingRate } from '#accounting/books/missing-rate.ts'
import { readVatReturn } from '#accounting/books/vat-return.ts'
import type { Month } from '#accounting/month-end/month.ts'
import { sumCommissions, sumFees, sumPaidToPartners } from '#accounting/month-end/statement.queries.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { inOneState } from '#sales/invoices/documents.ts'
import { readSterlingRates } from '#sales/invoices/sterling.ts'

/** As the VAT return has them, which is of the documents alone. */
const documentSums = async (db: Db, { firstDay, lastDay }: Month): Promise<StatementSum[]> => {
  try {
    const { totals } = await readVatReturn({ db }, { from: firstDay, to: lastDay })
    return [
      { part: 'sales', currency: 'GBP', minor: totals.invoices.netMinor },
      { part: 'credit-notes', currency: 'GBP', minor: -totals.creditNotes.netMinor || 0 },
      { part: 'vat', currency: 'GBP', minor: totals.vatMinor },
    ]
  } catch (error) {
    if (!(error instanceof MissingRate)) throw error
    const currencies = [...new Set(error.wanted.map(({ currency }) => currency))]
    return (['sales', 'credit-notes', 'vat'] as const).flatMap((part) =>
      currencies.map((currency) => ({ part, currency, minor: null })),
    )
  }
}

/** What lost disputes took without a credit note, less what came back of them. */
const badDebts = async (db: Db, { from, to }: Month): Promise<StatementSum[]> => {
  const lost = (await listUncredited(db, from, to)).map(({ is_invoiced, currency, amount_minor }) => ({
    ...{ is_invoiced, currency, minor: -amount_minor },
  }))
  const back = (await listUncreditedRecoveries(db, from, to)).map(({ is_invoiced, currency, minor }) => ({
    ...{ is_invoiced, currency, minor },
  }))
  return [...lost, ...back]
    .filter(({ is_invoiced }) => is_invoiced)
    .map(({ currency, minor }) => ({ part: 'bad-debts', currency, minor }))
}

/** What a month comes to in pounds, at the rates of the books. Reads as of one moment, and changes nothing. */
export const readStatement = ({ db }: With<'db'>, month: Month): Promise<MonthStatement> =>
  inOneState(db, async (state) => {
    const rates = await readSterlingRates(state)
    const sums = [
      ...(await documentSums(state, month)),
      ...(await sumFees(state, month)),
      ...(await sumCommissions(state, month)),
      ...(await badDebts(state, month)),
      ...(await sumPaidToPartners(state, month)),
    ]
    return statementOf(sums, (currency) => rateOfMonth(rates, currency, month.lastDay)?.rateMicro)
  })
