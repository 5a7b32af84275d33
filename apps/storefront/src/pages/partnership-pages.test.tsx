import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aProfile } from '#testing/fixtures.ts'
import { closeShop, openShop, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const main = () => within(screen.getByRole('main'))
describe.each(['/partnership', '/partnership/referral', '/partnership/promocode'])('%s', (path) => {
  test('shows the levels, transactions and shares, and what they come to', async () => {
    await openShop(path)
    const table = main().getByRole('table', { name: 'Levels of partnership' })
    expect(within(table).getAllByRole('rowheader')).toHaveLength(5)
    const cells = [...table.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    )
    expect(cells).toEqual([
      ['1', '0', '10%', '€3.00'],
      ['2', '1', '15%', '€4.50'],
      ['3', '5', '20%', '€6.00'],
      ['4', '10', '25%', '€7.50'],
      ['5', '25', '30%', '€9.00'],
    ])
  })

  test('leads a visitor to the signup, and a customer to the profile', async () => {
    await openShop(path)
    expect(main().getByRole('link', { name: 'Open an account' }).getAttribute('href')).toBe('/signup')
    closeShop()
    await openShopAs(aProfile(), server, path)
    const own = await main().findByRole('link', { name: /^See my / })
    expect(own.getAttribute('href')).toBe('/profile?tab=partnership')
  })
})

test('/partnership/referral works an example out in money', async () => {
  await openShop('/partnership/referral')
  expect(main().getByText(/You are on level 3/).textContent).toBe(
    'You are on level 3. Someone you referred buys 3 connections for 30 days and pays €30.00. Your share is 20%: €6.00.',
  )
})

test('/partnership/promocode works an example out in money', async () => {
  await openShop('/partnership/promocode')
  expect(main().getByText(/You are on level 2/).textContent).toBe(
    'You are on level 2. Someone buys 3 connections for 30 days, which cost €30.00, and enters your promocode. They save 15%, €4.50, and pay €25.50. Your share is 15% of that: €3.83.',
  )
})

test("/partnership/resell has a 'Participate program' button to /submit", async () => {
  await openShop('/partnership/resell')
  main().getByRole('heading', { level: 1, name: 'White label programme' })
  expect(main().getByRole('link', { name: 'Participate program' }).getAttribute('href')).toBe('/submit')
})
