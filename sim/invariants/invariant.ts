import type { Environment } from '../environment/environment.ts'
import type { Listener } from '../environment/listener.ts'

/** Something that must always hold. Each answer is a sentence about what does not. */
export interface Invariant extends Listener {
  readonly name: string
  /** Whenever something has changed. */
  step?(): readonly string[]
  /** Once everything is put right: what still keeps the cluster from being as it should. Asked again until it is nothing. */
  rest?(): readonly string[]
  /** After a while of rest. */
  quiet?(): readonly string[]
}

/** `report` is for what is noticed while a call is on its way. */
export type MakeInvariant = (environment: Environment, report: (problem: string) => void) => Invariant
