import type { HandedOn } from '@hedgerow/contract/connections'
import { formatDateTime } from '@hedgerow/domain/dates'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { button, closeShop, openShop } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'
import { aConnection } from '#testing/things.ts'

const { clientPrivateKey, presharedKey, address, dns, serverPublicKey, allowedIPs, endpoint } = aConnection()
const configuration = { clientPrivateKey, presharedKey, address, dns, serverPublicKey, allowedIPs, endpoint }
const END = new Date(Date.now() + 86_400_000)

const handedOn = (more: Partial<HandedOn> = {}): HandedOn => ({
  name: 'Kitchen',
  expirationDate: END.toISOString(),
  configuration,
  ...more,
})

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  sessionStorage.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('/handed-on', () => {
  test('shows code, file and end to whoever has the link, without an account', async () => {
    const names: string[] = []
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:a')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    server.answers('readHandedOn', 200, handedOn())
    await openShop('/handed-on#a-token')
    await screen.findByRole('heading', { name: 'Kitchen' })
    screen.getByRole('img', { name: 'QR code of Kitchen' })
    screen.getByText(`Expires: ${formatDateTime(END)}`)
    fireEvent.click(button('Download'))
    expect(names).toEqual(['kitchen.conf'])
    expect(server.callsOf('readHandedOn')[0]).toMatchObject({
      body: { token: 'a-token' },
      authorization: null,
    })
  })

  test('takes the token out of the address', async () => {
    server.answers('readHandedOn', 200, handedOn())
    await openShop('/handed-on#a-token')
    await screen.findByRole('heading', { name: 'Kitchen' })
    expect([window.location.pathname, window.location.hash]).toEqual(['/handed-on', ''])
    expect(document.documentElement.outerHTML).not.toContain('a-token')
  })

  test('is there still after a reload, and when one comes back to it in the same tab', async () => {
    server.answers('readHandedOn', 200, handedOn())
    await openShop('/handed-on#a-token')
    await screen.findByRole('heading', { name: 'Kitchen' })
    closeShop()
    await openShop('/handed-on')
    await screen.findByRole('heading', { name: 'Kitchen' })
    expect(server.callsOf('readHandedOn').at(-1)?.body).toEqual({ token: 'a-token' })
  })

  test('follows another link that is opened in the same window', async () => {
    server.answers('readHandedOn', 200, handedOn())
    await openShop('/handed-on#first')
    await screen.findByRole('heading', { name: 'Kitchen' })
    server.answers('readHandedOn', 200, handedOn({ name: 'Attic' }))
    act(() => {
      window.history.replaceState(null, '', '/handed-on#second')
      dispatchEvent(new Event('hashchange'))
    })
    await screen.findByRole('heading', { name: 'Attic' })
  })

  test('says that a link no longer works', async () => {
    server.refuses('readHandedOn', 404, 'This link no longer works.')
    await openShop('/handed-on#a-token')
    expect((await screen.findByRole('alert')).textContent).toContain('This link no longer works.')
  })

  test('says that the connection has expired, without a code', async () => {
    const expirationDate = '2025-11-21T14:05:00Z'
    server.answers('readHandedOn', 200, handedOn({ expirationDate, configuration: null }))
    await openShop('/handed-on#a-token')
    await screen.findByText('Kitchen has expired')
    screen.getByText(/Expired: 21\/11\/2025 14:05/)
    expect(screen.queryByRole('img', { name: /QR code/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
  })

  test('says that a link is not complete, and asks the server nothing', async () => {
    await openShop('/handed-on')
    await screen.findByText('The link is not complete')
    expect(server.callsOf('readHandedOn')).toEqual([])
  })

  test('offers to try again when the server cannot be reached', async () => {
    server.refuses('readHandedOn', 503, 'We cannot answer right now.')
    await openShop('/handed-on#a-token')
    const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 })
    server.answers('readHandedOn', 200, handedOn())
    fireEvent.click(again)
    await waitFor(() => screen.getByRole('heading', { name: 'Kitchen' }))
  })
})
