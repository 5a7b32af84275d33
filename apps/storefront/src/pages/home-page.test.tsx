import { formatMoney } from '@hedgerow/domain/money'
import { SHIPPED_LAYERS, SHIPPED_PLANS } from '@hedgerow/domain/plans'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { anItem, LAYER } from '#testing/fixtures.ts'
import { address, closeShop, openShop } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const section = () => {
  const found = screen.getByRole('heading', { name: 'Price plans' }).closest('section')
  if (!found) throw new Error('There is no section of plans')
  return within(found)
}
const plans = () => section().getAllByRole('link')

describe('the price plans', () => {
  test('stand by their layers as the shop ships them, whatever the server says', async () => {
    await openShop('/')
    for (const { name } of SHIPPED_LAYERS) section().getByRole('heading', { name })
    expect(plans().map((link) => link.getAttribute('href'))).toEqual(
      SHIPPED_PLANS.map(({ id }) => `/payment/checkout/${id}`),
    )
    for (const [position, { name, period, connections, priceMinor }] of SHIPPED_PLANS.entries())
      for (const part of [name, period, `${connections} connections`, formatMoney(priceMinor, 'GBP')])
        expect(plans()[position]?.textContent).toContain(part)
  })

  test('say what a day comes to, and that Ethernity never expires', async () => {
    await openShop('/')
    expect(plans()[0]?.textContent).toContain('£0.93 a day')
    expect(section().getByText('Ethernity').closest('a')?.textContent).toContain('never expires')
  })

  test('become what is on sale', async () => {
    server.answers('listLayers', 200, [LAYER])
    server.answers('listItems', 200, [anItem({ price: 1999 })])
    await openShop('/')
    await waitFor(() => expect(plans()).toHaveLength(1))
    expect(plans()[0]?.textContent).toContain('£19.99')
  })

  test('are in pounds whatever the selector says', async () => {
    await openShop('/')
    const before = plans().map((link) => link.textContent)
    for (const value of ['GBP', 'EUR']) {
      fireEvent.change(screen.getAllByRole('combobox')[0] as HTMLElement, { target: { value } })
      expect(plans().map((link) => link.textContent)).toEqual(before)
    }
  })

  test('lead a visitor to the login, and from there back to the plan', async () => {
    await openShop('/')
    const [first] = plans()
    const path = first?.getAttribute('href') ?? ''
    fireEvent.click(first as HTMLElement)
    await waitFor(() => expect(address()).toBe(`/login?redirectUrl=${encodeURIComponent(path)}`))
  })
})
