import type { Environment, ParseResult } from '@marcbachmann/cel-js'
import type { Device, DeviceAttribute } from '../kubernetes/dynamic-resources.ts'
import { tryParseQuantity } from '../quantity.ts'
import { CelQuantity, celEnvironment } from './cel-library.ts'
import { RuleError, toGoCalls } from './cel-rule.ts'
import { CelSemver, registerVersions } from './cel-semver.ts'

/** A device in the form that expressions read. Created once for each device by `deviceValue`. */
export type DeviceValue = Readonly<Record<string, unknown>>

/** The result of an expression for a device. */
export type DeviceVerdict = boolean | { readonly problem: string }

/** A compiled selector of a device class or a device request. */
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

/** Returns values by domain and identifier: `a.io/model` is `["a.io"].model`. The default domain is the driver's name. */
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

/** Returns a map in which a missing domain reads as an empty one. */
const answeringAll = (domains: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> =>
  Object.assign(new Map(domains), { get: (domain: string) => domains.get(domain) ?? NOTHING })

/** Returns a device of a driver for expressions: `driver`, `attributes`, `capacity`, `allowMultipleAllocations`. */
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
 * Rewrites `has`. The evaluator's `has` does not support brackets, and a key test of a map is equivalent. Also, a map that
 * returns a value for every domain would seem to contain every domain.
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
 * @throws RuleError if it does not parse, does not pass the type check, or is not boolean.
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
