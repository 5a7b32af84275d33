import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Namespace } from '@hedgerow/testing/namespaces'

const EAR = fileURLToPath(new URL('udp-ear.ts', import.meta.url))

export type Heard = { text: string; from: string; port: number }

/** A UDP socket in a namespace, which can be spoken through. `echo` answers with what it heard, and a "!". */
export const openUdp = async (
  where: Pick<Namespace, 'spawn'>,
  address: string,
  port = 0,
  ...echo: 'echo'[]
) => {
  const child = where.spawn(process.execPath, [EAR, address, String(port), ...echo], {}, [
    'ignore',
    'inherit',
    'inherit',
    'ipc',
  ])
  const heard: Heard[] = []
  await once(child, 'message')
  child.on('message', (one) => heard.push(one as Heard))
  return {
    heard,
    say: (text: string, to: string, toPort: number): void => void child.send([text, to, toPort]),
    close: async (): Promise<void> => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
