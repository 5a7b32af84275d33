import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { KEEPALIVE_SECONDS } from '@hedgerow/domain/connections'
import { daysAfter, formatLocalDay } from '@hedgerow/domain/dates'
import { configText } from '@hedgerow/wireguard/config-text'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PAY_PLAN, PAYMENT, payByCard } from '#testing/checkouts.tsx'
import { aConnection, anItem, aProfile, LAYER } from '#testing/fixtures.ts'
import { address, button, closeShop, leavePage, openShop, openShopAs, settle } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const ANDROID =
  'Mozilla/5.0 (Linux; Android 16; Pixel 7) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1'

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const own = (n: number, more: Parameters<typeof aConnection>[0] = {}) =>
  aConnection({ _id: id(n), name: `Hedgerow ${n}`, features: PLAIN, ...more })
const PLAIN = { feature1: false, feature2: false, feature3: false, feature4: false }
const inDays = (days: number) => daysAfter(new Date(), days).toISOString()

let server: ReturnType<typeof stubServer>
/** What the browser was given to save: names, and what is in them. */
let saved: { name: string; blob: Blob | undefined }[]

beforeEach(() => {
  server = stubServer()
  saved = []
  let last: Blob | undefined
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    last = blob as Blob
    return 'blob:a'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob: last })
  })
})
afterEach(() => {
  closeShop()
  localStorage.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const isOn = (userAgent: string, [width, height] = [360, 740]) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  vi.stubGlobal('screen', { width, height })
}

/** How the browser's share sheet ends. */
const shareSheet = (end: () => Promise<void>, canShare = true) => {
  const share = vi.fn<(data: ShareData) => Promise<void>>(end)
  Object.assign(navigator, { share, canShare: () => canShare })
  return share
}
afterEach(() => {
  Reflect.deleteProperty(navigator, 'share')
  Reflect.deleteProperty(navigator, 'canShare')
})

const open = async (connections = [own(1)]) => {
  await openShopAs(aProfile({ connections }), server, '/profile')
  await screen.findByRole('heading', { name: 'Connections' })
}
const ticket = (name: string) => {
  const found = screen.getByRole('heading', { name, level: 3 }).closest('article')
  if (!found) throw new Error(`No ticket of ${name}`)
  return within(found)
}

describe('on a phone', () => {
  test('a ticket leads with adding it there, and the code folds away', async () => {
    isOn(ANDROID)
    await open([own(1), own(2)])
    const first = ticket('Hedgerow 1')
    expect(first.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Install WireGuard'),
      expect.stringContaining('Add to this phone'),
      expect.stringContaining('Turn it on'),
    ])
    expect(first.getByRole('link', { name: 'Google Play' }).getAttribute('href')).toBe(
      'https://play.google.com/store/apps/details?id=com.wireguard.android',
    )
    expect(first.getByRole('link', { name: 'All steps for Android' }).getAttribute('href')).toBe(
      '/manual/android',
    )
    expect(first.queryByRole('img', { name: 'QR code of Hedgerow 1' })).toBeNull()
    fireEvent.click(first.getByText('For another device'))
    await first.findByRole('img', { name: 'QR code of Hedgerow 1' })
    for (const name of ['Get by Email', 'Download']) first.getByRole('button', { name })
    first.getByRole('link', { name: 'Buy more' })
    expect(screen.queryByRole('switch', { name: /^Hide codes/ })).toBeNull()

    // The steps of one are enough; the others tell theirs when they are pressed.
    fireEvent.click(button('Hedgerow 2'))
    const second = ticket('Hedgerow 2')
    expect(second.queryByText('Install WireGuard')).toBeNull()
    fireEvent.click(second.getByRole('button', { name: 'Add to this phone' }))
    await second.findByText('Install WireGuard')
  })

  test('Android saves the file, and offers the keys to no other app', async () => {
    isOn(ANDROID)
    const share = shareSheet(() => Promise.resolve())
    await open()
    fireEvent.click(button('Add to this phone'))
    await screen.findByText('Saved hedgerow-1.conf')
    expect(share).not.toHaveBeenCalled()
    expect(saved[0]?.name).toBe('hedgerow-1.conf')
    expect(await saved[0]?.blob?.text()).toBe(configText(own(1), KEEPALIVE_SECONDS))
    expect(saved[0]?.blob?.type).toBe('application/octet-stream')
  })

  test('iOS opens the share sheet with the same file', async () => {
    isOn(IPHONE)
    const share = shareSheet(() => Promise.resolve())
    await open()
    fireEvent.click(button('Add to this phone'))
    await waitFor(() => expect(share).toHaveBeenCalledOnce())
    const [file] = share.mock.calls[0]?.[0].files ?? []
    expect(file?.name).toBe('hedgerow-1.conf')
    expect(await file?.text()).toBe(configText(own(1), KEEPALIVE_SECONDS))
    expect(saved).toEqual([])
  })

  test('a share sheet that was closed saves nothing', async () => {
    isOn(IPHONE)
    const share = shareSheet(() => Promise.reject(new DOMException('closed', 'AbortError')))
    await open()
    fireEvent.click(button('Add to this phone'))
    await waitFor(() => expect(share).toHaveBeenCalledOnce())
    await share.mock.results[0]?.value.catch(() => {})
    expect(saved).toEqual([])
  })

  test.each<[string, () => void]>([
    [
      'refuses the file when it is asked',
      () => shareSheet(() => Promise.reject(new DOMException('no', 'NotAllowedError'))),
    ],
    ['says that it cannot share it', () => shareSheet(() => Promise.resolve(), false)],
    ['has no share sheet', () => {}],
  ])('a browser that %s saves it', async (_, prepare) => {
    isOn(IPHONE)
    prepare()
    await open()
    fireEvent.click(button('Add to this phone'))
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['hedgerow-1.conf']))
  })

  test('a tablet is called one', async () => {
    isOn(IPHONE.replace('iPhone', 'iPad'), [1180, 820])
    await open()
    button('Add to this tablet')
  })

  test('an expired ticket offers to renew it, and nothing to add', async () => {
    isOn(IPHONE)
    await open([own(1, { expirationDate: inDays(-2), lastBought: { days: 45, currency: 'GBP' } })])
    const old = ticket('Hedgerow 1')
    expect(old.queryByRole('button', { name: 'Add to this phone' })).toBeNull()
    old.getByText('Expired')
    old.getByRole('link', { name: 'Renew' })
  })
})

