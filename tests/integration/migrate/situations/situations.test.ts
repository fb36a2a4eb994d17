import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { playWithModel } from './model-run.ts'
import type { SituationFacts } from './situation.ts'
import { situations } from './situations.ts'

const file = new URL('recorded.json', import.meta.url)
const recorded: Readonly<Record<string, SituationFacts>> = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : {}

/** The tolerance in seconds. The times of two runs of a real process always differ. */
const NEAR = 4

/** Returns the facts without the times. These must be equal in the model and in the recording. */
const without = ({ firstScaleUp: _s, firstRemoval: _r, ...facts }: SituationFacts) => facts

for (const situation of situations)
  test(`the model behaves like the real 1.36.1: ${situation.name}`, async () => {
    const real = recorded[situation.name]
    expect(
      real,
      'it is recorded: KERF_CLUSTER_AUTOSCALER=/path/to/the/binary npx vitest run tests/integration/migrate/situations',
    ).toBeDefined()
    const model = await playWithModel(situation)
    expect(without(model)).toEqual(without(real ?? model))
    for (const key of ['firstScaleUp', 'firstRemoval'] as const) {
      expect(model[key] === undefined, key).toBe(real?.[key] === undefined)
      expect(
        Math.abs((model[key] ?? 0) - (real?.[key] ?? 0)),
        `${key}: ${model[key]} s, the real one ${real?.[key]} s`,
      ).toBeLessThanOrEqual(NEAR)
    }
  })
