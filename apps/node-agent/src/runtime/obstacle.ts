/** What keeps the node from being set up as it should be, and only an operator can put right: a sentence for them. */
export class Obstacle extends Error {}
