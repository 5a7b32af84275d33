import { getOssReturn, getVatReturn, ossReturnFile, vatReturnFile } from '@hedgerow/contract/console/returns'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { readOssReturn } from '#accounting/books/oss-return.ts'
import { readVatReturn } from '#accounting/books/vat-return.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { withRates } from '#desk/console/missing-rates.ts'
import { wantedDays } from '#desk/console/periods.ts'
import { type ConsoleListDependencies, implementCsv } from '#desk/console/serve-list.ts'
import {
  ossReturnCsv,
  presentOssReturn,
  presentVatReturn,
  vatReturnCsv,
} from '#desk/returns/returns.present.ts'

type VatQuery = z.output<typeof getVatReturn.schema.querystring>
type OssQuery = z.output<typeof getOssReturn.schema.querystring>

/** What is owed in VAT. */
export const returnsRoutes = (app: FastifyInstance | LocalCalls, deps: ConsoleListDependencies): void => {
  const db = deps.exportDb
  const vatReturnOf = (query: VatQuery) =>
    withRates(readVatReturn({ db }, wantedDays(query), { isOssInBox6: query.ossInBox6 !== false }))
  const ossReturnOf = ({ quarter }: OssQuery) => withRates(readOssReturn({ db }, quarter))

  implementForOperators(app, deps, getVatReturn, async ({ query }) =>
    presentVatReturn(await vatReturnOf(query)),
  )
  implementCsv(app, deps, vatReturnFile, async (query: VatQuery) => {
    const { from, to } = wantedDays(query)
    return { name: `vat-return-${from}-${to}`, text: vatReturnCsv(await vatReturnOf(query)) }
  })

  implementForOperators(app, deps, getOssReturn, async ({ query }) =>
    presentOssReturn(await ossReturnOf(query)),
  )
  implementCsv(app, deps, ossReturnFile, async (query: OssQuery) => ({
    name: `oss-return-${query.quarter}`,
    text: ossReturnCsv(await ossReturnOf(query)),
  }))
}
