import type { Milliseconds } from '@kerf/apis'

/** How long Kerf asks for the outcome of one launch, by the kind of the shape. Bare metal takes longer. */
export interface LaunchTimeouts {
  readonly virtualMachine: Milliseconds
  readonly bareMetal: Milliseconds
}
