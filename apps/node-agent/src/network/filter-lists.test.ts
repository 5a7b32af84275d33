import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFilterLists, zoneFileOf } from '#network/filter-lists.ts'

let dir: string
const warnings: string[] = []
const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hedgerow-lists-'))
  warnings.length = 0
})
afterEach(() => rm(dir, { recursive: true }))

const zone = async () => (await readFile(zoneFileOf(join(dir, 'zones'), 'ads'), 'utf8')).split('\n')
const write = (text: string) => writeFile(join(dir, 'ads.txt'), text)
const create = () => createFilterLists(dir, join(dir, 'zones'), log)

describe('The filter lists', () => {
  test('are empty where the operator has put none, but for the ways around them', async () => {
    expect(await create().update()).toBe(true)
    expect(await zone()).toContain('use-application-dns.net CNAME .')
    expect(warnings).toEqual([])
  })

  test('block each name once, with all below it, whatever else is in the file', async () => {
    await write('ads.example\nADS.example\r\npixel.ads.example\nnot a name\n0.0.0.0 other.example\n')
    await create().update()
    const names = (await zone()).filter((line) => line.includes('.example'))
    expect(names).toEqual(
      ['ads.example', 'other.example'].flatMap((it) => [`${it} CNAME .`, `*.${it} CNAME .`]),
    )
  })

  test('are written anew when what was made of them is gone, and tried again when it could not be written', async () => {
    await write('ads.example\n')
    await writeFile(join(dir, 'zones'), 'no folder')
    const lists = create()
    await expect(lists.update()).rejects.toThrow()
    await rm(join(dir, 'zones'))
    expect(await lists.update()).toBe(true)
    expect(await zone()).toContain('ads.example CNAME .')
    await rm(join(dir, 'zones'), { recursive: true })
    expect(await lists.update()).toBe(true)
    expect(await zone()).toContain('ads.example CNAME .')
    expect(await lists.update()).toBe(false)
  })

  test('stay as they were when a file is cut short, but not when it is only shorter', async () => {
    const long = Array.from({ length: 9 }, (_, number) => `ads${number}.example\n`).join('')
    await write(long)
    const lists = create()
    await lists.update()
    await write(long.slice(0, 30))
    expect(await lists.update()).toBe(false)
    expect(JSON.parse(warnings[0] ?? '')).toMatchObject({ list: 'ads', names: 2 })
    expect(await zone()).toContain('ads8.example CNAME .')
    await write('ads1.example\n')
    expect(await lists.update()).toBe(true)
    expect(await zone()).not.toContain('ads8.example CNAME .')
  })

  test('block no public suffix, which the log says', async () => {
    await write('co.uk\nads.co.uk\n||xn--55qx5d.cn^\ngithub.io\n')
    await create().update()
    const names = (await zone()).filter((line) => /(?:uk|cn|io) CNAME/.test(line) && !line.startsWith('*'))
    expect(names).toEqual(['ads.co.uk CNAME .', 'github.io CNAME .'])
    expect(JSON.parse(warnings[0] ?? '')).toMatchObject({ list: 'ads', suffixes: 2 })
  })

  test('are made again only when their files change', async () => {
    const lists = create()
    await write('a.example')
    expect(await lists.update()).toBe(true)
    expect(await lists.update()).toBe(false)
    await write('a.example\nb.example')
    expect(await lists.update()).toBe(true)
  })

  test.each(['', '<html>502 Bad Gateway</html>', 'co.uk'])(
    'keep the last good one when the file is suddenly %j',
    async (text) => {
      const lists = create()
      await write('a.example')
      await lists.update()
      await write(text)
      expect(await lists.update()).toBe(false)
      expect(await zone()).toContain('a.example CNAME .')
      expect(warnings.join()).toContain('the last good one stays')
    },
  )

  test('keep the last good one when the file cannot be read', async () => {
    const lists = create()
    await write('a.example')
    await lists.update()
    await rm(join(dir, 'ads.txt'))
    await mkdir(join(dir, 'ads.txt'))
    expect(await lists.update()).toBe(false)
    expect(await zone()).toContain('a.example CNAME .')
    expect(warnings.join()).toContain('cannot be read')
  })

  test('leave the event loop to others while 100,000 lines are read', async () => {
    await write(Array.from({ length: 100_000 }, (_, i) => `0.0.0.0 ad${i}.shop${i % 999}.example`).join('\n'))
    let turns = 0
    const timer = setInterval(() => turns++, 5)
    await create().update()
    clearInterval(timer)
    expect(turns).toBeGreaterThan(5)
    expect((await zone()).length).toBeGreaterThan(200_000)
  })
})
