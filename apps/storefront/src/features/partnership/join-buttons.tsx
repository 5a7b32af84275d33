import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { useSession } from '#shared/session.tsx'

/** Leads a visitor to an account, and a customer to what they share. */
export const JoinButtons = ({ own }: { own: string }) => {
  const { state } = useSession()
  return (
    <div className="mt-8 flex flex-wrap gap-3">
      {state === 'in' ? (
        <ButtonLink to="/profile?tab=partnership">See {own}</ButtonLink>
      ) : (
        <>
          <ButtonLink to="/signup">Open an account</ButtonLink>
          <ButtonLink to="/profile?tab=partnership" variant="outline">
            I have one
          </ButtonLink>
        </>
      )}
    </div>
  )
}