describe('on a computer', () => {
  test('codes wait to be asked for where the customer wants it, also after a reload', async () => {
    const openBoth = async () => {
      await open([own(1), own(2)])
      fireEvent.click(button('Hedgerow 2'))
    }
    await openBoth()
    const codes = () => screen.queryAllByRole('img', { name: /^QR code of/ })
    expect(codes()).toHaveLength(2)
    fireEvent.click(screen.getByRole('switch', { name: 'Hide codes until I press Show' }))
    expect(codes()).toHaveLength(0)
    leavePage()
    await openBoth()
    expect(codes()).toHaveLength(0)
    fireEvent.click(ticket('Hedgerow 2').getByRole('button', { name: 'Show the QR code of Hedgerow 2' }))
    expect(codes()).toHaveLength(1)
    ticket('Hedgerow 2').getByRole('img', { name: 'QR code of Hedgerow 2' })
    fireEvent.click(screen.getByRole('switch', { name: 'Hide codes until I press Show' }))
    expect(codes()).toHaveLength(2)
  })
})

describe('Download all', () => {
  test('makes one file of all that work, each under its own name', async () => {
    const phones = [own(1, { fileName: 'phone-0001.conf' }), own(2, { fileName: 'phone-0002.conf' })]
    await open([...phones, own(3, { expirationDate: inDays(-1) })])
    fireEvent.click(button('Download all'))
    await screen.findByText('Saved connections.zip')
    expect(saved[0]?.name).toBe('connections.zip')
    const files = unzipSync(new Uint8Array((await saved[0]?.blob?.arrayBuffer()) ?? new ArrayBuffer()))
    const texts = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))
    expect(texts).toEqual({
      'phone-0001.conf': configText(phones[0] ?? own(1), KEEPALIVE_SECONDS),
      'phone-0002.conf': configText(phones[1] ?? own(1), KEEPALIVE_SECONDS),
    })
  })

  test('is not there for one', async () => {
    await open([own(1), own(2, { expirationDate: inDays(-1) })])
    expect(screen.queryByRole('button', { name: 'Download all' })).toBeNull()
  })
})

