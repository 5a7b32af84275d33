import {
  exportWithdrawals,
  getConsoleWithdrawal,
  importBankAnswers,
  listConsoleWithdrawals,
  payConsoleWithdrawal,
  previewBankAnswers,
  refuseConsoleWithdrawal,
  releaseConsoleWithdrawal,
  type WithdrawalView,
} from '@hedgerow/contract/console/partners'
import { formatMinor } from '@hedgerow/domain/money'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { countRings } from '#desk/backoffice/operate-partners.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { refused } from '#desk/console/refused.ts'
import { bytesOf, fileRefused } from '#desk/console/sent-file.ts'
import { type ConsoleListDependencies, type ListDefinition, serveList } from '#desk/console/serve-list.ts'
import { owingText, standing } from '#desk/presentation/present-withdrawal.ts'
import { type Answer, applyAnswer, planAnswers } from '#partners/payout-files/bank-answers.ts'
import { BankFileFault } from '#partners/payout-files/bank-words.ts'
import { getPayoutOf, releaseWithdrawal } from '#partners/payout-files/payouts.service.ts'
import { readBankFile } from '#partners/payout-files/read-bank-file.ts'
import {
  getWithdrawalReport,
  resolveWithdrawal,
  selectWithdrawals,
  type WithdrawalEnding,
  type WithdrawalFacts,
} from '#partners/withdrawals/withdrawals.service.ts'
import { plainText } from '#platform/csv/write-csv.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

const view = (row: WithdrawalFacts): WithdrawalView => ({
  id: row.id,
  partnerId: row.email === null ? null : row.partner_id,
  sum: { minor: row.amount_minor, currency: row.currency },
  status: row.status,
  method: row.method,
  endsWith: row.ends_with,
  createdAt: row.created_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  reference: row.reference,
  reason: row.reason,
  batch: row.batch_id,
  payoutReference: row.payout_reference,
  owing: { minor: row.owing_minor, currency: row.currency },
})

const withdrawals: ListDefinition<
  z.output<typeof listConsoleWithdrawals.schema.querystring>,
  WithdrawalFacts,
  WithdrawalView
> = {
  query: (db, { state, currency, partnerId }) => selectWithdrawals(db, { state, currency, partnerId }),
  sorts: { createdAt: { by: sql`withdrawals.created_at`, type: 'timestamptz' } },
  id: { by: sql`withdrawals.id`, type: 'uuid' },
  show: view,
  columns: [
    { name: 'id', title: 'Withdrawal', cell: ({ id }) => id },
    { name: 'createdAt', title: 'Asked for (UTC)', cell: ({ createdAt }) => createdAt },
    { name: 'sum', title: 'Sum', cell: ({ sum }) => formatMinor(sum.minor) },
    { name: 'currency', title: 'Currency', cell: ({ sum }) => sum.currency },
    { name: 'status', title: 'Status', cell: ({ status }) => status },
    { name: 'endsWith', title: 'Account ends with', cell: ({ endsWith }) => plainText(endsWith) },
    { name: 'endedAt', title: 'Ended (UTC)', cell: ({ endedAt }) => endedAt ?? '' },
    { name: 'batch', title: 'File', cell: ({ batch }) => batch ?? '' },
    { name: 'reference', title: 'Reference', cell: ({ reference }) => plainText(reference ?? '') },
    { name: 'owing', title: 'Owes back', cell: ({ owing }) => formatMinor(owing.minor) },
    { name: 'partnerId', title: 'Partner', cell: ({ partnerId }) => partnerId ?? '' },
  ],
}

const endingRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
  const factsOf = async (id: string): Promise<WithdrawalFacts> => {
    const row = await getWithdrawalReport(deps, id)
    if (!row) throw new Problem('withdrawal-not-found')
    return row
  }

  const end = async (id: string, ending: WithdrawalEnding, mayOwe: boolean) => {
    const row = await factsOf(id)
    const isOwing = ending.status === 'paid' && row.status === 'requested' && row.owing_minor > 0
    if (isOwing && !mayOwe) throw refused(`nothing was done. ${owingText(row.owing_minor, row)}`)
    const settled = await resolveWithdrawal(deps, id, ending, { knownOwing: mayOwe ? row.owing_minor : 0 })
    if (!settled) throw new Problem('withdrawal-not-found')
    if (settled.batch !== undefined)
      throw refused(
        `nothing was done: it stands in file ${settled.batch}, which the bank may pay. Once you know that it does not, take it out`,
      )
    if (settled.owesMinor !== undefined)
      throw refused(`nothing was done, because this changed meanwhile: ${owingText(settled.owesMinor, row)}`)
    if (settled.withdrawal.status !== ending.status)
      throw refused(`nothing was done: it was already ${standing(settled.withdrawal)}`)
    return { isNew: settled.isDone }
  }

  implementForOperators(app, deps, payConsoleWithdrawal, ({ params: { withdrawalId }, body }) =>
    end(withdrawalId, { status: 'paid', reference: body.reference ?? null }, body.although),
  )

  implementForOperators(app, deps, refuseConsoleWithdrawal, ({ params: { withdrawalId }, body }) =>
    end(withdrawalId, { status: 'refused', reason: body.reason }, true),
  )

  implementForOperators(app, deps, releaseConsoleWithdrawal, async ({ params: { withdrawalId } }) => {
    await factsOf(withdrawalId)
    const payout = await getPayoutOf(deps, withdrawalId)
    if (!payout) return { isNew: false }
    const outcome = await releaseWithdrawal(deps, withdrawalId, 'operator', payout.reference)
    if (outcome === 'ended') throw refused('nothing was done: it has ended meanwhile')
    return { isNew: outcome === 'released' }
  })
}

type AnswersFile = z.output<typeof importBankAnswers.schema.body>

const readAnswers = async ({ file, columns, decimal, areAllPaid }: AnswersFile) => {
  const bytes = bytesOf(file)
  try {
    return await readBankFile(bytes, {
      ...(columns ? { columns } : {}),
      decimal: decimal && (decimal === 'comma' ? ',' : '.'),
      areAllPaid,
    })
  } catch (error) {
    throw error instanceof BankFileFault ? invalidField('file', error.message) : fileRefused(error)
  }
}

const answerView = ({ verdict, word, reference, payout, why }: Answer, isDone: boolean) => ({
  at: word.at,
  reference,
  withdrawalId: payout?.withdrawal_id ?? null,
  sum: payout ? { minor: payout.amount_minor, currency: payout.currency } : null,
  verdict,
  why: why ?? word.code ?? null,
  isDone,
})

const answersRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
  implementForOperators(app, deps, previewBankAnswers, async ({ body }) => {
    const file = await readAnswers(body)
    const answers = await planAnswers(deps, file)
    return { answers: answers.map((answer) => answerView(answer, false)), others: file.others }
  })

  implementForOperators(app, deps, importBankAnswers, async ({ body }) => {
    const file = await readAnswers(body)
    const answers = await planAnswers(deps, file)
    const done = new Set<Answer>()
    // Each in a transaction of its own: what a crash leaves is done by the same file again.
    for (const answer of answers)
      if ((answer.verdict === 'pay' || answer.verdict === 'release') && (await applyAnswer(deps, answer)))
        done.add(answer)
    return { answers: answers.map((answer) => answerView(answer, done.has(answer))), others: file.others }
  })
}

/** What partners want paid, and what became of it. */
export const withdrawalsRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
  const endpoints = { list: listConsoleWithdrawals, file: exportWithdrawals, fileName: 'withdrawals' }
  serveList(app, deps, endpoints, withdrawals)

  implementForOperators(app, deps, getConsoleWithdrawal, async ({ params }) => {
    const row = await getWithdrawalReport(deps, params.withdrawalId)
    if (!row) throw new Problem('withdrawal-not-found')
    return { ...view(row), rings: await countRings(deps, row.partner_id) }
  })

  endingRoutes(app, deps)
  answersRoutes(app, deps)
}
