/**
 * An exact Kubernetes quantity. A `Quantity` is a number of billionths (nano) of the unit. Every value that the API accepts is
 * therefore an integer, and quantities can be compared with `<`.
 */
export type Quantity = bigint & { readonly __quantity: true }

/**
 * The notation of a quantity: powers of 1000 with suffixes, powers of 1024 with suffixes, or powers of 1000 with an exponent such
 * as `e6`.
 */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent'

/** Thrown for a string that is not a quantity. `text` is that string. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError'
  readonly text: string

  constructor(text: string, problem: string) {
    super(
      `${JSON.stringify(text)} is not a quantity: ${problem}; write a number with an optional suffix, for example 500m, 2 or 1.5Gi`,
    )
    this.text = text
  }
}

const UNIT = 1_000_000_000n
const MILLI = 1_000_000n

/** The exponent of each suffix, to the base ten or two. `E` alone means exa; before digits it starts an exponent. */
const DECIMAL_SUFFIXES = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
])
const BINARY_SUFFIXES = new Map([
  ['Ki', 10n],
  ['Mi', 20n],
  ['Gi', 30n],
  ['Ti', 40n],
  ['Pi', 50n],
  ['Ei', 60n],
])
const DECIMAL_LETTERS = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const
const BINARY_LETTERS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const

/** The largest exponent. A larger one is a typing error, and would make parsing expensive. */
const LARGEST_EXPONENT = 400
const LARGEST_BINARY = (2n ** 63n - 1n) * UNIT

/**
 * The sign, digits, fraction and suffix of a quantity. Like the API server, it accepts missing digits as zero if no arithmetic is needed.
 */
// Digits after the number are allowed only after a letter, so that a long invalid string is refused in linear time.
const PARTS = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[+-]?[0-9]*)?)$/
const EXPONENT = /^[eE]([+-]?[0-9]+)$/

const brand = (nano: bigint): Quantity => nano as Quantity

/** The amount 0. */
export const zero: Quantity = brand(0n)

/** Returns `amount × 10^power`. If `power` is negative, rounds away from zero to an integer. */
const scaleByTen = (amount: bigint, power: number): bigint => {
  if (power >= 0) return amount * 10n ** BigInt(power)
  return divideUp(amount, 10n ** BigInt(-power))
}

/** Divides, and rounds away from zero so that a small request does not become 0. */
const divideUp = (amount: bigint, divisor: bigint): bigint => {
  const whole = amount / divisor
  if (amount % divisor === 0n) return whole
  return amount < 0n ? whole - 1n : whole + 1n
}

const parse = (text: string): Quantity => {
  if (text === '') throw new QuantityError(text, 'it is empty')
  const parts = PARTS.exec(text)
  if (parts === null) throw new QuantityError(text, 'it has an invalid character')
  const [, sign = '', whole = '', fraction = '', suffix = ''] = parts
  const digits = BigInt(`0${whole}${fraction}`)
  const amount = sign === '-' ? -digits : digits

  const hasDigits = whole !== '' || fraction !== ''
  const bits = BINARY_SUFFIXES.get(suffix)
  if (bits !== undefined) {
    if (!hasDigits && bits >= 50n) throw new QuantityError(text, 'it has no digits')
    const nano = scaleByTen((amount << bits) * UNIT, -fraction.length)
    return brand(nano > LARGEST_BINARY ? LARGEST_BINARY : nano < -LARGEST_BINARY ? -LARGEST_BINARY : nano)
  }
  const power = DECIMAL_SUFFIXES.get(suffix) ?? parseExponent(text, suffix)
  if (!hasDigits && power < -9) throw new QuantityError(text, 'it has no digits')
  return brand(scaleByTen(amount, power + 9 - fraction.length))
}

const parseExponent = (text: string, suffix: string): number => {
  const digits = EXPONENT.exec(suffix)?.[1]
  if (digits === undefined) throw new QuantityError(text, `${JSON.stringify(suffix)} is not a suffix`)
  const exponent = Number(digits)
  if (Math.abs(exponent) > LARGEST_EXPONENT)
    throw new QuantityError(text, `the exponent is larger than ${LARGEST_EXPONENT}`)
  return exponent
}

// The objects of a cluster contain a few hundred different quantities, each many thousands of times. The cache is emptied when it is full,
// so that many different strings cannot make it grow without limit.
const CACHE_SIZE = 20_000
const cache = new Map<string, Quantity>()

