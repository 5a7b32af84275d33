import { sumText } from '#lib/format.ts'

type Sum = { minor: number; currency: string }

export const Money = ({ of }: { of: Sum }) => (
  <span className="whitespace-nowrap tabular-nums">{sumText(of)}</span>
)
