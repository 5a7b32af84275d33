import * as contract from '@hedgerow/contract/console/invoices'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { betweenDays } from '#desk/console/periods.ts'
import { refused } from '#desk/console/refused.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  inOneCurrency,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { correctByOperator } from '#desk/invoices/correct-by-operator.ts'
import {
  creditNoteFacts,
  creditNoteLine,
  invoiceFacts,
  invoiceLine,
} from '#desk/invoices/invoices.present.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import { presentInvoice } from '#sales/invoices/invoices.present.ts'
import {
  getNextNumber,
  type NextNumber,
  type NumberSeries,
  readNumber,
  SERIES,
  setNextNumber,
} from '#sales/invoices/next-number.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'
import {
  creditNotesOrder,
  findCreditNote,
  findInvoice,
  invoicesOrder,
  type ListedCreditNote,
  type ListedInvoice,
  selectCreditNotes,
  selectInvoices,
} from '#sales/invoices/read-invoices.ts'

type Asked = z.output<typeof contract.listConsoleInvoices.schema.querystring>

const invoices: ListDefinition<Asked, ListedInvoice, contract.InvoiceLine> = {
  query: (db, asked) => selectInvoices(db, { ...asked, between: betweenDays(asked) }),
  ...invoicesOrder,
  show: invoiceLine,
  columns: inOneCurrency(fileColumns(contract.listConsoleInvoices.columns)),
}

const creditNotes: ListDefinition<Asked, ListedCreditNote, contract.CreditNoteLine> = {
  query: (db, asked) => selectCreditNotes(db, { ...asked, between: betweenDays(asked) }),
  ...creditNotesOrder,
  show: creditNoteLine,
  columns: inOneCurrency(fileColumns(contract.listConsoleCreditNotes.columns)),
}

const told = (facts: readonly (readonly [string, string])[]) => facts.map(([what, says]) => ({ what, says }))

const presentNext = (series: NumberSeries, { year, next, gaps }: NextNumber) => {
  const { numberOf } = SERIES[series]
  return {
    next: numberOf(year, next),
    missing: gaps.map(({ first, last, created_at }) => ({
      from: numberOf(year, first),
      to: numberOf(year, last),
      at: created_at.toISOString(),
    })),
  }
}

const numbersRoutes = (app: FastifyInstance | LocalCalls, deps: With<'db'>): void => {
  const nextOf = async (series: NumberSeries, year?: number) =>
    presentNext(series, await getNextNumber(deps.db, year, series))

  const setNext = async (series: NumberSeries, typed: string) => {
    const wanted = readNumber(typed)
    if (!wanted) throw invalidField('number', 'There is no such number.')
    const outcome = await deps.db.transaction().execute((trx) => setNextNumber(trx, wanted, series))
    if (outcome.kind === 'refused')
      throw refused(
        `numbers up to ${SERIES[series].numberOf(outcome.year, outcome.last)} have been issued, so the next must be higher`,
      )
    return { isChanged: outcome.kind === 'set', ...(await nextOf(series, outcome.year)) }
  }

  implementForOperators(app, deps, contract.getNextInvoice, () => nextOf('invoices'))
  implementForOperators(app, deps, contract.getNextCreditNote, () => nextOf('credit-notes'))
  implementForOperators(app, deps, contract.setNextInvoice, ({ body }) => setNext('invoices', body.number))
  implementForOperators(app, deps, contract.setNextCreditNote, ({ body }) =>
    setNext('credit-notes', body.number),
  )
  implementForOperators(app, deps, contract.getNextCommission, () => nextOf('commissions'))
  implementForOperators(app, deps, contract.setNextCommission, ({ body }) =>
    setNext('commissions', body.number),
  )
}

/** Invoices, credit notes, and the numbers of these and of commission documents. */
export const invoicesRoutes = (
  app: FastifyInstance | LocalCalls,
  deps: ConsoleListDependencies & With<'settings'>,
): void => {
  const { listConsoleInvoices, exportInvoices, listConsoleCreditNotes, exportCreditNotes } = contract
  const ofInvoices = { list: listConsoleInvoices, file: exportInvoices, fileName: 'invoices' }
  serveList(app, deps, ofInvoices, invoices)
  const ofNotes = { list: listConsoleCreditNotes, file: exportCreditNotes, fileName: 'credit-notes' }
  serveList(app, deps, ofNotes, creditNotes)

  implementForOperators(app, deps, contract.openInvoice, async ({ params }) => {
    const report = await findInvoice(deps, params.number)
    if (!report) throw new Problem('document-not-found')
    return {
      facts: told(invoiceFacts(report)),
      orderId: report.invoice.order_id,
      paymentId: report.payment?.id ?? null,
    }
  })

  implementForOperators(app, deps, contract.openCreditNote, async ({ params }) => {
    const note = await findCreditNote(deps, params.number)
    if (!note) throw new Problem('document-not-found')
    return {
      facts: told(creditNoteFacts(note)),
      orderId: note.snapshot.invoice.orderId,
      paymentId: note.payment_id,
    }
  })

  implementForOperators(app, deps, contract.correctInvoice, ({ params, body }) =>
    correctByOperator(deps, params.number, body),
  )

  numbersRoutes(app, deps)
}

/** Invoices on paper, which the shop prints. */
export const invoicePdfRoutes = (app: FastifyInstance, deps: With<'db'> & InvoiceDependencies): void => {
  implementForOperators(app, deps, contract.invoicePdf, async ({ params }, reply) => {
    const report = await findInvoice(deps, params.number)
    if (!report) throw new Problem('document-not-found')
    const bytes = await deps.pdfs.make(presentInvoice(report.invoice))
    reply.type('application/pdf')
    reply.header('content-disposition', `attachment; filename="invoice-${params.number}.pdf"`)
    return bytes as never
  })
}
