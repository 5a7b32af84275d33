import { describe, expect, test } from 'vitest'
import { byNearness, kilometresApart } from './nearest.ts'
import { timeZonePlace } from './time-zone-places.ts'

const at = (...zones: (string | undefined)[]) => zones.map((timeZone) => ({ timeZone }))
const LONDON = 'Europe/London'
const AMSTERDAM = 'Europe/Amsterdam'
const NEW_YORK = 'America/New_York'
const SINGAPORE = 'Asia/Singapore'

describe('the nearest', () => {
  test.each([
    ['Europe/Berlin', AMSTERDAM],
    ['Europe/Dublin', LONDON],
    ['Africa/Accra', LONDON],
    ['America/Toronto', NEW_YORK],
    ['America/Buenos_Aires', NEW_YORK],
    ['Asia/Calcutta', SINGAPORE],
    ['Australia/Perth', SINGAPORE],
    // The way over the Pacific is the shorter one.
    ['Pacific/Auckland', SINGAPORE],
  ])('to someone in %s is %s', (mine, nearest) => {
    const sorted = byNearness(at(NEW_YORK, SINGAPORE, LONDON, AMSTERDAM), mine)
    expect(sorted[0]?.timeZone).toBe(nearest)
  })

  test('leaves those as near as each other as they stood', () => {
    const twins = [
      { timeZone: LONDON, name: 'first' },
      { timeZone: LONDON, name: 'second' },
      { timeZone: AMSTERDAM, name: 'third' },
    ]
    expect(byNearness(twins, 'Europe/Paris').map(({ name }) => name)).toEqual(['first', 'second', 'third'])
  })

  test.each(['UTC', 'Etc/GMT+3', 'Nowhere/Else', '', undefined])(
    'to somebody in %j is nobody: all stay as they stood',
    (mine) => {
      const places = at(SINGAPORE, undefined, LONDON)
      expect(byNearness(places, mine)).toEqual(places)
    },
  )

  test('is never a place that has not said where it is, while another has', () => {
    expect(byNearness(at(undefined, SINGAPORE), LONDON)).toEqual(at(SINGAPORE, undefined))
  })
})

describe('how far it is', () => {
  test('from London to Amsterdam, there and back, and nowhere', () => {
    // As the crow flies 358 km; the table has whole degrees.
    expect(kilometresApart(LONDON, AMSTERDAM)).toBeGreaterThan(300)
    expect(kilometresApart(LONDON, AMSTERDAM)).toBeLessThan(420)
    expect(kilometresApart(AMSTERDAM, LONDON)).toBe(kilometresApart(LONDON, AMSTERDAM))
    expect(kilometresApart(LONDON, LONDON)).toBe(0)
    expect(kilometresApart(LONDON, null)).toBe(Infinity)
  })

  test('every time zone that this machine knows by a place is in the table', () => {
    const missing = Intl.supportedValuesOf('timeZone').filter(
      (zone) =>
        /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//.test(zone) &&
        !timeZonePlace(zone),
    )
    expect(missing).toEqual([])
  })

  test('every place is on the earth, in a country', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const place = timeZonePlace(zone)
      if (!place) continue
      expect(place.country).toMatch(/^[A-Z]{2}$/)
      expect(Math.abs(place.latitude)).toBeLessThanOrEqual(90)
      expect(Math.abs(place.longitude)).toBeLessThanOrEqual(180)
    }
  })
})
