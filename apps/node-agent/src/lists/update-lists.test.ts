import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fetchSource } from '#lists/fetch-source.ts'
import { updateLists } from '#lists/update-lists.ts'
import { readListTimes, touchKept } from '#state/list-times.ts'

const aServer = async (answer: RequestListener) => {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.txt`
}

const aFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-lists-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const names = (count: number, at = 'ads.example') =>
  Array.from({ length: count }, (_, i) => `n${i}.${at}`).join('\n')

/** A source whose text can be changed, and a list that is made of it. */
const aList = async (first: string) => {
  let text = first
  let isThere = true
  const asked: (string | undefined)[] = []
  const url = await aServer((request, response) => {
    asked.push(request.headers['if-none-match'])
    const etag = `"${text.length}"`
    if (!isThere) response.writeHead(503).end()
    else if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.writeHead(200, { etag }).end(text)
  })
  const listsDir = await aFolder()
  const options = { listsDir, allowed: ['shop.example.com'], mayBePlain: true }
  return {
    asked,
    become: (other: string) => {
      text = other
    },
    leave: () => {
      isThere = false
    },
    update: async (isForced = false, allowed = options.allowed) =>
      (await updateLists([{ list: 'ads', urls: [url], floor: 3 }], { ...options, allowed, isForced }))[0],
    remove: () => rm(join(listsDir, 'ads.txt')),
    comeBack: () => {
      isThere = true
    },
    grow: (seconds: number) => touchKept(listsDir, 'ads', new Date(Date.now() - seconds * 1000)),
    /** In seconds. */
    age: (isFetched = true) => {
      const at = readListTimes(listsDir, () => isFetched).get('ads')
      return at && Date.now() / 1000 - at
    },
    read: (file = 'ads.txt') => readFile(join(listsDir, file), 'utf8').catch(() => ''),
    write: (words: string) => writeFile(join(listsDir, 'ads.txt'), words),
  }
}

test('a list is fetched, cleaned, and never blocks the shop or what is above it', async () => {
  const list = await aList(
    `0.0.0.0 a.example.net\n||b.example.net^\nshop.example.com\nexample.com\ncom.\n<script>\nc.example.net $(rm)\nc.example.net\nother.example.com`,
  )
  expect(await list.update()).toMatchObject({ kind: 'updated', names: 4 })
  expect((await list.read()).trim().split('\n')).toEqual([
    'a.example.net',
    'b.example.net',
    'c.example.net',
    'other.example.com',
  ])
})

test('a list blocks no public suffix, below which is a whole country, and says how many it named', async () => {
  const list = await aList(`${names(3)}\nco.uk\n||com.br^\n0.0.0.0 shop.co.uk`)
  expect(await list.update()).toMatchObject({ kind: 'updated', names: 4, badLines: 0, suffixes: 2 })
  expect((await list.read()).trim().split('\n').at(-1)).toBe('shop.co.uk')
})

test('a list that has suddenly many times as many names is not taken, unless it is meant', async () => {
  const list = await aList(names(10))
  await list.update()
  list.become(names(41))
  expect(await list.update()).toMatchObject({
    kind: 'kept',
    why: 'it has 41 names, and had 10: --force takes it all the same',
  })
  expect((await list.read()).trim().split('\n')).toHaveLength(10)
  expect(await list.update(true)).toMatchObject({ kind: 'updated', names: 41 })
})

test('a list that has not changed is asked for by its mark, and left alone', async () => {
  const list = await aList(names(4))
  await list.update()
  expect(await list.update()).toEqual({ list: 'ads', kind: 'same' })
  expect(list.asked).toEqual([undefined, expect.any(String)])
})

test('a list that someone has taken away comes back, although its source has not changed', async () => {
  const list = await aList(names(4))
  await list.update()
  await list.remove()
  expect(await list.update()).toMatchObject({ kind: 'updated', names: 4 })
  expect(await list.read()).toContain('n3.ads.example')
})

test('a name that the operator allows, or no longer does, counts at the next update', async () => {
  const list = await aList(names(4))
  await list.update()
  expect(await list.update(false, ['n3.ads.example'])).toMatchObject({ kind: 'updated', names: 3 })
  expect(await list.read()).not.toContain('n3.ads.example')
  expect(await list.update()).toMatchObject({ kind: 'updated', names: 4 })
  expect(await list.update()).toEqual({ list: 'ads', kind: 'same' })
})

test('a list that has lost more than half of its names, or has too few, replaces none', async () => {
  const list = await aList(names(10))
  await list.update()
  list.become(names(4))
  expect(await list.update()).toMatchObject({ kind: 'kept', why: expect.stringContaining('had 10') })
  expect(await list.read()).toContain('n9.ads.example')
  list.become('<html>Not found</html>')
  expect(await list.update(true)).toMatchObject({ kind: 'kept' })
  list.become(names(4))
  expect(await list.update(true)).toMatchObject({ kind: 'updated', names: 4 })
  expect(await list.read('ads.txt.former')).toContain('n9.ads.example')
})

test('while its source is away the list that is there stays', async () => {
  const list = await aList(names(4))
  await list.update()
  const before = await list.read()
  list.leave()
  expect(await list.update()).toMatchObject({ kind: 'kept', why: expect.stringContaining('503') })
  expect(await list.read()).toBe(before)
})

test('when a list was last as its source has it is known, whatever became of it since', async () => {
  const list = await aList(names(4))
  await list.update()
  expect(list.age()).toBeLessThan(60)
  await list.grow(20 * 86_400)
  list.leave()
  expect(await list.update()).toMatchObject({ kind: 'kept' })
  expect(list.age()).toBeGreaterThan(19 * 86_400)
  list.comeBack()
  expect(await list.update()).toMatchObject({ kind: 'same' })
  expect(list.age()).toBeLessThan(60)
  // A list that its operator writes is never old.
  expect(list.age(false)).toBeUndefined()
})

test('a source is fetched by https alone, within bounds, and with the checksum that its address names', async () => {
  const short = await aServer((_, response) => response.end('a.example.net'))
  await expect(fetchSource(short, undefined)).rejects.toThrow('is not https')
  await expect(fetchSource(`${short}#sha256=${'0'.repeat(64)}`, undefined, true)).rejects.toThrow('checksum')
  const elsewhere = await aServer((_, response) =>
    response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  )
  await expect(fetchSource(elsewhere, undefined, true)).rejects.toThrow('is not https')
  const round = await aServer((_, response) => response.writeHead(302, { location: '/' }).end())
  await expect(fetchSource(round, undefined, true)).rejects.toThrow('again and again')
  const endless = await aServer((_, response) => {
    const chunk = Buffer.alloc(1_048_576, 'a')
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    more()
  })
  await expect(fetchSource(endless, undefined, true)).rejects.toThrow('longer than 64 MB')
})
