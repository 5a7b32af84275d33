import type { Announcement } from '@hedgerow/contract/announcement'
import { api } from '#lib/api.ts'

/** Above the shop, outside of what React draws: it is there on every page, and most of the time there is none. */
const show = ({ text, link }: Announcement): void => {
  const line = document.createElement('aside')
  line.setAttribute('aria-label', 'Announcement')
  line.className = 'bg-hedge-tint px-4 py-2 text-center text-ink'
  const words = document.createElement(link ? 'a' : 'p')
  words.textContent = text
  if (link) {
    words.setAttribute('href', link)
    words.className = 'link'
  }
  line.append(words)
  document.body.prepend(line)
}

void api.call('getAnnouncement', {}).then(
  (announcement) => announcement && show(announcement),
  // A shop that does not answer has more to tell than this.
  () => {},
)
