import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { findRoute } from '#app/find-route.ts'
import { notFound, routes } from '#app/routes.tsx'
import { GUIDES } from '#features/manual/guides.ts'
import { manualPath, PLATFORMS } from '#features/manual/platforms.ts'
import { closeShop, openShop } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const PARTS = [
  'What you need',
  'Set it up',
  'Check it',
  'Kill switch',
  'DNS leaks',
  'After a restart',
  'It doesn’t connect',
  'Remove it',
]

/** What other parts of the shop serve. */
const ELSEWHERE = ['/check', '/contact']

const main = () => within(screen.getByRole('main'))

const linksIn = (part: HTMLElement) =>
  within(part)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href') ?? '')

/** Where a link of ours leads nowhere. */
const deadEnds = (hrefs: readonly string[]) =>
  hrefs.filter((href) =>
    href.startsWith('#')
      ? !document.querySelector(href)
      : href.startsWith('/') && !ELSEWHERE.includes(href) && findRoute(href) === notFound,
  )

beforeEach(() => {
  stubServer()
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

describe.each(PLATFORMS)('the manual for $name', ({ slug }) => {
  beforeEach(async () => {
    await openShop(manualPath(slug))
  })

  test('has every part, in order, each with words of its own', () => {
    const titles = main()
      .getAllByRole('heading', { level: 2 })
      .map(({ textContent }) => textContent)
    expect(titles).toEqual([...PARTS, 'Other devices'])
    for (const title of PARTS)
      expect(main().getByRole('region', { name: title }).textContent?.length).toBeGreaterThan(
        title.length + 40,
      )
  })

  test('says for which versions it was written, and has at least four steps, with pictures in words', () => {
    main().getByText(`Written for ${GUIDES[slug].writtenFor}.`)
    const setUp = within(main().getByRole('region', { name: 'Set it up' }))
    expect(setUp.getAllByRole('heading', { level: 3 }).length).toBeGreaterThanOrEqual(4)
    for (const picture of main().getAllByRole('img'))
      expect(picture.getAttribute('aria-label')?.length).toBeGreaterThan(30)
  })

  test('leads nowhere that is not there, and tells no other site who sent the visitor', () => {
    const hrefs = linksIn(screen.getByRole('main'))
    expect(deadEnds(hrefs)).toEqual([])
    for (const other of PLATFORMS) expect(hrefs).toContain(manualPath(other.slug))
    const outside = main()
      .getAllByRole('link')
      .filter((link) => /^\w+:/.test(link.getAttribute('href') ?? ''))
    expect(outside.length).toBeGreaterThan(0)
    for (const link of outside) {
      expect(link.getAttribute('href')).toMatch(/^https:\/\//)
      expect(link.getAttribute('rel')).toBe('noreferrer')
    }
  })
})

test('the manual’s first page leads to all others', async () => {
  await openShop('/manual')
  const hrefs = linksIn(screen.getByRole('main'))
  for (const { slug } of PLATFORMS) expect(hrefs).toContain(manualPath(slug))
  expect(deadEnds(hrefs)).toEqual([])
})

test('the home page’s steps lead into the manual', async () => {
  await openShop('/clients')
  const section = screen.getByRole('main').querySelector<HTMLElement>('#clients')
  if (!section) throw new Error('The home page has no section #clients')
  // What is folded away counts, too.
  const hrefs = [...section.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '')
  for (const { slug } of PLATFORMS) expect(hrefs).toContain(manualPath(slug))
})

test('a platform that the manual does not know is a page that is not there', () => {
  for (const path of ['/manual/amiga', '/manual/windows/more', '/manual/constructor', '/manual/Windows'])
    expect(findRoute(path)).toBe(notFound)
  expect(routes.filter(({ path }) => path.startsWith('/manual')).every(({ prerender }) => prerender)).toBe(
    true,
  )
})
