import * as withdrawals from '@hedgerow/contract/console/withdrawals'
import { commissionNumberOrNull } from '@hedgerow/domain/commissions'
import { withdrawalRefusalText } from '@hedgerow/domain/withdrawal-refusals'
import type { BankDetails } from '@hedgerow/domain/withdrawals'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { shownText } from '#desk/console/shown-names.ts'
import { countRings } from '#desk/partners/partner-reports.ts'
import { getBilling } from '#partners/commissions/billing.service.ts'
import { documentPdf } from '#partners/commissions/documents.service.ts'
import { releaseWithdrawal } from '#partners/payout-files/payouts.service.ts'
import {
  getWithdrawalReport,
  resolveWithdrawal,
  revealBankDetails,
  selectWithdrawals,
  type WithdrawalEnding,
  type WithdrawalFacts,
  withdrawalOrder,
} from '#partners/withdrawals/withdrawals.service.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'

const view = (
  row: WithdrawalFacts,
  operator: Pick<OperatorCaller, 'permissions'>,
): withdrawals.WithdrawalView => ({
  id: row.id,
  partnerId: row.email === null ? null : row.partner_id,
  sum: { minor: row.amount_minor, currency: row.currency },
  status: row.status,
  method: row.method,
  endsWith: row.ends_with,
  createdAt: row.created_at.toISOString(),
  recalledAt: row.recalled_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  reference: row.reference && shownText(row.reference, operator),
  reason: row.reason && shownText(row.reason, operator),
  batch: row.batch_id,
  payoutReference: row.payout_reference,
  document: commissionNumberOrNull(row.document_year, row.document_number),
  owing: { minor: row.owing_minor, currency: row.currency },
})

const list: ListDefinition<
  z.output<typeof withdrawals.listConsoleWithdrawals.schema.querystring>,
  WithdrawalFacts,
  withdrawals.WithdrawalView
> = {
  query: selectWithdrawals,
  ...withdrawalOrder,
  show: view,
  columns: fileColumns(withdrawals.listConsoleWithdrawals.columns),
}

const grouped = (text: string, size: number, by: string) =>
  text.match(new RegExp(`.{1,${size}}`, 'g'))?.join(by) ?? ''

const accountView = (details: BankDetails) => ({
  holder: details.accountHolder,
  iban: 'iban' in details ? grouped(details.iban, 4, ' ') : null,
  sortCode: 'iban' in details ? null : grouped(details.sortCode, 2, '-'),
  account: 'iban' in details ? null : details.accountNumber,
})

const bankView = (bank: ReturnType<typeof revealBankDetails>) => {
  if (typeof bank === 'object') return { bank: accountView(bank), whyNoBank: null }
  const whyNoBank = bank
    ? 'It cannot be opened: refuse the withdrawal, and the partner can ask again with the account.'
    : 'It is deleted, as the withdrawal ended some time ago.'
  return { bank: null, whyNoBank }
}

type Deps = ConsoleListDependencies & With<'keyCipher' | 'settings'>

/** What partners want paid, and what became of it. */
export const withdrawalsRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  const { listConsoleWithdrawals, exportWithdrawals } = withdrawals
  const endpoints = { list: listConsoleWithdrawals, file: exportWithdrawals, fileName: 'withdrawals' }
  serveList(app, deps, endpoints, list)

  const factsOf = async (id: string): Promise<WithdrawalFacts> => {
    const row = await getWithdrawalReport(deps, id)
    if (!row) throw new Problem('withdrawal-not-found')
    return row
  }
  const reportOf = async (row: WithdrawalFacts, operator: OperatorCaller) => ({
    ...view(row, operator),
    rings: await countRings(deps, row.partner_id),
  })

  implementForOperators(app, deps, withdrawals.getConsoleWithdrawal, async ({ params, operator }) =>
    reportOf(await factsOf(params.withdrawalId), operator),
  )

  implementForOperators(app, deps, withdrawals.openConsoleWithdrawal, async ({ params, operator }) => {
    const row = await factsOf(params.withdrawalId)
    return {
      ...(await reportOf(row, operator)),
      email: row.email,
      ...bankView(revealBankDetails(deps, row)),
      billing: await getBilling(deps, row.partner_id),
    }
  })

  const end = async (id: string, ending: WithdrawalEnding, mayOwe: boolean) => {
    const resolved = await resolveWithdrawal(deps, id, ending, { mayOwe })
    if (!resolved) throw new Problem('withdrawal-not-found')
    if (resolved.kind === 'refused') throw refused(withdrawalRefusalText(resolved.why))
    return { isNew: resolved.kind === 'recorded' }
  }

  implementForOperators(app, deps, withdrawals.payConsoleWithdrawal, ({ params, body }) =>
    end(params.withdrawalId, { status: 'paid', reference: body.reference ?? null }, body.although),
  )

  implementForOperators(app, deps, withdrawals.refuseConsoleWithdrawal, ({ params, body }) =>
    end(params.withdrawalId, { status: 'refused', reason: body.reason }, true),
  )

  implementForOperators(app, deps, withdrawals.releaseConsoleWithdrawal, async ({ params }) => {
    const { id } = await factsOf(params.withdrawalId)
    const outcome = await releaseWithdrawal(deps, id, 'operator')
    if (outcome === 'ended') throw refused('nothing was done: it has ended already')
    return { isNew: outcome === 'released' }
  })
}

/** Documents about them on paper, which the shop prints. */
export const commissionPdfRoutes = (app: FastifyInstance, deps: With<'db'> & InvoiceDependencies): void => {
  implementForOperators(app, deps, withdrawals.commissionPdf, async ({ params }, reply) => {
    const row = await getWithdrawalReport(deps, params.withdrawalId)
    const number = row && commissionNumberOrNull(row.document_year, row.document_number)
    if (!number) throw new Problem('document-not-found')
    const bytes = await documentPdf(deps, null, params.withdrawalId)
    reply.type('application/pdf')
    reply.header('content-disposition', `attachment; filename="${number}.pdf"`)
    return bytes as never
  })
}
