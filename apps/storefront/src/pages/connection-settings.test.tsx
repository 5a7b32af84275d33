import type { Connection } from '@hedgerow/contract/connections'
import { daysAfter, formatLocalTime } from '@hedgerow/domain/dates'
import { onlineManager } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aConnection, aProfile } from '#testing/fixtures.ts'
import { closeShop, openShopAs, settle } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const EXPIRED = { expirationDate: '2025-11-21T14:05:00Z', status: 'expired' } as const
const LONDON = aConnection().location
/** Of a link that was made two days ago. */
const SHARED = {
  sharedAt: daysAfter(new Date(), -2).toISOString(),
  sharedUntil: daysAfter(new Date(), 5).toISOString(),
}
const LEEDS = { _id: '00000000-0000-4000-8000-0000000000bb', name: 'Leeds' }

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  server.answers('listLocations', 200, [
    { ...LEEDS, isCurrent: false },
    { ...LONDON, isCurrent: true },
  ])
})
afterEach(() => {
  closeShop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const open = async (...connections: Connection[]) => {
  await openShopAs(aProfile({ connections }), server, '/profile')
  await screen.findAllByRole('article')
}
const ticket = (name = 'hedgerow-1') => {
  const found = screen.getByRole('heading', { name }).closest('article')
  if (!found) throw new Error(`No ticket of ${name}`)
  return within(found)
}
const switchOf = (label: string) => ticket().getByRole<HTMLInputElement>('switch', { name: label })
test('a connection that is not where it was to be says why, and what to do', async () => {
  await open(aConnection({ insteadOf: 'Oslo' }), aConnection({ _id: 'another', name: 'hedgerow-2' }))
  ticket().getByText('Oslo was full, so this one is in London. You can move it at any time, free of charge.')
  expect(ticket('hedgerow-2').queryByText(/was full, so/)).toBeNull()
})

test('a connection that two devices use at once says so, and what to do', async () => {
  await open(aConnection({ isUsedTwice: true }), aConnection({ _id: 'another', name: 'hedgerow-2' }))
  ticket().getByText('Two devices seem to use this connection at once')
  ticket().getByText(/one connection for each device, or make new keys/)
  expect(ticket('hedgerow-2').queryByText(/^Two devices/)).toBeNull()
})

const ADS = 'Advertisement filter'

/** Opens what is behind 'Manage'. */
const manage = async (more: Partial<Connection> = {}) => {
  await open(aConnection(more))
  fireEvent.click(ticket().getByText('Manage'))
  await ticket().findByText('New keys')
}
const press = (name: string) => fireEvent.click(ticket().getByRole('button', { name }))

describe('the status of a connection', () => {
  test.each([
    ['never-connected', 'Never connected'],
    ['connected', 'Connected today'],
    ['idle', 'Idle'],
  ] as const)('%s is shown as: %s', async (status, words) => {
    await open(aConnection({ status }))
    ticket().getByText(words)
    expect(ticket().queryAllByRole('link', { name: 'How to connect' })).toHaveLength(
      status === 'never-connected' ? 1 : 0,
    )
  })

  test('is the stamp alone where it has expired, and nothing is left to manage', async () => {
    await open(aConnection(EXPIRED))
    ticket().getByText('Expired')
    expect(ticket().queryByText('Manage')).toBeNull()
    expect(switchOf(ADS).disabled).toBe(true)
  })
})

test('a connection that the shop has just ended is over, whatever this clock says', async () => {
  await open(aConnection({ status: 'expired' }))
  ticket().getByText('Expired')
  expect(ticket().queryByText('Manage')).toBeNull()
})

describe('the filters', () => {
  test('that were bought are switches, and the rest is shown in words', async () => {
    await open(
      aConnection({ features: { feature1: true, feature2: true, feature3: false, feature4: false } }),
    )
    expect(ticket().getAllByRole('switch')).toHaveLength(1)
    expect(switchOf(ADS).checked).toBe(true)
    ticket().getByText('Priority bandwidth is included.')
  })

  test('switch at once, before the server has answered', async () => {
    server.hangs('saveConnection')
    await open(aConnection())
    fireEvent.click(switchOf(ADS))
    expect(switchOf(ADS).checked).toBe(false)
    await waitFor(() =>
      expect(server.callsOf('saveConnection')[0]?.body).toEqual({ filters: { feature2: false } }),
    )
  })

  test('go back, with the reason, when the server refuses', async () => {
    server.refuses('saveConnection', 429, 'Too many attempts.')
    await open(aConnection())
    fireEvent.click(switchOf(ADS))
    expect((await screen.findByRole('alert')).textContent).toContain('Too many attempts.')
    expect(switchOf(ADS).checked).toBe(true)
  })

  test('go back at once where there is no network, rather than wait for one unseen', async () => {
    server.refuses('saveConnection', 503, 'We cannot answer right now.')
    await open(aConnection())
    onlineManager.setOnline(false)
    try {
      fireEvent.click(switchOf(ADS))
      await screen.findByRole('alert')
      expect(switchOf(ADS).checked).toBe(true)
    } finally {
      onlineManager.setOnline(true)
    }
  })

  test('end as they were pressed last, and are sent one after the other', async () => {
    const saved = (feature2: boolean) =>
      aConnection({ filters: { feature2, feature3: false, feature4: false } })
    server.answers('saveConnection', 200, saved(false))
    await open(aConnection())
    for (let times = 0; times < 3; times++) fireEvent.click(switchOf(ADS))
    expect(switchOf(ADS).checked).toBe(false)
    await waitFor(() => expect(server.callsOf('saveConnection')).toHaveLength(3))
    expect(server.callsOf('saveConnection').map(({ body }) => (body as { filters: object }).filters)).toEqual(
      [{ feature2: false }, { feature2: true }, { feature2: false }],
    )
    await waitFor(() => expect(switchOf(ADS).checked).toBe(false))
  })
})

describe('renaming', () => {
  const field = () => ticket().getByLabelText<HTMLInputElement>('Which device is this for?')
  const type = (value: string) => {
    fireEvent.focus(field())
    fireEvent.input(field(), { target: { value } })
    fireEvent.blur(field())
  }
  const rename = () => ticket().getByRole<HTMLButtonElement>('button', { name: 'Rename' })

  test('shows the new name, and keeps the ticket open', async () => {
    server.answers('saveConnection', 200, aConnection({ name: 'Kitchen' }))
    await manage()
    expect(rename().disabled).toBe(true)
    type('  Kitchen ')
    await waitFor(() => expect(rename().disabled).toBe(false))
    fireEvent.click(rename())
    await screen.findByRole('heading', { name: 'Kitchen' })
    expect(server.callsOf('saveConnection')[0]?.body).toEqual({ name: 'Kitchen' })
    ticket('Kitchen').getByText('New keys')
    await screen.findByText('Renamed to Kitchen')
  })

  test('shows an empty name at the field, and sends nothing', async () => {
    await manage()
    type('   ')
    await ticket().findByText('Enter a name for the connection')
    expect(field().getAttribute('aria-describedby')).toMatch(/error/)
    expect(rename().disabled).toBe(true)
  })

  test('says why when it fails, and keeps what was typed', async () => {
    server.refuses('saveConnection', 409, 'This connection has expired.')
    await manage()
    type('Kitchen')
    await waitFor(() => expect(rename().disabled).toBe(false))
    fireEvent.click(rename())
    expect((await ticket().findByRole('alert')).textContent).toContain('This connection has expired.')
    expect(field().value).toBe('Kitchen')
  })
})

describe('new keys', () => {
  const dialog = () => within(screen.getByRole('dialog', { name: 'New keys for hedgerow-1' }))

  test('are made once it was said what happens, and the new code is shown with what to do', async () => {
    server.answers('replaceKeys', 200, aConnection({ address: '10.86.0.77/32, fd86::77/128' }))
    await manage({ status: 'connected' })
    press('Make new keys')
    dialog().getByText(/for a day at most/)
    expect(server.callsOf('replaceKeys')).toEqual([])
    fireEvent.click(dialog().getByRole('button', { name: 'Make new keys' }))
    const notice = await ticket().findByText(
      'Scan this code again on your device. The old one works until you do, for a day at most.',
    )
    await waitFor(() => expect(document.activeElement).toBe(notice.closest('[tabindex]')))
    expect(server.callsOf('replaceKeys')).toHaveLength(1)
  })

  test('are not made when the customer thinks better of it', async () => {
    await manage()
    press('Make new keys')
    fireEvent.click(dialog().getByRole('button', { name: 'Keep the old keys' }))
    expect(server.callsOf('replaceKeys')).toEqual([])
    expect(ticket().queryByText(/Scan this code again/)).toBeNull()
  })

  test('say in the dialog why there are none', async () => {
    server.refuses('replaceKeys', 429, 'Too many attempts.')
    await manage()
    press('Make new keys')
    fireEvent.click(dialog().getByRole('button', { name: 'Make new keys' }))
    expect((await dialog().findByRole('alert')).textContent).toContain('Too many attempts.')
    expect(ticket().queryByText(/Scan this code again/)).toBeNull()
  })

  test('end the link, which the dialog says', async () => {
    server.answers('replaceKeys', 200, aConnection())
    await manage(SHARED)
    press('Make new keys')
    dialog().getByText(/Its link ends/)
    fireEvent.click(dialog().getByRole('button', { name: 'Make new keys' }))
    await ticket().findByText(/Scan this code again/)
    press('Share')
    await ticket().findByRole('button', { name: 'Create a link' })
  })

  test('cut the old ones off where that is chosen, which is not so again the next time', async () => {
    server.answers('replaceKeys', 200, aConnection())
    await manage()
    press('Make new keys')
    expect(dialog().queryByText(/Its link ends/)).toBeNull()
    const box = () => dialog().getByLabelText<HTMLInputElement>(/Cut off the old keys now/)
    expect(box().checked).toBe(false)
    fireEvent.click(box())
    dialog().getByText(/cut off within seconds/)
    expect(dialog().queryByText(/for a day at most/)).toBeNull()
    fireEvent.click(dialog().getByRole('button', { name: 'Make new keys' }))
    await ticket().findByText('Scan this code on your device. The old one is cut off.')
    expect(server.callsOf('replaceKeys')[0]?.body).toEqual({ cutOffOld: true })
    press('Make new keys')
    expect(box().checked).toBe(false)
    fireEvent.click(dialog().getByRole('button', { name: 'Make new keys' }))
    await ticket().findByText(/The old one works until you do/)
    expect(server.callsOf('replaceKeys')[1]?.body).toEqual({ cutOffOld: false })
  })
})

describe('keys that the shop does not have', () => {
  const dialog = () => within(screen.getByRole('dialog', { name: 'New keys for hedgerow-1' }))
  const OWN = {
    hasOwnKey: true,
    clientPrivateKey: '',
    presharedKey: 'b3RoZXJvdGhlcm90aGVyb3RoZXJvdGhlcm90aGVyb3Q=',
  } as const
  const choose = (label: RegExp) => {
    press('Make new keys')
    fireEvent.click(dialog().getByRole('radio', { name: label }))
  }

  test('are made on the page, which says before that they are shown once, and sends the public one alone', async () => {
    server.answers('replaceKeys', 200, aConnection(OWN))
    await manage({ status: 'connected' })
    choose(/Make them on this device/)
    dialog().getByText(/Save the file there and then: we cannot show it again/)
    fireEvent.click(dialog().getByRole('button', { name: 'Make new keys' }))
    await ticket().findByText('Save the file now: we cannot show it again')
    await ticket().findByRole('img', { name: 'QR code of hedgerow-1' })
    const body = server.callsOf('replaceKeys')[0]?.body
    expect(body).toEqual({ cutOffOld: false, publicKey: expect.stringMatching(/^.{43}=$/) })
    expect(ticket().getByRole<HTMLButtonElement>('button', { name: 'Download' }).disabled).toBe(false)
    expect(ticket().getByRole<HTMLButtonElement>('button', { name: 'Get by Email' }).disabled).toBe(true)
  })

  test('are gone with the page: the ticket says why there is no code, and what to type instead', async () => {
    await manage({ ...OWN, status: 'connected' })
    expect(ticket().queryByRole('img', { name: 'QR code of hedgerow-1' })).toBeNull()
    for (const name of ['Download', 'Get by Email', 'Share'])
      expect(ticket().getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true)
    ticket().getByText(/^Only you have this connection’s key/)
    fireEvent.click(ticket().getByText('What to type on the device'))
    await ticket().findByText(OWN.presharedKey)
  })

  test('are the customer’s own only if it is a public key', async () => {
    server.answers('replaceKeys', 200, aConnection(OWN))
    await manage({ status: 'connected' })
    choose(/I have a key of my own/)
    const field = () => dialog().getByLabelText<HTMLInputElement>('Public key')
    const use = () => fireEvent.click(dialog().getByRole('button', { name: 'Use this key' }))
    fireEvent.input(field(), { target: { value: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' } })
    use()
    dialog().getByText(/This is not a public key/)
    expect(server.callsOf('replaceKeys')).toEqual([])
    const publicKey = 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo='
    fireEvent.input(field(), { target: { value: ` ${publicKey} ` } })
    use()
    await ticket().findByText(/Bring your device up to date/)
    expect(server.callsOf('replaceKeys')[0]?.body).toEqual({ cutOffOld: false, publicKey })
  })
})

describe('renewing keys', () => {
  const select = () => ticket().findByLabelText<HTMLSelectElement>('Renew keys')
  const choose = async (value: string) => fireEvent.change(await select(), { target: { value } })
  const save = () => ticket().getByRole<HTMLButtonElement>('button', { name: 'Save' })
  const RENEWED = { keyRenewal: { everyDays: 30, nextOn: '2026-12-05', lastAt: null } } as const

  test('is off, and on once it is saved, with the next day; and off again', async () => {
    server.answers('saveConnection', 200, aConnection(RENEWED))
    await manage()
    expect((await select()).value).toBe('')
    expect(save().disabled).toBe(true)
    await choose('30')
    fireEvent.click(save())
    await ticket().findByText(/^Next on 05\/12\/2026\. We will email you 3 days before/)
    expect(server.callsOf('saveConnection')[0]?.body).toEqual({ keysEveryDays: 30 })
    server.answers('saveConnection', 200, aConnection())
    await choose('')
    fireEvent.click(save())
    await screen.findByText('Keys are no longer renewed')
    expect(server.callsOf('saveConnection')[1]?.body).toEqual({ keysEveryDays: null })
    expect(ticket().queryByText(/^Next on/)).toBeNull()
  })

  test('says at the code that new keys wait for the device, until keys are made by hand', async () => {
    server.answers('replaceKeys', 200, aConnection(RENEWED))
    await manage({ keyRenewal: { ...RENEWED.keyRenewal, nextOn: null }, areKeysWaiting: true })
    ticket().getByText('This code has new keys')
    await ticket().findByText(/^New keys are waiting for your device/)
    press('Make new keys')
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make new keys' }))
    await waitFor(() => expect(ticket().queryByText('This code has new keys')).toBeNull())
  })

  test('says why it was not saved', async () => {
    server.refuses('saveConnection', 429, 'Too many attempts.')
    await manage()
    await choose('7')
    fireEvent.click(save())
    await ticket().findByText('Too many attempts.')
  })

  test('is not offered where the keys cannot be opened', async () => {
    await manage({ isUnreadable: true })
    await ticket().findByText('New keys')
    expect(ticket().queryByLabelText('Renew keys')).toBeNull()
  })
})

describe('moving', () => {
  const select = () => ticket().findByLabelText<HTMLSelectElement>('Location')

  test('goes to the location that is chosen, and shows the new code', async () => {
    server.answers('moveConnection', 200, aConnection({ location: LEEDS }))
    await manage()
    expect((await select()).value).toBe(LONDON._id)
    expect(ticket().getByRole<HTMLButtonElement>('button', { name: 'Move' }).disabled).toBe(true)
    fireEvent.change(await select(), { target: { value: LEEDS._id } })
    press('Move')
    await ticket().findByText(/Scan this code again/)
    expect(server.callsOf('moveConnection')[0]?.body).toEqual({ location: LEEDS._id })
  })

  test('says at the field why it did not', async () => {
    server.refuses('moveConnection', 409, 'There is no room at this location right now.')
    await manage()
    fireEvent.change(await select(), { target: { value: LEEDS._id } })
    press('Move')
    await ticket().findByText('There is no room at this location right now.')
    expect((await select()).getAttribute('aria-invalid')).toBe('true')
  })

  test('is not offered where there is nowhere to go', async () => {
    server.answers('listLocations', 200, [{ ...LONDON, isCurrent: true }])
    await manage()
    await waitFor(() => expect(server.callsOf('listLocations')).not.toEqual([]))
    await settle()
    expect(ticket().queryByLabelText('Location')).toBeNull()
  })
})

describe('the address of its file', () => {
  const ADDRESS = 'https://shop.example/c/secret.conf'
  const CREATED = '2026-11-20T10:00:00.000Z'
  const share = async (more: Partial<Connection> = {}) => {
    await open(aConnection(more))
    press('Share')
    await ticket().findByText('An address for a router or an app')
  }

  test('is shown once, and withdrawn', async () => {
    server.answers('makeFileAddress', 200, { url: ADDRESS, createdAt: CREATED })
    server.answers('endFileAddress', 200, {})
    await share()
    press('Create an address')
    expect((await ticket().findByLabelText<HTMLInputElement>('Address')).value).toBe(ADDRESS)
    ticket().getByText(/Not used yet/)
    press('Withdraw the address')
    await waitFor(() => expect(ticket().queryByLabelText('Address')).toBeNull())
    const makes = ticket().getByRole('button', { name: 'Create an address' })
    await waitFor(() => expect(document.activeElement).toBe(makes))
  })

  test('says how often it was used', async () => {
    await share({ fileAddress: { createdAt: CREATED, reads: 3, readAt: CREATED } })
    ticket().getByText(/Used 3 times, last on/)
  })
})

describe('sharing', () => {
  const share = async (more: Partial<Connection> = {}) => {
    await open(aConnection(more))
    press('Share')
    await ticket().findByText('Share this connection')
  }
  const URL = 'https://shop.example/shared#token'

  test('shows the link once, and withdraws it', async () => {
    server.answers('shareConnection', 200, { url: URL, ...SHARED })
    server.answers('revokeShareLink', 200, {})
    await share()
    press('Create a link')
    const link = await ticket().findByLabelText<HTMLInputElement>('Link')
    expect(link.value).toBe(URL)
    await waitFor(() => expect(document.activeElement).toBe(link))
    ticket().getByText(/5 days left/)
    ticket().getByRole('button', { name: 'Copy the link' })
    press('Withdraw the link')
    await waitFor(() => expect(ticket().queryByLabelText('Link')).toBeNull())
    const makes = ticket().getByRole('button', { name: 'Create a link' })
    await waitFor(() => expect(document.activeElement).toBe(makes))
  })

  test('shows since when and until when there is a link, which it cannot show again', async () => {
    await share(SHARED)
    const line = ticket().getByText(/Anyone with the link you created on/).textContent
    expect(line).toContain(`the link you created on ${formatLocalTime(new Date(SHARED.sharedAt))}`)
    expect(line).toContain(`It ends ${formatLocalTime(new Date(SHARED.sharedUntil))}, 5 days left`)
    ticket().getByRole('button', { name: 'Create a new link' })
    expect(ticket().queryByLabelText('Link')).toBeNull()
  })

  test('shows no link that has run out, and says how long a new one lasts', async () => {
    await share({ ...SHARED, sharedUntil: daysAfter(new Date(), -1).toISOString() })
    ticket().getByText(/It ends after 7 days, or when you withdraw it/)
    ticket().getByRole('button', { name: 'Create a link' })
    expect(ticket().queryByRole('button', { name: 'Withdraw the link' })).toBeNull()
  })

  test('of one that has expired can only be withdrawn', async () => {
    await share({ ...EXPIRED, ...SHARED })
    ticket().getByRole('button', { name: 'Withdraw the link' })
    expect(ticket().queryByRole('button', { name: 'Create a new link' })).toBeNull()
  })

  test('says why when it fails', async () => {
    server.refuses('shareConnection', 429, 'Too many attempts.')
    await share()
    press('Create a link')
    expect((await ticket().findByRole('alert')).textContent).toContain('Too many attempts.')
  })
})
