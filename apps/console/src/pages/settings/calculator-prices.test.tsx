import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { CalculatorPrices } from '#pages/settings/calculator-prices.tsx'
import { stubServer } from '#testing/server.ts'
import { show } from '#testing/show.tsx'

let server: ReturnType<typeof stubServer>
beforeEach(async () => {
  server = stubServer()
  server.answers('listPriceChanges', [])
  show(<CalculatorPrices settings={[]} />)
  fireEvent.click(await screen.findByRole('button', { name: 'Change the prices' }))
})

const dialog = () => within(screen.getByRole('dialog'))
const fill = (value: string) => {
  const field = dialog().getByLabelText('A day')
  fireEvent.change(field, { target: { value } })
  fireEvent.input(field)
}
const change = () => fireEvent.click(dialog().getByRole('button', { name: 'Change' }))

test.each([
  ['', 'Please fill in at least one price.'],
  ['a lot', 'An amount is written like 10.50.'],
])('%o is no price, and nothing is sent', async (typed, message) => {
  fill(typed)
  change()
  await dialog().findByText(message)
  expect(server.callsOf('changePrices')).toEqual([])
})

test('what typical orders come to is seen before, and what was filled in is sent in minor units', async () => {
  fill('1.20')
  const [order] = dialog().getAllByRole('row', { name: /^30 days and 3 connections/ })
  const cells = within(order as HTMLElement).getAllByRole('cell')
  expect(cells.map(({ textContent }) => textContent).join(' ')).toMatch(/30\.00.*36\.00/)
  server.answers('changePrices', {} as never)
  change()
  await waitFor(() => expect(server.callsOf('changePrices')[0]?.body).toEqual({ 'price-day': 120 }))
})
