import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { freePort } from '@hedgerow/testing/free-port'
import { expect, test } from 'vitest'
import { startApiProcess } from '#testing/api-process.ts'
import { environmentOf, startTestShop } from '#testing/test-shop.ts'

const PRINTED = {
  timestamp: '2026-11-21T14:05:00Z',
  description: 'PURCHASE: Timed VPN connections',
  authCode: '831000',
  method: 'Visa/Mastercard',
  pan: '400000******0077',
  cardHolder: 'ADA LOVELACE',
  total: '€45.17',
}

/** How nice the threads of a process are that have this name. */
const nicenessOf = (pid: number, name: string): number[] =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => `/proc/${pid}/task/${thread}`)
    .filter((path) => readFileSync(`${path}/comm`, 'utf8').trimEnd() === name)
    .map((path) =>
      Number(
        readFileSync(`${path}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')[16],
      ),
    )

test.skipIf(!existsSync('/proc/self/task'))(
  'pages go before passwords, and passwords before documents',
  async () => {
    const api = await startApiProcess(environmentOf(await startTestShop(), await freePort()))
    expect((await api.call('POST', '/api/v1/invoice', { body: PRINTED })).status).toBe(200)
    expect(nicenessOf(api.pid, 'MainThread')).toEqual([0])
    expect(nicenessOf(api.pid, 'libuv-worker')).toEqual([5, 5, 5, 5])
    expect(nicenessOf(api.pid, 'WorkerThread')).toEqual([10])
    await api.stop()
  },
)
