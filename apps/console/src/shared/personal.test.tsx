import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Personal } from '#shared/personal.tsx'
import { show } from '#testing/show.tsx'

const open = (read: () => Promise<string>, role?: Parameters<typeof show>[1]) =>
  show(
    <Personal masked={<p>A. L.</p>} may="customers.open" read={read}>
      {(name) => <p>{name}</p>}
    </Personal>,
    role,
  )
const press = () => fireEvent.click(screen.getByRole('button', { name: 'Show personal data' }))

test('personal data is read when it is asked for, and that is said to be recorded', async () => {
  const read = vi.fn(async () => 'Ada Lovelace')
  open(read)
  expect(screen.getByText('A. L.')).toBeTruthy()
  expect(screen.getByText('This is recorded.')).toBeTruthy()
  expect(read).not.toHaveBeenCalled()
  press()
  await screen.findByText('Ada Lovelace')
  expect(screen.queryByText('A. L.')).toBeNull()
})

test('what could not be read says why, and can be asked for again', async () => {
  const read = vi.fn(async () => 'Ada Lovelace').mockRejectedValueOnce(new TypeError('Failed to fetch'))
  open(read)
  press()
  await screen.findByText(/could not reach/i)
  press()
  await screen.findByText('Ada Lovelace')
})

test('is not offered to those who may not', () => {
  open(async () => 'Ada Lovelace', 'viewer')
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByText('A. L.')).toBeTruthy()
})
