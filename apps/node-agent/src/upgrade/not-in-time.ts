/** What the guard notes of a version that hangs. The launcher does not start such a one again: each start would take as long. */
export const NOT_IN_TIME = 'it did not prove itself in time, and did not say why'
