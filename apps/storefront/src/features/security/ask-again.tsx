import type { PasskeyQuestion } from '@hedgerow/contract/passkeys'
import { type ProofOptions, Proofs, type ProveRequest } from '@hedgerow/contract/sessions'
import { PROOF_MINUTES } from '@hedgerow/domain/sessions'
import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import { UserName } from '@hedgerow/ui/form/user-name.tsx'
import { KeyRound } from '@hedgerow/ui/icons.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { isRenewed, onTokenChange, readToken, storeToken } from '#lib/access-token.ts'
import { api } from '#lib/api.ts'
import { showOverlay } from '#shared/overlay.tsx'
import { PasskeyButton, type Passkeys } from '#shared/passkey-button.tsx'

/** From then on the session has another token; that it is there is told to all tabs, and closes the dialog. */
const prove = async (body: ProveRequest): Promise<void> => {
  const token = readToken()
  const { access_token } = await api.call('prove', { body })
  if (token !== null && token === readToken()) storeToken(access_token, token)
}

const BY = {
  password: checkedBy(z.pick(z.required(Proofs), { password: true })),
  code: checkedBy(z.pick(z.required(Proofs), { code: true })),
}

const Buttons = ({ isValid, isBusy, onCancel }: Record<'isValid' | 'isBusy', boolean> & Cancelled) => (
  <div className="flex flex-wrap justify-end gap-3">
    <Button variant="quiet" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" disabled={!isValid} busy={isBusy}>
      Confirm
    </Button>
  </div>
)

type Cancelled = { onCancel: () => void }

const PasswordProof = ({ email, onCancel }: Cancelled & Pick<ProofOptions, 'email'>) => {
  const { field, send, problem, isValid, isBusy } = useSentForm(BY.password, ['password'])
  const onSubmit = send(prove)
  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && <FormNotice>{problem}</FormNotice>}
      <UserName value={email} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <Buttons isValid={isValid} isBusy={isBusy} onCancel={onCancel} />
    </form>
  )
}

const CodeProof = ({ onCancel }: Cancelled) => {
  const { field, send, problem, isValid, isBusy } = useSentForm(BY.code, ['code'])
  const onSubmit = send(prove)
  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && <FormNotice>{problem}</FormNotice>}
      <Field
        label="Code"
        hint="The six digits of your authenticator app, or a recovery code."
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck="false"
        {...field('code')}
      />
      <Buttons isValid={isValid} isBusy={isBusy} onCancel={onCancel} />
    </form>
  )
}

/** A question waits five minutes for its answer on the server. */
const FRESH_MS = 240_000

/** The first question came with the dialog, so that a press asks the device at once; another is asked for when it is old, or used up. */
const PasskeyProof = ({ question: first }: { question: PasskeyQuestion }) => {
  const asked = useRef({ question: first, at: performance.now() })

  const freshQuestion = async (): Promise<PasskeyQuestion> => {
    if (performance.now() - asked.current.at > FRESH_MS) {
      const { passkey } = await api.call('proofOptions', {})
      asked.current = { question: passkey ?? first, at: performance.now() }
    }
    return asked.current.question
  }

  const act = async ({ answer }: Passkeys) => {
    const passkey = await answer(await freshQuestion())
    // Whatever becomes of it, this question has been answered.
    asked.current.at = Number.NEGATIVE_INFINITY
    await prove({ passkey })
  }
  return (
    <div className="mb-5 border-b border-line pb-5">
      <PasskeyButton failure="Not confirmed yet" className="w-full" act={act}>
        <KeyRound className="size-5" />
        Use a passkey
      </PasskeyButton>
    </div>
  )
}

type AskAgainProps = { options: ProofOptions; onEnd: (isProved: boolean) => void }

const AskAgain = ({ options: { email, ways, passkey }, onEnd }: AskAgainProps) => {
  const [asked] = useState(readToken)
  const [isOpen, setIsOpen] = useState(true)
  // Also when the proof is given, or the session ended, in another tab.
  useEffect(
    () =>
      onTokenChange(() => {
        if (readToken() !== asked) setIsOpen(false)
      }),
    [asked],
  )
  const cancel = () => setIsOpen(false)
  return (
    <Dialog
      open={isOpen}
      // By then it has given the focus back to what was pressed.
      onClose={() => onEnd(asked !== null && isRenewed(asked))}
      title="Confirm that it is you"
    >
      <p className="mb-5 text-quiet-ink">
        We ask before anything that touches money, keys or access, then not again for {PROOF_MINUTES} minutes.
      </p>
      {passkey && <PasskeyProof question={passkey} />}
      {ways.includes('code') ? (
        <CodeProof onCancel={cancel} />
      ) : (
        <PasswordProof email={email} onCancel={cancel} />
      )}
    </Dialog>
  )
}

/**
 * Asks the owner who they are, over whatever is on the screen: any call may need it, so it stands beside the pages and
 * not in one. Resolves with whether they have shown it. Throws what stands in the way of asking.
 */
export const askAgain = async (): Promise<boolean> => {
  const options = await api.call('proofOptions', {})
  return new Promise((resolve) => {
    const onEnd = (isProved: boolean) => {
      resolve(isProved)
      showOverlay(null)
    }
    showOverlay(<AskAgain options={options} onEnd={onEnd} />)
  })
}
