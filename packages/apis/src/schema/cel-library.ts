import { Environment } from '@marcbachmann/cel-js'
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
  toNumber,
  toQuantity,
  tryParseQuantity,
} from '../quantity.ts'
import { registerNames, registerSets } from './cel-names.ts'
import { registerAddresses, registerUrls } from './cel-net.ts'
import { goMatches, goPattern } from './go-pattern.ts'

/** This file registers the functions that Kubernetes adds to CEL in the evaluator. */

/** A duration of the evaluator. The evaluator does not export its class, so the class is taken from the result of an expression. */
interface DurationValue {
  readonly seconds: bigint
}
type DurationClass = new (seconds: bigint, nanos: number) => DurationValue
const durationClass = (new Environment().evaluate("duration('1s')") as DurationValue).constructor as DurationClass

export const CelDuration = {
  fromNanoseconds: (nanoseconds: bigint): DurationValue =>
    new durationClass(nanoseconds / 1_000_000_000n, Number(nanoseconds % 1_000_000_000n)),
}

/** A quantity as a CEL value. */
export class CelQuantity {
  readonly amount: Quantity

  constructor(amount: Quantity) {
    this.amount = amount
  }
}

const UNIT = 1_000_000_000n
const LARGEST = 2n ** 63n

const isWhole = ({ amount }: CelQuantity): boolean =>
  amount % UNIT === 0n && amount / UNIT < LARGEST && amount / UNIT >= -LARGEST

const order = (a: CelQuantity, b: CelQuantity): bigint => (a.amount < b.amount ? -1n : a.amount > b.amount ? 1n : 0n)

const registerQuantities = (environment: Environment): void => {
  const Q = 'kubernetes.Quantity'
  const whole = (amount: bigint): Quantity => toQuantity(amount)
  environment
    .registerType(Q, CelQuantity)
    .registerFunction(`quantity(string): ${Q}`, (text: string) => new CelQuantity(parseQuantity(text)))
    .registerFunction('isQuantity(string): bool', (text: string) => tryParseQuantity(text) !== undefined)
    .registerFunction(`${Q}.isLessThan(${Q}): bool`, (a: CelQuantity, b: CelQuantity) => order(a, b) < 0n)
    .registerFunction(`${Q}.isGreaterThan(${Q}): bool`, (a: CelQuantity, b: CelQuantity) => order(a, b) > 0n)
    .registerFunction(`${Q}.compareTo(${Q}): int`, order)
    .registerFunction(`${Q}.sign(): int`, (q: CelQuantity) => order(q, new CelQuantity(whole(0n))))
    .registerFunction(`${Q}.isInteger(): bool`, isWhole)
    .registerFunction(`${Q}.asInteger(): int`, (q: CelQuantity) => {
      if (!isWhole(q)) throw new RangeError(`${formatQuantity(q.amount)} is not a whole number`)
      return q.amount / UNIT
    })
    .registerFunction(`${Q}.asApproximateFloat(): double`, (q: CelQuantity) => toNumber(q.amount))
    .registerFunction(
      `${Q}.add(${Q}): ${Q}`,
      (a: CelQuantity, b: CelQuantity) => new CelQuantity(addQuantities(a.amount, b.amount)),
    )
    .registerFunction(
      `${Q}.add(int): ${Q}`,
      (a: CelQuantity, b: bigint) => new CelQuantity(addQuantities(a.amount, whole(b))),
    )
    .registerFunction(
      `${Q}.sub(${Q}): ${Q}`,
      (a: CelQuantity, b: CelQuantity) => new CelQuantity(subtractQuantities(a.amount, b.amount)),
    )
    .registerFunction(
      `${Q}.sub(int): ${Q}`,
      (a: CelQuantity, b: bigint) => new CelQuantity(subtractQuantities(a.amount, whole(b))),
    )
    .registerOperator(`${Q} == ${Q}`, (a: CelQuantity, b: CelQuantity) => a.amount === b.amount)
}

/**
 * Registers `int()` and `matches()` with the behaviour of Go. Rules are rewritten so that they call these functions (see
 * `cel-rule.ts`).
 */
