import type { Milliseconds } from '@kerf/apis'

/** How long Kerf waits for the outcome of a launch, by the kind of the shape. Bare metal takes longer. */
export interface LaunchTimeouts {
  readonly virtualMachine: Milliseconds
  readonly bareMetal: Milliseconds
  /** Whether Kerf terminates a virtual machine that has no boot volume after this time. */
  readonly failsOver: boolean
}
