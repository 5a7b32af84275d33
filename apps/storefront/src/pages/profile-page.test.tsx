import { KEEPALIVE_SECONDS, MAIL_LOCK_MS, QR } from '@hedgerow/domain/connections'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { DISGUISES } from '@hedgerow/domain/disguise'
import { inForm } from '@hedgerow/domain/file-form'
import { configText } from '@hedgerow/wireguard/config-text'
import { routerOsCommands } from '@hedgerow/wireguard/routeros'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type * as qrcode from 'qrcode.react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aConnection, aProfile } from '#testing/fixtures.ts'
import { closeShop, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

// The code is drawn by a library; what we are responsible for is what it is given to draw.
const drawn = vi.hoisted((): Record<string, unknown>[] => {
  // Files share what a worker has read: what has the library already is read again.
  vi.resetModules()
  return []
})
vi.mock('qrcode.react', async (original) => {
  const library = await original<typeof qrcode>()
  return {
    ...library,
    QRCodeSVG: (props: React.ComponentProps<typeof library.QRCodeSVG>) => {
      drawn.push({ ...props })
      return <library.QRCodeSVG {...props} />
    },
  }
})

const EXPIRED = aConnection({ _id: 'old', name: 'old-one', expirationDate: '2025-11-21T14:05:00Z' })

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  drawn.length = 0
})
afterEach(() => {
  closeShop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const open = async (connections = [aConnection()]) => {
  await openShopAs(aProfile({ connections }), server, '/profile')
  await screen.findByRole('heading', { name: 'Welcome, Ada' })
  await screen.findByRole('tabpanel', { name: 'Connections' })
  await waitFor(() => expect(screen.queryByText('Loading')).toBeNull())
}
const ticket = (name: string) => {
  const found = screen.getByRole('heading', { name }).closest('article')
  if (!found) throw new Error(`No ticket of ${name}`)
  return within(found)
}
const press = (name: string) => ticket('hedgerow-1').getByRole<HTMLButtonElement>('button', { name })

describe('a connection', () => {
  test('shows its configuration as a QR code of 250 pixels with medium correction', async () => {
    const connection = aConnection()
    await open([connection])
    ticket('hedgerow-1').getByRole('img', { name: 'QR code of hedgerow-1' })
    expect(drawn[0]).toMatchObject({
      value: configText(connection, KEEPALIVE_SECONDS),
      size: QR.size,
      level: 'M',
    })
    expect(QR.size).toBe(250)
  })

  test('shows when it expires', async () => {
    const connection = aConnection()
    await open([connection])
    ticket('hedgerow-1').getByText(`Expires: ${formatLocalTime(new Date(connection.expirationDate ?? 0))}`)
    ticket('hedgerow-1').getByText('30 days left')
  })

  test('without an end never expires', async () => {
    await open([aConnection({ expirationDate: null })])
    ticket('hedgerow-1').getByText('Never expires')
  })

  test('keeps its keys out of the document', async () => {
    await open()
    expect(document.documentElement.outerHTML).not.toContain(aConnection().clientPrivateKey)
    expect(document.documentElement.outerHTML).not.toContain(aConnection().presharedKey)
  })

  test('that has expired is stamped, disabled, and offers to buy more', async () => {
    await open([EXPIRED, aConnection()])
    const old = ticket('old-one')
    old.getByText('Expired')
    old.getByText('Expired: 21/11/2025 23:05')
    expect(old.getByRole<HTMLButtonElement>('button', { name: 'Get by Email' }).disabled).toBe(true)
    expect(old.getByRole<HTMLButtonElement>('button', { name: 'Download' }).disabled).toBe(true)
    expect(old.getByRole('link', { name: 'Buy more' }).getAttribute('href')).toBe(
      `/products?renew=${EXPIRED._id}`,
    )
    // It comes first, and renewing it is the one coloured button.
    expect(old.getByRole('link', { name: 'Renew' }).className).toContain('bg-hedge')
    expect(old.getByRole('link', { name: 'Buy more' }).className).not.toContain('bg-hedge ')
    const names = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
    expect(names).toEqual(['old-one', 'hedgerow-1'])
  })
})

describe('Get by Email', () => {
  test('mails the connection and locks both buttons for two seconds', async () => {
    server.answers('mailConnection', 200, {})
    await open()
    vi.useFakeTimers()
    fireEvent.click(press('Get by Email'))
    expect([press('Get by Email').disabled, press('Download').disabled]).toEqual([true, true])
    await vi.advanceTimersByTimeAsync(MAIL_LOCK_MS - 1)
    expect([press('Get by Email').disabled, press('Download').disabled]).toEqual([true, true])
    await vi.advanceTimersByTimeAsync(1)
    expect([press('Get by Email').disabled, press('Download').disabled]).toEqual([false, false])
    screen.getByText('Sent to ada@example.org')
    expect(server.callsOf('mailConnection')[0]?.path).toContain(aConnection()._id)
  })

  test('says why when it fails', async () => {
    server.refuses('mailConnection', 429, 'Too many attempts.')
    await open()
    fireEvent.click(press('Get by Email'))
    expect((await screen.findByRole('alert')).textContent).toContain('Too many attempts.')
  })
})

test('Download makes the file of the very same text', async () => {
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob)
    return 'blob:a'
  })
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  await open()
  fireEvent.click(press('Download'))
  expect(await blobs[0]?.text()).toBe(configText(aConnection(), KEEPALIVE_SECONDS))
  expect(names).toEqual(['hedgerow-1.conf'])
})

