import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { expectProblem } from '@hedgerow/testing/problems'
import type { FastifyBaseLogger } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { keepAssets } from '#platform/http/files/kept-assets.ts'
import { type Front, openGround, startFront } from '#testing/test-shop.ts'

const scratch = mkdtempSync(join(tmpdir(), 'hedgerow-kept-assets-'))
afterAll(() => rmSync(scratch, { recursive: true }))

let count = 0
const aFolder = (): string => {
  const folder = join(scratch, String(++count))
  mkdirSync(folder)
  return folder
}

/** As the build leaves a version, with the files that are named. */
const aVersion = (assets: Record<string, string>): string => {
  const root = aFolder()
  mkdirSync(join(root, 'assets'))
  writeFileSync(join(root, 'index.html'), '<h1>Home</h1>')
  writeFileSync(join(root, '404.html'), '<h1>Nowhere</h1>')
  writeFileSync(join(root, 'spa-paths.json'), '[]')
  for (const [name, text] of Object.entries(assets)) {
    writeFileSync(join(root, 'assets', name), text)
    writeFileSync(join(root, 'assets', `${name}.br`), brotliCompressSync(text))
  }
  return root
}

const OLD = aVersion({ 'app-aaaaaaa.js': 'old()', 'both-ccccccc.js': 'both()' })
const NEW = aVersion({ 'app-bbbbbbbb.js': 'new()', 'both-ccccccc.js': 'both()' })

let ground: Awaited<ReturnType<typeof openGround>>
beforeAll(async () => {
  ground = await openGround()
})
afterAll(() => ground.close())

/** A process of one version, beside others. */
const aProcess = async (storefrontDir: string, assetsDir: string | undefined): Promise<Front> => {
  const env = { ...ground.env, ...(assetsDir ? { ASSETS_DIR: assetsDir } : {}) }
  const front = await startFront({ ...ground, env, storefrontDir })
  onTestFinished(front.stop)
  return front
}

const textOf = async ({ call }: Front, name: string) => {
  const { status, text } = await call('GET', `/assets/${name}`)
  return status === 200 ? text : status
}

describe('during an upgrade', () => {
  test('each version serves the scripts of the other, of whichever began first', async () => {
    const shared = aFolder()
    const before = await aProcess(OLD, shared)
    expect(await textOf(before, 'app-bbbbbbbb.js')).toBe(404)
    const after = await aProcess(NEW, shared)
    for (const front of [before, after]) {
      expect(await textOf(front, 'app-aaaaaaa.js')).toBe('old()')
      expect(await textOf(front, 'app-bbbbbbbb.js')).toBe('new()')
      expect(await textOf(front, 'both-ccccccc.js')).toBe('both()')
    }
  })

  test('what another version has compressed comes compressed, to be kept for ever', async () => {
    const shared = aFolder()
    await aProcess(OLD, shared)
    const { call } = await aProcess(NEW, shared)
    const url = '/assets/app-aaaaaaa.js'
    const { status, headers } = await call('GET', url, { headers: { 'accept-encoding': 'br' } })
    expect([status, headers.get('content-encoding')]).toEqual([200, 'br'])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toBe('application/javascript; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(
      brotliDecompressSync(readFileSync(join(shared, 'storefront', 'app-aaaaaaa.js.br'))).toString(),
    ).toBe('old()')
  })

  test('processes that begin at once leave whole files, and nothing half written', async () => {
    const shared = aFolder()
    await Promise.all([OLD, NEW, OLD].map((version) => aProcess(version, shared)))
    expect(readdirSync(join(shared, 'storefront')).sort()).toEqual(
      ['app-aaaaaaa.js', 'app-bbbbbbbb.js', 'both-ccccccc.js'].flatMap((name) => [name, `${name}.br`]),
    )
  })

  test('a shop without the folder has its own version’s files alone', async () => {
    const front = await aProcess(OLD, undefined)
    expect(await textOf(front, 'app-aaaaaaa.js')).toBe('old()')
    expectProblem(await front.call('GET', '/assets/app-bbbbbbbb.js'), 404)
  })
})

test('a script comes as one, also after somebody has asked for its compressed file by name', async () => {
  const { call } = await aProcess(OLD, undefined)
  await call('GET', '/assets/app-aaaaaaa.js.br', { headers: { 'accept-encoding': 'br' } })
  const { text, headers } = await call('GET', '/assets/app-aaaaaaa.js', {
    headers: { 'accept-encoding': 'br' },
  })
  expect([text, headers.get('content-encoding'), headers.get('content-type')]).toEqual([
    'old()',
    'br',
    'application/javascript; charset=utf-8',
  ])
})

