import * as promocodes from '@hedgerow/contract/console/promocodes'
import { levelFor } from '@hedgerow/domain/partnership'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import {
  closePromocode,
  getPromocodeFacts,
  limitPromocode,
  openPromocode,
} from '#catalogue/promocodes/change-promocodes.ts'
import {
  type PromocodeRow,
  promocodeOrder,
  selectPromocodes,
} from '#catalogue/promocodes/promocodes.service.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { Problem } from '#platform/http/problems.ts'

const view = (row: PromocodeRow): promocodes.PromocodeView => ({
  promocode: row.promocode,
  partnerId: row.id,
  percentage: levelFor(row.settled).percentage,
  uses: row.promocode_uses,
  limit: row.promocode_limit,
  closedAt: row.promocode_closed_at?.toISOString() ?? null,
})

const list: ListDefinition<
  z.output<typeof promocodes.listConsolePromocodes.schema.querystring>,
  PromocodeRow,
  promocodes.PromocodeView
> = {
  query: selectPromocodes,
  ...promocodeOrder,
  show: view,
  columns: fileColumns(promocodes.listConsolePromocodes.columns),
}

/** Partners' codes, which take something off the price. */
export const promocodesRoutes = (app: FastifyInstance | LocalCalls, deps: ConsoleListDependencies): void => {
  const { listConsolePromocodes, exportPromocodes } = promocodes
  serveList(app, deps, { list: listConsolePromocodes, file: exportPromocodes, fileName: 'promocodes' }, list)

  const shown = async (code: string): Promise<promocodes.PromocodeReport> => {
    const facts = await getPromocodeFacts(deps, code)
    if (!facts) throw new Problem('promocode-not-found')
    return { ...view(facts.row), usesToCome: facts.usesToCome }
  }
  type Asked = { params: { promocode: string }; recordSubject: (subject: string) => void }
  const changed = async ({ params, recordSubject }: Asked, isNew: boolean | undefined) => {
    if (isNew === undefined) throw new Problem('promocode-not-found')
    recordSubject(params.promocode.toUpperCase())
    return { isNew, promocode: await shown(params.promocode) }
  }

  implementForOperators(app, deps, promocodes.getConsolePromocode, ({ params }) => shown(params.promocode))

  implementForOperators(app, deps, promocodes.limitPromocode, async (asked) =>
    changed(asked, await limitPromocode(deps, asked.params.promocode, asked.body.limit)),
  )
  implementForOperators(app, deps, promocodes.unlimitPromocode, async (asked) =>
    changed(asked, await limitPromocode(deps, asked.params.promocode, null)),
  )
  implementForOperators(app, deps, promocodes.closePromocode, async (asked) =>
    changed(asked, await closePromocode(deps, asked.params.promocode)),
  )
  implementForOperators(app, deps, promocodes.openPromocode, async (asked) =>
    changed(asked, await openPromocode(deps, asked.params.promocode)),
  )
}
