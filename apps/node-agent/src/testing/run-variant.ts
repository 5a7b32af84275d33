import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { AMNEZIAWG, parametersOf, WIREGUARD } from '#device/dialect.ts'
import { openDriver } from '#device/open-driver.ts'
import { createWgDriver } from '#device/wg-driver.ts'
import { runAgent } from '#run-agent.ts'

/** The agent's program for tests: faster, and, if asked for, with the kernel's driver on top of wireguard-go. */
const { TEST_TIMINGS = '{}', TEST_STUBS = '[]', TEST_DRIVER, TEST_CLOCK_AHEAD_MS = '0' } = process.env
const rightTime = Date.now
Date.now = () => rightTime() + Number(TEST_CLOCK_AHEAD_MS)
await runAgent({
  timings: JSON.parse(TEST_TIMINGS),
  stubs: JSON.parse(TEST_STUBS),
  ...(TEST_DRIVER === 'wg'
    ? {
        openDriver: async (interfaceName: string, stateDir: string, obfuscation?: Obfuscation) => {
          await openDriver(interfaceName, stateDir, obfuscation)
          const dialect = obfuscation ? AMNEZIAWG : WIREGUARD
          return createWgDriver(dialect, interfaceName, stateDir, parametersOf(obfuscation))
        },
      }
    : {}),
})
