import {
  type DisputeView,
  disputeEvidence,
  exportDisputes,
  listDisputes,
  openDispute as openDisputeEndpoint,
  sayOfDispute,
} from '@hedgerow/contract/console/payments'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { implementForOperators } from '#console/implement-for-operators.ts'
import { disputeView } from '#console/present-payments.ts'
import { refused } from '#console/refused.ts'
import { type ConsoleListDependencies, type ListDefinition, serveList } from '#console/serve-list.ts'
import type { DisputeRow } from '#database/tables/disputes.table.ts'
import type { With } from '#dependencies.ts'
import {
  answerDispute,
  type DisputeAnswer,
  loseDispute,
  openDispute,
  selectDisputes,
  winDispute,
} from '#disputes/disputes.service.ts'
import { gatherEvidence } from '#disputes/gather-evidence.ts'
import { Problem } from '#http/problems.ts'

const disputes: ListDefinition<z.output<typeof listDisputes.schema.querystring>, DisputeRow, DisputeView> = {
  query: (db, { status }) => selectDisputes(db, status),
  sorts: {
    respondBy: { by: sql`disputes.respond_by`, type: 'timestamptz' },
    openedAt: { by: sql`disputes.opened_at`, type: 'timestamptz' },
  },
  id: { by: sql`disputes.id`, type: 'uuid' },
  show: disputeView,
  columns: [
    { name: 'id', title: 'Dispute', cell: ({ id }) => id },
    { name: 'sum', title: 'Sum', cell: ({ sum }) => formatMinorOf(sum.minor, sum.currency) },
    { name: 'currency', title: 'Currency', cell: ({ sum }) => sum.currency },
    { name: 'status', title: 'Status', cell: ({ status }) => status },
    { name: 'reason', title: 'Reason', cell: ({ reason }) => reason ?? '' },
    { name: 'openedAt', title: 'Opened (UTC)', cell: ({ openedAt }) => openedAt },
    { name: 'respondBy', title: 'Answer by (UTC)', cell: ({ respondBy }) => respondBy },
    { name: 'paymentId', title: 'Payment', cell: ({ paymentId }) => paymentId },
  ],
}

const told = (answer: DisputeAnswer) => {
  if (answer.kind === 'refused') throw refused(answer.why)
  return { isNew: answer.kind === 'recorded', dispute: disputeView(answer.dispute) }
}

/** What card holders' banks want back. */
export const disputesRoutes = (
  app: FastifyInstance,
  deps: ConsoleListDependencies & With<'settings'>,
): void => {
  serveList(app, deps, { list: listDisputes, file: exportDisputes, fileName: 'disputes' }, disputes)

  implementForOperators(app, deps, openDisputeEndpoint, async ({ params, body, recordSubject }) => {
    const answer = told(await openDispute(deps, { ...params, ...body }))
    recordSubject(params.paymentId)
    return answer
  })

  implementForOperators(app, deps, sayOfDispute, async ({ params: { disputeId }, body }) => {
    if (body.word === 'won') return told(await winDispute(deps, disputeId))
    if (body.word === 'answered') return told(await answerDispute(deps, disputeId))
    return told(await loseDispute(deps, disputeId, { vat: body.vat, connections: body.connections }))
  })

  implementForOperators(app, deps, disputeEvidence, async ({ params: { disputeId } }, reply) => {
    const data = await gatherEvidence(deps, disputeId, new Date())
    if (!data) throw new Problem('dispute-not-found')
    // Fonts and all: only this call waits for them.
    const { evidencePdf } = await import('@hedgerow/documents/evidence-pdf')
    reply.type('application/pdf')
    reply.header('content-disposition', `attachment; filename="evidence-${disputeId}.pdf"`)
    return (await evidencePdf(data)) as never
  })
}
