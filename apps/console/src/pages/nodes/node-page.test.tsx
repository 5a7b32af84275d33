import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { openConsole } from '#testing/open-console.tsx'
import { stubServer } from '#testing/server.ts'
import { aSession } from '#testing/show.tsx'

const AT = '2026-11-21T10:05:00.000Z'
const NODE = {
  id: 'wren',
  name: 'Leeds',
  endpoint: 'vpn.example.org:51820',
  oldPorts: [],
  secondPort: null,
  mtu: null,
  isObfuscated: false,
  state: 'drained' as const,
  faults: [],
  fromOutside: null,
  isOpen: false,
  isDemonstration: false,
  timeZone: null,
  place: null,
  layer: null,
  ipv4: '10.8.0.0/16',
  ipv6: 'fd00:8::/64',
  exits: [],
  peers: 0,
  connections: 0,
  addresses: { size: 65_533, free: 65_533, resting: 0 },
  revision: { told: 0, applied: 0 },
  lag: 0,
  seenAt: AT,
  agent: { version: '1.0.0', arch: 'x64', takesUpgrades: false, isApart: false },
  upgrade: null,
  lists: null,
  oldLists: [],
  tokenExpiresAt: null,
  createdAt: AT,
  peersByHour: [],
  lastDay: null,
}

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  server.answers('getOperatorSession', aSession('servers'))
  server.answers('getNodeHistory', [])
})

const open = async (more: Partial<typeof NODE>) => {
  server.answers('getConsoleNode', { ...NODE, ...more })
  openConsole('/nodes/Leeds')
  return screen.findByText('This node gets no new connections')
}

const STEP = { received: 0, sent: 0, processor: 1, loss: 0, missed: 0, errors: 0, listsAge: null }

test('a new node has its history from when it was added, not a gap of all the hours before', async () => {
  server.answers('getNodeHistory', [
    { ...STEP, from: '2026-11-21T10:00:00.000Z', peers: null, loss: null },
    { ...STEP, from: '2026-11-21T10:10:00.000Z', peers: 3 },
    { ...STEP, from: '2026-11-21T10:15:00.000Z', peers: 5 },
  ])
  await open({})
  const chart = await screen.findByRole('figure', { name: 'Connected' })
  expect(chart.textContent).toMatch(/3 to 5/)
  expect(chart.textContent).not.toMatch(/without a report/)
})

describe('a drained node', () => {
  test('says how many connections keep it, and how to move them', async () => {
    await open({ connections: 2, peers: 3 })
    expect(screen.getByText(/^Its 2 connections stay until they end\./)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Move connections' })).toBeTruthy()
  })

  test('without connections has nothing to move, and says whom removing it would still cut off', async () => {
    await open({ peers: 2 })
    expect(screen.getByText(/^It has no connections left\. 2 old keys of moved connections/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Move connections' })).toBeNull()
    screen.getByRole('button', { name: 'Remove' }).click()
    expect(await within(await screen.findByRole('dialog')).findByText(/will stop at once/)).toBeTruthy()
  })

  test('is empty when no key is left either, and names its status beside its name', async () => {
    await open({})
    expect(screen.getByText(/^It is empty\. You can remove it\./)).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Leeds drained')
  })
})
