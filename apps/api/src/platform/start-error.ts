/** Something that the operator has to mend, told in one line. */
export class StartError extends Error {
  override name = 'StartError'
}
