import type { OpenLocation } from '@hedgerow/contract/locations'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { LocationField } from '#shared/location-field.tsx'
import type { Place } from '#shared/locations-query.ts'
import { stubServer } from '#testing/server.ts'

const LAYER = '00000000-0000-4000-8000-0000000000c0'
const at = (name: string, timeZone?: string, more: Partial<OpenLocation> = {}): OpenLocation => ({
  _id: `id of ${name}`,
  name,
  hasRoom: true,
  ...(timeZone ? { timeZone } : {}),
  ...more,
})
const LONDON = at('London', 'Europe/London')
const OSLO = at('Oslo', 'Europe/Oslo')
const NEW_YORK = at('New York', 'America/New_York')
const DUBLIN = at('Dublin', 'Europe/Dublin', { isObfuscated: true })

let server: ReturnType<typeof stubServer>
let said: Place
const timeZone = (zone: string) =>
  vi
    .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    .mockReturnValue({ timeZone: zone } as Intl.ResolvedDateTimeFormatOptions)

const Field = ({ start, ...props }: { start: Place; layerId?: string; isKept?: boolean }) => {
  const [place, setPlace] = useState(start)
  said = place
  return <LocationField place={place} onChange={setPlace} {...props} />
}

const open = (
  places: OpenLocation[],
  start: Place = {},
  props: { layerId?: string; isKept?: boolean } = {},
) => {
  server.answers('listOpenLocations', 200, places)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <Field start={start} {...props} />
    </QueryClientProvider>,
  )
}
const field = () => screen.findByRole<HTMLSelectElement>('combobox', { name: 'Location' })
const optionsOf = (select: HTMLSelectElement) => [...select.options].map(({ text }) => text)

// It is loaded when it is first shown, which may take longer than a test waits.
beforeAll(() => import('#shared/location-select.tsx'))
beforeEach(() => {
  server = stubServer()
  timeZone('Europe/Dublin')
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the location of new connections', () => {
  test('is not asked where there is one', async () => {
    open([LONDON])
    await waitFor(() => expect(server.callsOf('listOpenLocations')).toHaveLength(1))
    expect(screen.queryByText('Location')).toBeNull()
    expect(said).toEqual({})
  })

  test('is the nearest by itself, and says which that is', async () => {
    open([LONDON, NEW_YORK, OSLO])
    const select = await field()
    expect(select.selectedOptions[0]?.text).toBe('Nearest: London')
    expect(optionsOf(select)).toEqual(['Nearest: London', 'London', 'New York', 'Oslo'])
    await waitFor(() => expect(said).toEqual({ near: LONDON._id }))
  })

  test('can be chosen, and left to us again', async () => {
    open([LONDON, OSLO])
    const select = await field()
    await waitFor(() => expect(said).toEqual({ near: LONDON._id }))
    fireEvent.change(select, { target: { value: OSLO._id } })
    expect(said).toEqual({ location: OSLO._id })
    fireEvent.change(await field(), { target: { value: '' } })
    expect(said).toEqual({ near: LONDON._id })
  })

  test('for networks that block WireGuard is only ever chosen, and says which app it needs', async () => {
    open([DUBLIN, LONDON])
    const select = await field()
    expect(optionsOf(select)).toEqual([
      'Nearest: London',
      'Dublin, for networks that block WireGuard',
      'London',
    ])
    await waitFor(() => expect(said).toEqual({ near: LONDON._id }))
    fireEvent.change(select, { target: { value: DUBLIN._id } })
    expect(said).toEqual({ location: DUBLIN._id })
    screen.getByText('Needs the AmneziaWG app, 2.0.0 or newer.')
  })

  test('is the one that the address names, while that is open', async () => {
    open([LONDON, OSLO], { location: OSLO._id })
    expect((await field()).value).toBe(OSLO._id)
    expect(said).toEqual({ location: OSLO._id })
  })

  test('that has closed meanwhile is chosen no more', async () => {
    open([LONDON, NEW_YORK], { location: OSLO._id })
    expect((await field()).value).toBe('')
    await waitFor(() => expect(said).toEqual({ near: LONDON._id }))
  })

  test('that is full cannot be chosen, nor is it the nearest', async () => {
    open([{ ...LONDON, hasRoom: false }, NEW_YORK, OSLO])
    const select = await field()
    expect(optionsOf(select)).toEqual(['Nearest: Oslo', 'London (full)', 'New York', 'Oslo'])
    expect(select.options[1]?.disabled).toBe(true)
  })

  test('is left to the shop where nobody can tell which is near', async () => {
    timeZone('UTC')
    open([LONDON, OSLO])
    expect((await field()).selectedOptions[0]?.text).toBe('Automatic')
    expect(said).toEqual({})
  })

  test('of another layer’s plans is not offered, and a plan’s own goes first', async () => {
    const own = at('Own', 'America/New_York', { layer: { _id: LAYER } })
    const foreign = at('Foreign', 'Europe/Dublin', { layer: { _id: 'another' } })
    open([LONDON, own, foreign], {}, { layerId: LAYER })
    expect(optionsOf(await field())).toEqual(['Nearest: Own', 'London', 'Own'])
  })

  test('is not asked where nothing is new', async () => {
    open([LONDON, OSLO], {}, { isKept: true })
    await screen.findByText('Stays the same')
    await waitFor(() => expect(server.callsOf('listOpenLocations')).toHaveLength(1))
    expect(screen.queryByRole('combobox')).toBeNull()
  })

  test('stands in nobody’s way when the list does not load', async () => {
    server.breaks('listOpenLocations')
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    render(
      <QueryClientProvider client={client}>
        <Field start={{}} />
      </QueryClientProvider>,
    )
    await waitFor(() => expect(server.callsOf('listOpenLocations')).toHaveLength(1))
    expect(screen.queryByText('Location')).toBeNull()
  })
})