describe('renewing', () => {
  const used = (n: number, more: Parameters<typeof own>[1] = {}) => own(n, { status: 'idle', ...more })
  const renewals = () =>
    screen
      .queryAllByRole('link', { name: /^Renew/ })
      .map((link) => [link.textContent, link.getAttribute('href')])

  test('what ended together is one press, for as long and with the options that it had', async () => {
    const end = inDays(-2)
    const lastBought = { days: 45, currency: 'GBP' as const }
    await open([
      used(1, { expirationDate: end, lastBought, features: { ...PLAIN, feature2: true } }),
      used(2, { expirationDate: end, lastBought }),
      used(3, { expirationDate: inDays(40), lastBought }),
    ])
    screen.getByText(`Hedgerow 1 and 2 ended on ${formatLocalDay(new Date(end))}.`)
    expect(renewals()).toEqual([
      [
        'Renew 2 connections',
        `/calculator?days=45&connections=3&features=feature2&currency=GBP&renew=${id(1)}%2C${id(2)}`,
      ],
    ])
    // 'Buy more' leads where it always led.
    expect(ticket('Hedgerow 1').getByRole('link', { name: 'Buy more' }).getAttribute('href')).toBe(
      `/products?renew=${id(1)}`,
    )
  })

  test('what a plan bought is renewed by the plan, as long as that is sold and large enough', async () => {
    const end = inDays(3)
    const plan = { _id: anItem()._id, connections: 3 }
    const byPlan = { expirationDate: end, lastBought: { days: 31, currency: 'GBP' as const, plan } }
    await open([used(1, byPlan), used(2, byPlan)])
    expect(renewals()).toEqual([
      ['Renew 2 connections', `/payment/checkout/${plan._id}?renew=${id(1)},${id(2)}`],
    ])
    leavePage()
    await open([1, 2, 3, 4].map((n) => used(n, byPlan)))
    expect(renewals()[0]?.[1]).toContain('/calculator?days=31&connections=4&')
  })

  test('what ended otherwise is renewed otherwise, the nearest first', async () => {
    const [soon, later] = [inDays(1), inDays(5)]
    const lastBought = { days: 30, currency: 'EUR' as const }
    await open([
      used(1, { expirationDate: later, lastBought }),
      used(2, { expirationDate: soon, lastBought }),
      used(3, { expirationDate: soon, lastBought }),
      used(4, { expirationDate: soon, lastBought: { ...lastBought, days: 365 } }),
    ])
    expect(renewals().map(([text]) => text)).toEqual(['Renew 2 connections', 'Renew', 'Renew'])
    expect(ticket('Hedgerow 4').getByRole('link', { name: 'Renew' }).getAttribute('href')).toContain(
      'days=365',
    )
    expect(ticket('Hedgerow 2').queryByRole('link', { name: 'Renew' })).toBeNull()
  })

  test('nothing that ends later, never, or is gone is to be renewed', async () => {
    await open([
      used(1, { expirationDate: inDays(7.5) }),
      used(2, { expirationDate: null, isRenewable: false }),
      used(3, { expirationDate: inDays(-1), isRenewable: false }),
    ])
    expect(renewals()).toEqual([])
  })

  test('a short purchase is not due when it is new, nor is what was never set up before it has ended', async () => {
    const week = { days: 7, currency: 'EUR' as const }
    const day = { days: 1, currency: 'EUR' as const }
    await open([
      used(1, { expirationDate: inDays(1), lastBought: day }),
      used(2, { expirationDate: inDays(7), lastBought: week }),
      own(3, { expirationDate: inDays(0.1), lastBought: week }),
    ])
    expect(renewals()).toEqual([])
  })

  test('the checkout of a plan says what it extends, and sends it', async () => {
    server.answers('listLayers', 200, [LAYER])
    server.answers('listItems', 200, [anItem()])
    const connections = [used(1), used(2), used(3, { features: { ...PLAIN, feature2: true } })]
    const path = `/payment/checkout/${anItem()._id}?renew=${id(1)},${id(2)},${id(3)},${id(9)}`
    await openShopAs(aProfile({ connections }), server, path)
    // A plan has no options to extend, and another's connection is not known here.
    await screen.findByText('3: extends Hedgerow 1 and 2, 1 new')
    server.answers('payPlanByCard', 200, { _id: PAYMENT })
    server.answers('paymentStatus', 200, { status: 'processing', metadata: '{}' })
    vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    await payByCard(PAY_PLAN)
    await waitFor(() => expect(server.callsOf('payPlanByCard')).toHaveLength(1))
    expect(server.callsOf('payPlanByCard')[0]?.body).toMatchObject({
      id: anItem()._id,
      renew: [id(1), id(2)],
    })
  })
})

