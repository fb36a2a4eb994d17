import type { Milliseconds, NodeClaim } from '@kerf/apis'

/** The result of one lifecycle step for a claim. All steps run in every pass, each on the result of the previous step. */
export interface StepResult {
  readonly claim: NodeClaim
  /** Reconcile the claim again after this time. */
  readonly after?: Milliseconds
  /** The error of the step. The pass ends with a back-off after the other steps have run. */
  readonly error?: unknown
  /** Called once the claim is stored with the result of the steps, so that only one pass reports the change. */
  readonly stored?: () => void
  /** The claim was deleted, and this pass has nothing more to do for it. */
  readonly deleted?: true
}

export interface Step {
  run(claim: NodeClaim, signal: AbortSignal): Promise<StepResult>
}
