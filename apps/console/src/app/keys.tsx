import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { useEffect } from 'react'

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The first row of the page's list, from wherever one is; from row to row the list itself moves. */
const focusFirstRow = (): boolean => {
  const row = document.querySelector<HTMLElement>('main [data-row-link]')
  row?.focus()
  return row !== null
}

type Keys = { onSearch: () => void; onHelp: () => void }

/** Keys that work on every page: search with '/' or Ctrl-K, the list's first row with j or k, and '?' for all of them. */
export const useKeys = ({ onSearch, onHelp }: Keys) => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (event.defaultPrevented) return
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) {
        event.preventDefault()
        onSearch()
      }
      if (ctrlKey || metaKey || altKey || isTyping(event) || document.querySelector('dialog[open]')) return
      if (key === '/' || key === '?') {
        event.preventDefault()
        if (key === '/') onSearch()
        else onHelp()
      }
      if ((key === 'j' || key === 'k') && focusFirstRow()) event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [onSearch, onHelp])
}

const KEYS = [
  [['/'], 'Search. Ctrl K works too, also while you type'],
  [['j', '↓'], 'Next row of a list. The first press selects the first row'],
  [['k', '↑'], 'Row before'],
  [['Enter'], 'Open the row'],
  [['Ctrl', 'Enter'], 'Send a reply'],
  [['Esc'], 'Close what is open'],
  [['?'], 'Show this list'],
] as const

export const KeysHelp = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
    <dl className="mb-6 grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2">
      {KEYS.map(([keys, does]) => (
        <div key={does} className="contents">
          <dt className="flex gap-1">
            {keys.map((key) => (
              <kbd key={key} className="rounded-field border border-outline px-2 font-sans text-sm">
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <Button variant="outline" onClick={onClose}>
      Close
    </Button>
  </Dialog>
)
