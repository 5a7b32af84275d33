import type { PromocodeView as Row } from '@hedgerow/contract/console/promocodes'
import type { OperatorRole } from '@hedgerow/domain/operator-roles'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Filter } from '#shared/filter-bar.tsx'
import { List } from '#shared/list.tsx'
import { stubServer } from '#testing/server.ts'
import { show } from '#testing/show.tsx'

const aPromocode = (promocode: string, uses: number): Row => ({
  promocode,
  partnerId: '00000000-0000-4000-8000-000000000001',
  percentage: 10,
  uses,
  limit: null,
  closedAt: null,
})
const ROWS = [aPromocode('WREN', 3), aPromocode('ROOK', 2), aPromocode('LARK', 1)]

const FILTERS: readonly Filter[] = [
  { name: 'state', label: 'Status', kind: 'choice', options: [['open', 'Open']] },
]

const COLUMNS: ComponentProps<typeof List<Row>>['columns'] = [
  {
    name: 'promocode',
    title: 'Promocode',
    cell: ({ promocode }) => promocode,
    sort: 'promocode',
    isName: true,
  },
  { name: 'uses', title: 'Uses', cell: ({ uses }) => uses, sort: 'uses', isNumber: true },
  { name: 'limit', title: 'Limit', cell: () => 'none', isExtra: true },
  { name: 'acts', title: '', cell: () => <button type="button">Close</button>, isAct: true },
]

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  server.answers('listConsolePromocodes', { rows: ROWS, next: null })
})

const showList = (more: Partial<ComponentProps<typeof List<Row>>> = {}, role?: OperatorRole) =>
  show(
    <List<Row>
      call="listConsolePromocodes"
      file="/api/v1/promocodes.csv"
      caption="Promocodes"
      columns={COLUMNS}
      filters={FILTERS}
      keyOf={({ promocode }) => promocode}
      linkOf={({ promocode }) => `/promocodes/${promocode}`}
      {...more}
    />,
    role,
  )

const open = async (search = '', more: Parameters<typeof showList>[0] = {}) => {
  window.history.replaceState(null, '', `/promocodes${search}`)
  showList(more)
  await screen.findByRole('table', { name: 'Promocodes' })
}
const asked = () => server.callsOf('listConsolePromocodes').map(({ query }) => query)
const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const column = (title: string) => screen.getByRole('columnheader', { name: title })
const file = () => new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'CSV' }).href)

test('there is no file for those who may see the rows, and not all of them in one', async () => {
  window.history.replaceState(null, '', '/promocodes')
  showList({ mayFile: 'revenue.see' }, 'support')
  await screen.findByRole('table', { name: 'Promocodes' })
  expect(screen.queryByRole('link', { name: 'CSV' })).toBeNull()
})

test('a row leads to its page by its name', async () => {
  await open()
  const [, first] = screen.getAllByRole('row')
  const cells = within(first as HTMLElement).getAllByRole('cell')
  expect(cells.map(({ textContent }) => textContent)).toEqual(['WREN', '3', 'Close'])
  expect(screen.getByRole('link', { name: 'WREN' }).getAttribute('href')).toBe('/promocodes/WREN')
})

test('is asked as its address says, and as nothing else', async () => {
  await open('?state=open&sort=-uses&other=1', { fixed: { partnerId: 'p1' } })
  expect(asked()[0]).toEqual({ state: 'open', sort: '-uses', partnerId: 'p1' })
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Status' }).value).toBe('open')
})

test('is narrowed by a filter, in the address too, and cleared', async () => {
  await open()
  fireEvent.change(screen.getByRole('combobox', { name: 'Status' }), { target: { value: 'open' } })
  await waitFor(() => expect(asked().at(-1)).toEqual({ state: 'open' }))
  expect(window.location.search).toBe('?state=open')
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(window.location.search).toBe(''))
})

test('is sorted by a column, the highest first, then the other way round', async () => {
  await open()
  expect(column('Uses').getAttribute('aria-sort')).toBe('none')
  expect(screen.getAllByRole('columnheader')[2]?.hasAttribute('aria-sort')).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Uses' }))
  await waitFor(() => expect(asked().at(-1)).toEqual({ sort: '-uses' }))
  expect(column('Uses').getAttribute('aria-sort')).toBe('descending')
  expect(window.location.search).toBe('?sort=-uses')
  fireEvent.click(screen.getByRole('button', { name: 'Uses' }))
  await waitFor(() => expect(asked().at(-1)).toEqual({ sort: 'uses' }))
  expect(column('Uses').getAttribute('aria-sort')).toBe('ascending')
})

