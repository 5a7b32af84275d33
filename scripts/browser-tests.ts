/**
 * `npm run e2e`: the tests in a browser. Chromium gives up what it is loading when an interface of the machine comes or goes,
 * as those of other tests do; so they have a network of their own, where that can be had.
 */
import { spawn, spawnSync } from 'node:child_process'
import { PATH } from './browser.ts'

/** With the loopback interface alone a browser takes itself for offline. */
const NETWORK = `
  ip link set lo up
  ip link add hedge type veth peer name row
  ip address add 192.0.2.1/24 dev hedge
  ip link set hedge up
  ip link set row up
  exec "$@"`
const ALONE = ['unshare', '--net', 'sh', '-ec', NETWORK, 'sh']

const env = { ...process.env, PATH }
const canBeAlone = spawnSync('unshare', [...ALONE.slice(1), 'true'], { env }).status === 0
const tests = ['playwright', 'test', '-c', 'e2e', ...process.argv.slice(2)]
const [command = '', ...args] = canBeAlone ? [...ALONE, ...tests] : tests
const child = spawn(command, args, { env, stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
child.on('error', () => process.exit(127))
child.on('exit', (code) => process.exit(code ?? 1))
