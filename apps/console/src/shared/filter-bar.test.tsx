import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type Filter, FilterBar } from '#shared/filter-bar.tsx'

const FILTERS: readonly Filter[] = [
  { name: 'who', label: 'Who', kind: 'text' },
  { name: 'from', label: 'From', kind: 'day' },
  { name: 'due', label: 'Due', kind: 'plain-day' },
  { name: 'state', label: 'Status', kind: 'choice', options: [['open', 'Open']] },
  { name: 'customerId', label: 'Customer', kind: 'hidden' },
]

const open = (values: Readonly<Record<string, string>> = {}, filters = FILTERS) => {
  const onChange = vi.fn()
  const { rerender } = render(<FilterBar filters={filters} values={values} onChange={onChange} />)
  return {
    onChange,
    becomes: (next: Readonly<Record<string, string>>) =>
      rerender(<FilterBar filters={filters} values={next} onChange={onChange} />),
  }
}
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

test('what is typed counts once it has paused for 350 milliseconds', () => {
  vi.useFakeTimers()
  const { onChange } = open()
  fill('Who', 'wr')
  act(() => void vi.advanceTimersByTime(349))
  fill('Who', ' wren ')
  act(() => void vi.advanceTimersByTime(349))
  expect(onChange).not.toHaveBeenCalled()
  act(() => void vi.advanceTimersByTime(1))
  expect(onChange.mock.calls).toEqual([[{ who: 'wren' }]])
})

test('an emptied text takes its filter away', () => {
  vi.useFakeTimers()
  const { onChange } = open({ who: 'wren' })
  fill('Who', '')
  act(() => void vi.advanceTimersByTime(350))
  expect(onChange).toHaveBeenCalledWith({ who: undefined })
})

test('follows an address that changes', () => {
  const { becomes } = open({ who: 'wren' })
  becomes({ who: 'rook' })
  expect(value('Who')).toBe('rook')
})

test('a day is the instant at which it begins here; a day of London goes as it is', () => {
  const { onChange } = open({ from: new Date('2026-11-20T00:00').toISOString(), due: '2026-11-21' })
  expect(value('From')).toBe('20/11/2026')
  expect(value('Due')).toBe('21/11/2026')
  fill('From', '22/11/2026')
  fill('Due', '2026-11-23')
  expect(onChange.mock.calls).toEqual([
    [{ from: new Date('2026-11-22T00:00').toISOString() }],
    [{ due: '2026-11-23' }],
  ])
})

test('an address that names no instant shows no day', () => {
  open({ from: 'yesterday' })
  expect(value('From')).toBe('')
})

test('a choice may be all of them', () => {
  const { onChange } = open({ state: 'open' })
  fill('Status', '')
  expect(onChange).toHaveBeenCalledWith({ state: undefined })
})

test('filters that came by a link are not shown, and cleared with the others', () => {
  const { onChange } = open({ customerId: 'c1' })
  expect(screen.queryByLabelText('Customer')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(onChange).toHaveBeenCalledWith({
    who: undefined,
    from: undefined,
    due: undefined,
    state: undefined,
    customerId: undefined,
  })
})

test('there is nothing to clear where nothing is chosen, and nothing at all without filters', () => {
  open()
  expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull()
  cleanup()
  open({}, [])
  expect(document.body.textContent).toBe('')
})

test('on a phone they are folded, and the fold says that some are in use', () => {
  const { becomes } = open()
  const fold = screen.getByRole('button', { name: 'Filters' })
  expect(fold.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(fold)
  expect(fold.getAttribute('aria-expanded')).toBe('true')
  becomes({ state: 'open' })
  expect(screen.getByRole('button', { name: 'Filters, in use' })).toBe(fold)
})