test('shows the columns that were chosen in this browser; its name and its acts are always there', async () => {
  await open()
  expect(headers()).toEqual(['Promocode', 'Uses', 'Acts'])
  const choice = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name, hidden: true })
  expect(choice('Promocode').disabled).toBe(true)
  expect(screen.getAllByRole('checkbox', { hidden: true })).toHaveLength(3)
  fireEvent.click(choice('Limit'))
  fireEvent.click(choice('Uses'))
  expect(headers()).toEqual(['Promocode', 'Limit', 'Acts'])
  showList()
  await waitFor(() => expect(screen.getAllByRole('table')).toHaveLength(2))
  expect(headers()).toEqual(['Promocode', 'Limit', 'Acts', 'Promocode', 'Limit', 'Acts'])
})

test('its file has what is shown: the filters, the order, the columns, and no acts', async () => {
  await open('?state=open&sort=-uses', { fixed: { partnerId: 'p1' } })
  fireEvent.click(screen.getByRole('checkbox', { name: 'Limit', hidden: true }))
  expect(file().pathname).toBe('/api/v1/promocodes.csv')
  expect(Object.fromEntries(file().searchParams)).toEqual({
    state: 'open',
    sort: '-uses',
    partnerId: 'p1',
    columns: 'promocode,uses,limit',
  })
})

test.each([
  ['ArrowDown', 'ArrowUp'],
  ['j', 'k'],
])('%s and %s go from row to row, and no further', async (down, up) => {
  await open()
  const [first, second, third] = ['WREN', 'ROOK', 'LARK'].map((name) => screen.getByRole('link', { name }))
  const press = (key: string, more: object = {}) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more })
  first?.focus()
  press(down)
  expect(document.activeElement).toBe(second)
  press(down)
  press(down)
  expect(document.activeElement).toBe(third)
  press(up)
  press(up, { ctrlKey: true })
  expect(document.activeElement).toBe(second)
})

test('shows more of a long list, after what is there', async () => {
  server.answersInPages(
    'listConsolePromocodes',
    { rows: ROWS.slice(0, 2), next: 'ROOK' },
    { rows: ROWS.slice(2), next: null },
  )
  await open('?state=open')
  expect(screen.queryByText('LARK')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await screen.findByText('LARK')
  expect(asked().at(-1)).toEqual({ state: 'open', after: 'ROOK' })
  expect(screen.getByText('WREN')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test.each([
  ['', 'No promocode was used yet', 'They appear here.'],
  ['?state=open', 'Nothing matches', 'Remove a filter to see more.'],
])('says why it is empty, with the address %o', async (search, title, text) => {
  server.answers('listConsolePromocodes', { rows: [], next: null })
  window.history.replaceState(null, '', `/promocodes${search}`)
  showList({ empty: { title: 'No promocode was used yet', text: 'They appear here.' } })
  await screen.findByText(title)
  expect(screen.getByText(text)).toBeTruthy()
})

test('what did not load is loaded again', async () => {
  server.refuses('listConsolePromocodes', 503, 'We cannot answer right now.')
  showList()
  await screen.findByText('This could not be loaded')
  expect(screen.getByText(/We cannot answer right now\./)).toBeTruthy()
  server.answers('listConsolePromocodes', { rows: ROWS, next: null })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('WREN')
  expect(screen.queryByText('This could not be loaded')).toBeNull()
})

test('an address that asks for what there is not is mended by one press', async () => {
  server.refuses('listConsolePromocodes', 422, 'state: Invalid option')
  window.history.replaceState(null, '', '/promocodes?state=gone&sort=no')
  showList()
  const clear = await screen.findByRole('button', { name: 'Clear the filters' })
  server.answers('listConsolePromocodes', { rows: ROWS, next: null })
  fireEvent.click(clear)
  await screen.findByText('WREN')
  expect(window.location.search).toBe('')
})

test('on a phone a row is two lines: the name with what ends the line, and the rest', async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }))
  await open()
  const [first] = screen.getAllByRole('row')
  const [cell, ...others] = within(first as HTMLElement).getAllByRole('cell')
  expect(others).toEqual([])
  expect(within(cell as HTMLElement).getByRole('link', { name: 'WREN' })).toBeTruthy()
  expect(cell?.textContent).toBe('WREN3Close')
  // The name leads to the row's page, also where it would be hidden otherwise.
  const [name, ...rest] = COLUMNS
  if (!name) throw new Error('There is no column')
  show(
    <List<Row>
      call="listConsolePromocodes"
      caption="Ids"
      columns={[{ ...name, onPhone: 'hidden' }, ...rest]}
      keyOf={({ promocode }) => promocode}
      linkOf={({ promocode }) => `/promocodes/${promocode}`}
    />,
  )
  expect(
    within(await screen.findByRole('table', { name: 'Ids' })).getByRole('link', { name: 'WREN' }),
  ).toBeTruthy()
  vi.unstubAllGlobals()
})
