import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { openConsole } from '#testing/open-console.tsx'
import { stubServer } from '#testing/server.ts'
import { aSession } from '#testing/show.tsx'

const sum = (minor: number, currency: string) => ({ minor, currency })
const sold = (minor: number, currency: string) => ({
  sold: sum(minor, currency),
  count: 2,
  back: sum(0, currency),
  refunds: 0,
})
const REVENUE = {
  pounds: { today: 11_200, yesterday: 5_000, weekAgo: 10_000 },
  today: [sold(6_900, 'EUR'), sold(5_200, 'GBP')],
  yesterday: [],
  weekAgo: [],
  sales: [],
}
const alert = (name: string, more: object) => ({
  name,
  count: 1,
  what: `1 ${name}`,
  act: 'Reply',
  list: 'support' as const,
  filters: { state: 'new' },
  urgency: 'today' as const,
  since: null,
  only: null,
  ...more,
})
const TODAY = {
  at: '2026-11-28T12:00:00.000Z',
  revenue: REVENUE,
  orders: { made: 4, paid: 4, delivered: 4, connected: 1 },
  active: { connections: 9, customers: 3 },
  nodes: [],
  jobs: { waiting: 0, givenUp: 0 },
  disputes: { open: 0, lost: 0, cards: 0 },
  backedUpAt: null,
  warnings: [],
  alerts: [
    alert('PaidOrderWaits', { list: 'payments', filters: { only: 'no-room' }, only: 'ab12', urgency: 'now' }),
    alert('SupportUnanswered', { count: 2 }),
    alert('NodeDown', { list: 'nodes', filters: {}, only: 'York 1' }),
  ],
}
const SALES = {
  steps: ['2026-09-30T23:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  lines: [
    { key: 'GBP', name: 'GBP', place: 0, sold: [100, 200], counts: [1, 2] },
    { key: 'EUR', name: 'EUR', place: 0, sold: [300, 400], counts: [1, 2] },
  ],
  missing: [],
}

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  server.answers('getOperatorSession', aSession())
  server.answers('getToday', TODAY)
  server.answers('getSales', SALES)
})

const waiting = async () => within(await screen.findByRole('region', { name: 'Waiting for you' }))

describe('Today', () => {
  test('has one figure in pounds, its change against last week, and the currencies beneath', async () => {
    openConsole('/')
    await screen.findByText('£112.00')
    expect(screen.getByText('12% up')).toBeTruthy()
    expect(screen.getByText(/on £100\.00 by this time last week/)).toBeTruthy()
    expect(screen.getByText('€69.00')).toBeTruthy()
    expect(screen.getByText('£52.00')).toBeTruthy()
  })

  test('says what was sold in its currencies where there is no rate, and where to set one', async () => {
    server.answers('getToday', {
      ...TODAY,
      revenue: { ...REVENUE, pounds: { ...REVENUE.pounds, today: null } },
    })
    openConsole('/')
    await screen.findByText('€69.00 + £52.00')
    expect(screen.getByRole('link', { name: 'Set rate' }).getAttribute('href')).toBe('/finance/rates')
  })

  test('shows no revenue to those who are told none, and asks for no chart', async () => {
    server.answers('getToday', { ...TODAY, revenue: null })
    openConsole('/')
    await screen.findByText('Orders today')
    expect(screen.queryByText('Sales today')).toBeNull()
    expect(server.callsOf('getSales')).toEqual([])
  })

  test('leads from each thing that waits to where it is acted upon', async () => {
    openConsole('/')
    const links = (await waiting()).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/payments/ab12',
      '/inbox?kind=support&state=new',
      '/nodes/York%201',
    ])
    expect(links[0]?.textContent).toContain('Now')
  })

  test('has one chart, in which each part keeps its colour in whichever order it comes', async () => {
    openConsole('/')
    const figure = await screen.findByRole('figure', { name: /In pounds/ })
    const fills = () =>
      [...figure.querySelectorAll('figcaption rect')].map((rect) => rect.getAttribute('class'))
    expect(screen.getAllByRole('figure')).toHaveLength(1)
    expect(figure.querySelector('figcaption')?.textContent).toContain('EURGBP')
    expect(fills()).toEqual(['fill-series-1', 'fill-series-2'])
  })
})
