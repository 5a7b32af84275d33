import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { stubServer } from '#testing/server.ts'

const line = () => screen.queryByRole('complementary', { name: 'Announcement' })

const announce = async () => {
  vi.resetModules()
  await import('#features/announcement/announce.ts')
}

afterEach(() => {
  document.body.replaceChildren()
})

test('an announcement stands above everything else, and leads where it says', async () => {
  document.body.innerHTML = '<div id="root"></div>'
  stubServer().answers('getAnnouncement', 200, { text: 'New: a year at once', link: '/products' })
  await announce()
  await waitFor(() => expect(line()).not.toBeNull())
  expect(document.body.firstElementChild).toBe(line())
  expect(screen.getByRole('link', { name: 'New: a year at once' }).getAttribute('href')).toBe('/products')
})

test('what it says is text, whatever it looks like', async () => {
  stubServer().answers('getAnnouncement', 200, { text: '<img src=x onerror=alert(1)>', link: null })
  await announce()
  await waitFor(() => expect(line()?.textContent).toBe('<img src=x onerror=alert(1)>'))
  expect(document.querySelector('img')).toBeNull()
})

test.each([
  ['there is none', (server: ReturnType<typeof stubServer>) => server.answers('getAnnouncement', 200, null)],
  ['the shop does not answer', () => undefined],
])('nothing stands there where %s', async (_, answers) => {
  const server = stubServer()
  answers(server)
  await announce()
  await waitFor(() => expect(server.calls.length).toBe(1))
  expect(line()).toBeNull()
})
