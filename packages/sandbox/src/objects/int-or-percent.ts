import type { IntOrString } from '@kerf/apis'

/**
 * Returns a number. A percentage is relative to `total` and rounded according to `round`. If the value is absent or cannot be parsed,
 * returns `otherwise`.
 */
export const intOrPercent = (
  value: IntOrString | undefined,
  total: number,
  round: 'up' | 'down',
  otherwise: IntOrString,
): number => {
  const given = value ?? otherwise
  if (typeof given === 'number') return given
  const percent = /^(\d+)%$/.exec(given)?.[1]
  if (percent === undefined) {
    const plain = Number(given)
    return Number.isInteger(plain) ? plain : intOrPercent(otherwise, total, round, 0)
  }
  const exact = (Number(percent) * total) / 100
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact)
}
