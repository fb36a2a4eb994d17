import { findCondition, isConditionTrue, type NodeClaim, type Pod } from '@kerf/apis'
import { launchedFor } from '@kerf/controllers'
import { type ClusterSnapshot, explainPod, type NodeState, type Plan, reasonSentence } from '@kerf/engine'
import { CliError } from '@kerf/provider-kit/command-line'
import { styleFor } from '@kerf/provider-kit/terminal'
import { stringify } from 'yaml'
import { isStaticPool, overlayNote } from '../cluster/gated-objects.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { type ClusterSource, loadCluster } from '../plan/load-cluster.ts'
import { planDocument, podName } from '../plan/plan-document.ts'
import type { PlanningOptions } from '../plan/planning-options.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { scheduleOptions } from '../plan/schedule-options.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { type PlannedNode, podReport } from './pod-report.ts'
import { qualifiedPodName } from './target.ts'

export interface ExplainPodOptions extends ClusterSource, PlanningOptions {
  /** The namespace to use if the pod's name does not contain one. */
  readonly namespace?: string
  readonly output: 'text' | 'json' | 'yaml'
}

/** Returns the node on which a pod runs, and the cluster without the pod. */
const without = (
  snapshot: ClusterSnapshot,
  name: string,
): { readonly pod: Pod; readonly node: NodeState; readonly rest: ClusterSnapshot } | undefined => {
  for (const node of snapshot.nodes) {
    const pod = node.pods.find((each) => podName(each) === name)
    if (pod === undefined) continue
    const emptied = { ...node, pods: node.pods.filter((each) => each !== pod) }
    return { pod, node, rest: { ...snapshot, nodes: snapshot.nodes.map((each) => (each === node ? emptied : each)) } }
  }
  return undefined
}

/** Returns the pod as if it had never been bound to a node. */
const unbound = (pod: Pod): Pod => {
  const { nodeName: _, ...spec } = pod.spec
  return {
    ...pod,
    spec,
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  }
}

/** Returns a line about the NodePools that never launch nodes for pods. They have no row in the verdicts. */
const unaskedPools = (manifests: readonly Manifest[]): string | undefined => {
  const unasked = manifests.flatMap(({ object }) => {
    if (object.kind !== 'NodePool') return []
    const name = object.metadata.name
    if (object.metadata.deletionTimestamp !== undefined) return [`${name} (it is being deleted)`]
    return isStaticPool(object) ? [`${name} (static: it launches nodes only for spec.replicas)`] : []
  })
  return unasked.length === 0 ? undefined : `launches nothing for pods: NodePool ${unasked.join(', ')}`
}

const claimNamed = (manifests: readonly Manifest[], name: string): NodeClaim | undefined =>
  manifests.find(({ object }) => object.kind === 'NodeClaim' && object.metadata.name === name)?.object as
    | NodeClaim
    | undefined

/** Returns the step that the NodeClaim waits for, with the reason, according to its conditions. */
const awaitedStep = (claim: NodeClaim): string | undefined => {
  const type = ['Launched', 'Registered', 'Initialized'].find((each) => !isConditionTrue(claim, each))
  const { reason, message } = (type === undefined ? undefined : findCondition(claim, type)) ?? {}
  const why = [reason, message].filter((text) => text !== undefined && text !== '').join(': ')
  return type === undefined
    ? undefined
    : `NodeClaim ${claim.metadata.name} is not ${type} yet${why === '' ? '' : ` (${why})`}`
}

/** Returns the planned new node on which the pod would run. */
const planNewNode = (plan: Plan, name: string): PlannedNode | undefined => {
  const { nodeClaims } = planDocument(plan, reasonSentence)
  const index = nodeClaims.findIndex(({ pods }) => pods.includes(name))
  const found = nodeClaims[index]
  return found === undefined
    ? undefined
    : { number: index + 1, of: nodeClaims.length, otherPods: found.pods.filter((each) => each !== name) }
}

/** Runs `kerf explain pod`. Returns 0 if the pod is schedulable, 3 if it is not. Changes nothing. */
export const runExplainPod = async (
  wanted: string,
  options: ExplainPodOptions,
  streams: PlanStreams,
): Promise<0 | 3> => {
  const name = qualifiedPodName(wanted, options.namespace)
  const progress = new ProgressLine(streams.stderr)
  const loaded = await loadCluster(options, streams.env, (line) => progress.show(line))
  const { snapshot, pending, options: provided, manifests, notes } = loaded
  progress.show(`explaining ${name}`)
  const waiting = pending.find((each) => podName(each) === name)
  const running = waiting === undefined ? without(snapshot, name) : undefined
  const [pod, cluster, batch] =
    waiting !== undefined
      ? [waiting, snapshot, pending]
      : running !== undefined
        ? [unbound(running.pod), running.rest, []]
        : []
  if (pod === undefined || cluster === undefined || batch === undefined) {
    progress.clear()
    throw new CliError(`no pending or running pod is named ${name}; see: kubectl get pods --all-namespaces`)
  }
  const asked = running === undefined ? batch : [pod]
  const explanation = explainPod(cluster, asked, pod, scheduleOptions(provided, options, asked.length))
  const newNode = running === undefined ? planNewNode(explanation.plan, name) : undefined
  progress.clear()
  const isSchedulable = explanation.place.kind !== 'none'
  for (const line of [...notes, isSchedulable ? undefined : unaskedPools(manifests), overlayNote(manifests)]) {
    if (line !== undefined) streams.stderr.write(`${line}\n`)
  }
  const runsOn = running?.node.name
  const { place } = explanation
  const planned = place.kind === 'node' ? cluster.nodes.find((node) => node.name === place.node) : undefined
  const claim = planned?.nodeClaim === undefined ? undefined : claimNamed(manifests, planned.nodeClaim)
  const awaits = claim === undefined || planned?.initialized === true ? undefined : awaitedStep(claim)
  const owners = claim === undefined ? [] : launchedFor(claim)
  if (options.output === 'text')
    streams.stdout.write(
      podReport(explanation, { runsOn, awaits, launchedFor: owners, newNode }, styleFor(streams.stdout, streams.env)),
    )
  else {
    const { reasons, funnels, remedies } = explanation
    const document = {
      pod: name,
      ...(runsOn === undefined ? {} : { runsOn }),
      place,
      ...(awaits === undefined ? {} : { awaits }),
      ...(owners.length === 0 ? {} : { launchedFor: owners }),
      ...(newNode === undefined ? {} : { newNode }),
      reasons: reasons.map((reason) => ({ ...reason, sentence: reasonSentence(reason) })),
      funnels,
      remedies,
    }
    streams.stdout.write(
      options.output === 'json'
        ? `${JSON.stringify(document, null, 2)}\n`
        : stringify(document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' }),
    )
  }
  return isSchedulable ? 0 : 3
}
