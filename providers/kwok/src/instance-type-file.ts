import {
  type NodeSelectorOperator,
  ownValue,
  parseQuantity,
  QuantityError,
  setOwnValue,
  tryParseQuantity,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { InstanceTypeEntry, OfferingEntry, RequirementEntry } from '@kerf/provider-kit'
import { type FieldReader, readDynamicResources } from './dynamic-resources-entry.ts'
import { kwokInstanceType } from './instance-type.ts'
import { InstanceTypeFileError } from './instance-type-file-error.ts'

const OPERATORS: readonly NodeSelectorOperator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte']
const CAPACITY_TYPE = 'karpenter.sh/capacity-type'
const ZONE = 'topology.kubernetes.io/zone'

/**
 * Parses instance types in the format of upstream's file: a JSON array of `{name, offerings[{Price?, Available, Requirements,
 * ReservationCapacity?}], architecture, operatingSystems, resources}`. Ignores unknown fields. `fileName` is used only in messages.
 *
 * @throws InstanceTypeFileError with the file, the index and the field of the first problem. Any problem makes the whole file unusable.
 */
export const parseInstanceTypeFile = (text: string, fileName: string): InstanceType[] =>
  parseInstanceTypeEntries(text, fileName).map(kwokInstanceType)

/** Parses and checks the entries of an instance-type file, without converting them. */
export const parseInstanceTypeEntries = (text: string, fileName: string): InstanceTypeEntry[] => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new InstanceTypeFileError(fileName, '', `is not JSON: ${problem}`, { cause: error })
  }
  const reader = new EntryReader(fileName)
  const entries = reader.array(json, '').map((item, index) => reader.entry(item, `[${index}]`))
  if (entries.length === 0) throw new InstanceTypeFileError(fileName, '', 'lists no instance type')
  const firstIndex = new Map<string, number>()
  entries.forEach((entry, index) => {
    const first = firstIndex.get(entry.name)
    if (first !== undefined) {
      throw new InstanceTypeFileError(fileName, `[${index}].name`, `${entry.name} is already listed at [${first}]`)
    }
    firstIndex.set(entry.name, index)
  })
  return entries
}

class EntryReader implements FieldReader {
  readonly #fileName: string

  constructor(fileName: string) {
    this.#fileName = fileName
  }

  entry(value: unknown, at: string): InstanceTypeEntry {
    const fields = this.object(value, at)
    const resources = this.#resources(fields['resources'], `${at}.resources`)
    const offerings = this.array(fields['offerings'], `${at}.offerings`).map((item, index) =>
      this.#offering(item, `${at}.offerings[${index}]`),
    )
    this.#requireDistinct(offerings, at)
    const operatingSystems = this.#texts(fields['operatingSystems'], `${at}.operatingSystems`)
    if (operatingSystems.length === 0) this.fail(`${at}.operatingSystems`, 'has no operating system')
    return {
      name: this.text(fields['name'], `${at}.name`),
      offerings,
      architecture: this.text(fields['architecture'], `${at}.architecture`),
      operatingSystems,
      resources,
      ...(fields['dynamicResources'] === undefined
        ? {}
        : { dynamicResources: readDynamicResources(fields['dynamicResources'], `${at}.dynamicResources`, this) }),
    }
  }

  array(value: unknown, at: string): readonly unknown[] {
    if (Array.isArray(value)) return value
    return this.fail(at, `expected a list, found ${describe(value)}`)
  }

