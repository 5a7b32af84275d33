/** Something that the operator has to mend, said in one line. */
export class StartError extends Error {
  override name = 'StartError'
}
