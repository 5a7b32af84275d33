import type { OpenLocation } from '@hedgerow/contract/locations'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, test } from 'vitest'
import { stubServer } from '#testing/server.ts'
import { ServerPlaces } from './server-places.tsx'

const at = (...names: string[]): OpenLocation[] =>
  names.map((name) => ({ _id: `id of ${name}`, name, hasRoom: true }))

const open = (prepare: (server: ReturnType<typeof stubServer>) => void) => {
  prepare(stubServer())
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <ServerPlaces />
    </QueryClientProvider>,
  )
}

afterEach(cleanup)

describe('where the servers are', () => {
  test.each([
    [['London'], 'Our server is in London.'],
    [['Amsterdam', 'London'], 'Our servers are in Amsterdam and London.'],
    [['Amsterdam', 'London', 'Oslo'], 'Our servers are in Amsterdam, London and Oslo.'],
    [[], 'No server is taking new connections at the moment.'],
  ])('is told of %j', async (names, sentence) => {
    open((server) => server.answers('listOpenLocations', 200, at(...names)))
    screen.getByText('Looking up our servers…')
    await screen.findByText(sentence)
  })

  test('tells those for networks that block WireGuard apart', async () => {
    open((server) =>
      server.answers('listOpenLocations', 200, [
        ...at('London'),
        { ...(at('Oslo')[0] as OpenLocation), isObfuscated: true },
      ]),
    )
    await screen.findByText('Our server is in London. For networks that block WireGuard: Oslo.')
  })

  test('says that there is none, where the shop is only being tried', async () => {
    open((server) =>
      server.answers('listOpenLocations', 200, [
        { _id: 'its id', name: 'demonstration', hasRoom: true, isDemonstration: true },
      ]),
    )
    await screen.findByText('This shop is a demonstration: it has no servers yet.')
  })

  test('says that it cannot be told now', async () => {
    open((server) => server.breaks('listOpenLocations'))
    await screen.findByText('The list of our servers could not be loaded just now.')
  })
})
