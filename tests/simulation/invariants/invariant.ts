import type { Environment } from '../environment/environment.ts'
import type { Listener } from '../environment/listener.ts'

/** A rule that must hold. Each method returns one sentence for each violation. */
export interface Invariant extends Listener {
  readonly name: string
  /** Checks what must hold at all times. Called whenever an object has changed. */
  always?(): readonly string[]
  /** Checks what must hold some time after the last fault. Called repeatedly until it holds. */
  eventually?(): readonly string[]
  /** Checks what must hold while the cluster is settled. Called after a while without work. */
  quiet?(): readonly string[]
}

/** Creates an invariant. `report` takes violations that the invariant notices during a call. */
export type MakeInvariant = (environment: Environment, report: (problem: string) => void) => Invariant
