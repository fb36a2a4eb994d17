import type { Environment, ParseResult } from '@marcbachmann/cel-js'
import type { Device, DeviceAttribute } from '../kubernetes/dynamic-resources.ts'
import { tryParseQuantity } from '../quantity.ts'
import { CelQuantity, celEnvironment } from './cel-library.ts'
import { RuleError, toGoCalls } from './cel-rule.ts'
import { CelSemver, registerVersions } from './cel-semver.ts'

/** A device in the form that expressions read. `deviceValue` creates it once for each device. */
export type DeviceValue = Readonly<Record<string, unknown>>

/** The result of an expression for a device, or the error. */
export type DeviceVerdict = boolean | { readonly problem: string }

/** The compiled selector of a device class or a device request. */
export interface DeviceExpression {
  readonly source: string
  evaluate(device: DeviceValue): DeviceVerdict
}

const attributeValue = ({ bool, int, string, version }: DeviceAttribute): unknown => {
  if (bool !== undefined) return bool
  if (int !== undefined) return BigInt(int)
  if (string !== undefined) return string
  try {
    return version === undefined ? '' : new CelSemver(version)
  } catch {
    return version
  }
}

const NOTHING: ReadonlyMap<string, unknown> = new Map()

/**
 * Returns values by domain and identifier: `a.io/model` becomes `["a.io"].model`. Without a domain, the driver's name is the
 * domain.
 */
const byDomain = (driver: string, entries: Iterable<readonly [string, unknown]>): ReadonlyMap<string, unknown> => {
  const domains = new Map<string, Map<string, unknown>>()
  for (const [name, value] of entries) {
    const slash = name.indexOf('/')
    const domain = slash < 0 ? driver : name.slice(0, slash)
    let inner = domains.get(domain)
    if (inner === undefined) {
      inner = new Map()
      domains.set(domain, inner)
    }
    inner.set(name.slice(slash + 1), value)
  }
  return domains
}

/** Returns a copy of the map whose `get` returns an empty map for a missing domain. */
const answeringAll = (domains: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> =>
  Object.assign(new Map(domains), { get: (domain: string) => domains.get(domain) ?? NOTHING })

/** Returns a driver's device in the form that expressions read: `driver`, `attributes`, `capacity`, `allowMultipleAllocations`. */
export const deviceValue = (driver: string, device: Device): DeviceValue => {
  const attributes = byDomain(
    driver,
    Object.entries(device.attributes ?? {}).map(([name, attribute]) => [name, attributeValue(attribute)]),
  )
  const capacity = byDomain(
    driver,
    Object.entries(device.capacity ?? {}).flatMap(([name, { value }]) => {
      const amount = tryParseQuantity(value)
      return amount === undefined ? [] : [[name, new CelQuantity(amount)] as const]
    }),
  )
  return {
    driver,
    allowMultipleAllocations: device.allowMultipleAllocations === true,
    attributes: answeringAll(attributes),
    capacity: answeringAll(capacity),
    attributesDomains: attributes,
    capacityDomains: capacity,
  }
}

let shared: Environment | undefined

const environment = (): Environment => {
  if (shared === undefined) {
    shared = celEnvironment().clone().registerVariable('device', 'dyn')
    registerVersions(shared)
  }
  return shared
}

/**
 * Replaces `has` with an equivalent test of a map's keys, for two reasons. The evaluator's `has` does not support brackets. Also, a map
 * that returns a value for every domain would seem to contain every domain.
 */
const toEvaluator = (expression: string): string =>
  expression
    .replaceAll(
      /(?<!\w)has\(\s*(\w+(?:\.\w+)*\[(?:"[^"\\\n]*"|'[^'\\\n]*')\])\.(\w+)\s*\)/g,
      (_, map: string, key: string) => `("${key}" in ${map})`,
    )
    .replaceAll(/(?<=\sin\s+device\.)(attributes|capacity)\b(?!\s*[[.])/g, '$1Domains')

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''

/**
 * Compiles an expression over `device` (`spec.selectors[].cel.expression`).
 * @throws RuleError if it cannot be parsed, has wrong types, or does not return a boolean.
 */
export const compileDeviceExpression = (source: string): DeviceExpression => {
  let program: ParseResult
  try {
    program = environment().parse(toGoCalls(toEvaluator(source)))
  } catch (error) {
    throw new RuleError(source, firstLine(error))
  }
  const { valid, type, error } = program.check()
  if (!valid) throw new RuleError(source, firstLine(error ?? 'it does not check'))
  if (type !== 'bool' && type !== 'dyn') throw new RuleError(source, `it is of type ${type}, not bool`)
  return {
    source,
    evaluate: (device) => {
      try {
        const result: unknown = program({ device })
        return typeof result === 'boolean' ? result : { problem: 'it does not answer true or false' }
      } catch (failure) {
        return { problem: firstLine(failure) }
      }
    },
  }
}
