import * as disputes from '@hedgerow/contract/console/disputes'
import { DAY_MS } from '@hedgerow/domain/dates'
import { disputeRefusalText } from '@hedgerow/domain/dispute-refusals'
import { instantsOf } from '@hedgerow/domain/periods'
import { PROGRAMMES } from '@hedgerow/domain/scheme-programmes'
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
import { disputeView } from '#desk/disputes/disputes.present.ts'
import type { DisputeAnswer } from '#money/disputes/dispute-steps.ts'
import {
  answerDispute,
  type DisputeFacts,
  disputeOrder,
  findDisputeFacts,
  loseDispute,
  openDispute,
  reverseDispute,
  selectDisputes,
  winDispute,
} from '#money/disputes/disputes.service.ts'
import { fetchDisputes, periodSince } from '#money/disputes/fetch-disputes.ts'
import { gatherEvidence } from '#money/disputes/gather-evidence.ts'
import { listSchemeMonths } from '#money/disputes/scheme-months.ts'
import { checkAll, listHints, listUnfiled } from '#money/disputes/unanswered.ts'
import { DataFault } from '#money/gateway/data-fault.ts'
import { createDataCall } from '#money/gateway/gate/data-call.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

const list: ListDefinition<
  z.output<typeof disputes.listDisputes.schema.querystring>,
  DisputeFacts,
  disputes.DisputeView
> = {
  query: (db, { status }) => selectDisputes(db, status),
  ...disputeOrder,
  show: disputeView,
  columns: fileColumns(disputes.listDisputes.columns),
}

const LISTED = 200
const FURTHEST_MS = 366 * DAY_MS

const startOf = (day: string): Date => instantsOf({ from: day, to: day }).begins
const endOf = (day: string): Date => instantsOf({ from: day, to: day }).ends

const hintsRoutes = (app: FastifyInstance | LocalCalls, deps: With<'db' | 'settings'>): void => {
  implementForOperators(app, deps, disputes.listDisputeHints, async () => ({
    hints: (await listHints(deps.db, LISTED)).map((hint) => ({
      paymentId: hint.payment_id,
      lastToldAt: hint.last_told_at.toISOString(),
    })),
    unfiled: (await listUnfiled(deps.db, LISTED).execute()).map((one) => ({
      gatewayId: one.gate_id,
      paymentId: one.payment_id,
      why: one.why,
      toldAt: one.told_at.toISOString(),
    })),
    canFetch: deps.settings.dataApi !== null,
  }))

  implementForOperators(app, deps, disputes.listSchemeMonths, async () => ({
    months: (await listSchemeMonths(deps.db, 12, new Date())).map(({ ratio, ...month }) => {
      const { ratio: limit, count } = PROGRAMMES[month.scheme]
      return {
        ...month,
        ratio: ratio === null ? null : `${(ratio * 100).toFixed(2)}%`,
        limit: `${limit * 100}% and ${count}`,
      }
    }),
  }))

  implementForOperators(app, deps, disputes.fetchConsoleDisputes, async ({ body }) => {
    const api = deps.settings.dataApi
    if (!api)
      throw refused('There is no Data API to ask: set DATA_API_URL, DATA_API_TOKEN and DATA_API_SECRET.')
    const to = body.to === undefined ? new Date() : endOf(body.to)
    const period = { ...periodSince(null, to), ...(body.from ? { from: startOf(body.from) } : {}) }
    if (period.from >= to) throw invalidField('from', 'The first day is after the last one.')
    try {
      return await fetchDisputes({ db: deps.db, call: createDataCall(api) }, period)
    } catch (error) {
      throw error instanceof DataFault ? new Problem('gateway-silent', { detail: error.message }) : error
    }
  })

  implementForOperators(app, deps, disputes.checkDisputeHints, async () => ({
    checked: await checkAll(deps),
  }))
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
  const answered = async (answer: DisputeAnswer) => {
    if (answer.kind === 'refused') throw refused(disputeRefusalText(answer.why))
    return { isNew: answer.kind === 'recorded', dispute: await shown(answer.dispute.id) }
  }

  implementForOperators(app, deps, disputes.getDispute, ({ params }) => shown(params.disputeId))

  implementForOperators(app, deps, disputes.openDispute, async ({ params, body }) => {
    const { respondBy: day } = body
    const respondBy = day === undefined ? undefined : new Date(endOf(day).getTime() - 1)
    if (respondBy && respondBy.getTime() > Date.now() + FURTHEST_MS)
      throw invalidField('respondBy', 'That is more than a year away.')
    return answered(await openDispute(deps, { ...params, ...body, respondBy }))
  })

  implementForOperators(app, deps, disputes.winDispute, async ({ params }) =>
    answered(await winDispute(deps, params.disputeId)),
  )

  implementForOperators(app, deps, disputes.loseDispute, async ({ params, body }) =>
    answered(await loseDispute(deps, params.disputeId, body)),
  )

  implementForOperators(app, deps, disputes.reverseDispute, async ({ params }) =>
    answered(await reverseDispute(deps, params.disputeId)),
  )

  implementForOperators(app, deps, disputes.answerDispute, async ({ params }) =>
    answered(await answerDispute(deps, params.disputeId)),
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

  hintsRoutes(app, deps)
}
