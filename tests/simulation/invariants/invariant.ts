import type { Environment } from '../environment/environment.ts'
import type { Listener } from '../environment/listener.ts'

/** A rule that must hold. Each method returns one sentence for each violation. */
export interface Invariant extends Listener {
  readonly name: string
  /** Checks the rules that must always hold. Called after every change of an object. */
  always?(): readonly string[]
  /** Checks the rules that must hold some time after the last fault. Called repeatedly until it returns no violation. */
  eventually?(): readonly string[]
  /** Checks the rules that must hold in a settled cluster. Called when the cluster has been idle for a while. */
  quiet?(): readonly string[]
}

/** Creates an invariant. The invariant calls `report` when it notices a violation during a call. */
export type MakeInvariant = (environment: Environment, report: (problem: string) => void) => Invariant
