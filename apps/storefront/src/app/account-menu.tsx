import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { MENU_ITEM, Menu } from '@hedgerow/ui/menu.tsx'
import { useState } from 'react'
import { Link } from 'wouter'
import { useSession } from '#shared/session.tsx'

/** Login for a visitor; for a customer their name, over what they can do with their account. */
export const AccountMenu = () => {
  const { profile, state, logOut } = useSession()
  const [busy, setBusy] = useState(false)

  if (state === 'out' || !profile) {
    return (
      <ButtonLink
        to="/login"
        variant="outline"
        className={`max-sm:px-3 ${state === 'loading' ? 'invisible' : ''}`}
      >
        Login
      </ButtonLink>
    )
  }
  const leave = async () => {
    setBusy(true)
    await logOut().finally(() => setBusy(false))
  }
  return (
    <Menu
      name="Account"
      label={<span className="truncate">{profile.name}</span>}
      align="end"
      className="flex max-w-48 min-w-0 rounded-field border border-outline bg-surface px-4 font-semibold max-sm:px-2.5 xs:max-sm:text-sm max-sm:*:[svg]:hidden hover:border-hedge hover:text-hedge"
    >
      <Link to="/profile" className={MENU_ITEM}>
        Profile
      </Link>
      <Link to="/profile/security" className={MENU_ITEM}>
        Security
      </Link>
      <Link to="/support" className={MENU_ITEM}>
        Support
      </Link>
      <button type="button" onClick={() => void leave()} disabled={busy} className={MENU_ITEM}>
        Log out
      </button>
    </Menu>
  )
}
