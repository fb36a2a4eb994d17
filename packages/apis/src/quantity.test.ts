import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityFormat,
  toMilli,
  toNumber,
  toQuantity,
  toWhole,
  tryParseQuantity,
  zero,
} from './quantity.ts'

interface Vector {
  readonly text: string
  readonly refused: boolean
  readonly value: string
  readonly decimal: string
  readonly binary: string
  readonly milli: string
}

const vectors: readonly Vector[] = readFileSync(new URL('./quantity.vectors.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [text = '', value = '', decimal = '', binary = '', milli = ''] = line.split('\t')
    return { text: JSON.parse(text), refused: value === 'refused', value, decimal, binary, milli }
  })

/** Computes the billionths of an amount such as `-1.25` with a slow and simple algorithm. */
const parseNano = (value: string): bigint => {
  const [whole = '', fraction = ''] = value.replace(/^[+-]/, '').split('.')
  const nano = BigInt(`${whole}${fraction.slice(0, 9).padEnd(9, '0')}`)
  return value.startsWith('-') ? -nano : nano
}

/** Above this amount, Go omits the suffix of the decimal form, which changes the number. */
const LARGEST_WRITABLE = 10n ** 30n
const abs = (value: bigint): bigint => (value < 0n ? -value : value)

describe('parsing as in Go', () => {
  test('there are many vectors, valid and invalid', () => {
    expect(vectors.filter(({ refused }) => refused).length).toBeGreaterThan(300)
    expect(vectors.filter(({ refused }) => !refused).length).toBeGreaterThan(900)
  })

  test('invalid texts are refused with an error that contains them', () => {
    for (const { text } of vectors.filter(({ refused }) => refused)) {
      expect(tryParseQuantity(text), JSON.stringify(text)).toBeUndefined()
      expect(() => parseQuantity(text)).toThrow(QuantityError)
      expect(() => parseQuantity(text)).toThrow(JSON.stringify(text))
    }
  })

  test('valid texts have the same value, canonical text and thousandths as in Go', () => {
    for (const vector of vectors.filter(({ refused }) => !refused)) {
      const quantity = parseQuantity(vector.text)
      const label = JSON.stringify(vector.text)
      expect(quantity as bigint, label).toBe(parseNano(vector.value))
      if (abs(quantity) < LARGEST_WRITABLE) {
        expect(formatQuantity(quantity, 'DecimalSI'), label).toBe(vector.decimal)
        expect(formatQuantity(quantity, 'BinarySI'), label).toBe(vector.binary)
      }
      // Go's rounding of negative amounts is off by one or overflows.
      if (vector.milli !== '' && quantity >= 0n && Number.isSafeInteger(Number(vector.milli))) {
        expect(toMilli(quantity), label).toBe(Number(vector.milli))
      }
    }
  })
})

const quantities = (): fc.Arbitrary<Quantity> =>
  fc.oneof(
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((nano) => toQuantity(nano, 'nano')),
    fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }).map((whole) => toQuantity(whole)),
    fc
      .tuple(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: 0, max: 5 }))
      .map(([n, p]) => toQuantity(BigInt(n) * 1024n ** BigInt(p))),
  )

const formats = fc.constantFrom('DecimalSI', 'BinarySI', 'DecimalExponent' as const)

describe('properties', () => {
  test('a canonical text parses as the same amount, and its canonical text is the same', () => {
    fc.assert(
      fc.property(quantities(), formats, (quantity, format) => {
        const text = formatQuantity(quantity, format)
        expect(parseQuantity(text)).toBe(quantity)
        expect(formatQuantity(parseQuantity(text), format)).toBe(text)
      }),
    )
  })

  test('a canonical text has no fraction and no unnecessary zeros', () => {
    fc.assert(
      fc.property(quantities(), (quantity) => {
        expect(formatQuantity(quantity)).toMatch(/^(0|-?[1-9]\d*[numkMGTPE]?)$/)
        expect(formatQuantity(quantity)).not.toMatch(/000[numkMGTP]?$/)
        expect(formatQuantity(quantity, 'BinarySI')).toMatch(/^(0|-?[1-9]\d*([numkMGTPE]|[KMGTPE]i)?)$/)
      }),
    )
  })

  test('decimals are exact with every suffix', () => {
    const suffixes = { n: 0n, u: 3n, m: 6n, '': 9n, k: 12n, M: 15n, G: 18n, T: 21n, P: 24n, E: 27n } as const
    const names = Object.keys(suffixes) as (keyof typeof suffixes)[]
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), fc.constantFrom(...names), (amount, suffix) => {
        expect(parseQuantity(`${amount}${suffix}`) as bigint).toBe(amount * 10n ** suffixes[suffix])
      }),
    )
  })

  test('addition and order are the same as for numbers', () => {
    fc.assert(
      fc.property(quantities(), quantities(), quantities(), (a, b, c) => {
        expect(addQuantities(a, b)).toBe(addQuantities(b, a))
        expect(addQuantities(addQuantities(a, b), c)).toBe(addQuantities(a, addQuantities(b, c)))
        expect(addQuantities(a, zero)).toBe(a)
        if (a < b) expect(toNumber(a)).toBeLessThanOrEqual(toNumber(b))
      }),
    )
  })

  test('rounding never returns less than the amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (nano) => {
        const quantity = toQuantity(nano, 'nano')
        expect(BigInt(toWhole(quantity)) * 10n ** 9n >= nano).toBe(true)
        expect(BigInt(toMilli(quantity)) * 10n ** 6n >= nano).toBe(true)
        expect(BigInt(toWhole(quantity)) * 10n ** 9n - nano < 10n ** 9n).toBe(true)
      }),
    )
  })
})

test('JSON numbers are quantities', () => {
  expect(formatQuantity(parseQuantity(2))).toBe('2')
  expect(formatQuantity(parseQuantity(0.25))).toBe('250m')
  expect(formatQuantity(parseQuantity(1e21))).toBe('1000E')
  expect(tryParseQuantity(Number.NaN)).toBeUndefined()
  expect(tryParseQuantity(undefined)).toBeUndefined()
  expect(tryParseQuantity({})).toBeUndefined()
})

test('bytes are written in powers of 1024, and counts in powers of 1000', () => {
  expect(['memory', 'ephemeral-storage', 'storage', 'hugepages-2Mi'].map(quantityFormat)).toEqual(
    Array(4).fill('BinarySI'),
  )
  expect(['cpu', 'pods', 'nvidia.com/gpu'].map(quantityFormat)).toEqual(Array(3).fill('DecimalSI'))
})
