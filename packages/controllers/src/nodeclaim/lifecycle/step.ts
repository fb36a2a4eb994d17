import type { Milliseconds, NodeClaim } from '@kerf/apis'

/**
 * The result of one lifecycle step for a claim. Every pass runs all steps, and each step receives the claim that the previous step
 * returned.
 */
export interface StepResult {
  readonly claim: NodeClaim
  /** How soon to reconcile the claim again. */
  readonly after?: Milliseconds
  /** The error of the step. The other steps still run, and the pass ends with a back-off. */
  readonly error?: unknown
  /**
   * Called after the claim is stored with the results of all steps. The step reports its changes in this function, so that a pass whose
   * write fails reports nothing.
   */
  readonly stored?: () => void
  /** Set if the claim was deleted. The pass then ends. */
  readonly deleted?: true
}

export interface Step {
  run(claim: NodeClaim, signal: AbortSignal): Promise<StepResult>
}
