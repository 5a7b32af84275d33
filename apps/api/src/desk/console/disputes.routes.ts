import * as disputes from '@hedgerow/contract/console/payments'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { disputeView } from '#desk/console/present-payments.ts'
import { refused } from '#desk/console/refused.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import type { DisputeAnswer } from '#money/disputes/dispute-steps.ts'
import {
  answerDispute,
  type DisputeFacts,
  findDisputeFacts,
  loseDispute,
  openDispute,
  selectDisputes,
  winDispute,
} from '#money/disputes/disputes.service.ts'
import { gatherEvidence } from '#money/disputes/gather-evidence.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

const list: ListDefinition<
  z.output<typeof disputes.listDisputes.schema.querystring>,
  DisputeFacts,
  disputes.DisputeView
> = {
  query: (db, { status }) => selectDisputes(db, status),
  sorts: {
    respondBy: { by: sql`disputes.respond_by`, type: 'timestamptz' },
    openedAt: { by: sql`disputes.opened_at`, type: 'timestamptz' },
  },
  id: { by: sql`disputes.id`, type: 'uuid' },
  show: disputeView,
  columns: fileColumns(disputes.listDisputes.columns),
}

/** What card holders' banks want back. */
export const disputesRoutes = (
  app: FastifyInstance | LocalCalls,
  deps: ConsoleListDependencies & With<'settings'>,
): void => {
  serveList(
    app,
    deps,
    { list: disputes.listDisputes, file: disputes.exportDisputes, fileName: 'disputes' },
    list,
  )

  const shown = async (id: string) => {
    const row = await findDisputeFacts(deps.db, id)
    if (!row) throw new Problem('dispute-not-found')
    return disputeView(row)
  }
  const told = async (answer: DisputeAnswer) => {
    if (answer.kind === 'refused') throw refused(answer.why)
    return { isNew: answer.kind === 'recorded', dispute: await shown(answer.dispute.id) }
  }

  implementForOperators(app, deps, disputes.getDispute, ({ params }) => shown(params.disputeId))

  implementForOperators(app, deps, disputes.openDispute, async ({ params, body }) => {
    const respondBy = body.respondBy === undefined ? undefined : new Date(body.respondBy)
    return told(await openDispute(deps, { ...params, ...body, respondBy }))
  })

  implementForOperators(app, deps, disputes.winDispute, async ({ params }) =>
    told(await winDispute(deps, params.disputeId)),
  )

  implementForOperators(app, deps, disputes.loseDispute, async ({ params, body }) =>
    told(
      await loseDispute(deps, params.disputeId, {
        vat: body.vat ?? 'credit-note',
        connections: body.connections,
      }),
    ),
  )

  implementForOperators(app, deps, disputes.answerDispute, async ({ params }) =>
    told(await answerDispute(deps, params.disputeId)),
  )

  implementForOperators(app, deps, disputes.disputeEvidence, async ({ params: { disputeId } }, reply) => {
    const data = await gatherEvidence(deps, disputeId, new Date())
    if (!data) throw new Problem('dispute-not-found')
    // Fonts and all: only this call waits for them.
    const { evidencePdf } = await import('@hedgerow/documents/evidence-pdf')
    reply.type('application/pdf')
    reply.header('content-disposition', `attachment; filename="evidence-${disputeId}.pdf"`)
    return (await evidencePdf(data)) as never
  })
}
