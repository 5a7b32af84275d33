import {
  checkConsoleMonth,
  getOssReturn,
  getVatReturn,
  ossReturnFile,
  vatEvidenceFile,
  vatReturnFile,
} from '@hedgerow/contract/console/books'
import { daysOfQuarter, quarterOf } from '@hedgerow/domain/periods'
import type { VatBoxes } from '@hedgerow/domain/vat-return'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type * as z from 'zod/mini'
import { readOssReturn } from '#accounting/books/oss-return.ts'
import { readVatReturn } from '#accounting/books/vat-return.ts'
import { checkMonth, isClosable, isForgotten } from '#accounting/month-end/check-month.ts'
import { parseMonth } from '#accounting/month-end/month.ts'
import { listVatEvidence } from '#desk/backoffice/vat-evidence.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { withRates } from '#desk/console/missing-rates.ts'
import { wantedDays } from '#desk/console/periods.ts'
import { refused } from '#desk/console/refused.ts'
import type { ConsoleListDependencies } from '#desk/console/serve-list.ts'
import { evidenceCsv, presentSale } from '#desk/presentation/present-evidence.ts'
import { presentMonth } from '#desk/presentation/present-month.ts'
import {
  noteWords,
  ossReturnCsv,
  presentOssReturn,
  presentVatReturn,
  VAT_BOX_WORDS,
  vatReturnCsv,
} from '#desk/presentation/present-returns.ts'
import { invalidField } from '#platform/http/problems.ts'

const download = (reply: FastifyReply, name: string, type = 'text/csv; charset=utf-8') => {
  reply.header('content-type', type)
  reply.header('content-disposition', `attachment; filename="${name}"`)
}

const evidenceRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
  implementForOperators(app, deps, vatEvidenceFile, (async (
    { query }: { query: z.output<typeof vatEvidenceFile.schema.querystring> },
    reply: FastifyReply,
  ) => {
    const sales = await listVatEvidence({ db: deps.exportDb }, wantedDays(query))
    const shown = query.contradicting ? sales.filter(({ verdict }) => verdict === 'contradicts') : sales
    download(reply, `vat-evidence-${query.from}-${query.to}.csv`)
    return reply.send(evidenceCsv(shown.map(presentSale)))
  }) as never)
}

const returnsRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
  const db = deps.exportDb
  const vatReturnOf = (query: { from: string; to: string; ossInBox6?: 'true' | undefined }) =>
    withRates(readVatReturn({ db }, wantedDays(query), { isOssInBox6: query.ossInBox6 === 'true' }))

  implementForOperators(app, deps, getVatReturn, async ({ query }) => {
    const found = await vatReturnOf(query)
    const { boxes, ...told } = presentVatReturn(found)
    return {
      ...told,
      boxes: (Object.keys(VAT_BOX_WORDS) as (keyof VatBoxes)[]).map((name, at) => ({
        box: at + 1,
        what: VAT_BOX_WORDS[name],
        says: boxes[name],
      })),
      notes: found.notes.map((note) => noteWords(note).replace(' (--oss-in-box-6)', '')),
    }
  })

  implementForOperators(app, deps, vatReturnFile, (async (
    { query }: { query: z.output<typeof vatReturnFile.schema.querystring> },
    reply: FastifyReply,
  ) => {
    const csv = vatReturnCsv(await vatReturnOf(query))
    download(reply, `vat-return-${query.from}-${query.to}.csv`)
    return reply.send(csv)
  }) as never)

  implementForOperators(app, deps, getOssReturn, async ({ query: { quarter } }) =>
    presentOssReturn(await withRates(readOssReturn({ db }, quarter))),
  )

  implementForOperators(app, deps, ossReturnFile, (async (
    { query: { quarter } }: { query: { quarter: string } },
    reply: FastifyReply,
  ) => {
    const csv = ossReturnCsv(await withRates(readOssReturn({ db }, quarter)))
    download(reply, `oss-return-${quarter}.csv`)
    return reply.send(csv)
  }) as never)
}

/** What an accountant wants: the month's check, returns, and files for other programs. */
export const booksRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
  implementForOperators(app, deps, checkConsoleMonth, async ({ params }) => {
    const month = parseMonth(params.month)
    const now = new Date()
    if (!month || month.from > now) throw invalidField('month', 'This month has not begun.')
    if (isForgotten(month, now))
      throw refused(`the documents of ${month.name} need not be kept any more, and some of them are deleted`)
    const checked = await checkMonth({ db: deps.exportDb }, month, now)
    const { waiting, remarks, checks } = presentMonth(checked)
    const quarter = quarterOf(month.firstDay)
    const days = daysOfQuarter(quarter)
    const plain = ({ kind, what, count, ids }: (typeof waiting)[number]) => ({ kind, what, count, ids })
    return {
      month: month.name,
      canBeClosed: isClosable(checked),
      checks,
      waiting: waiting.map(plain),
      remarks: remarks.map(plain),
      quarter: days.to === month.lastDay ? { name: quarter, ...days } : null,
      from: month.firstDay,
      to: month.lastDay,
    }
  })

  returnsRoutes(app, deps)
  evidenceRoutes(app, deps)
}
