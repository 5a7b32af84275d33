/** The command was understood and not done; told in one line, with exit code 1. */
export class Refusal extends Error {
  override name = 'Refusal'
}
