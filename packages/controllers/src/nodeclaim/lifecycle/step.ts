import type { Milliseconds, NodeClaim } from '@kerf/apis'

/** The result of one lifecycle step for a claim. Every pass runs all steps, each on the claim that the previous step returned. */
export interface StepResult {
  readonly claim: NodeClaim
  /** How soon to reconcile the claim again. */
  readonly after?: Milliseconds
  /** The error of the step. The other steps still run, and then the pass ends with a back-off. */
  readonly error?: unknown
  /**
   * Called after the claim is stored with the results of all steps. A change is reported here, so that only one pass reports it.
   */
  readonly stored?: () => void
  /** Set if the claim was deleted, so that this pass has nothing more to do for it. */
  readonly deleted?: true
}

export interface Step {
  run(claim: NodeClaim, signal: AbortSignal): Promise<StepResult>
}