describe('of the folder that is shared', () => {
  const OUTSIDE = join(scratch, 'outside-1234567.js')
  writeFileSync(OUTSIDE, 'a secret')

  const PUT = [
    ['a name without a hash', 'app.js', (path: string) => writeFileSync(path, 'x()')],
    ['what is hidden', '.app-1234567.js', (path: string) => writeFileSync(path, 'x()')],
    ['a kind of file that no build makes', 'page-1234567.html', (path: string) => writeFileSync(path, 'x()')],
    ['a link', 'link-1234567.js', (path: string) => symlinkSync(OUTSIDE, path)],
    ['a folder', 'folder-1234567.js', (path: string) => mkdirSync(path)],
  ] as const
  const folder = join(aFolder(), 'storefront')
  mkdirSync(folder)
  for (const [, name, make] of PUT) make(join(folder, name))
  let front: Front
  beforeAll(async () => {
    front = await startFront({
      ...ground,
      env: { ...ground.env, ASSETS_DIR: dirname(folder) },
      storefrontDir: NEW,
    })
  })
  afterAll(() => front.stop())

  test.each<[string, string]>([
    ...PUT.map(([what, name]): [string, string] => [what, name]),
    ['what is above it', '../outside-1234567.js'],
    ['what is above it, written otherwise', '..%2foutside-1234567.js'],
  ])('%s is not served, nor removed', async (_, name) => {
    const { status, text } = await front.call('GET', `/assets/${name}`)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).not.toMatch(/secret|x\(\)/)
    if (!name.startsWith('..')) expect(readdirSync(folder)).toContain(name)
  })
})

/** What is said of a folder that does not work; a shop goes on all the same. */
const keep = async (root: string, assetsDir: string, assetsKeptDays = 30) => {
  const said: string[] = []
  const log = { warn: (_: unknown, text: string) => said.push(text) } as unknown as FastifyBaseLogger
  const { folder, stop } = await keepAssets({
    settings: { assetsDir, assetsKeptDays },
    site: 'storefront',
    root,
    log,
  })
  stop()
  return { folder, said }
}

const DAYS_MS = 86_400_000

describe('what is not used any more', () => {
  const aged = (folder: string, name: string, days: number) => {
    const at = new Date(Date.now() - days * DAYS_MS)
    writeFileSync(join(folder, name), name)
    utimesSync(join(folder, name), at, at)
  }

  test('goes when its time is over, and what is in use begins anew', async () => {
    const shared = aFolder()
    const folder = join(shared, 'storefront')
    mkdirSync(folder)
    aged(folder, 'gone-1234567.js', 31)
    aged(folder, 'kept-1234567.js', 29)
    aged(folder, '.app-aaaaaaa.js.0.part', 1)
    aged(folder, 'notes.txt', 400)
    aged(folder, 'app-aaaaaaa.js', 31)
    writeFileSync(join(folder, 'app-aaaaaaa.js'), 'old()')
    aged(folder, 'both-ccccccc.js', 31)
    expect(await keep(OLD, shared)).toEqual({ folder, said: [] })
    const left = readdirSync(folder)
    expect(left).toEqual(expect.arrayContaining(['app-aaaaaaa.js', 'kept-1234567.js', 'notes.txt']))
    expect(left.filter((name) => /gone|part/.test(name))).toEqual([])
    expect(Date.now() - statSync(join(folder, 'app-aaaaaaa.js')).mtimeMs).toBeLessThan(DAYS_MS)
    expect(readFileSync(join(folder, 'both-ccccccc.js'), 'utf8')).toBe('both()')
  })

  test('goes sooner where there is too much of it', async () => {
    const shared = aFolder()
    const folder = join(shared, 'storefront')
    mkdirSync(folder)
    for (const days of [1, 2, 3]) {
      aged(folder, `large-${days}234567.js`, days)
      // Without blocks on the disk.
      truncateSync(join(folder, `large-${days}234567.js`), 200 * 1024 * 1024)
      const at = new Date(Date.now() - days * DAYS_MS)
      utimesSync(join(folder, `large-${days}234567.js`), at, at)
    }
    await keep(OLD, shared)
    expect(readdirSync(folder).filter((name) => name.startsWith('large'))).toEqual([
      'large-1234567.js',
      'large-2234567.js',
    ])
  })
})

describe('a folder that does not work is said, and stops nothing', () => {
  const CANNOT = ['the files of the pages cannot be kept for other versions']

  test('where there is a file in its place', async () => {
    const file = join(aFolder(), 'file')
    writeFileSync(file, '')
    expect(await keep(OLD, file)).toEqual({ folder: undefined, said: CANNOT })
    const front = await aProcess(OLD, file)
    expect(await textOf(front, 'app-aaaaaaa.js')).toBe('old()')
  })

  test('where a file cannot be put: the others are served from there', async () => {
    const shared = aFolder()
    const folder = join(shared, 'storefront')
    mkdirSync(join(folder, 'app-aaaaaaa.js'), { recursive: true })
    expect(await keep(OLD, shared)).toEqual({ folder, said: CANNOT })
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('where everyone may put another in its place', async () => {
    const shared = aFolder()
    chmodSync(shared, 0o777)
    expect(await keep(OLD, shared)).toEqual({ folder: undefined, said: CANNOT })
  })

  test('where everyone may write: what they put there would run in customers’ browsers', async () => {
    const shared = aFolder()
    const folder = join(shared, 'storefront')
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    expect(await keep(OLD, shared)).toEqual({ folder: undefined, said: CANNOT })
    expect(existsSync(join(folder, 'app-aaaaaaa.js'))).toBe(false)
  })
})
