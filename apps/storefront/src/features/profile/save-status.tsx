import { Check } from '@hedgerow/ui/icons.tsx'
import { Spinner } from '@hedgerow/ui/spinner.tsx'
import type { AutosaveState } from '#features/profile/autosave-state.ts'

/** Always there, so that a screen reader announces its changes, when there is time. */
export const SaveStatus = ({ status, errors }: Pick<AutosaveState, 'status' | 'errors'>) => {
  const saved = Object.keys(errors).length > 0 ? 'Saved, except what is marked' : 'Saved'
  return (
    <p role="status" className="flex min-h-5.25 items-center gap-1.5 text-sm text-quiet-ink">
      {status === 'saving' && (
        <>
          <Spinner />
          <span>Saving…</span>
        </>
      )}
      {status === 'saved' && (
        <>
          <Check className="size-4 text-hedge" />
          <span>{saved}</span>
        </>
      )}
    </p>
  )
}
