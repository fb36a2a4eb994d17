import { ownValue } from '@kerf/apis'
import { defaultFeatureGates, type FeatureGates, gatesText } from '@kerf/runtime'
import { shellWord } from '../terminal/shell-word.ts'
import type { SimulateOptions } from './simulate-options.ts'

const given = (flag: string, value: string | undefined): readonly string[] => (value === undefined ? [] : [flag, value])

/** Returns the feature gates that differ from the defaults of `kerf run`, or undefined if none differ. */
const changed = (gates: FeatureGates): string | undefined => {
  const defaults: Readonly<Record<string, boolean>> = defaultFeatureGates
  const others = Object.entries(gates).filter(([name, on]) => on !== ownValue(defaults, name))
  return others.length === 0 ? undefined : gatesText(Object.fromEntries(others))
}

/** Returns a shell command that repeats the simulation: parsing it gives the same options. It always includes the seed. */
export const replayCommand = (options: SimulateOptions): string => {
  const {
    filename,
    trace,
    compare = [],
    instanceTypes,
    region,
    featureGates,
    seed,
    output,
    schema,
    nodeOverheadCost,
    planExpectedPods,
    validate,
  } = options
  return [
    'kerf',
    'simulate',
    ...filename.flatMap((file) => ['-f', file]),
    ...given('--trace', trace),
    ...given('--validate', validate === 'warn' ? undefined : validate),
    ...(compare.length === 0 ? [] : ['--compare', ...compare]),
    ...given('--instance-types', instanceTypes),
    ...given('--region', region),
    ...given('--feature-gates', featureGates === undefined ? undefined : changed(featureGates)),
    ...given('--node-overhead-cost', nodeOverheadCost === undefined ? undefined : String(nodeOverheadCost)),
    ...given('--plan-expected-pods', planExpectedPods),
    ...given('--seed', String(seed)),
    ...given('--for', options.for),
    ...(schema ? ['--schema'] : []),
    ...(output === 'table' ? [] : ['-o', output]),
  ]
    .map(shellWord)
    .join(' ')
}
