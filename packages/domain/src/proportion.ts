/** `part` of `whole`, in proportion, rounded half up to whole units. Exact for any amounts. */
export const proportion = (amount: number, part: number, whole: number): number =>
  Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))