test('what a file is to be like is in the file and the code at once, and kept for the email and the next time', async () => {
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob)
    return 'blob:a'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  server.answers('saveConnection', 200, aConnection({ fileForm: ['ipv4-only'] }))
  await open()
  fireEvent.click(ticket('hedgerow-1').getByRole('checkbox', { name: /^IPv4 only for hedgerow-1/ }))
  const text = configText(inForm(aConnection(), ['ipv4-only']), KEEPALIVE_SECONDS)
  expect(drawn.at(-1)).toMatchObject({ value: text })
  fireEvent.click(press('Download'))
  expect(await blobs[0]?.text()).toBe(text)
  await waitFor(() => expect(server.callsOf('saveConnection')[0]?.body).toEqual({ fileForm: ['ipv4-only'] }))
  expect(ticket('hedgerow-1').queryByRole('checkbox', { name: /other port/ })).toBeNull()
})

test('commands for a router are a file by another name, and no code', async () => {
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob)
    return 'blob:a'
  })
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  server.answers('saveConnection', 200, aConnection({ fileForm: ['routeros'] }))
  await open()
  fireEvent.click(ticket('hedgerow-1').getByRole('checkbox', { name: /^As commands for a MikroTik router/ }))
  screen.getByText(/^Commands for a router have no code\./)
  expect(screen.getByRole('link', { name: 'How to import it' }).getAttribute('href')).toBe('/manual/mikrotik')
  fireEvent.click(press('Download'))
  expect(await blobs[0]?.text()).toBe(routerOsCommands(aConnection(), KEEPALIVE_SECONDS, 'hedgerow-1'))
  expect(names).toEqual(['hedgerow-1.rsc'])
})

test('a connection that nobody has used for long offers the file for networks that block WireGuard, and says which app reads it', async () => {
  const disguised = { isLongUnused: true as const, disguiseForApps: DISGUISES.quic }
  server.answers('saveConnection', 200, aConnection({ ...disguised, fileForm: ['amneziawg'] }))
  const copied = vi.fn(async () => {})
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: copied } })
  await open([aConnection(disguised)])
  fireEvent.click(press('use the file for AmneziaWG'))
  const text = configText(
    inForm({ ...aConnection(), disguiseForApps: DISGUISES.quic }, ['amneziawg']),
    KEEPALIVE_SECONDS,
  )
  expect(text).toContain(`I1 = ${DISGUISES.quic.i1}\n`)
  expect(drawn.at(-1)).toMatchObject({ value: text })
  const note = screen.getByText(/^Code and file are for the AmneziaWG app/)
  await waitFor(() => expect(document.activeElement).toBe(note))
  fireEvent.click(press('Copy the text for AmneziaVPN of hedgerow-1'))
  await waitFor(() => expect(copied).toHaveBeenCalledOnce())
  const [vpn = ''] = copied.mock.calls[0] as unknown as string[]
  expect(vpn).toMatch(/^vpn:\/\/[\w-]+$/)
  expect(Buffer.from(vpn.slice(6), 'base64url').toString()).toBe(text)
  await waitFor(() => expect(server.callsOf('saveConnection')[0]?.body).toEqual({ fileForm: ['amneziawg'] }))
})

test('a new connection, and a shop without such a file, offer none', async () => {
  await open([
    aConnection({ disguiseForApps: DISGUISES.junk }),
    aConnection({ _id: 'another', isLongUnused: true }),
  ])
  expect(screen.queryByText(/may block WireGuard/)).toBeNull()
  expect(screen.getAllByRole('checkbox', { name: /^For networks that block WireGuard/ })).toHaveLength(1)
})

test('without connections it leads to the prices', async () => {
  await open([])
  screen.getByText('Please choose your price plan to use our service.')
  expect(screen.getByRole('link', { name: 'See the prices' }).getAttribute('href')).toBe('/products')
})

test('of many connections one is open, and the others are a line each, which unfolds', async () => {
  const many = Array.from({ length: 13 }, (_, i) => aConnection({ _id: `c${i}`, name: `hedgerow-${i}` }))
  await open(many)
  const downloads = () => screen.getAllByRole('button', { name: 'Download' })
  expect(downloads()).toHaveLength(1)
  const line = screen.getByRole('button', { name: 'hedgerow-7' })
  expect(line.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(line)
  expect(downloads()).toHaveLength(2)
  expect(document.activeElement?.textContent).toContain('hedgerow-7')
  expect(screen.queryByRole('button', { name: 'hedgerow-7' })).toBeNull()
})
