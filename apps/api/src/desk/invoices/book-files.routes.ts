import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { bookFile, listBookFiles } from '@hedgerow/contract/console/invoices'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type * as z from 'zod/mini'
import { type ExportFile, exportDocuments } from '#accounting/books/export-documents.ts'
import { accountsOf } from '#accounting/books/export-formats.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { withRates } from '#desk/console/missing-rates.ts'
import { wantedDays } from '#desk/console/periods.ts'
import { refused } from '#desk/console/refused.ts'
import type { ConsoleListDependencies } from '#desk/console/serve-list.ts'

type BookQuery = z.output<typeof listBookFiles.schema.querystring>

/** How a file's name ends, and what it is. */
const KINDS: Partial<Record<BookQuery['format'], readonly [ending: string, type: string]>> = {
  json: ['json', 'application/json'],
  hledger: ['journal', 'text/plain'],
}
const kindOf = ({ format }: BookQuery) => KINDS[format] ?? ['csv', 'text/csv']

const nameOf = (query: BookQuery, name: string): string => {
  const { from, to } = wantedDays(query)
  return `books-${from}-${to}${name ? `-${name}` : ''}.${kindOf(query)[0]}`
}

const drain = async ({ text }: ExportFile): Promise<void> => {
  for await (const _ of text);
}

/** Invoices and credit notes in files for other programs. */
export const bookFilesRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
  const write = (query: BookQuery, take: (file: ExportFile) => Promise<void>) => {
    const options = { format: query.format, accounts: accountsOf(query.format, query) }
    return withRates(exportDocuments({ db: deps.exportDb }, wantedDays(query), options, take))
  }

  /** All of it is read once: what cannot be told in pounds is said before a file begins. */
  const namesOf = async (query: BookQuery): Promise<string[]> => {
    const names: string[] = []
    await write(query, async (file) => {
      names.push(nameOf(query, file.name))
      await drain(file)
    })
    return names
  }

  implementForOperators(app, deps, listBookFiles, async ({ query }) =>
    (await namesOf(query)).map((name, at) => ({ name, part: at + 1 })),
  )

  implementForOperators(app, deps, bookFile, (async (
    { query }: { query: z.output<typeof bookFile.schema.querystring> },
    reply: FastifyReply,
  ) => {
    if ((await namesOf(query)).length < query.part) throw refused('there is no such file')
    let part = 0
    await write(query, async ({ name, text }) => {
      part++
      if (part !== query.part) return
      reply.header('content-type', `${kindOf(query)[1]}; charset=utf-8`)
      reply.header('content-disposition', `attachment; filename="${nameOf(query, name)}"`)
      const stream = Readable.from(text)
      reply.send(stream)
      await finished(stream)
    })
    return reply
  }) as never)
}
