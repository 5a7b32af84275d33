import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { LineChart } from '#shared/line-chart.tsx'
import { areaPath, linePath } from '#shared/line-path.ts'
import { Sparkline } from '#shared/sparkline.tsx'
import { show } from '#testing/show.tsx'

const textOf = (value: number) => `${value} peers`

describe('a line', () => {
  test('goes through its values, and is broken where nothing is known', () => {
    expect(linePath([0, 50, 100], 100)).toBe('M0 100L500 50L1000 0')
    expect(linePath([0, null, 100, 50, null], 100)).toBe('M0 100h0M500 0L750 50')
    expect(areaPath([100, 100, null], 100)).toBe('M0 100L0 0L500 0L500 100Z')
    expect(linePath([null, null], 100)).toBe('')
  })

  test('never leaves the picture', () => {
    expect(linePath([500, 1], 100)).toBe('M0 0L1000 99')
  })
})

describe('a sparkline', () => {
  test('says its lowest, highest and latest value, and how much was not reported', () => {
    show(<Sparkline of="Connected by the hour" values={[3, null, 41, 17]} textOf={String} />)
    screen.getByRole('img', {
      name: 'Connected by the hour: 3 to 41, 17 at the end, 1 of 4 without a report',
    })
  })

  test('is nothing where nothing was reported', () => {
    const { container } = show(<Sparkline of="Connected" values={[null, null]} textOf={String} />)
    expect(container.querySelector('svg')).toBeNull()
  })
})

describe('a chart of lines', () => {
  const times = [0, 1, 2, 3].map((hour) => new Date(Date.UTC(2026, 10, 21, hour)).toISOString())
  const open = (values: (number | null)[]) =>
    show(<LineChart title="Peers" times={times} series={[{ look: 'main', values }]} textOf={textOf} />)

  test('says in words what it shows', () => {
    open([3, 41, null, 17])
    screen.getByText(/3 peers to 41 peers, the highest at .*1 of 4 steps without a report\./)
  })

  test('shows the latest value, or that of the step under the pointer', () => {
    const { container } = open([3, 41, null, 17])
    screen.getByText('17 peers')
    const picture = container.querySelector('svg')
    if (!picture) throw new Error('no picture')
    picture.getBoundingClientRect = () => ({ left: 0, width: 300 }) as DOMRect
    fireEvent.pointerMove(picture, { clientX: 101 })
    screen.getByText('41 peers')
    fireEvent.pointerMove(picture, { clientX: 200 })
    screen.getByText('–')
  })

  test('shows a gap as a band, and sets no style of its own', () => {
    const { container } = open([3, null, null, 17])
    expect(container.querySelectorAll('rect.fill-line')).toHaveLength(1)
    expect(container.querySelector('[style]')).toBeNull()
  })
})
