import type { Environment, ParseResult } from '@marcbachmann/cel-js'
import type { Device, DeviceAttribute } from '../kubernetes/dynamic-resources.ts'
import { tryParseQuantity } from '../quantity.ts'
import { CelQuantity, celEnvironment } from './cel-library.ts'
import { RuleError, toGoCalls } from './cel-rule.ts'
import { CelSemver, registerVersions } from './cel-semver.ts'

/** A device in the form that expressions read; made once per device by `deviceValue`. */
export type DeviceValue = Readonly<Record<string, unknown>>

/** What an expression said about a device. */
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

/** Values by domain and identifier: `a.io/model` is `["a.io"].model`; without a domain it is the driver's own. */
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

/** A domain that is not there reads as an empty one. */
const answeringAll = (domains: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> =>
  Object.assign(new Map(domains), { get: (domain: string) => domains.get(domain) ?? NOTHING })

/** A device of a driver as expressions see it: `driver`, `attributes`, `capacity`, `allowMultipleAllocations`. */
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
 * The evaluator's `has` takes no brackets; whether a map has a key is the same question. And a map that answers for every
 * domain would claim to have every domain.
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
 *
 * @throws RuleError for what does not parse, check, or answer true or false.
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
