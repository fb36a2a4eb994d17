import { SettingValueError } from '@kerf/runtime'
import type { Baseline, ShapeSize } from '../node-class/resolved-class.ts'

/** Parses a list of positive numbers. Ignores entries that are not numbers, like zoom/karpenter-oci. */
export const numbers = (text: string): readonly number[] =>
  text
    .split(',')
    .map((entry) => (entry.trim() === '' ? Number.NaN : Number(entry)))
    .filter((number) => Number.isFinite(number) && number > 0)

const BASELINES: readonly Baseline[] = ['BASELINE_1_8', 'BASELINE_1_2', 'BASELINE_1_1']

const fields = (entry: unknown): Readonly<Record<string, unknown>> =>
  typeof entry === 'object' && entry !== null ? { ...entry } : {}

const shapeSize = (entry: unknown, index: number): ShapeSize => {
  const { ocpus, memoryInGbs, baselineOcpuUtilization } = fields(entry)
  const at = `entry ${index}`
  if (typeof ocpus !== 'number' || ocpus < 1) throw new SettingValueError(`${at}: ocpus must be a number of at least 1`)
  if (memoryInGbs !== undefined && (typeof memoryInGbs !== 'number' || memoryInGbs < 1))
    throw new SettingValueError(`${at}: memoryInGbs must be a number of at least 1`)
  const baseline = BASELINES.find((each) => each === baselineOcpuUtilization)
  if (baseline === undefined && baselineOcpuUtilization !== undefined)
    throw new SettingValueError(`${at}: baselineOcpuUtilization must be one of ${BASELINES.join(', ')}`)
  return { ocpus, memoryInGBs: memoryInGbs, baseline }
}

/** Parses a JSON list with entries in the format of an OCINodeClass's `spec.shapeConfigs`. */
export const shapeSizes = (text: string): readonly ShapeSize[] => {
  if (text.trim() === '') return []
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch {
    throw new SettingValueError('it is not JSON, for example [{"ocpus": 2, "memoryInGbs": 16}]')
  }
  if (!Array.isArray(entries))
    throw new SettingValueError('it is not a list, for example [{"ocpus": 2, "memoryInGbs": 16}]')
  return entries.map(shapeSize)
}