const registerReplacements = (environment: Environment): void => {
  environment
    .registerFunction('goInt(int): int', (value: bigint) => value)
    .registerFunction('goInt(double): int', (value: number) => BigInt(Math.trunc(value)))
    .registerFunction('goInt(google.protobuf.Timestamp): int', (value: Date) =>
      BigInt(Math.floor(value.getTime() / 1000)),
    )
    .registerFunction('goInt(string): int', (text: string) => {
      const value = /^[+-]?[0-9]+$/.test(text) ? BigInt(text.replace('+', '')) : undefined
      if (value === undefined || value >= LARGEST || value < -LARGEST)
        throw new RangeError(`${JSON.stringify(text)} is not an integer`)
      return value
    })
    .registerFunction('string.goMatches(string): bool', (text: string, pattern: string) =>
      goPattern(pattern).test(text),
    )
    .registerFunction('goMatches(string, string): bool', (text: string, pattern: string) =>
      goPattern(pattern).test(text),
    )
}

const registerTexts = (environment: Environment): void => {
  environment
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => goMatches(pattern, text, 1)[0] ?? '',
    )
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) =>
      goMatches(pattern, text),
    )
    .registerFunction('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) =>
      goMatches(pattern, text, Number(limit)),
    )
    .registerFunction('string.charAt(int): string', (text: string, index: bigint) => {
      if (index < 0n || index > BigInt(text.length)) throw new RangeError(`index ${index} is outside the text`)
      return text.charAt(Number(index))
    })
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    )
    .registerFunction(
      'string.replace(string, string, int): string',
      (text: string, from: string, to: string, limit: bigint) => {
        let left = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)
        return text.replaceAll(from, (found) => (left-- > 0 ? to : found))
      },
    )
    .registerFunction('string.reverse(): string', (text: string) => [...text].reverse().join(''))
    .registerFunction('string.format(list): string', (text: string, values: readonly unknown[]) =>
      formatText(text, values),
    )
}

/** Formats a string with `%s %d %f %e %x %X %o %b`, with precisions, and `%%`. */
const formatText = (text: string, values: readonly unknown[]): string => {
  let next = 0
  return text.replaceAll(
    /%(?:%|(\.\d+)?([sdfexXob]))/g,
    (all, precision: string | undefined, verb: string | undefined) => {
      if (verb === undefined) return '%'
      if (next >= values.length) throw new RangeError(`no value for ${all}`)
      const value = values[next++]
      const digits = precision === undefined ? 6 : Number(precision.slice(1))
      switch (verb) {
        case 'd':
          return String(value)
        case 'f':
          return Number(value).toFixed(digits)
        case 'e':
          return Number(value).toExponential(digits)
        case 'b':
          return typeof value === 'bigint' ? value.toString(2) : value === true ? '1' : '0'
        case 'o':
          return typeof value === 'bigint' ? value.toString(8) : String(value)
        case 'x':
          return typeof value === 'bigint' ? value.toString(16) : String(value)
        case 'X':
          return typeof value === 'bigint' ? value.toString(16).toUpperCase() : String(value).toUpperCase()
        default:
          return Array.isArray(value) ? `[${value.join(', ')}]` : String(value)
      }
    },
  )
}

type Ordered = bigint | number | string

const extreme = (list: readonly Ordered[], isBetter: (a: Ordered, b: Ordered) => boolean): Ordered => {
  const [first, ...rest] = list
  if (first === undefined) throw new RangeError('the list is empty')
  return rest.reduce((best, value) => (isBetter(value, best) ? value : best), first)
}

const registerLists = (environment: Environment): void => {
  environment
    .registerFunction('list.isSorted(): bool', (list: readonly Ordered[]) =>
      list.every((value, index) => index === 0 || (list[index - 1] ?? value) <= value),
    )
    .registerFunction('list.sum(): dyn', (list: readonly (bigint | number)[]) => {
      const isDouble = list.some((value) => typeof value === 'number')
      return isDouble
        ? list.reduce((sum: number, value) => sum + Number(value), 0)
        : list.reduce((sum: bigint, value) => sum + BigInt(value), 0n)
    })
    .registerFunction('list.min(): dyn', (list: readonly Ordered[]) => extreme(list, (a, b) => a < b))
    .registerFunction('list.max(): dyn', (list: readonly Ordered[]) => extreme(list, (a, b) => a > b))
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], value: unknown) =>
      BigInt(list.indexOf(value)),
    )
    .registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], value: unknown) =>
      BigInt(list.lastIndexOf(value)),
    )
}

let shared: Environment | undefined

/** Returns an environment for compiling rules. Its variables are `self` and `oldSelf`. */
export const celEnvironment = (): Environment => {
  if (shared !== undefined) return shared
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
    .registerVariable('self', 'dyn')
    .registerVariable('oldSelf', 'dyn')
  registerReplacements(environment)
  registerQuantities(environment)
  registerTexts(environment)
  registerLists(environment)
  registerAddresses(environment)
  registerUrls(environment)
  registerNames(environment)
  registerSets(environment)
  shared = environment
  return environment
}