/**
 * Parses a quantity exactly as the API server does, with all suffixes (`n u m k M G T P E`, `Ki`…`Ei`) and exponents. Fractions of
 * a billionth are rounded away from zero, and binary amounts are limited to 2^63-1.
 * @throws QuantityError with the string.
 */
export const parseQuantity = (text: string | number): Quantity => {
  const key = typeof text === 'number' ? String(text) : text
  const known = cache.get(key)
  if (known !== undefined) return known
  const quantity = parse(key)
  if (cache.size >= CACHE_SIZE) cache.clear()
  cache.set(key, quantity)
  return quantity
}

/** Like `parseQuantity`, but accepts any value, and returns `undefined` if the value is not a quantity. */
export const tryParseQuantity = (value: unknown): Quantity | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  try {
    return parseQuantity(value)
  } catch (error) {
    if (error instanceof QuantityError) return undefined
    throw error
  }
}

/**
 * Returns the canonical form of an amount, as the API server writes it: without a fraction, and with the largest suffix that needs no
 * fraction. With `BinarySI`, amounts between -1024 and 1024 and fractions still get decimal suffixes.
 */
export const formatQuantity = (quantity: Quantity, format: QuantityFormat = 'DecimalSI'): string => {
  if (quantity === 0n) return '0'
  const isBinary =
    format === 'BinarySI' && quantity % UNIT === 0n && (quantity >= 1024n * UNIT || quantity <= -1024n * UNIT)
  return isBinary ? formatBinary(quantity / UNIT) : formatDecimal(quantity, format === 'DecimalExponent')
}

const formatBinary = (whole: bigint): string => {
  let amount = whole
  let step = 0
  while (step < BINARY_LETTERS.length - 1 && amount % 1024n === 0n) {
    amount /= 1024n
    step++
  }
  return `${amount}${BINARY_LETTERS[step]}`
}

const formatDecimal = (nano: bigint, asExponent: boolean): string => {
  let amount: bigint = nano
  let step = 0
  while ((asExponent || step < DECIMAL_LETTERS.length - 1) && amount % 1000n === 0n) {
    amount /= 1000n
    step++
  }
  if (!asExponent) return `${amount}${DECIMAL_LETTERS[step]}`
  const exponent = step * 3 - 9
  return exponent === 0 ? `${amount}` : `${amount}e${exponent}`
}

/** Returns the usual notation for a resource: powers of 1024 for bytes, and powers of 1000 for everything else. */
export const quantityFormat = (resourceName: string): 'BinarySI' | 'DecimalSI' => {
  const isBytes =
    resourceName === 'memory' ||
    resourceName === 'ephemeral-storage' ||
    resourceName === 'storage' ||
    resourceName.startsWith('hugepages-')
  return isBytes ? 'BinarySI' : 'DecimalSI'
}

/** Returns the exact sum, or 0 without arguments. */
export const addQuantities = (...quantities: readonly Quantity[]): Quantity =>
  brand(quantities.reduce<bigint>((sum, quantity) => sum + quantity, 0n))

/** Returns `a - b`, which may be negative. */
export const subtractQuantities = (a: Quantity, b: Quantity): Quantity => brand(a - b)

/** Returns `quantity × factor` for an integer factor. */
export const multiplyQuantity = (quantity: Quantity, factor: number | bigint): Quantity =>
  brand(quantity * BigInt(factor))

/** Returns a quantity of whole units, or of thousandths or billionths of the unit. */
export const toQuantity = (amount: number | bigint, unit: 'one' | 'milli' | 'nano' = 'one'): Quantity => {
  const factor = unit === 'one' ? UNIT : unit === 'milli' ? MILLI : 1n
  return brand(BigInt(amount) * factor)
}

/** Returns thousandths of the unit, rounded away from zero. Usually used for `cpu`. Exact up to 2^53. */
export const toMilli = (quantity: Quantity): number => Number(divideUp(quantity, MILLI))

/** Returns whole units, rounded away from zero. Usually used for bytes and counts. Exact up to 2^53. */
export const toWhole = (quantity: Quantity): number => Number(divideUp(quantity, UNIT))

/** Returns units with a fraction, with the precision of a double, for prices, ratios and metrics. */
export const toNumber = (quantity: Quantity): number => Number(quantity / UNIT) + Number(quantity % UNIT) / 1e9
