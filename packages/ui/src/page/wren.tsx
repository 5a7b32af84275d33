type WrenProps = { className?: string }

/** A wren on a twig. Decoration: it says nothing that the words beside it do not. */
export const Wren = ({ className = 'w-28 text-hedge' }: WrenProps) => (
  <svg
    viewBox="0 4 120 86"
    className={className}
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d="M22 33 33 30C35 22 43 18 50 20 58 22 61 29 67 33 74 37 82 36 87 31L97 9 106 13 99 37C96 55 84 68 66 69 46 70 33 60 32 47 31 41 32 37 34 33Z" />
    <path d="M90 33 101 11M38 24C45 22 51 23 57 27" />
    <circle cx="43" cy="29" r="1.6" fill="currentColor" stroke="none" />
    <path d="M56 44C64 40 76 41 84 47 78 57 66 60 58 54M64 48C68 47 73 47 77 49M63 52C67 52 70 52 73 53" />
    <path d="M56 69 54 80M66 69V80M50 80H58M62 80H70" />
    <path d="M6 84C30 78 84 80 114 86M18 82C16 76 11 74 6 75 8 80 12 83 18 82ZM100 83C104 77 110 76 115 78 112 83 106 86 100 83Z" />
  </svg>
)
