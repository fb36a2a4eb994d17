import type { FeatureGates } from '@kerf/runtime'
import type { InstanceTypesChoice } from '../cluster/instance-types.ts'
import type { ValidationMode } from '../manifests/validation-option.ts'

/** What the flags of `kerf simulate` come to. */
export interface SimulateOptions extends InstanceTypesChoice {
  readonly filename: readonly string[]
  readonly validate?: ValidationMode
  readonly trace?: string
  readonly seed: number
  /** Default: the duration of the recording, or a day. */
  readonly for?: string
  readonly output: 'table' | 'json' | 'html'
  readonly compare?: readonly string[]
  readonly schema: boolean
  /** Default: those of `kerf run` without settings. */
  readonly featureGates?: FeatureGates
  /** Dollars an hour that every node costs beside its instance. */
  readonly nodeOverheadCost?: number
}
