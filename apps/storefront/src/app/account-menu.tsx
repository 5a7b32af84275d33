import { ChevronDown } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '#app/session.tsx'
import { ButtonLink } from '#ui/button.tsx'

const ITEM =
  'flex min-h-11 w-full items-center rounded-field px-3 text-left hover:bg-hedge-tint hover:text-hedge'

/** Login for a visitor; for a customer their name, over a popover of links, which needs no script to open. */
export const AccountMenu = () => {
  const { profile, state, logOut } = useSession()
  const [busy, setBusy] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = () => menu.current?.hidePopover?.()

  if (state === 'out' || !profile) {
    return (
      <ButtonLink to="/login" variant="outline" className={state === 'loading' ? 'invisible' : ''}>
        Login
      </ButtonLink>
    )
  }
  const leave = async () => {
    setBusy(true)
    close()
    await logOut().finally(() => setBusy(false))
  }
  return (
    <div className="min-w-0 pl-2">
      <button
        type="button"
        popoverTarget={id}
        className="flex min-h-11 max-w-full items-center gap-1.5 rounded-field border border-outline bg-surface px-4 font-semibold hover:border-hedge hover:text-hedge md:max-w-60"
      >
        <span className="truncate">{profile.name}</span>
        <ChevronDown className="size-4 shrink-0" aria-hidden="true" />
      </button>
      <div id={id} ref={menu} popover="auto" className="account-menu">
        <nav aria-label="Account" className="w-52 p-2">
          <Link to="/profile" onClick={close} className={ITEM}>
            Profile
          </Link>
          <button type="button" onClick={() => void leave()} disabled={busy} className={ITEM}>
            Log out
          </button>
        </nav>
      </div>
    </div>
  )
}
