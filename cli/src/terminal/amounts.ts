import { tryParseQuantity } from '@kerf/apis'

const NANO = 1e9
const GIB = 1024 ** 3

const numberOf = (text: string | undefined): number => Number(tryParseQuantity(text ?? '0') ?? 0n) / NANO

/** An amount of cpu in cores, `7.50`: every row of a column in the same unit. Nothing asked for is `-`. */
export const cores = (text: string | undefined): string => {
  const value = numberOf(text)
  return value === 0 ? '-' : Math.max(0.01, value).toFixed(2)
}

/**
 * An amount of memory in GiB, `9.3Gi`: every row of a column in the same unit. What is there is never 0; nothing
 * asked for is `-`.
 */
export const gibibytes = (text: string | undefined): string => {
  const value = numberOf(text) / GIB
  return value === 0 ? '-' : `${Math.max(0.1, value).toFixed(1)}Gi`
}

/** `1 pod`, `2 pods`. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`
