import { CONNECTIONS, clampConnections, clampDays, DAYS } from '@hedgerow/domain/pricing'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NumberField } from '#ui/number-field.tsx'
import { TYPED_INPUT_DEBOUNCE_MS } from '#ui/use-typed-number.ts'

const chosen = vi.fn()
const RULE = 'Whole days from 1 to 365'

const Days = ({ start = 30 }: { start?: number }) => {
  const [days, setDays] = useState(start)
  const choose = (value: number) => {
    chosen(value)
    setDays(value)
  }
  return (
    <NumberField
      label="Days"
      value={days}
      onChange={choose}
      clamp={clampDays}
      rule={RULE}
      {...DAYS}
      unit="days"
    />
  )
}

const Connections = () => {
  const [connections, setConnections] = useState(3)
  return (
    <NumberField
      label="Days"
      value={connections}
      onChange={setConnections}
      clamp={clampConnections}
      rule="From 3 to 13 connections"
      {...CONNECTIONS}
    />
  )
}

const typed = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Days' })
const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Days' })
const type = (value: string) => fireEvent.input(typed(), { target: { value } })
/** What a key inserts, and what the field holds then. */
const press = (data: string, value: string) => fireEvent.input(typed(), { target: { value }, data })
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  chosen.mockClear()
  vi.useRealTimers()
})

describe('typing', () => {
  test('chooses nothing until the input has stood still', () => {
    render(<Days />)
    type('4')
    wait(TYPED_INPUT_DEBOUNCE_MS - 1)
    type('45')
    wait(TYPED_INPUT_DEBOUNCE_MS - 1)
    expect(chosen).not.toHaveBeenCalled()
    wait(1)
    expect(chosen.mock.calls).toEqual([[45]])
  })

  test.each([
    ['500', '365'],
    ['0', '1'],
    ['366', '365'],
  ])('brings %s to %s, and shows it', (text, shown) => {
    render(<Days />)
    type(text)
    wait(TYPED_INPUT_DEBOUNCE_MS)
    expect(typed().value).toBe(shown)
  })

  test.each(['1.5', '-5', '1e2', 'a week', '3 0'])(
    '%s is told, chooses nothing, and can be mended',
    (text) => {
      render(<Days />)
      type(text)
      expect(screen.getByRole('alert').textContent).toBe(RULE)
      expect(typed().getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
      wait(TYPED_INPUT_DEBOUNCE_MS)
      expect(typed().value).toBe(text)
      fireEvent.blur(typed())
      expect([typed().value, screen.getByRole('alert').textContent]).toEqual(['30', RULE])
      expect(chosen).not.toHaveBeenCalled()
      type('15')
      wait(TYPED_INPUT_DEBOUNCE_MS)
      expect(screen.queryByRole('alert')).toBeNull()
      expect(chosen.mock.calls).toEqual([[15]])
    },
  )

  test('what was brought into the range is reported, too', () => {
    render(<Days />)
    type('500')
    expect(screen.queryByRole('alert')).toBeNull()
    wait(TYPED_INPUT_DEBOUNCE_MS)
    expect(screen.getByRole('alert').textContent).toBe(RULE)
    fireEvent.click(screen.getByRole('button', { name: 'Fewer days' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a pause within a number does not make another of it', () => {
    render(<Connections />)
    type('1')
    wait(TYPED_INPUT_DEBOUNCE_MS)
    expect(typed().value).toBe('3')
    press('2', '32')
    expect(typed().value).toBe('12')
    wait(TYPED_INPUT_DEBOUNCE_MS)
    expect([typed().value, screen.queryByRole('alert')]).toEqual(['12', null])
  })

  test('a number that is put in the place of another is that number', () => {
    render(<Days />)
    type('0')
    wait(TYPED_INPUT_DEBOUNCE_MS)
    press('15', '15')
    wait(TYPED_INPUT_DEBOUNCE_MS)
    expect(typed().value).toBe('15')
  })

  test('a number that was left is typed behind as it stands', () => {
    render(<Connections />)
    type('1')
    fireEvent.blur(typed())
    press('2', '32')
    wait(TYPED_INPUT_DEBOUNCE_MS)
    expect(typed().value).toBe('13')
  })

  test('an emptied field chooses nothing, and shows the last choice once it is left', () => {
    render(<Days />)
    type('')
    wait(TYPED_INPUT_DEBOUNCE_MS)
    expect(typed().value).toBe('')
    fireEvent.blur(typed())
    expect(typed().value).toBe('30')
    expect(chosen).not.toHaveBeenCalled()
  })

  test('leaving the field does not wait', () => {
    render(<Days />)
    type('7')
    fireEvent.blur(typed())
    expect(chosen.mock.calls).toEqual([[7]])
    wait(TYPED_INPUT_DEBOUNCE_MS)
    expect(chosen).toHaveBeenCalledTimes(1)
  })
})

describe('the buttons', () => {
  test.each([
    { name: 'More days', start: DAYS.max },
    { name: 'Fewer days', start: DAYS.min },
  ])('$name stops at $start', ({ name, start }) => {
    render(<Days start={start} />)
    const button = screen.getByRole('button', { name })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(button)
    expect(typed().value).toBe(String(start))
  })

  test('step by one, and drop what was being typed', () => {
    render(<Days />)
    type('99')
    fireEvent.click(screen.getByRole('button', { name: 'More days' }))
    wait(TYPED_INPUT_DEBOUNCE_MS)
    expect(typed().value).toBe('31')
  })
})

describe('the slider', () => {
  test('reaches 500, and is brought to 365', () => {
    render(<Days />)
    expect([slider().min, slider().max]).toEqual([String(DAYS.sliderMin), String(DAYS.sliderMax)])
    fireEvent.input(slider(), { target: { value: '480' } })
    expect(typed().value).toBe('365')
  })
})
