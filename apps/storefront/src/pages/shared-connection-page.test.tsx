import type { SharedConnection } from '@hedgerow/contract/connections'
import { KEEPALIVE_SECONDS } from '@hedgerow/domain/connections'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { inForm } from '@hedgerow/domain/file-form'
import { configText } from '@hedgerow/wireguard/config-text'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aConnection } from '#testing/fixtures.ts'
import { button, closeShop, leavePage, openShop } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const { clientPrivateKey, presharedKey, address, dns, serverPublicKey, allowedIPs, endpoint, fileName } =
  aConnection({ fileName: 'kitchen.conf' })
const configuration = {
  clientPrivateKey,
  presharedKey,
  address,
  dns,
  serverPublicKey,
  allowedIPs,
  endpoint,
  fileName,
}
const END = new Date(Date.now() + 86_400_000)
const LINK_END = new Date(Date.now() + 6 * 86_400_000)

const sharedConnection = (more: Partial<SharedConnection> = {}): SharedConnection => ({
  name: 'Kitchen',
  expirationDate: END.toISOString(),
  sharedUntil: LINK_END.toISOString(),
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

describe('/shared', () => {
  test('shows code, file and end to everyone who has the link, without an account', async () => {
    const names: string[] = []
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:a')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    server.answers('readSharedConnection', 200, sharedConnection())
    await openShop('/shared#a-token')
    await screen.findByRole('heading', { name: 'Kitchen' })
    screen.getByRole('img', { name: 'QR code of Kitchen' })
    screen.getByText(`Expires: ${formatLocalTime(END)}`)
    screen.getByText(new RegExp(`The link ends ${formatLocalTime(LINK_END)}, 6 days left`))
    fireEvent.click(button('Download'))
    expect(names).toEqual(['kitchen.conf'])
    expect(server.callsOf('readSharedConnection')[0]).toMatchObject({
      body: { token: 'a-token' },
      authorization: null,
    })
  })

  test('has a file for a device without IPv6', async () => {
    const blobs: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob)
      return 'blob:a'
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    server.answers('readSharedConnection', 200, sharedConnection())
    await openShop('/shared#a-token')
    fireEvent.click(await screen.findByRole('checkbox', { name: /^IPv4 only for Kitchen/ }))
    fireEvent.click(button('Download'))
    expect(await blobs[0]?.text()).toBe(configText(inForm(configuration, ['ipv4-only']), KEEPALIVE_SECONDS))
  })

  test('links that were made under its former address lead to it still', async () => {
    server.answers('readSharedConnection', 200, sharedConnection())
    await openShop('/handed-on#a-token')
    await screen.findByRole('heading', { name: 'Kitchen' })
    expect(server.callsOf('readSharedConnection')[0]?.body).toEqual({ token: 'a-token' })
  })

  test('takes the token out of the address', async () => {
    server.answers('readSharedConnection', 200, sharedConnection())
    await openShop('/shared#a-token')
    await screen.findByRole('heading', { name: 'Kitchen' })
    expect([window.location.pathname, window.location.hash]).toEqual(['/shared', ''])
    expect(document.documentElement.outerHTML).not.toContain('a-token')
  })

  test('is there still after a reload, and when one comes back to it in the same tab', async () => {
    server.answers('readSharedConnection', 200, sharedConnection())
    await openShop('/shared#a-token')
    await screen.findByRole('heading', { name: 'Kitchen' })
    leavePage()
    await openShop('/shared')
    await screen.findByRole('heading', { name: 'Kitchen' })
    expect(server.callsOf('readSharedConnection').at(-1)?.body).toEqual({ token: 'a-token' })
  })

  test('follows another link that is opened in the same window', async () => {
    server.answers('readSharedConnection', 200, sharedConnection())
    await openShop('/shared#first')
    await screen.findByRole('heading', { name: 'Kitchen' })
    server.answers('readSharedConnection', 200, sharedConnection({ name: 'Attic' }))
    act(() => {
      window.history.replaceState(null, '', '/shared#second')
      dispatchEvent(new Event('hashchange'))
    })
    await screen.findByRole('heading', { name: 'Attic' })
  })

  test('says that a link has ended, and what to do', async () => {
    server.refuses('readSharedConnection', 404, 'Ask the person who gave it to you for a new one.')
    await openShop('/shared#a-token')
    const words = (await screen.findByRole('alert')).textContent
    expect(words).toContain('This link has ended')
    expect(words).toContain('Ask the person who gave it to you for a new one.')
  })

  test('shows nothing more of a link that runs out while the page is open', async () => {
    const sharedUntil = new Date(Date.now() - 1000)
    server.answers('readSharedConnection', 200, sharedConnection({ sharedUntil: sharedUntil.toISOString() }))
    await openShop('/shared#a-token')
    const words = (await screen.findByRole('alert')).textContent
    expect(words).toContain(`It worked until ${formatLocalTime(sharedUntil)}`)
    expect(screen.queryByRole('img', { name: /QR code/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
  })

  test('says that the connection has expired, without a code', async () => {
    const expirationDate = '2025-11-21T14:05:00Z'
    server.answers('readSharedConnection', 200, sharedConnection({ expirationDate, configuration: null }))
    await openShop('/shared#a-token')
    await screen.findByText('Kitchen has expired')
    screen.getByText(/Expired: 21\/11\/2025 23:05/)
    expect(screen.queryByRole('img', { name: /QR code/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
  })

  test('says that a link is not complete, and asks the server nothing', async () => {
    await openShop('/shared')
    await screen.findByText('The link is incomplete')
    expect(server.callsOf('readSharedConnection')).toEqual([])
  })

  test('offers to try again when the server cannot be reached', async () => {
    server.refuses('readSharedConnection', 503, 'We cannot answer right now.')
    await openShop('/shared#a-token')
    const again = await screen.findByRole('button', { name: 'Try again' })
    server.answers('readSharedConnection', 200, sharedConnection())
    fireEvent.click(again)
    await waitFor(() => screen.getByRole('heading', { name: 'Kitchen' }))
  })
})
