import { ceilingAmount, type PlannedCeilings } from '@kerf/controllers'
import { reasonSentence, schedule } from '@kerf/engine'
import { styleFor, table } from '@kerf/provider-kit/terminal'
import { loadCluster } from '../plan/load-cluster.ts'
import { podName } from '../plan/plan-document.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { scheduleOptions } from '../plan/schedule-options.ts'
import { counted } from '../terminal/amounts.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import type { PolicyOptions } from './policy-options.ts'

/** How many waiting pods the text names. */
const SHOWN = 10

interface ExplainedCeiling {
  readonly name: string
  readonly ceiling: string
  readonly used: string
  readonly headroom: string
}

const explained = ({ ceilings, use }: PlannedCeilings): readonly ExplainedCeiling[] =>
  Array.from(ceilings.most, ([name, amount]) => ({
    name,
    ceiling: ceilingAmount(name, amount),
    used: ceilingAmount(name, use.used.get(name) ?? 0n),
    headroom: ceilingAmount(name, use.free.get(name) ?? 0n),
  }))

/** Runs `kerf policy explain`. Returns 3 if a pending pod waits for a policy, 0 otherwise. Changes nothing. */
export const runPolicyExplain = async (options: PolicyOptions, streams: PlanStreams): Promise<0 | 3> => {
  const progress = new ProgressLine(streams.stderr)
  const loaded = await loadCluster(options, streams.env, (line) => progress.say(line))
  const { snapshot, pending, ceilings, options: provided, notes } = loaded
  const plan = schedule(snapshot, pending, { ...scheduleOptions(provided, {}, pending.length), planBudget: 0 })
  progress.clear()
  for (const note of notes) streams.stderr.write(`${note}\n`)
  const waiting = plan.unschedulable.flatMap(({ pod, reasons }) => {
    const reason = reasons.find(({ code }) => code === 'ceiling')
    return reason === undefined ? [] : [{ pod: podName(pod), reason: reasonSentence(reason) }]
  })
  if (options.output === 'json') {
    const document = {
      ceilings: ceilings === undefined ? [] : explained(ceilings),
      ...(ceilings === undefined ? {} : { surge: ceilings.ceilings.surge }),
      waiting,
    }
    streams.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
    return waiting.length === 0 ? 0 : 3
  }
  if (ceilings === undefined) {
    streams.stdout.write('no ceilings: the cluster has no ClusterPolicy named default with spec.ceilings\n')
    return 0
  }
  const style = styleFor(streams.stdout, streams.env)
  const [head = '', ...rows] = table(
    explained(ceilings),
    [
      { title: 'CEILING', value: ({ name }) => name },
      { title: 'OF', value: ({ ceiling }) => ceiling, align: 'right' },
      { title: 'USED', value: ({ used }) => used, align: 'right' },
      { title: 'HEADROOM', value: ({ headroom }) => headroom, align: 'right' },
    ],
    style.width,
  )
  const { surge } = ceilings.ceilings
  const lines = [
    style('bold', 'ClusterPolicy default: ceilings over all NodePools'),
    '',
    style('gray', head),
    ...rows,
    '',
    `${counted(surge, 'replacement')} may exceed the ceilings while the nodes that they replace still run.`,
    waiting.length === 0
      ? 'No pending pod waits for a ceiling.'
      : `${counted(waiting.length, 'pod')} wait for a ceiling:`,
    ...waiting.slice(0, SHOWN).map(({ pod, reason }) => `  ${pod}  ${reason}`),
    ...(waiting.length > SHOWN ? [`  and ${waiting.length - SHOWN} more (-o json lists all)`] : []),
  ]
  streams.stdout.write(`${lines.join('\n')}\n`)
  return waiting.length === 0 ? 0 : 3
}
