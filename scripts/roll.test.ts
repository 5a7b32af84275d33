import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../deploy/roll.sh', import.meta.url))
const SHIPPED = readFileSync(new URL('../deploy/nginx.conf', import.meta.url), 'utf8')

let site: string
let reloads: string

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-roll-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  site = join(folder, 'site.conf')
  reloads = join(folder, 'reloads')
  writeFileSync(reloads, '')
  // With its second process, as the site says how.
  writeFileSync(site, SHIPPED.replace('# server 127.0.0.1:3010', 'server 127.0.0.1:3010'))
})

const roll = (...args: string[]) => {
  const env = { ...process.env, SITE: site, RELOAD: `tee -a ${reloads}` }
  const { status, stderr } = spawnSync(SCRIPT, args, { env, input: 'x', encoding: 'utf8' })
  return { status, said: stderr.trim() }
}

const servers = () =>
  execFileSync('grep', ['-oE', '^ *server 127[^;]*', site], { encoding: 'utf8' }).trim().split(/\n */)

test('a process is taken out of the shipped site and back in, however often that is said', () => {
  for (const _ of [1, 2]) expect(roll('out', '3000')).toEqual({ status: 0, said: '' })
  expect(servers()).toEqual(['server 127.0.0.1:3000 max_fails=0 down', 'server 127.0.0.1:3010 max_fails=0'])
  for (const _ of [1, 2]) expect(roll('in', '3000')).toEqual({ status: 0, said: '' })
  expect(servers()).toEqual(['server 127.0.0.1:3000 max_fails=0', 'server 127.0.0.1:3010 max_fails=0'])
  expect(readFileSync(reloads, 'utf8')).toBe('x'.repeat(4))
})

test('the last one that is asked stays in', () => {
  roll('out', '3010')
  expect(roll('out', '3000')).toMatchObject({
    status: 1,
    said: expect.stringContaining('it would be an outage'),
  })
  expect(servers()[0]).toBe('server 127.0.0.1:3000 max_fails=0')
})

test.each([
  [[], 'Usage:'],
  [['out'], 'Usage:'],
  [['300O'], '300O is no port.'],
  [['3000', '3020'], 'has no line: server 127.0.0.1:3020 max_fails=0;'],
])('%j is refused before anything is done', (args, said) => {
  expect(roll(...args)).toMatchObject({ status: 1, said: expect.stringContaining(said) })
  expect(readFileSync(reloads, 'utf8')).toBe('')
})
