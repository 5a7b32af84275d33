import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { onTestFinished } from 'vitest'

/** `npm test` installs it where it may. */
export const hasHledger = spawnSync('which', ['hledger']).status === 0

/** Its own word of each account, in pounds; it throws where the journal does not balance. */
export const balances = async (text: string): Promise<Map<string, string>> => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'books.journal')
  writeFileSync(file, text)
  const run = async (...args: string[]) =>
    (await promisify(execFile)('hledger', ['-f', file, ...args])).stdout
  await run('check', 'accounts')
  const csv = await run('balance', '--cost', '--no-elide', '-O', 'csv')
  const rows: Record<string, string>[] = parse(csv, { columns: true })
  return new Map(rows.map((row) => [row.account ?? '', row.balance ?? '']))
}
