import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What a walk does in a browser, whichever it is. An element is what a script has returned. */
export type Browser = {
  go: (url: string) => Promise<void>
  run: <T>(script: string, ...args: unknown[]) => Promise<T>
  click: (element: Element) => Promise<void>
  type: (element: Element, text: string) => Promise<void>
  /** Of what is in view. */
  picture: () => Promise<Buffer>
  resize: (size: Size) => Promise<void>
  close: () => Promise<void>
}
export type Size = { width: number; height: number }
/** The name is the standard's. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
export type Element = { [ELEMENT]: string }

const START_PATIENCE_MS = 20_000

/** Until the program that was just started answers. */
const whenUp = async <T>(attempt: () => Promise<T>): Promise<T> => {
  const deadline = Date.now() + START_PATIENCE_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await pause(100)
    }
  }
}

/** A browser behind a program that speaks WebDriver: https://www.w3.org/TR/webdriver2/ */
export const overHttp = async (port: number, capabilities: object): Promise<Browser & { send: Send }> => {
  const address = `http://127.0.0.1:${port}/session`
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const reply = await fetch(address + path, { method, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await reply.json()) as { value: T & { error: string; message: string } }
    if (!reply.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
    return value
  }
  await whenUp(() => fetch(`http://127.0.0.1:${port}/status`))
  const { sessionId } = await call<{ sessionId: string }>('POST', '', {
    capabilities: { alwaysMatch: capabilities },
  })
  const send: Send = (path, body = {}) => call('POST', `/${sessionId}${path}`, body)
  const at = (element: Element) => `/element/${element[ELEMENT]}`
  return {
    send,
    go: (url) => send('/url', { url }),
    run: (script, ...args) => send('/execute/sync', { script, args }),
    click: (element) => send(`${at(element)}/click`),
    type: (element, text) => send(`${at(element)}/value`, { text }),
    picture: async () => Buffer.from(await call<string>('GET', `/${sessionId}/screenshot`), 'base64'),
    resize: (size) => send('/window/rect', size),
    close: () => call('DELETE', `/${sessionId}`),
  }
}
type Send = <T>(path: string, body?: object) => Promise<T>

const COLON = 58

/**
 * Firefox without the program between: Marionette, which that program speaks to it, knows the same commands by other names.
 * Debian has no geckodriver.
 */
export const overMarionette = async (port: number): Promise<Browser> => {
  const socket = await whenUp(async () => {
    const attempt = connect(port, '127.0.0.1')
    await once(attempt, 'connect')
    return attempt
  })
  const send = marionette(socket)
  await send('WebDriver:NewSession', {})
  return {
    go: (url) => send('WebDriver:Navigate', { url }),
    run: <T>(script: string, ...args: unknown[]) => send<T>('WebDriver:ExecuteScript', { script, args }),
    click: (element) => send('WebDriver:ElementClick', { id: element[ELEMENT] }),
    type: (element, text) => send('WebDriver:ElementSendKeys', { id: element[ELEMENT], text }),
    picture: async () =>
      Buffer.from(await send<string>('WebDriver:TakeScreenshot', { full: false }), 'base64'),
    resize: (size) => send('WebDriver:SetWindowRect', size),
    close: async () => {
      await send('Marionette:Quit', { flags: ['eForceQuit'] })
      socket.destroy()
    },
  }
}

/** Messages are JSON with their length before them: [0, number, command, parameters], and [1, number, error, result]. */
const marionette = (socket: Socket) => {
  const waiting = new Map<number, (error: { message: string } | null, result: object) => void>()
  let rest = Buffer.alloc(0)
  let sent = 0
  socket.on('data', (data) => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      const start = rest.indexOf(COLON) + 1
      const end = start + Number(rest.subarray(0, start - 1))
      if (start === 0 || rest.length < end) return
      const message = JSON.parse(rest.subarray(start, end).toString())
      rest = rest.subarray(end)
      // Its first says who it is.
      if (Array.isArray(message)) waiting.get(message[1])?.(message[2], message[3])
    }
  })
  return <T = void>(command: string, parameters: object): Promise<T> =>
    new Promise((resolve, reject) => {
      const number = ++sent
      waiting.set(number, (error, result) => {
        waiting.delete(number)
        if (error) reject(new Error(`${command}: ${error.message}`))
        // Some results are an object around the value.
        else resolve((result && 'value' in result ? result.value : result) as T)
      })
      const message = JSON.stringify([0, number, command, parameters])
      socket.write(`${Buffer.byteLength(message)}:${message}`)
    })
}
