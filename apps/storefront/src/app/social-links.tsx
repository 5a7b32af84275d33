import github from '#app/github.svg'
import mastodon from '#app/mastodon.svg'
import x from '#app/x.svg'
import { brand } from '#shared/brand.ts'

const MARKS = { GitHub: github, Mastodon: mastodon, X: x }

export const SocialLinks = () => (
  <ul aria-label="Elsewhere" className="-ml-3 flex">
    {brand.social.map(({ name, url }) => (
      <li key={name}>
        <a
          href={url}
          rel="me noreferrer"
          className="grid size-11 place-items-center rounded-field opacity-75 hover:opacity-100"
        >
          <img src={MARKS[name]} alt={name} width="20" height="20" loading="lazy" className="dark:invert" />
        </a>
      </li>
    ))}
  </ul>
)
