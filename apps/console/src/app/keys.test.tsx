import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { listLooks } from '#lib/looked-at.ts'
import { openConsole } from '#testing/open-console.tsx'
import { stubServer } from '#testing/server.ts'
import { aSession } from '#testing/show.tsx'

const CODE = {
  partnerId: '00000000-0000-4000-8000-000000000001',
  percentage: 10,
  uses: 3,
  limit: null,
  closedAt: null,
}
const code = (promocode: string) => ({ ...CODE, promocode, usesToCome: 0 })

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  server.answers('getOperatorSession', aSession())
  server.answers('listConsolePromocodes', { rows: [code('WREN'), code('ROBIN')], next: null })
})

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const row = (name: string) => screen.findByRole('link', { name })

describe('keys', () => {
  test.each(['j', 'k'])('%s selects the first row wherever one is, then go from row to row', async (key) => {
    openConsole('/promocodes')
    const first = await row('WREN')
    press(key)
    expect(document.activeElement).toBe(first)
    press('j')
    expect(document.activeElement).toBe(await row('ROBIN'))
    press('k')
    expect(document.activeElement).toBe(first)
  })

  test('j stays a letter where one types', async () => {
    openConsole('/promocodes')
    await row('WREN')
    screen.getByRole('combobox', { name: 'Status' }).focus()
    press('j')
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Status' }))
  })

  test('? lists them', async () => {
    openConsole('/promocodes')
    await row('WREN')
    press('?')
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(dialog.textContent).toContain('Next row of a list')
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByText(/Next row of a list/)).toBeNull())
  })
})

describe('search before anything is typed', () => {
  const open = async (path: string) => {
    openConsole(path)
    await screen.findByRole('heading', { level: 1, name: 'Promocodes' })
    press('/')
  }
  const shown = () =>
    within(screen.getByRole('listbox', { name: 'Found' }))
      .queryAllByRole('option')
      .map(({ textContent }) => textContent)

  test('offers what was looked at, the latest first, and leads there', async () => {
    server.answers('getConsolePromocode', code('WREN'))
    openConsole('/promocodes/WREN')
    await screen.findByRole('heading', { level: 1, name: 'WREN' })
    expect(listLooks()).toEqual([{ group: 'Promocode', label: 'WREN', to: '/promocodes/WREN' }])
    press('/')
    await waitFor(() => expect(shown()).toEqual(['PromocodeWREN']))
  })

  test('offers nothing that the role may not open', async () => {
    const looks = [
      { group: 'Withdrawal', label: 'Withdrawal of €5.00', to: '/withdrawals/x' },
      { group: 'Promocode', label: 'WREN', to: '/promocodes/WREN' },
    ]
    server.answers('getOperatorSession', aSession('support'))
    localStorage.setItem('looked at', JSON.stringify({ by: 'wren', looks }))
    await open('/promocodes')
    await waitFor(() => expect(shown()).toEqual(['PromocodeWREN']))
  })

  test('is forgotten at the log-out', async () => {
    localStorage.setItem(
      'looked at',
      JSON.stringify({ by: 'wren', looks: [{ group: 'a', label: 'b', to: '/' }] }),
    )
    server.answers('logOutOperator', {} as never)
    await open('/promocodes')
    fireEvent.click(screen.getByText('Log out'))
    await waitFor(() => expect(localStorage.getItem('looked at')).toBeNull())
  })

  test.each(['07/01/26', '07/01/2026'])(
    'a day as the shop writes it leads to its payments: %s',
    async (day) => {
      server.answers('search', [])
      await open('/promocodes')
      fireEvent.change(screen.getByRole('combobox', { name: 'Search' }), { target: { value: day } })
      await waitFor(() => expect(shown()).toEqual(['PaymentsOf 07/01/2026', 'OrdersOf 07/01/2026']))
    },
  )
})
