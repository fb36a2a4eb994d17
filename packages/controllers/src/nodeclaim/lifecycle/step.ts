import type { Milliseconds, NodeClaim } from '@kerf/apis'

/** The result of one lifecycle step for a claim. Every pass runs all steps. Each step gets the claim that the previous step returned. */
export interface StepResult {
  readonly claim: NodeClaim
  /** How soon to reconcile the claim again. */
  readonly after?: Milliseconds
  /** The error of the step. The other steps still run. Then the pass ends with a back-off. */
  readonly error?: unknown
  /**
   * Called after the claim is stored with the results of all steps. Changes are reported here, so that only the pass that stored them
   * reports them.
   */
  readonly stored?: () => void
  /** Set if the claim was deleted. The pass then has nothing more to do for it. */
  readonly deleted?: true
}

export interface Step {
  run(claim: NodeClaim, signal: AbortSignal): Promise<StepResult>
}
