import type { Line } from './charts.ts'

const DAY = 24 * 3_600_000
/** The minimum time between two points, in milliseconds. */
const MINUTE = 60_000

/**
 * Adds the lowest possible cost that is known now to the points of the last day. The value does not apply to earlier times, because pods
 * and prices were different then. A point within a minute replaces the point before it.
 */
export const withLeastCost = (points: Line['points'], now: number, cost: number): Line['points'] => {
  const kept = points.filter(({ time }) => time > now - DAY)
  const before = kept.at(-1)
  const isSoon = kept.length > 1 && before !== undefined && now - (kept.at(-2)?.time ?? 0) < MINUTE
  return [...(isSoon ? kept.slice(0, -1) : kept), { time: now, value: cost }]
}
