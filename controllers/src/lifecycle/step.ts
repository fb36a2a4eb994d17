import type { Milliseconds, NodeClaim } from '@kerf/apis'

/** What one step of the lifecycle makes of a claim. All steps run in every pass, each on what the one before left. */
export interface StepResult {
  readonly claim: NodeClaim
  /** Come back after this long. */
  readonly after?: Milliseconds
  /** The step failed; the pass ends in a back-off once the others have run. */
  readonly error?: unknown
  /** Told once the claim is stored as the steps left it: this pass, and no other, made the change. */
  readonly stored?: () => void
  /** The claim was deleted: nothing more to do for it in this pass. */
  readonly deleted?: true
}

export interface Step {
  run(claim: NodeClaim, signal: AbortSignal): Promise<StepResult>
}
