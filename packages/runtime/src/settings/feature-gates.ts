import { setOwnValue } from '@kerf/apis'
import { goBoolean, SettingValueError } from './setting.ts'

/** The core feature gates and their defaults (`docs/spec/settings.md#feature-gates`). */
export const defaultFeatureGates = {
  NodeRepair: false,
  ReservedCapacity: true,
  SpotToSpotConsolidation: false,
  NodeOverlay: false,
  StaticCapacity: false,
  CapacityBuffer: false,
} as const satisfies Readonly<Record<string, boolean>>

export type FeatureGates = { readonly [K in keyof typeof defaultFeatureGates]: boolean }

/**
 * Applies a list of the form `Name=bool,Name=bool` to the defaults. Ignores unknown gates, as upstream does. A malformed list is an
 * error.
 */
export const parseGates = <G extends Readonly<Record<string, boolean>>>(
  defaults: G,
  text: string,
): { readonly [K in keyof G]: boolean } => {
  const given = new Map<string, boolean>()
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue
    const [name = '', value, ...rest] = pair.split('=')
    const on = value === undefined || rest.length > 0 ? undefined : goBoolean(value.trim())
    if (on === undefined)
      throw new SettingValueError(`${JSON.stringify(pair.trim())} must have the form Name=true or Name=false`)
    given.set(name.trim(), on)
  }
  const gates: Record<string, boolean> = {}
  for (const [name, on] of Object.entries(defaults)) setOwnValue(gates, name, given.get(name) ?? on)
  return gates as { readonly [K in keyof G]: boolean }
}

export const gatesText = (gates: Readonly<Record<string, boolean>>): string =>
  Object.entries(gates)
    .map(([name, on]) => `${name}=${on}`)
    .join(',')
