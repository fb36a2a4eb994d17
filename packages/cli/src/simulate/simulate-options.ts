import type { FeatureGates } from '@kerf/runtime'
import type { InstanceTypesChoice } from '../cluster/instance-types.ts'
import type { ValidationMode } from '../manifests/validation-option.ts'

/** The parsed flags of `kerf simulate`. */
export interface SimulateOptions extends InstanceTypesChoice {
  readonly filename: readonly string[]
  readonly validate?: ValidationMode
  readonly trace?: string
  readonly seed: number
  /** How long to simulate. The default is the duration of the recording, or one day. */
  readonly for?: string
  readonly output: 'table' | 'json' | 'html'
  readonly compare?: readonly string[]
  readonly schema: boolean
  /** The feature gates. The default is the same as for `kerf run`. */
  readonly featureGates?: FeatureGates
  /** The setting `PLAN_EXPECTED_PODS`. Default `off`. */
  readonly planExpectedPods?: 'off' | 'on'
  /** Additional cost of each node, in US dollars per hour. */
  readonly nodeOverheadCost?: number
}
