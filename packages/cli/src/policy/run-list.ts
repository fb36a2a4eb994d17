import { findCondition } from '@kerf/apis'
import { styleFor, table } from '@kerf/provider-kit/terminal'
import { loadCluster } from '../plan/load-cluster.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { type PolicyOptions, policiesIn, poolPoliciesIn } from './policy-options.ts'

/** One policy in the output of `kerf policy list`. */
interface ListedPolicy {
  readonly kind: string
  readonly name: string
  readonly sections: readonly string[]
  /** `True`, `False`, or `Unknown` while no controller has read the policy. */
  readonly accepted: string
  readonly reason: string
  readonly message: string
}

/** Runs `kerf policy list`. Changes nothing. */
export const runPolicyList = async (options: PolicyOptions, streams: PlanStreams): Promise<void> => {
  const progress = new ProgressLine(streams.stderr)
  const { manifests, notes } = await loadCluster(options, streams.env, (line) => progress.show(line))
  progress.clear()
  for (const note of notes) streams.stderr.write(`${note}\n`)
  const policies = [...policiesIn(manifests), ...poolPoliciesIn(manifests)]
  const listed = policies.map((policy): ListedPolicy => {
    const condition = findCondition(policy, 'Accepted')
    return {
      kind: policy.kind ?? '',
      name: policy.metadata.name,
      sections: Object.keys(policy.spec).filter((field) => !field.startsWith('target')),
      accepted: condition?.status ?? 'Unknown',
      reason: condition?.reason ?? '',
      message: condition?.message ?? '',
    }
  })
  if (options.output === 'json') {
    streams.stdout.write(`${JSON.stringify({ policies: listed }, null, 2)}\n`)
    return
  }
  if (listed.length === 0) {
    streams.stdout.write('no policies\n')
    return
  }
  const style = styleFor(streams.stdout, streams.env)
  const [head = '', ...rows] = table(
    listed,
    [
      { title: 'KIND', value: ({ kind }) => kind },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'SECTIONS', value: ({ sections }) => sections.join(', ') },
      { title: 'ACCEPTED', value: ({ accepted }) => accepted },
      { title: 'MESSAGE', value: ({ message }) => message },
    ],
    style.width,
  )
  streams.stdout.write(`${[style('gray', head), ...rows].join('\n')}\n`)
}
