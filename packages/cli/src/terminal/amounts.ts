import { tryParseQuantity } from '@kerf/apis'

const NANO = 1e9
const GIB = 1024 ** 3

const parseNumber = (text: string | undefined): number => Number(tryParseQuantity(text ?? '0') ?? 0n) / NANO

/**
 * Returns a CPU quantity in cores, for example `7.50`, so that all rows of a column have the same unit. Returns `-` for zero or
 * undefined.
 */
export const cores = (text: string | undefined): string => {
  const value = parseNumber(text)
  return value === 0 ? '-' : Math.max(0.01, value).toFixed(2)
}

/**
 * Returns a memory quantity in GiB, for example `9.3Gi`, so that all rows of a column have the same unit. Amounts below 0.1 are rounded
 * up to 0.1. Returns `-` for zero or undefined.
 */
export const gibibytes = (text: string | undefined): string => {
  const value = parseNumber(text) / GIB
  return value === 0 ? '-' : `${Math.max(0.1, value).toFixed(1)}Gi`
}

/** Returns a count with its noun, for example `1 pod` or `2 pods`. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`