  #offering(value: unknown, at: string): OfferingEntry {
    const fields = this.object(value, at)
    const price = fields['Price']
    // Upstream requires `Price`. Kerf accepts an offering without it and treats the price as unknown.
    if (price !== undefined && (typeof price !== 'number' || price < 0)) {
      this.fail(`${at}.Price`, `expected a price per hour of 0 or more, found ${describe(price)}`)
    }
    const available = fields['Available']
    if (available !== undefined && typeof available !== 'boolean') {
      this.fail(`${at}.Available`, `expected true or false, found ${describe(available)}`)
    }
    const requirements = this.array(fields['Requirements'], `${at}.Requirements`).map((item, index) =>
      this.#requirement(item, `${at}.Requirements[${index}]`),
    )
    for (const key of [CAPACITY_TYPE, ZONE]) {
      const found = requirements.filter((requirement) => requirement.key === key)
      const [only] = found
      const isSingle = found.length === 1 && only?.operator === 'In' && only.values?.length === 1
      // Upstream requires a zone. Kerf also accepts DoesNotExist, for machines whose Nodes have no zone label.
      const hasNone = found.length === 1 && key === ZONE && only?.operator === 'DoesNotExist'
      if (!isSingle && !hasNone)
        this.fail(`${at}.Requirements`, `must hold ${key} exactly once, operator In with one value`)
    }
    const reserved = fields['ReservationCapacity']
    if (reserved !== undefined && (typeof reserved !== 'number' || !Number.isInteger(reserved) || reserved < 0)) {
      this.fail(`${at}.ReservationCapacity`, `expected a whole number of 0 or more, found ${describe(reserved)}`)
    }
    return {
      ...(price === undefined ? {} : { Price: price }),
      Available: available ?? true,
      Requirements: requirements,
      ...(reserved === undefined ? {} : { ReservationCapacity: reserved }),
    }
  }

  #requirement(value: unknown, at: string): RequirementEntry {
    const fields = this.object(value, at)
    const named = this.text(fields['operator'], `${at}.operator`)
    const operator = OPERATORS.find((known) => known === named)
    if (operator === undefined) {
      return this.fail(`${at}.operator`, `${JSON.stringify(named)} is not one of ${OPERATORS.join(', ')}`)
    }
    const key = this.text(fields['key'], `${at}.key`)
    const values = fields['values'] === undefined ? undefined : this.#texts(fields['values'], `${at}.values`)
    return values === undefined ? { key, operator } : { key, operator, values }
  }

  #requireDistinct(offerings: readonly OfferingEntry[], at: string): void {
    const seen = new Map<string, number>()
    offerings.forEach((offering, index) => {
      const tuple = offering.Requirements.map(({ key, values }) => `${key}=${values?.join('|') ?? ''}`)
        .sort()
        .join(', ')
      const first = seen.get(tuple)
      if (first !== undefined) {
        this.fail(`${at}.offerings[${index}]`, `offers the same as offerings[${first}]: ${tuple}`)
      }
      seen.set(tuple, index)
    })
  }

  #resources(value: unknown, at: string): Readonly<Record<string, string>> {
    const resources: Record<string, string> = {}
    for (const [name, amount] of Object.entries(this.object(value, at))) {
      setOwnValue(resources, name, this.#quantity(amount, `${at}.${name}`))
    }
    for (const name of ['cpu', 'memory']) {
      const quantity = tryParseQuantity(ownValue(resources, name))
      if (quantity === undefined || quantity === 0n) this.fail(`${at}.${name}`, 'is missing or zero')
    }
    return resources
  }

  #quantity(value: unknown, at: string): string {
    if (typeof value !== 'string' && typeof value !== 'number') {
      return this.fail(at, `expected a quantity, found ${describe(value)}`)
    }
    try {
      if (parseQuantity(value) < 0n) this.fail(at, `expected an amount of 0 or more, found ${value}`)
    } catch (error) {
      if (error instanceof QuantityError) this.fail(at, error.message)
      throw error
    }
    return String(value)
  }

  object(value: unknown, at: string): Readonly<Record<string, unknown>> {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
    return this.fail(at, `expected an object, found ${describe(value)}`)
  }

  text(value: unknown, at: string): string {
    if (typeof value === 'string' && value !== '') return value
    return this.fail(at, `expected a string, found ${describe(value)}`)
  }

  #texts(value: unknown, at: string): readonly string[] {
    return this.array(value, at).map((item, index) => this.text(item, `${at}[${index}]`))
  }

  fail(at: string, problem: string): never {
    throw new InstanceTypeFileError(this.#fileName, at, problem)
  }
}

const describe = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return JSON.stringify(value)
}
