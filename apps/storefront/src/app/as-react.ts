import { options, type VNode } from 'preact'

/** What Preact notes of each node: its children, and where it stands in the document. */
type Drawn = VNode<{ children?: unknown }> & { __k?: (Drawn | null)[] | null; __e?: Node | null }

const written = new WeakMap<Text, string>()
const { diffed } = options

/**
 * A browser's translator takes texts out of the page, and Preact would go on writing into what was taken out: a sum would
 * stay as it was. The text of an element that changes is put back, as React does it, to be translated anew.
 */
options.diffed = (node: Drawn) => {
  diffed?.(node)
  if (typeof node.type !== 'string' || !node.__e) return
  const [only, another] = node.__k ?? []
  const text = only?.__e
  if (another || !(text instanceof Text)) return
  if (text.parentNode !== node.__e && written.get(text) !== text.data)
    (node.__e as Element).replaceChildren(text)
  written.set(text, text.data)
}

// Effects run as soon as what they follow is in the document, as React does after a press: not after the next frame.
options.requestAnimationFrame = (flush) => queueMicrotask(flush)
