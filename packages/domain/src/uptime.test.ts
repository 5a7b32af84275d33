import { expect, test } from 'vitest'
import { incidentState, uptimeOf } from './uptime.ts'

test.each([
  [1440, 1440, 100],
  [129_599, 129_600, 99.99],
  [1439, 1440, 99.93],
  [0, 1440, 0],
  [0, 0, null],
])('%i of %i minutes are %s percent: less than all is never said to be all', (up, watched, percent) => {
  expect(uptimeOf(up, watched)).toBe(percent)
})

const at = (hour: number) => new Date(Date.UTC(2026, 10, 29, hour))

test.each([
  ['an incident, until it is closed', { startsAt: at(1), endsAt: null, closedAt: null }, 'open'],
  ['one that is closed', { startsAt: at(1), endsAt: null, closedAt: at(2) }, 'over'],
  ['maintenance before it begins', { startsAt: at(13), endsAt: at(14), closedAt: null }, 'planned'],
  ['maintenance under way', { startsAt: at(12), endsAt: at(14), closedAt: null }, 'open'],
  ['maintenance whose time is over', { startsAt: at(1), endsAt: at(12), closedAt: null }, 'over'],
  ['maintenance that was given up', { startsAt: at(13), endsAt: at(14), closedAt: at(2) }, 'over'],
] as const)('%s: %j is %s', (_, incident, state) => {
  expect(incidentState(incident, at(12))).toBe(state)
})
