import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { relative } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { anOperator, consoleOfFile, headersOf } from '#testing/console.ts'

const { shop, ask, consoleUrl } = await consoleOfFile()

/** More than a reader who does not read, the two ends of its connection and the shop hold together. */
const FILE_BYTES = 40_000_000

test('a file that is being read ends with the session that asked for it', async () => {
  await sql`
    insert into operator_actions (id, who, command, arguments)
    select gen_random_uuid(), 'somebody', 'node drain', jsonb_build_object('name', repeat('x', 10000))
    from generate_series(1, ${FILE_BYTES / 10_000}::integer)`.execute(shop.db)
  const operator = await anOperator(shop.db)
  const url = new URL('/api/v1/record.csv', consoleUrl)
  const ending = await new Promise<{ error: unknown; bytes: number }>((done, failed) => {
    const asked = request(url, { headers: headersOf(operator) }, (response) => {
      let bytes = 0
      let error: unknown
      response
        .on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        .on('error', (fault) => {
          error = fault
        })
        .on('close', () => done({ error, bytes }))
        .pause()
      ask(operator, 'POST', '/api/v1/session/end').then(() => response.resume(), failed)
    })
    asked.on('error', failed).end()
    onTestFinished(() => void asked.destroy())
  })
  expect(ending.error).toMatchObject({ code: 'ECONNRESET' })
  expect(ending.bytes).toBeLessThan(FILE_BYTES)
})

/** What lasts, and why it ends when whoever asked may hear no more. */
const LASTS: Readonly<Record<string, string>> = {
  'desk/console/live.routes.ts': 'listed among the open answers of operators',
  'desk/console/serve-list.ts': 'a stream, which guardOperators lists',
  'desk/invoices/book-files.routes.ts': 'a stream, which guardOperators lists',
  'network/agents/agents.service.ts': 'looks again whose agent asks, before it says anything',
  'platform/http/limits/bound-connections.ts': 'refuses, and ends at once',
  'care/backup/folder-place.ts': 'reads a file of ours',
  'care/backup/read-backup.ts': 'reads a file of ours',
  'care/backup/restore-backup.ts': 'reads a file of ours',
  'care/backup/take-backup.ts': 'writes a file of ours',
  'platform/mail/mail-api.ts': 'reads a mail of ours',
  'desk/commands/restore.ts': 'reads a file for the tool',
  'desk/tool/call-commands.ts': 'writes a file for the tool',
}

test('every answer that lasts ends with what opened it', async () => {
  const source = new URL('../../', import.meta.url).pathname
  const lasting: string[] = []
  for (const file of globSync(`${source}**/*.ts`)) {
    const name = relative(source, file)
    if (/\.test\.ts$|^(?:testing|demo)\//.test(name)) continue
    const text = await readFile(file, 'utf8')
    if (/\.hijack\(|event-stream|Readable\.from\(|createReadStream\(|Signal\.wait\(/.test(text))
      lasting.push(name)
  }
  expect(lasting.toSorted()).toEqual(Object.keys(LASTS).toSorted())
})
