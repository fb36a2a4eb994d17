import { CLUSTER_POLICY, type ClusterPolicy } from '@kerf/apis'
import { ceilingAmount, type PlannedCeilings } from '@kerf/controllers'
import { type Plan, reasonSentence, schedule } from '@kerf/engine'
import { type Style, styleFor, table } from '@kerf/provider-kit/terminal'
import { SystemClock } from '@kerf/runtime'
import { loadCluster } from '../plan/load-cluster.ts'
import { podName } from '../plan/plan-document.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { scheduleOptions } from '../plan/schedule-options.ts'
import { counted } from '../terminal/amounts.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { commitmentLines, explainedDiscounts, explainedUse } from './commitments-text.ts'
import { accessLines, explainedAccess } from './explained-access.ts'
import { explainedSleep, sleepLines } from './explained-sleep.ts'
import { fencedPools } from './fence.ts'
import { nodePoolsIn, type PolicyOptions, policiesIn } from './policy-options.ts'
import { explainedPriceBook, priceBookLines } from './price-book-text.ts'

/** Returns the line for a cluster without ceilings. */
const noCeilings = (policies: readonly ClusterPolicy[]): string =>
  policies.some(({ metadata }) => metadata.name === CLUSTER_POLICY)
    ? `no ceilings: ClusterPolicy ${CLUSTER_POLICY} has no section spec.ceilings`
    : `no ceilings: the cluster has no ClusterPolicy named ${CLUSTER_POLICY}`

/** The maximum number of waiting pods that the text lists. */
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

interface WaitingPod {
  readonly pod: string
  readonly reason: string
}

/** Returns the pods that have a reason with one of these codes. */
const waitingFor = (unschedulable: Plan['unschedulable'], isMeant: (code: string) => boolean): readonly WaitingPod[] =>
  unschedulable.flatMap(({ pod, reasons }) => {
    const reason = reasons.find(({ code }) => isMeant(code))
    return reason === undefined ? [] : [{ pod: podName(pod), reason: reasonSentence(reason) }]
  })

const waitingLines = (waiting: readonly WaitingPod[], what: string): readonly string[] => [
  waiting.length === 0
    ? `No pending pod waits for ${what}.`
    : `${counted(waiting.length, 'pod')} ${waiting.length === 1 ? 'waits' : 'wait'} for ${what}:`,
  ...waiting.slice(0, SHOWN).map(({ pod, reason }) => `  ${pod}  ${reason}`),
  ...(waiting.length > SHOWN ? [`  and ${waiting.length - SHOWN} more (-o json lists all)`] : []),
]

const ceilingLines = (ceilings: PlannedCeilings, waiting: readonly WaitingPod[], style: Style): readonly string[] => {
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
  return [
    style('bold', 'ClusterPolicy default: ceilings over all NodePools'),
    '',
    style('gray', head),
    ...rows,
    '',
    `${counted(ceilings.ceilings.surge, 'replacement')} may exceed the ceilings while the nodes that they replace still run.`,
    ...waitingLines(waiting, 'a ceiling'),
  ]
}

/** Runs `kerf policy explain`. Returns 3 if a pending pod waits for a policy, 0 otherwise. Changes nothing. */
export const runPolicyExplain = async (options: PolicyOptions, streams: PlanStreams): Promise<0 | 3> => {
  const progress = new ProgressLine(streams.stderr)
  const loaded = await loadCluster(options, streams.env, (line) => progress.show(line))
  const {
    manifests,
    snapshot,
    pending,
    ceilings,
    commitments,
    priceBook,
    poolPolicies,
    options: provided,
    notes,
  } = loaded
  const plan = schedule(snapshot, pending, { ...scheduleOptions(provided, {}, pending.length), planBudget: 0 })
  progress.clear()
  for (const note of notes) streams.stderr.write(`${note}\n`)
  const access = explainedAccess(fencedPools(poolPolicies, nodePoolsIn(manifests)))
  const forCeiling = waitingFor(plan.unschedulable, (code) => code === 'ceiling')
  const forAccess = waitingFor(plan.unschedulable, (code) => code.startsWith('access.'))
  const now = new SystemClock().now()
  const sleep = explainedSleep(loaded.sleep, poolPolicies, now)
  const forSleep = waitingFor(plan.unschedulable, (code) => code === 'nodepool.asleep')
  const waiting = [...forCeiling, ...forAccess, ...forSleep]
  const exitCode = waiting.length === 0 ? 0 : 3
  const book = priceBook === undefined ? undefined : explainedPriceBook(priceBook, new SystemClock().now())
  if (options.output === 'json') {
    const document = {
      ceilings: ceilings === undefined ? [] : explained(ceilings),
      ...(ceilings === undefined ? {} : { surge: ceilings.ceilings.surge }),
      ...(commitments === undefined
        ? {}
        : { commitments: commitments.uses.map(explainedUse), discounts: explainedDiscounts(commitments) }),
      ...(book === undefined ? {} : { priceBook: book }),
      ...(access.length === 0 ? {} : { access }),
      ...(sleep.length === 0 ? {} : { sleep }),
      waiting,
    }
    streams.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
    return exitCode
  }
  const style = styleFor(streams.stdout, streams.env)
  const lines = [
    ...(ceilings === undefined ? [noCeilings(policiesIn(manifests))] : ceilingLines(ceilings, forCeiling, style)),
    ...(commitments === undefined ? [] : ['', ...commitmentLines(commitments, style)]),
    ...(book === undefined ? [] : ['', ...priceBookLines(book, style)]),
    ...(access.length === 0 ? [] : ['', ...accessLines(access), ...waitingLines(forAccess, 'access to a NodePool')]),
    ...(sleep.length === 0 ? [] : ['', ...sleepLines(sleep), ...waitingLines(forSleep, 'a NodePool that sleeps')]),
  ]
  streams.stdout.write(`${lines.join('\n')}\n`)
  return exitCode
}
