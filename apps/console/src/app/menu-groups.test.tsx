import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { PLACES } from '#app/places.ts'
import { openConsole } from '#testing/open-console.tsx'
import { stubServer } from '#testing/server.ts'
import { aSession } from '#testing/show.tsx'

beforeEach(() => {
  const server = stubServer()
  server.answers('getOperatorSession', aSession())
  server.answers('listConsolePromocodes', { rows: [], next: null })
})

const menus = async () => {
  await screen.findByRole('heading', { level: 1, name: 'Promocodes' })
  return screen.getAllByRole('navigation', { name: 'Console' }).map((menu) => within(menu))
}
const side = async () => (await menus())[0] as ReturnType<typeof within>
const link = (menu: ReturnType<typeof within>, name: string) => menu.queryByRole('link', { name })

test('a group folds, and is folded after a reload; the page that one is on stays', async () => {
  window.innerHeight = 900
  openConsole('/promocodes')
  const menu = await side()
  expect(menu.getAllByRole('link')).toHaveLength(PLACES.filter((place) => place.menu).length)
  for (const group of ['Sales', 'Finance']) fireEvent.click(menu.getByRole('button', { name: group }))
  expect(link(menu, 'Invoices')).toBeNull()
  expect(link(menu, 'Payments')).toBeNull()
  expect(link(menu, 'Promocodes')).toBeTruthy()
  expect(menu.getByRole('button', { name: 'Finance' }).getAttribute('aria-expanded')).toBe('false')
  expect(JSON.parse(localStorage.getItem('folded groups') ?? '')).toEqual({ Sales: true, Finance: true })
})

test('what was folded before begins folded', async () => {
  localStorage.setItem('folded groups', '{"Finance":true}')
  openConsole('/promocodes')
  const menu = await side()
  expect(link(menu, 'Invoices')).toBeNull()
  fireEvent.click(menu.getByRole('button', { name: 'Finance' }))
  expect(link(menu, 'Invoices')).toBeTruthy()
})

test('in a low window the group that one is in begins open, and every other folded', async () => {
  window.innerHeight = 700
  openConsole('/promocodes')
  const menu = await side()
  window.innerHeight = 900
  expect(link(menu, 'Payments')).toBeTruthy()
  expect(link(menu, 'Nodes')).toBeNull()
  expect(menu.getByRole('button', { name: 'System' })).toBeTruthy()
})

test('on a phone one group is open at a time, at first the one that one is in', async () => {
  openConsole('/promocodes')
  const menu = (await menus())[1] as ReturnType<typeof within>
  expect(link(menu, 'Payments')).toBeTruthy()
  fireEvent.click(menu.getByRole('button', { name: 'Network', hidden: true }))
  expect(menu.queryByRole('link', { name: 'Nodes', hidden: true })).toBeTruthy()
  expect(menu.queryByRole('link', { name: 'Payments', hidden: true })).toBeNull()
})
