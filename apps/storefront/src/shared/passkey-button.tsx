import type { PasskeyAnswer, PasskeyQuestion } from '@hedgerow/contract/passkeys'
import { Button } from '@hedgerow/ui/button.tsx'
import type { ButtonVariant } from '@hedgerow/ui/button-look.ts'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'

type Ask = (question: PasskeyQuestion) => Promise<PasskeyAnswer>

/** What the browser can be asked. Each throws what is shown, and nothing of it happens once the question was taken back. */
export type Passkeys = { answer: Ask; make: Ask; forget: (credentialId: string) => Promise<void> }

type PasskeyButtonProps = {
  /** Heading of the notice when it comes to nothing. */
  failure: string
  act: (passkeys: Passkeys) => Promise<void>
  variant?: ButtonVariant
  className?: string
  children: ReactNode
}

/** One press and its question to the browser. */
type Press = { isStopped: boolean; stop: () => void }

/**
 * Asks the browser for a passkey. A browser without one may keep silent for minutes, so the question can be taken back at
 * any time; leaving the page does so, too.
 */
export const PasskeyButton = ({
  failure,
  act,
  variant = 'outline',
  className = '',
  children,
}: PasskeyButtonProps) => {
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const pressed = useRef<Press>(undefined)
  const button = useRef<HTMLButtonElement>(null)

  const stop = () => {
    const press = pressed.current
    pressed.current = undefined
    if (!press) return
    press.isStopped = true
    press.stop()
  }
  useEffect(() => stop, [])

  const run = async (press: Press) => {
    // Only those who press it need it.
    const lib = await import('@hedgerow/web/passkey.ts')
    press.stop = lib.stopPasskey
    const whileWaited =
      (ask: Ask): Ask =>
      async (question) => {
        if (press.isStopped) throw new lib.PasskeyProblem('', true)
        return ask(question)
      }
    const passkeys = {
      answer: whileWaited(lib.answerPasskey),
      make: whileWaited(lib.makePasskey),
      forget: lib.forgetPasskey,
    }
    await act(passkeys).catch((error: unknown) => {
      if (!press.isStopped) setProblem(lib.passkeyMessageOf(error))
    })
  }

  const onPress = async () => {
    const press: Press = { isStopped: false, stop: () => {} }
    pressed.current = press
    setProblem(undefined)
    setIsBusy(true)
    try {
      await run(press)
    } catch {
      setProblem('We could not reach the server. Check your connection and try again.')
    }
    if (press.isStopped) return
    pressed.current = undefined
    setIsBusy(false)
  }

  const onCancel = () => {
    stop()
    setIsBusy(false)
    // The button that was pressed for this is gone.
    button.current?.focus()
  }

  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          ref={button}
          variant={variant}
          busy={isBusy}
          className={className}
          onClick={() => void onPress()}
        >
          {children}
        </Button>
        {isBusy && (
          <div className="flex grow flex-wrap items-center justify-between gap-x-3">
            <p role="status" className="text-quiet-ink">
              Waiting for your passkey
            </p>
            <Button variant="quiet" onClick={onCancel}>
              Cancel
            </Button>
          </div>
        )}
      </div>
      {/* Below, so that the button stays where it was pressed. */}
      {problem && (
        <Notice kind="problem" title={failure}>
          {problem}
        </Notice>
      )}
    </div>
  )
}
