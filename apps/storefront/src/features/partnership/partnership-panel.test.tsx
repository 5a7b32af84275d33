import type { Partnership } from '@hedgerow/contract/partnership'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { aPartnership } from '#testing/fixtures.ts'
import { openPartnership, openPartnershipWith, stubPartnership } from '#testing/open-partnership.tsx'

let server: ReturnType<typeof stubPartnership>
beforeEach(() => {
  server = stubPartnership()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const openWith = (more: Partial<Partnership> = {}) => openPartnershipWith(server, more)
const fact = (name: string) => screen.getByText(name).nextElementSibling?.textContent

describe('the Partnership tab', () => {
  test.each([
    ['Level of participation', '2'],
    ['Used promotional codes', '3'],
    ['Crossings by link', '17'],
    ['Amount on the partner account', '€12.50£0.00 and £4.51 pending'],
    ['Percentage per transaction', '15%'],
    ['Minimum withdrawal amount', '€250 or £250'],
    ['Promocode', 'HEDGE23456Copy'],
    ['Referral link', 'https://shop.example/?ref=HEDGE23456Copy'],
  ])('shows %s: %s', async (name, value) => {
    await openWith()
    expect(fact(name)).toBe(value)
  })

  test('shows the link as a QR code too', async () => {
    await openWith()
    screen.getByRole('img', { name: 'QR code of your referral link' })
  })

  test('says how far it is to the next level', async () => {
    await openWith()
    const line = screen.getByRole<HTMLProgressElement>('progressbar', {
      name: '1 more transaction to level 3, with 20% of each.',
    })
    expect([line.value, line.max]).toEqual([4, 5])
    expect(screen.queryByText(/pending\. A transaction counts/)).toBeNull()
  })

  test('says what does not count yet, and when it will', async () => {
    await openWith({ pendingTransactions: 2 })
    expect(
      screen.getByText(/A transaction counts once its purchase can no longer be cancelled/).textContent,
    ).toMatch(/^2 more are pending\./)
  })

  test('says so on the highest level', async () => {
    await openWith({ level: 5, transactions: 40, nextLevel: undefined })
    screen.getByText(/highest level/)
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  test.each([
    ['Copy the promocode', 'HEDGE23456', 'Copied the promocode'],
    ['Copy the referral link', 'https://shop.example/?ref=HEDGE23456', 'Copied the referral link'],
  ])('%s puts it on the clipboard and says so', async (name, text, said) => {
    const writeText = vi.fn(async () => {})
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    await openWith()
    fireEvent.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain(said))
    expect(writeText).toHaveBeenCalledWith(text)
  })

  test('copies also where there is no clipboard, as without TLS', async () => {
    const copied: string[] = []
    vi.stubGlobal('navigator', {})
    document.execCommand = () => {
      const event = new Event('copy', { cancelable: true })
      const clipboardData = { setData: (type: string, text: string) => copied.push(`${type} ${text}`) }
      return !document.dispatchEvent(Object.assign(event, { clipboardData }))
    }
    onTestFinished(() => void Reflect.deleteProperty(document, 'execCommand'))
    await openWith()
    fireEvent.click(screen.getByRole('button', { name: 'Copy the promocode' }))
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Copied the promocode'))
    expect(copied).toEqual(['text/plain HEDGE23456'])
  })

  test('says what to do when the browser does not let it copy', async () => {
    vi.stubGlobal('navigator', {})
    await openWith()
    fireEvent.click(screen.getByRole('button', { name: 'Copy the promocode' }))
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Select the text'))
  })

  test('shows that it is loading', () => {
    server.hangs('getPartnership')
    openPartnership()
    screen.getByText('Loading your partnership')
  })

  test('says that it did not load, and tries again', async () => {
    server.refuses('getPartnership', 503, 'We cannot answer right now.')
    openPartnership()
    expect((await screen.findByRole('alert')).textContent).toContain('We cannot answer right now.')
    server.answers('getPartnership', 200, aPartnership())
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Level of participation')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
