import type { LiveEvent } from '@hedgerow/contract/console/live'
import { act, render } from '@testing-library/react'
import { StrictMode } from 'react'
import { vi } from 'vitest'
import { Console } from '#app/console.tsx'

type Source = Pick<EventSource, 'onmessage' | 'onopen' | 'onerror' | 'close'>

/** The stream of what happens in the shop, and the lock that one tab of a browser has. */
const stubLive = () => {
  const sources = new Set<Source>()
  vi.stubGlobal(
    'EventSource',
    class implements Source {
      onmessage = null
      onopen = null
      onerror = null
      constructor() {
        sources.add(this)
      }
      close() {
        sources.delete(this)
      }
    },
  )
  const request = (_name: string, _options: object, listen: () => Promise<void>) => listen()
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true })
  const onEach = (does: (source: Source) => void) => act(async () => [...sources].forEach(does))
  return {
    hear: (event: LiveEvent) =>
      onEach(({ onmessage }) => onmessage?.call({} as never, { data: JSON.stringify(event) } as never)),
    opens: () => onEach(({ onopen }) => onopen?.call({} as never, {} as never)),
  }
}

/** The whole console at an address. */
export const openConsole = (path: string) => {
  window.history.replaceState(null, '', path)
  const live = stubLive()
  render(
    <StrictMode>
      <Console />
    </StrictMode>,
  )
  return live
}
