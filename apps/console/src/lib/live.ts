import type { LiveEvent } from '@hedgerow/contract/console/live'
import { consoleRoutes } from '@hedgerow/contract/console/routes'

export type { LiveEvent } from '@hedgerow/contract/console/live'

type Heard = LiveEvent | { kind: 'hello'; id: '' }

/** So long after a lost stream it is opened anew; the browser would wait as it likes. */
const RETRY_MS = 3_000
const NAME = 'console live'

/**
 * What happens in the shop, as it happens. One tab of a browser listens and tells the others: browsers hold few connections to
 * one host. 'hello' comes whenever something may have been missed. Returns what ends it.
 */
export const listenLive = (onEvent: (event: Heard) => void): (() => void) => {
  const channel = new BroadcastChannel(NAME)
  const abort = new AbortController()
  channel.onmessage = ({ data }: MessageEvent<Heard>) => onEvent(data)
  const tell = (event: Heard) => {
    onEvent(event)
    channel.postMessage(event)
  }
  const listen = () =>
    new Promise<void>((ended) => {
      let source: EventSource
      let retry: ReturnType<typeof setTimeout>
      const open = () => {
        source = new EventSource(consoleRoutes.live.url)
        source.onmessage = ({ data }: MessageEvent<string>) => tell(JSON.parse(data) as Heard)
        source.onopen = () => tell({ kind: 'hello', id: '' })
        source.onerror = () => {
          source.close()
          retry = setTimeout(open, RETRY_MS)
        }
      }
      open()
      abort.signal.addEventListener('abort', () => {
        source.close()
        clearTimeout(retry)
        ended()
      })
    })
  // Whoever has the lock listens; the next tab gets it when that one is closed.
  void navigator.locks.request(NAME, { signal: abort.signal }, listen).catch(() => undefined)
  return () => {
    abort.abort()
    channel.close()
  }
}
