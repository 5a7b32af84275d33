import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { api, mendCallsBy } from '#lib/api.ts'
import { askAgain } from '#lib/ask-again-store.ts'
import { Act } from '#shared/act.tsx'
import { AskAgain } from '#shared/ask-again.tsx'
import { stubServer } from '#testing/server.ts'
import { show } from '#testing/show.tsx'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  mendCallsBy({ onOver: () => undefined, askAgain })
  server.answers('operatorProofOptions', { hasPassword: true, passkey: null })
  server.refuses('endOperator', 403, 'Ask', { code: 'ask-again' })
})

const end = () => api.call('endOperator', { params: { operatorId: 'rook' } })
const question = () => within(screen.getByRole('dialog', { name: 'Please confirm that it is you' }))

const open = async () => {
  show(
    <>
      <Act label="End" title="End Rook?" run={end} done="Rook gets in no more" />
      <AskAgain />
    </>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'End' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByLabelText('Password')
}

const leave = () =>
  fireEvent(
    screen.getByRole('dialog', { name: 'Please confirm that it is you' }),
    new Event('cancel', { cancelable: true }),
  )

const prove = () => {
  const fill = (label: string, value: string) =>
    fireEvent.change(question().getByLabelText(label), { target: { value } })
  fill('Password', 'nine wrens in a holly bush')
  fill('Code of your app', '123456')
  fireEvent.click(question().getByRole('button', { name: 'Confirm' }))
}

test('a call that asks who is there is made again once that is shown', async () => {
  await open()
  server.answers('proveOperator', {})
  server.answers('endOperator', {} as never)
  prove()
  await screen.findByText('Rook gets in no more')
  expect(server.callsOf('proveOperator')[0]?.body).toEqual({
    password: 'nine wrens in a holly bush',
    code: '123456',
  })
  expect(server.callsOf('endOperator')).toHaveLength(2)
})

test('a wrong answer says so, and the question is put anew', async () => {
  await open()
  server.refuses('proveOperator', 422, 'The password or the code is wrong.')
  prove()
  expect((await question().findByRole('alert')).textContent).toContain('The password or the code is wrong.')
  await waitFor(() => expect(server.callsOf('operatorProofOptions').length).toBeGreaterThan(1))
  expect(server.callsOf('endOperator')).toHaveLength(1)
  leave()
})

test('who would rather not answer has changed nothing, and reads so', async () => {
  await open()
  leave()
  await screen.findByText('You did not confirm that it is you, so nothing was changed.')
  expect(server.callsOf('endOperator')).toHaveLength(1)
})

test('several calls at once ask once', async () => {
  const Two = () => {
    const [done, setDone] = useState(0)
    const press = () => void Promise.all([end(), end()]).then((answers) => setDone(answers.length))
    return (
      <button type="button" onClick={press}>
        {done} done
      </button>
    )
  }
  show(
    <>
      <Two />
      <AskAgain />
    </>,
  )
  fireEvent.click(screen.getByRole('button', { name: '0 done' }))
  await screen.findByLabelText('Password')
  server.answers('proveOperator', {})
  server.answers('endOperator', {} as never)
  prove()
  await screen.findByRole('button', { name: '2 done' })
  expect(server.callsOf('proveOperator')).toHaveLength(1)
})

test.each([
  [{ hasPassword: true, passkey: null }, ['Password', 'Code of your app'], false],
  [{ hasPassword: false, passkey: { ticket: 'a-ticket', options: { challenge: 'AAAA' } } }, [], true],
] as const)('asks for what the operator has: %o', async (options, labels, hasPasskey) => {
  server.answers('operatorProofOptions', options as never)
  show(
    <>
      <Act label="End" title="End Rook?" run={end} />
      <AskAgain />
    </>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'End' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/It lasts for 15 minutes/)
  const shown = ['Password', 'Code of your app'].filter((label) => question().queryByLabelText(label))
  expect(shown).toEqual(labels)
  expect(question().queryByRole('button', { name: 'Use your passkey' }) !== null).toBe(hasPasskey)
  leave()
})
