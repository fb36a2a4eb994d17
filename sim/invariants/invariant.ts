import type { Environment } from '../environment/environment.ts'
import type { Listener } from '../environment/listener.ts'

/** Something that must hold. Each answer is a sentence about what does not. */
export interface Invariant extends Listener {
  readonly name: string
  /** What must hold at all times. Asked whenever an object has changed. */
  always?(): readonly string[]
  /** What must hold some time after the last fault. Asked again until nothing is left. */
  eventually?(): readonly string[]
  /** What must hold while the cluster has settled. Asked after a while without work. */
  quiet?(): readonly string[]
}

/** `report` is for what an invariant notices while a call is under way. */
export type MakeInvariant = (environment: Environment, report: (problem: string) => void) => Invariant
