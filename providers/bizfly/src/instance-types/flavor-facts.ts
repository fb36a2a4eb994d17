import { ownValue } from '@kerf/apis'
import type { Flavor } from '../api/bizfly-api.ts'

export const CATEGORIES = ['basic', 'premium', 'enterprise', 'dedicated'] as const
export type Category = (typeof CATEGORIES)[number]

/** A flavor that is suitable for nodes. */
export interface FlavorFacts {
  readonly name: string
  readonly vcpus: number
  readonly memoryMiB: number
  readonly category: Category
  /** `Intel2` or `AMD4`, if the name contains it. */
  readonly cpuVendor: string | undefined
  readonly gpus: number
}

const FIRST_LETTERS: Readonly<Record<string, Category>> = {
  b: 'basic',
  p: 'premium',
  e: 'enterprise',
  d: 'dedicated',
}
const VENDORS: Readonly<Record<string, string>> = { '2': 'Intel2', '4a': 'AMD4' }

const LEAST_MEMORY = 1024

/**
 * Returns the facts about a flavor, or undefined if it is unsuitable for nodes. A flavor is unsuitable if its name has another form, if its
 * category is unknown, if Bizfly Cloud does not sell it by the hour, or if it has GPUs with an unknown resource name
 * (`providers/bizfly/docs/spec/bizfly.md#instance-types`).
 */
export const flavorFacts = ({ name, vcpus, ram, category, gpu, billing_plans }: Flavor): FlavorFacts | undefined => {
  const [, letter = '', processor = ''] = /^([a-z])([0-9a-z]+)\.\d+c_\d+g$/.exec(name) ?? []
  const known = CATEGORIES.find((each) => each === category) ?? ownValue(FIRST_LETTERS, letter)
  const isSold = (billing_plans ?? []).length === 0 || billing_plans?.includes('on_demand') === true
  const isSized = Number.isInteger(vcpus) && vcpus >= 1 && Number.isInteger(ram) && ram >= LEAST_MEMORY
  const gpus = gpu?.count ?? 0
  const hasUnknownGpus = gpus > 0 && !/nvidia/i.test(gpu?.name ?? '')
  if (letter === '' || known === undefined || !isSold || !isSized || hasUnknownGpus) return undefined
  const cpuVendor = ownValue(VENDORS, processor)
  return { name, vcpus, memoryMiB: ram, category: known, cpuVendor, gpus }
}

/** The factor of each category in the weight of a server. */
const FACTORS: Readonly<Record<Category, number>> = { basic: 1, premium: 1.5, enterprise: 2, dedicated: 2.5 }

/**
 * Returns the weight by which Kerf compares servers, because Bizfly Cloud publishes no machine-readable prices. The weight is not an amount
 * of money. The factors equal those of Bizfly's own provider, so both choose the same servers.
 */
export const serverWeight = ({ vcpus, memoryMiB, category }: FlavorFacts): number =>
  (0.01 * vcpus + 0.001 * (memoryMiB / 1024)) * FACTORS[category]

/** The formula of the weight, for messages. */
export const WEIGHT_TEXT =
  '0.01 for each vCPU and 0.001 for each GiB, times 1 (basic), 1.5 (premium), 2 (enterprise) or 2.5 (dedicated)'
