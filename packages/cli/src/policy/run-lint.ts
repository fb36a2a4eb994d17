import type { NodePool } from '@kerf/apis'
import { isStaticPool } from '../cluster/gated-objects.ts'
import { loadCluster } from '../plan/load-cluster.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { type PolicyOptions, policiesIn } from './policy-options.ts'
import { policyProblems } from './policy-problems.ts'

/** Runs `kerf policy lint`. Returns 3 if it finds a problem, 0 otherwise. Changes nothing. */
export const runPolicyLint = async (options: PolicyOptions, streams: PlanStreams): Promise<0 | 3> => {
  const progress = new ProgressLine(streams.stderr)
  const loaded = await loadCluster(options, streams.env, (line) => progress.say(line))
  progress.clear()
  const { manifests, snapshot, ceilings, notes } = loaded
  for (const note of notes) streams.stderr.write(`${note}\n`)
  const staticPools = manifests.flatMap(({ object }) => (isStaticPool(object) ? [object as NodePool] : []))
  const problems = policyProblems({ policies: policiesIn(manifests), pools: snapshot.pools, staticPools, ceilings })
  if (options.output === 'json') streams.stdout.write(`${JSON.stringify({ problems }, null, 2)}\n`)
  else if (problems.length === 0) streams.stdout.write('no problems\n')
  else
    for (const { policy, problem, remedy } of problems)
      streams.stdout.write(`${policy}: ${problem}\n  remedy: ${remedy}\n`)
  return problems.length === 0 ? 0 : 3
}
