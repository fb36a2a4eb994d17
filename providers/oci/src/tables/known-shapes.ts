import type { ShapeFacts } from '../instance-types/shape-facts.ts'
import type { ShapeRates } from '../instance-types/shape-rates.ts'
import { PRICES } from './generated/prices.ts'
import { SHAPES } from './generated/shapes.ts'

/** The publication date of Kerf's built-in prices. */
export const PRICE_DATE = '2026-04-21'

type Facts = Readonly<Record<string, string>>

/** Parses lines of the form `NAME FACT=VALUE FACT=VALUE`. */
const factsByName = (table: string): readonly (readonly [name: string, facts: Facts])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', ...facts] = line.split(' ')
      return [name, Object.fromEntries(facts.map((fact) => fact.split('=')))]
    })

const range = (text = ''): { readonly min: number; readonly max: number } => {
  const [min, max = min] = text.split('-')
  return { min: Number(min), max: Number(max) }
}

const optional = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

/** The number of VNICs of a flexible shape: one per OCPU, from 2 to 24 (Oracle's documentation of shapes). */
const FLEXIBLE_VNICS = { perOcpu: 1, min: 2, max: 24 }

const flexible = (facts: Facts): Pick<ShapeFacts, 'flexible'> => {
  if (facts['perOcpu'] === undefined) return {}
  const [gbps, suffix] = facts['gbps']?.split('/') ?? []
  const { min: perOcpu, max } = range(gbps)
  return {
    flexible: {
      ocpus: range(facts['ocpus']),
      memoryInGBs: range(facts['memory']),
      memoryPerOcpu: range(facts['perOcpu']),
      defaultMemoryPerOcpu: optional(facts['default']),
      vnics: FLEXIBLE_VNICS,
      bandwidthInGbps: suffix === 'ocpu' ? { perOcpu, min: perOcpu, max } : undefined,
    },
  }
}

const shape = (name: string, facts: Facts): ShapeFacts => ({
  name,
  ocpus: range(facts['ocpus']).min,
  memoryInGBs: range(facts['memory']).min,
  ...flexible(facts),
  baselines: facts['burstable'] === 'true' ? ['BASELINE_1_8', 'BASELINE_1_2', 'BASELINE_1_1'] : ['BASELINE_1_1'],
  maxVnics: optional(facts['vnics']),
  bandwidthInGbps: facts['perOcpu'] === undefined ? optional(facts['gbps']) : undefined,
  gpus: Number(facts['gpus'] ?? 0),
  gpuDescription: undefined,
  localDisksInGBs: Number(facts['disk'] ?? 0) * 1000,
  isAlwaysFree: false,
})

/** Kerf's built-in shapes, by name. */
export const knownShapes: ReadonlyMap<string, ShapeFacts> = new Map(
  factsByName(SHAPES).map(([name, facts]) => [name, shape(name, facts)]),
)

const amount = (text: string | undefined): number => Number(text ?? 0)

/** Oracle's published prices for 744 hours, by shape. A test compares them with the hourly rates. */
export const publishedMonths: ReadonlyMap<string, number> = new Map(
  factsByName(PRICES).flatMap(([name, { month }]) => (month === undefined ? [] : [[name, Number(month)] as const])),
)

/** Kerf's built-in prices, by shape. */
export const knownRates: ReadonlyMap<string, ShapeRates> = new Map(
  factsByName(PRICES).map(([name, facts]) => [
    name,
    {
      perOcpu: amount(facts['ocpu']),
      perGB: amount(facts['memory']),
      perDiskTB: amount(facts['disk']),
      perGpu: amount(facts['gpu']),
    },
  ]),
)