describe('/payment/success', () => {
  const aPayment = (more: Partial<PaymentHistoryItem> = {}): PaymentHistoryItem => ({
    _id: PAYMENT,
    orderId: '00000000-0000-4000-8000-00000000000a',
    createdAt: '2026-11-21T14:05:00Z',
    description: '30 days, 3 connections',
    total: 30.03,
    currency: { code: 'EUR', symbol: '€' },
    method: 'card',
    pan: '400000******0077',
    status: 'Success',
    orderStatus: 'Completed',
    refunds: [],
    ...more,
  })
  const bought = (n: number, more: Parameters<typeof own>[1] = {}) =>
    own(n, { cancellable: [{ paymentId: PAYMENT, until: inDays(14) }], expirationDate: END, ...more })
  const END = '2027-01-20T14:05:00Z'
  const WORDS = 'Payment is successful!'

  /** As it is come to from the page that waited for the payment. */
  const openPaid = async (connections: ReturnType<typeof own>[], payments: PaymentHistoryItem[]) => {
    if (payments.length > 0) server.answers('paymentHistory', 200, payments)
    const tell = server.hangs('paymentStatus')
    await openShopAs(aProfile({ connections }), server, `/payment/result/${PAYMENT}`)
    await settle()
    server.answers('paymentStatus', 200, { status: 'Success', metadata: '{}' })
    await tell()
    await screen.findByRole('heading', { name: WORDS })
  }

  test('shows what was bought and what was paid, and again after a reload', async () => {
    const others = [own(7), bought(1), bought(2)]
    await openPaid(others, [aPayment({ statementDescriptor: 'HEDGEROW*VPN' })])
    const check = async () => {
      await screen.findByRole('heading', { name: 'Your 2 connections' })
      screen.getByText('Three steps and you are connected.')
      expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('/profile')
      ticket('Hedgerow 1').getByText('It works until 20/01/2027 23:05')
      ticket('Hedgerow 1').getByText('Location: London')
      ticket('Hedgerow 1').getByRole('button', { name: 'Download' })
      screen.getByText('London, until 20/01/2027 23:05')
      expect(screen.queryByText('Hedgerow 7')).toBeNull()
      const receipt = within(screen.getByRole('region', { name: 'Receipt' }))
      receipt.getByText('€30.03')
      receipt.getByText(/Card ending 0077/)
      receipt.getByText('Your card statement will show HEDGEROW*VPN.')
      receipt.getByRole('button', { name: 'Get Invoice' })
    }
    await check()
    expect(address()).toBe('/payment/success')
    const { state } = window.history
    leavePage()
    server.answers('paymentHistory', 200, [aPayment({ statementDescriptor: 'HEDGEROW*VPN' })])
    await openShopAs(aProfile({ connections: others }), server, '/payment/success', state)
    await check()
  })

  test('on a phone, leads with adding it there', async () => {
    isOn(ANDROID)
    await openPaid([bought(1)], [aPayment()])
    await screen.findByRole('heading', { name: 'Your connection' })
    button('Add to this phone')
  })

  test('says that there is nothing to do where a connection was extended', async () => {
    await openPaid([bought(1, { status: 'connected' })], [aPayment()])
    await screen.findByText(/there is nothing to do/)
  })

  test('fetches connections that were made after the profile was loaded', async () => {
    const release = server.hangs('paymentHistory')
    await openPaid([], [])
    // Loaded with the page, and once more when the payment was through.
    await waitFor(() => expect(server.callsOf('getProfile').length).toBeGreaterThan(1))
    await waitFor(() => expect(server.callsOf('paymentHistory').length).toBeGreaterThan(0))
    server.answers('getProfile', 200, aProfile({ connections: [bought(1)] }))
    server.answers('paymentHistory', 200, [aPayment()])
    await release()
    await screen.findByRole('heading', { name: 'Your connection' })
  })

  test('says so where there is no room yet', async () => {
    await openPaid([], [aPayment({ orderStatus: 'New' })])
    await screen.findByText('Your connections are on their way')
    expect(screen.queryByRole('button', { name: 'Get Invoice' })).toBeNull()
  })

  test('has nothing but the words for a visitor, and for a payment of someone else', async () => {
    await openShop('/payment/success', { paymentId: PAYMENT })
    await screen.findByRole('heading', { name: WORDS })
    expect(server.callsOf('paymentHistory')).toEqual([])
    leavePage()
    server.answers('paymentHistory', 200, [])
    await openPaid([own(1)], [])
    await waitFor(() => expect(server.callsOf('paymentHistory').length).toBeGreaterThan(0))
    await waitFor(() => expect(screen.queryByText('Loading what you bought')).toBeNull())
    expect(screen.queryByRole('heading', { level: 2 })).toBeNull()
    expect(screen.queryByRole('region', { name: 'Receipt' })).toBeNull()
  })
})
