import type { Incident, Place, ShopStatus } from '@hedgerow/contract/status'
import { HISTORY_DAYS } from '@hedgerow/domain/uptime'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { button, closeShop, openShop } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const place = (change: Partial<Place> = {}): Place => ({
  name: 'London',
  state: 'up',
  uptime: 100,
  days: Array.from({ length: HISTORY_DAYS }, () => 100),
  ...change,
})

const incident = (change: Partial<Incident> = {}): Incident => ({
  _id: 'one',
  title: 'No answers in Leeds',
  places: ['Leeds'],
  isPlanned: false,
  state: 'open',
  startsAt: '2026-11-22T13:30:00.000Z',
  endsAt: null,
  updates: [{ at: '2026-11-22T13:35:00.000Z', text: 'A cable was cut.\n<b>We are on it.</b>' }],
  ...change,
})

const status = (change: Partial<ShopStatus> = {}): ShopStatus => ({
  firstDay: '2026-08-25',
  places: [place()],
  incidents: [],
  ...change,
})

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  vi.useRealTimers()
  closeShop()
  vi.unstubAllGlobals()
})

const main = () => within(screen.getByRole('main'))
const cardOf = async (name: string) => {
  const card = (await main().findByRole('heading', { name })).closest('li')
  if (!card) throw new Error(`There is no card of ${name}`)
  return within(card)
}

describe('/status', () => {
  test('says without a log-in how each place is, and how it was, in words beside the bars', async () => {
    const days = place().days.with(-8, 99.79).with(-1, 95.5).with(0, null)
    server.answers(
      'getStatus',
      200,
      status({ places: [place({ uptime: 99.94, days }), place({ name: 'York' })] }),
    )
    await openShop('/status')
    const london = await cardOf('London')
    london.getByText('Up')
    london.getByRole('img', { name: '99.94% over 89 days on record' })
    london.getByText('Days with downtime: 2')
    expect(london.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
      '22/11/2026: 95.50%',
      '15/11/2026: 99.79%',
    ])
    london.getByText(/A short dash is a day without a record/)
    const york = await cardOf('York')
    york.getByRole('img', { name: '100% over 90 days' })
    expect(york.queryByText(/Days with downtime/)).toBeNull()
    main().getByText('All 2 locations are up')
    main().getByText('No incident in the past 90 days.')
  })

  test('draws a day that nobody watched unlike one that was up, and one with downtime unlike both', async () => {
    server.answers('getStatus', 200, status({ places: [place({ days: [null, 100, 99.99, 0] })] }))
    await openShop('/status')
    const bars = await (await cardOf('London')).findByRole('img')
    const heights = [...bars.querySelectorAll('rect')].map((bar) => Number(bar.getAttribute('height')))
    // A dash; a whole bar; two parts, of which that of the downtime can be seen; nothing but downtime.
    expect(heights).toEqual([3, 32, 10, 22, 32, 0])
  })

  test.each([
    ['not up', [place(), place({ name: 'Leeds', state: 'down' })], 'Down: Leeds'],
    ['under maintenance', [place({ state: 'maintenance' })], 'Under maintenance: London'],
    ['not known yet', [place({ state: 'unknown' })], 'We have only just started checking'],
    ['alone and up', [place()], 'London is up'],
    [
      'the demonstration',
      [place({ name: 'demonstration', state: 'demonstration', uptime: null, days: [] })],
      'None of our servers is running yet.',
    ],
  ])('says first that a place is %s', async (_, places, words) => {
    server.answers('getStatus', 200, status({ places }))
    await openShop('/status')
    await main().findByText(words)
  })

  test('shows what the operator says as plain text, by the reader’s own clock, what is open apart from what is over', async () => {
    const over = incident({ _id: 'two', title: 'New disks', isPlanned: true, places: [], state: 'over' })
    server.answers(
      'getStatus',
      200,
      status({ incidents: [incident(), { ...over, endsAt: '2026-11-22T15:00:00.000Z' }] }),
    )
    await openShop('/status')
    const open = await cardOf('No answers in Leeds')
    open.getByText('Incident, Leeds. Since 22/11/2026 22:30')
    open.getByText('22/11/2026 22:35')
    open.getByText(/<b>We are on it.<\/b>/)
    open.getByText('Open')
    const past = await cardOf('New disks')
    past.getByText('Maintenance, all locations. 22/11/2026 22:30 to 23/11/2026 00:00')
    past.getByText('Done')
    expect(
      main()
        .getAllByRole('heading', { level: 2 })
        .map(({ textContent }) => textContent),
    ).toEqual(['Current and planned', 'Locations', 'Past 90 days'])
  })

  test('says when it was read, is read again each minute, and keeps what it has when that fails', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    server.answers('getStatus', 200, status())
    await openShop('/status')
    await main().findByText(/^Updated at \d\d\/\d\d\/\d{4} \d\d:\d\d\./)
    server.answers('getStatus', 200, status({ places: [place({ state: 'down' })] }))
    await vi.advanceTimersByTimeAsync(60_000)
    await main().findByText('Down: London')
    server.refuses('getStatus', 400)
    await vi.advanceTimersByTimeAsync(60_000)
    await main().findByText('This page could not be refreshed')
    main().getByText('Down: London')
  })

  test('says when it cannot be read that this says nothing of the servers, and reads again when asked', async () => {
    server.refuses('getStatus', 400)
    await openShop('/status')
    await main().findByText('The status did not load')
    server.answers('getStatus', 200, status())
    fireEvent.click(button('Refresh'))
    await main().findByText('London is up')
  })
})

describe('/check', () => {
  test('says which address sites see, and that one is not connected', async () => {
    server.answers('checkAddress', 200, { address: '81.2.69.160', place: null })
    await openShop('/check')
    await main().findByText('You are not connected to Hedgerow.')
    main().getByText('81.2.69.160')
    expect(server.callsOf('checkAddress')).not.toHaveLength(0)
  })

  test('names the place of the server that one comes from, also after the tunnel was turned on', async () => {
    server.answers('checkAddress', 200, { address: '81.2.69.160', place: null })
    await openShop('/check')
    await main().findByText('You are not connected to Hedgerow.')
    server.answers('checkAddress', 200, { address: '198.51.100.3', place: 'London' })
    await waitFor(() => expect(button('Check again').getAttribute('aria-busy')).toBeNull())
    fireEvent.click(button('Check again'))
    await main().findByText('You are connected to Hedgerow, in London.')
    main().getByText('198.51.100.3')
  })

  test('leads to the name that only our resolver knows, and says what it means if it does not open', async () => {
    server.refuses('checkAddress', 400)
    await openShop('/check')
    await main().findByText('We could not read your address')
    expect(
      main()
        .getByRole('link', { name: /am-i-protected/ })
        .getAttribute('href'),
    ).toBe('http://am-i-protected.internal/')
    main().getByText('It does not open, but you are connected')
    main().getByText(/the server may not have this page yet/)
  })

  test.each(['/', '/login'])('and /status are linked from the footer of %s', async (path) => {
    await openShop(path)
    const footer = within(screen.getByRole('contentinfo'))
    expect(footer.getByRole('link', { name: 'Status' }).getAttribute('href')).toBe('/status')
    expect(footer.getByRole('link', { name: 'Am I protected?' }).getAttribute('href')).toBe('/check')
  })
})
