import { type ReactNode, useId } from 'react'
import { ChevronDown } from '#ui/icons.tsx'

/** The look of what a menu lists: links, and at most a button. */
export const MENU_ITEM =
  'flex min-h-11 w-full items-center rounded-field px-3 text-left hover:bg-hedge-tint hover:text-hedge aria-[current=page]:text-hedge aria-[current=page]:font-semibold forced-colors:aria-[current=page]:underline'

type MenuProps = {
  /** What the button shows. */
  label: ReactNode
  /** What the list is called to those who do not see it. */
  name: string
  /** Stands behind the label, and says that a list opens. */
  icon?: ReactNode
  /** Which edge of the list stands below the same edge of the button. */
  align?: 'start' | 'end'
  className: string
  children: ReactNode
}

/** A button over a popover of links: disclosed by the browser itself, without a script. Following a link closes it. */
export const Menu = ({
  label,
  name,
  icon = <ChevronDown className="size-4 shrink-0" />,
  align = 'start',
  className,
  children,
}: MenuProps) => {
  const id = useId()
  return (
    <>
      <button type="button" popoverTarget={id} className={`min-h-11 items-center gap-1.5 ${className}`}>
        {label}
        {icon}
      </button>
      {/* A click within bubbles here from the link that was followed; the keyboard's Enter is a click too. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: see above */}
      <div
        id={id}
        popover="auto"
        className={`menu menu-${align}`}
        onClick={(event) => event.currentTarget.hidePopover?.()}
      >
        <nav aria-label={name} className="w-56 max-w-full p-2">
          {children}
        </nav>
      </div>
    </>
  )
}
