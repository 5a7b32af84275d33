import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { useData } from '#shared/use-data.ts'

type Reply = { id: string; title: string; text: string }

/** A slash that begins a line, and what was typed behind it up to the caret. */
const slashBefore = (text: string, caret: number) => {
  const start = text.lastIndexOf('\n', caret - 1) + 1
  const typed = text.slice(start, caret)
  return typed.startsWith('/') ? { start, words: typed.slice(1).toLowerCase() } : undefined
}

const matching = (replies: readonly Reply[], words: string): Reply[] => {
  const inTitle = replies.filter(({ title }) => title.toLowerCase().includes(words))
  const inText = replies.filter(({ text }) => text.toLowerCase().includes(words))
  return [...new Set([...inTitle, ...inText])].slice(0, 8)
}

type Field = {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  keep: (text: string) => void
}

/** Saved replies by a slash at the beginning of a line of the answer: typed on it narrows them, Enter puts one in. */
export const useSavedReplies = ({ field, text, keep }: Field) => {
  const { data: replies = [] } = useData('listCannedReplies', {})
  const [caret, setCaret] = useState(0)
  const [at, setAt] = useState(0)
  const [isDismissed, setDismissed] = useState(false)
  const id = useId()

  const slash = isDismissed ? undefined : slashBefore(text, caret)
  const found = slash ? matching(replies, slash.words) : []
  const isOpen = found.length > 0
  const marked = Math.min(at, found.length - 1)

  const put = (reply: Reply) => {
    if (!slash) return
    const before = text.slice(0, slash.start) + reply.text
    keep(before + text.slice(caret))
    setCaret(before.length)
    // The field has the text when this has been drawn.
    setTimeout(() => {
      field.current?.focus()
      field.current?.setSelectionRange(before.length, before.length)
    })
  }
  const onType = (typed: string, to: number) => {
    keep(typed)
    setCaret(to)
    setAt(0)
    setDismissed(false)
  }
  /** Whether the key was one of the list's. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.ctrlKey || event.metaKey || event.altKey) return false
    const reply = found[marked]
    if (event.key === 'ArrowDown') setAt((marked + 1) % found.length)
    else if (event.key === 'ArrowUp') setAt((marked + found.length - 1) % found.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && reply) put(reply)
    else if (event.key === 'Escape') setDismissed(true)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  /** The same for those without a keyboard: a slash on a line of its own. */
  const open = () => {
    const next = text && !text.endsWith('\n') ? `${text}\n/` : `${text}/`
    onType(next, next.length)
    field.current?.focus()
  }

  const list = isOpen && (
    <ul
      id={id}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the field moves among its options
      role="listbox"
      aria-label="Saved replies"
      className="overflow-hidden rounded-field border border-outline bg-surface"
    >
      {found.map((reply, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are the field's
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
        <li
          key={reply.id}
          id={`${id}-${index}`}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the field moves among them
          role="option"
          aria-selected={index === marked}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => put(reply)}
          className={`cursor-pointer px-3 py-2 hover:bg-hedge-tint ${index === marked ? 'bg-hedge-tint' : ''}`}
        >
          <div className="truncate font-medium">{reply.title}</div>
          <div className="truncate text-sm text-quiet-ink">{reply.text}</div>
        </li>
      ))}
    </ul>
  )
  return {
    list,
    hasAny: replies.length > 0,
    open,
    onType,
    onKeyDown,
    onSelect: setCaret,
    /** For the field. */
    says: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? `${id}-${marked}` : undefined,
    },
  }
}
