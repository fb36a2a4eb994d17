import { writeFileSync } from 'node:fs'
import { startControlPlane } from '@kerf/control-plane'
import { expect, onTestFinished, test } from 'vitest'
import { playWithReal } from './real-run.ts'
import type { SituationFacts } from './situation.ts'
import { situations } from './situations.ts'

/**
 * The path of the real Cluster Autoscaler. This test records how it behaves in each situation. The binary is built from
 * kubernetes/autoscaler at the tag cluster-autoscaler-1.36.1: `go build -mod=mod -tags kwok` in its folder cluster-autoscaler.
 */
const binary = process.env['KERF_CLUSTER_AUTOSCALER']

test.skipIf(binary === undefined)(
  'the real Cluster Autoscaler in every situation (KERF_CLUSTER_AUTOSCALER)',
  async () => {
    const plane = await startControlPlane({ schedulers: false })
    onTestFinished(() => plane.stop())
    const only = process.env['KERF_SITUATION']
    const facts: Record<string, SituationFacts> = {}
    for (const situation of situations) {
      if (only !== undefined && !situation.name.includes(only)) continue
      facts[situation.name] = await playWithReal(situation, binary ?? '', plane)
      process.stdout.write(`${situation.name}: ${JSON.stringify(facts[situation.name])}\n`)
    }
    expect(Object.keys(facts).length).toBeGreaterThan(0)
    const file = process.env['KERF_RECORD_TO']
    if (file !== undefined) writeFileSync(file, `${JSON.stringify(facts, null, 2)}\n`)
  },
)
