import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadDesiredState } from '#state/desired-state.ts'
import { aPeer, manyPeers } from '#testing/peers.ts'

const aFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'peers.journal')
}
const load = async (file: string) => {
  const state = await loadDesiredState(file)
  onTestFinished(state.close)
  return state
}
const linesIn = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1

const node = {
  id: crypto.randomUUID(),
  name: 'test',
  listenPort: 51820,
  oldPorts: [],
  mtu: null,
  ipv4: '10.64.0.0/16',
  ipv6: 'fd64::/112',
  shop: { name: 'Hedgerow', renewUrl: 'https://shop.example' },
}

test('what is kept is there after a restart, and readable by its owner alone', async () => {
  const file = aFile()
  const [a, b] = [aPeer(2, { isAwaited: true }).peer, aPeer(3).peer]
  const state = await load(file)
  await state.save({ node, set: [a, b], revision: 7 })
  await state.save({ gone: [b.id], revision: 8 })
  const again = await load(file)
  expect([...again.peers.values()]).toEqual([a])
  expect(again.node()).toEqual(node)
  expect(again.revision()).toBe(8)
  expect(again.idOfKey(a.publicKey)).toBe(a.id)
  expect(again.idOfKey(b.publicKey)).toBeUndefined()
  expect([...again.awaited]).toEqual([a.id])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a change adds its own lines and no others, however many peers there are', async () => {
  const file = aFile()
  const state = await load(file)
  await state.save({ node, set: manyPeers(3000), revision: 1 })
  const before = statSync(file).size
  await state.save({ set: [aPeer(2).peer], revision: 2 })
  expect(statSync(file).size - before).toBeLessThan(1_000)
})

test('a torn last line loses only itself, and what comes after it is not lost', async () => {
  const file = aFile()
  const [a, b, c] = [aPeer(2).peer, aPeer(3).peer, aPeer(4).peer]
  const state = await load(file)
  await state.save({ node, set: [a], revision: 7 })
  await state.save({ set: [b], revision: 8 })
  truncateSync(file, statSync(file).size - 4)
  const torn = await load(file)
  expect([...torn.peers.values()]).toEqual([a, b])
  expect(torn.revision()).toBe(7)
  await torn.save({ set: [c], revision: 9 })
  const again = await load(file)
  expect([...again.peers.values()]).toEqual([a, b, c])
  expect(again.revision()).toBe(9)
})

test.each([1, 20, 200, 500])('torn %i bytes before its end it is never ahead of its peers', async (bytes) => {
  const file = aFile()
  const [a, b] = [aPeer(2).peer, aPeer(3).peer]
  const state = await load(file)
  await state.save({ node, set: [a], revision: 7 })
  await state.save({ set: [b], revision: 8 })
  truncateSync(file, statSync(file).size - bytes)
  const torn = await load(file)
  expect(torn.revision()).toBeLessThanOrEqual(torn.peers.has(b.id) ? 8 : 7)
})

test('a damaged line in the middle leads to asking for everything', async () => {
  const file = aFile()
  const state = await load(file)
  await state.save({ node, revision: 7 })
  appendFileSync(file, '{"peer":{"id":"nonsense"}}\n')
  await state.save({ set: [aPeer(2).peer], revision: 8 })
  const again = await load(file)
  expect(again.peers.size).toBe(1)
  expect(again.revision()).toBe(0)
})

test('the journal is shortened when it holds more than twice what is known', async () => {
  const file = aFile()
  const state = await load(file)
  const peers = manyPeers(600)
  for (let revision = 1; revision <= 5; revision++) await state.save({ node, set: peers, revision })
  expect(linesIn(file)).toBeLessThan(1_300)
  const again = await load(file)
  expect(again.peers.size).toBe(600)
  expect(again.revision()).toBe(5)
})

test('what cannot be written is known, at the revision before, and is written as soon as it can be', async () => {
  const file = aFile()
  const state = await load(file)
  symlinkSync('/dev/full', file)
  const [a, b] = [aPeer(2).peer, aPeer(3).peer]
  await expect(state.save({ node, set: [a], revision: 7 })).rejects.toThrow('ENOSPC')
  expect([...state.peers.values()]).toEqual([a])
  expect(state.revision()).toBe(0)
  rmSync(file)
  await state.save({ set: [b], revision: 8 })
  const again = await load(file)
  expect([...again.peers.values()]).toEqual([a, b])
  expect(again.revision()).toBe(8)
})

test('numbers of reports grow, after a restart too, and when the clock goes back', async () => {
  const file = aFile()
  const state = await load(file)
  const numbers = [await state.nextReport(), await state.nextReport()]
  appendFileSync(file, `{"report":${Date.now() + 1e9}}\n`)
  const again = await load(file)
  numbers.push(await again.nextReport(), await again.nextReport())
  expect(numbers).toEqual([...new Set(numbers)].sort((x, y) => x - y))
})
